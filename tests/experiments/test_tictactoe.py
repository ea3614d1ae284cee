"""Tic-tac-toe with swaps against the published figures."""

from tests.experiments.figures import differences


def test_tictactoe(reproduce):
    rows = reproduce("tictactoe")("tictactoe")
    assert max(map(abs, differences(rows))) < 1e-12
    assert {row["best cell"] for row in rows} == {"9"}
