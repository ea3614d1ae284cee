"""Positions that are being drawn: checkers stand where they may."""

import numpy as np

from gammon.rules.board import CHECKERS
from gammon.train.sketch import Sketch


def test_checkers_are_scattered_on_free_points() -> None:
    sketch = Sketch(np.random.default_rng(1))
    sketch.make(1, [20, 21])
    sketch.scatter(0, [4, 5, 6, 6], 9)
    assert sketch.sides[0, 6] == 9, "the other side holds points 4 and 5"
    assert sketch.left(0) == CHECKERS - 9
    sketch.scatter(0, [4, 5], 3)
    assert sketch.left(0) == CHECKERS - 9, "nothing is free"
    board = sketch.board()
    assert board[6] == 9 or board[19] == -9
    assert np.abs(board).sum() == 13


def test_numbers_come_as_often_as_their_shares() -> None:
    sketch = Sketch(np.random.default_rng(2))
    drawn = np.bincount([sketch.draw(0.5, 0.3) for _ in range(2000)]) / 2000
    assert np.allclose(drawn, [0.5, 0.3, 0.2], atol=0.04)
    assert sorted(sketch.choose(range(20, 25), 5)) == [20, 21, 22, 23, 24]
