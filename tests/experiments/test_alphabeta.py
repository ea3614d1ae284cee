"""Alpha-beta against the published figures."""

from tests.experiments.figures import differences


def test_alphabeta(reproduce):
    rows = reproduce("alphabeta")("alphabeta")
    assert [r["alpha-beta"] for r in rows if r["b"] == r["d"] == "3"] == ["11"]
    assert differences(rows) == [0] * 6
    assert differences(rows, "value difference") == [0] * 6
