"""Cash points in a match: those of the definition."""

import numpy as np
import pytest

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float64Vector
from gammon.compiled.vector import store
from gammon.eval import janowski
from gammon.eval.janowski_match import ladder_of, points_now
from gammon.eval.janowski_row import shares_of, six_of
from gammon.formats.met_file import read_met
from gammon.rules.stake import params_of, stake_of
from gammon.rules.terms import Terms
from gammon.search.game import Params

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
