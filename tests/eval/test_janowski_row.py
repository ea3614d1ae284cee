"""One row: what follows from the chances, and the field's points for money."""

import numpy as np
import pytest

from gammon.eval.janowski_row import efficiency_at, money_value, row_of
from gammon.rules.stake import params_of
from gammon.rules.terms import Terms

SIX = np.array([[0.01, 0.09, 0.3, 0.36, 0.2, 0.04]], np.float32)


def test_the_shares_and_the_efficiency() -> None:
    params = params_of(Terms(), efficiency=0.5)
    row = row_of(SIX, 0)
    assert row[:6] == pytest.approx((0.6, 0.4, 0.2 / 0.6, 0.04 / 0.6, 0.09 / 0.4, 0.01 / 0.4))
    assert not row.certain
    assert efficiency_at(SIX, 0, 0, params) == 0.5
    seven = np.append(SIX, np.float32([[0.25]]), axis=1)
    assert efficiency_at(seven, 0, 0, params) == 0.25
    assert row_of(np.eye(6, dtype=np.float32), 3).certain


@pytest.mark.parametrize(("win", "value"), [(0.2, -1.0), (0.5, 0.0), (0.8, 1.0)])
def test_a_live_centred_cube_without_gammons(win: float, value: float) -> None:
    """It is taken from .2 on, and passed from .8 on."""
    six = np.array([[0, 0, 1 - win, win, 0, 0]], np.float32)
    row = row_of(six, 0)
    assert money_value(row, 0, 1.0, 1.0) == pytest.approx(value, abs=1e-6)
