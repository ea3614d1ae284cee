"""Eight rows: what follows from the chances, points for money, cash points in a match."""

import numpy as np
import pytest

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float64Vector
from gammon.compiled.vector import bits, filled, store
from gammon.eval import janowski
from gammon.eval.janowski_row import (
    certain,
    efficiency_at,
    ladder_of,
    money_value,
    points_now,
    shares_of,
    six_of,
)
from gammon.formats.met_file import read_met
from gammon.rules.stake import params_of, stake_of
from gammon.rules.terms import Terms
from gammon.search.game import Params

SIX = np.array([[0.01, 0.09, 0.3, 0.36, 0.2, 0.04]], np.float32)


@kernel()
def shared(outputs: Float32Matrix, n: int, params: Params, out: Float64Vector) -> int:
    """Write the shares and the efficiency of eight rows; return a set of the certain ones."""
    row = shares_of(six_of(outputs, 0, n))
    store(out, 0, row.win)
    store(out, 8, row.lose)
    store(out, 16, row.win_g)
    store(out, 24, row.win_bg)
    store(out, 32, row.lose_g)
    store(out, 40, row.lose_bg)
    store(out, 48, efficiency_at(outputs, 0, n, params))
    return bits(certain(row))


@kernel()
def live_for_money(outputs: Float32Matrix, owner: int, out: Float64Vector) -> None:
    """Write the values for money of eight rows with a live cube."""
    row = shares_of(six_of(outputs, 0, outputs.shape[0]))
    store(out, 0, money_value(row, owner, 1.0, filled(1.0, 8)))


def test_the_shares_and_the_efficiency() -> None:
    params = params_of(Terms(), efficiency=0.5)
    out = np.zeros((7, 8))
    rows = np.concatenate([np.eye(6, dtype=np.float32)[3:4], SIX])
    assert shared(rows, 2, params, out.ravel()) == 1, "the last row stands for those behind it"
    expected = 0.6, 0.4, 0.2 / 0.6, 0.04 / 0.6, 0.09 / 0.4, 0.01 / 0.4, 0.5
    for lane in range(1, 8):
        assert out[:, lane] == pytest.approx(expected)
    seven = np.append(rows, np.float32([[0.75], [0.25]]), axis=1)
    shared(seven, 2, params, out.ravel())
    assert out[6].tolist() == [0.75] + 7 * [0.25]


def test_a_live_centred_cube_without_gammons() -> None:
    """It is taken from .2 on, and passed from .8 on."""
    win = np.array([0.2, 0.5, 0.8, 0.65], np.float32)
    six = np.zeros((4, 6), np.float32)
    six[:, 2], six[:, 3] = 1 - win, win
    values = np.zeros(8)
    live_for_money(six, 0, values)
    assert values[:4] == pytest.approx([-1.0, 0.0, 1.0, 0.5], abs=1e-6)


MET = read_met()
RESULTS = [0.01, 0.09, 0.3, 0.36, 0.2, 0.04]


@kernel()
def cash_points(
    outputs: Float32Matrix, stake: int, params: Params, points: Float64Vector
) -> None:
    """Write the cash points in eight rows of the player on roll, and of the opponent."""
    row = shares_of(six_of(outputs, 0, outputs.shape[0]))
    cash, their_cash = points_now(row, ladder_of(stake, params), params)
    store(points, 0, cash)
    store(points, 8, their_cash)


@pytest.mark.parametrize(
    "terms",
    [
        Terms(7, (7, 7)), Terms(7, (3, 5)), Terms(7, (2, 5), cube=2, owner=-1),
        Terms(25, (25, 19)), Terms(25, (9, 24), cube=4, owner=1),
    ],
)  # fmt: skip
def test_cash_points(terms: Terms) -> None:
    own, their = janowski._sides(RESULTS)
    there = terms.turned()
    expected = (
        janowski._cash_point(own, their, terms, terms.cube, MET),
        janowski._cash_point(their, own, there, there.cube, MET),
    )
    row_terms = ((terms, stake_of(terms), RESULTS), (there, -stake_of(terms), RESULTS[::-1]))
    for at, stake, results in row_terms:
        params = params_of(terms, MET)
        points = np.zeros(16)
        cash_points(np.array([results], np.float32), stake, params, points)
        assert points[::8] == pytest.approx(
            expected if at is terms else expected[::-1], abs=1e-6
        )
