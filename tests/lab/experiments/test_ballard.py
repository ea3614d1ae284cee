"""Ballard's tables against the printed figures."""

import pytest

from gammon_lab.experiments import ballard
from tests.lab.experiments.conftest import reproduced
from tests.lab.experiments.figures import differences


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    return reproduced(tmp_path_factory.mktemp("ballard"), "ballard")


def test_ballard(read):
    assert differences(read("ballard-figure-2")) == [0, 0]
    for row in read("ballard-table-1"):
        rounding = 0.0 if row["count"] == "leaves" else 0.05 + 1e-9
        assert abs(float(row["difference"])) <= rounding


def test_means_tell_how_far_apart_they_are(read):
    tables = {number: read(f"ballard-table-{number}") for number in (2, 3)}
    percentages = {
        row["n"]: row["printed"] for row in tables[3] if row["mean"] == "leaves, % of N^3"
    }
    assert percentages == {"4": "75.4", "6": "64.5", "8": "57.3", "10": "53.1"}
    for row in tables[2] + tables[3]:
        off, error, own = (
            abs(float(row[name])) for name in ("difference", "difference_se", "ours_se")
        )
        step = 0.1 if "." in row["printed"] else 1
        # Ours are of 100 trees and those of the paper of 1000, with rounding.
        assert error == pytest.approx((1.1 * own**2 + step**2 / 12) ** 0.5)
        assert float(row["apart"]) == pytest.approx(off / error, abs=0.051)
        if "if L ends" not in row["mean"]:
            assert float(row["apart"]) < 4


def test_ballards_constants(read):
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
