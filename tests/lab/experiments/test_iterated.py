"""The iterated game against what is expected, and where that is from."""

import pytest

from tests.lab.experiments.figures import differences


@pytest.mark.smoke
def test_iterated(reproduce):
    read = reproduce("iterated")
    rows = read("iterated")
    for each in rows, read("iterated-choices"):
        assert max(map(abs, differences(each))) < 1e-12
    assert {row["strategy"]: row["source"].split(":")[0] for row in rows} == {
        "always A3": "printed", "safe when ahead": "printed", "best play": "program",
    }  # fmt: skip
