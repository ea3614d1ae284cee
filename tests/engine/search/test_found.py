"""The answers of a search: what follows from them."""

import numpy as np

from gammon.search import Cubes


def test_the_right_decisions():
    cases = [  # no double, double/take, whether to double, whether to take
        (0.5, 0.6, True, True), (0.5, 0.4, False, True), (0.9, 1.2, True, False),
        (1.1, 1.4, False, False), (1.1, 0.9, False, True), (0.5, 1.0, True, False),
        (1.0, 2.0, True, False), (1.0 + 1e-9, 2.0, True, False), (-1.0, -2.0, False, True),
        (0.5, 0.5, False, True),
    ]  # fmt: skip
    no_double, taken, doubles, takes = map(np.array, zip(*cases, strict=True))
    found = Cubes(no_double, taken, 1.0)
    assert found.doubles.tolist() == doubles.tolist()
    assert found.takes.tolist() == takes.tolist()
