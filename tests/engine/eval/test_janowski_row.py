"""Eight rows: what follows from the chances. `test_janowski` holds their values to the twin."""

import numpy as np
import pytest

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float64Vector
from gammon.compiled.vector import bits, store
from gammon.eval.janowski_row import (
    certain,
    efficiency_at,
    shares_of,
    six_of,
)

SIX = np.array([[0.01, 0.09, 0.3, 0.36, 0.2, 0.04]], np.float32)


@kernel()
def shared(outputs: Float32Matrix, n: int, out: Float64Vector) -> int:
    """Write the shares and the efficiency of eight rows; return a set of the certain ones."""
    row = shares_of(six_of(outputs, 0, n))
    store(out, 0, row.win)
    store(out, 8, row.lose)
    store(out, 16, row.win_g)
    store(out, 24, row.win_bg)
    store(out, 32, row.lose_g)
    store(out, 40, row.lose_bg)
    store(out, 48, efficiency_at(outputs, 0, n))
    return bits(certain(row))


def test_the_shares_and_the_efficiency() -> None:
    out = np.zeros((7, 8))
    rows = np.zeros((2, 10), np.float32)
    rows[0, 3], rows[1, :6] = 1.0, SIX
    rows[:, 6] = 0.75, 0.25
    assert shared(rows, 2, out.ravel()) == 1, "the last row stands for those behind it"
    expected = 0.6, 0.4, 0.2 / 0.6, 0.04 / 0.6, 0.09 / 0.4, 0.01 / 0.4, 0.25
    for lane in range(1, 8):
        assert out[:, lane] == pytest.approx(expected)
    assert out[6, 0] == 0.75
