"""Alpha-beta against the formula, and against the one count that is printed."""

from tests.lab.experiments.figures import differences


def test_alphabeta(reproduce):
    rows = reproduce("alphabeta")("alphabeta")
    assert [r["alpha_beta"] for r in rows if r["source"].startswith("printed: ")] == ["11"]
    assert differences(rows) == [0] * 6
    assert differences(rows, "value_difference") == [0] * 6
