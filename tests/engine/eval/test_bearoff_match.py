"""Exact bearoffs in a match against recursion in plain Python, known values and a search."""

from functools import cache

import pytest

from gammon.eval.bearoff_match import match_values
from gammon.formats.met_file import read_met
from gammon.rules.terms import Terms
from tests.engine.eval.bearoff_tables import exact_rows, mean_of_best, rank_of_side

MET = read_met()


@cache
def rolled(own, their, terms):
    """Return the chance of the player on roll to win the match, rolling now: the twin."""
    won, turned = MET.after(terms, terms.cube), terms.turned()
    return mean_of_best(
        own, lambda play: 1.0 - on_turn(their, play, turned) if sum(play) else won
    )


def on_turn(own, their, terms):
    """Return that chance of a player who may double."""
    no_double = rolled(own, their, terms)
    if not terms.may_double:
        return no_double
    taken = rolled(own, their, terms.doubled())
    return max(no_double, min(taken, MET.after(terms, terms.cube)))


def found(own, their, terms):
    """Return the chances to win the match that `match_values` says; -1 for none."""
    values = match_values(rank_of_side(*own), rank_of_side(*their), terms, MET)
    return [-1.0 if value is None else 0.5 * (value + 1.0) for value in values]


TERMS = [
    Terms(7, (7, 7)), Terms(7, (3, 5)), Terms(7, (5, 2), cube=2, owner=1),
    Terms(9, (8, 6), cube=2, owner=-1), Terms(5, (2, 2)), Terms(7, (4, 1)), Terms(7, (1, 4)),
    Terms(7, (1, 4), crawford=True), Terms(5, (1, 1)), Terms(64, (64, 60)),
    Terms(64, (40, 33), cube=16, owner=1), Terms(9, (9, 9), cube=64, owner=1),
    Terms(7, (5, 5), live=False),
]  # fmt: skip
#: By the checkers on the points 1 to 6.
SIDES = {
    "61-6": ((1, 0, 0, 0, 0, 1), (0, 0, 0, 0, 0, 1)),
    "43-22": ((0, 0, 1, 1, 0, 0), (0, 2, 0, 0, 0, 0)),
    "66-55": ((0, 0, 0, 0, 0, 2), (0, 0, 0, 0, 2, 0)),
    "432-521": ((0, 1, 1, 1, 0, 0), (1, 1, 0, 0, 1, 0)),
}


@pytest.mark.parametrize("terms", TERMS, ids=str)
@pytest.mark.parametrize("name", SIDES)
def test_against_the_twin(name, terms):
    own, their = SIDES[name]
    expected = [rolled(own, their, terms), -1.0, -1.0]
    if terms.may_double:
        expected[1:] = rolled(own, their, terms.doubled()), MET.after(terms, terms.cube)
    assert found(own, their, terms) == pytest.approx(expected, abs=3e-7)


def test_known_values():
    for own, their, row in exact_rows("bearoff_match.csv"):
        away = int(row["away_me"]), int(row["away_opp"])
        owner = 1 if row["owner"] == "me" else 0
        terms = Terms(max(away), away, cube=int(row["cube"]), owner=owner).checked()
        expected = [float(row[name]) for name in ("mwc_nd", "mwc_dt", "mwc_dp")]
        assert found(own, their, terms) == pytest.approx(expected, abs=1e-6)
