"""Ballard's tables against the published figures."""

import pytest

from gammon.experiments import ballard
from tests.experiments.figures import differences


def test_ballard(reproduce):
    read = reproduce("ballard")
    assert differences(read("ballard-figure-2")) == [0, 0]
    table = read("ballard-table-1")
    assert [row["star2 ours"] for row in table] == ["5", "25", "58", "105", "166"]
    assert [row["star1 ours"] for row in table] == ["5", "40", "138", "336", "670"]
    # A hundred trees only: six standard errors.
    for row in read("ballard-table-2"):
        assert abs(float(row["difference"])) < 6 * float(row["s.e."]) + 1
    for row in read("ballard-table-3"):
        assert abs(float(row["difference"])) < 6 * float(row["s.e."]) + 0.1
    assert max(map(abs, differences(read("ballard-constants")))) < 5e-5


@pytest.mark.parametrize(("n", "star1", "star2"), [(2, 5, 5), (6, 138, 58), (40, 45320, 2732)])
def test_outcomes_to_cut_add_up_to_table_1(n, star1, star2):
    # A cut after m outcomes leaves n (m - 1) + 1 leaves to Star1, m to Star2; the best
    # node has all its n^2. The very first outcome of the last node ends with its first
    # leaf, which is worth L, unless it is cut there anyway.
    outcomes = ballard.outcomes_to_cut(n)
    saved = n - 1 if outcomes[0] > 1 else 0
    assert (n * (outcomes - 1) + 1).sum() + n * n - saved == star1
    assert outcomes.sum() + n * n == star2
