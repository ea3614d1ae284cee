"""Tic-tac-toe with swaps against a second program: the paper has no value of the game."""

from tests.lab.experiments.figures import differences


def test_tictactoe(reproduce):
    rows = reproduce("tictactoe")("tictactoe")
    assert max(map(abs, differences(rows))) < 1e-12
    assert {row["best_cell"] for row in rows} == {"9"}
    assert all(row["source"].startswith("program: ") for row in rows)
