"""Backgammon as the search sees it: cubeless, for any stakes, gammons and backgammons counted.

State, int8 [26]: see `gammon.rules.board`. Parameters, float64 [12]: what the six results are
worth to the player at whose stake 0 or more is, and to the other one; see
`gammon.rules.stakes`.
"""

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector
from gammon.rules import plays
from gammon.rules.board import SIZE
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.outcome import N_RESULTS, count_possible, result_of, results_left
from gammon.rules.stakes import MONEY, Stakes
from gammon.search.game import NOT_OVER, Game, Params, Rows, State
from gammon.search.problem import Filter

#: Names of GNU Backgammon for its move filters, with how many plays they keep, and within
#: how much of the statically best one.
FILTERS = {
    "tiny": Filter(5, 0.08), "narrow": Filter(8, 0.12), "normal": Filter(8, 0.16),
    "large": Filter(16, 0.32), "huge": Filter(20, 0.44),
}  # fmt: skip

_plays = plays.successors


@kernel()
def outcomes(state: State, params: Params, weight: Float64Vector) -> int:
    """Fill the probabilities of the 21 rolls."""
    for roll in range(N_ROLLS):
        weight[roll] = PROBABILITIES[roll]
    return N_ROLLS


@kernel()
def successors(state: State, outcome: int, params: Params, rows: Rows) -> int:
    """Write every distinct position after a roll, seen from the opponent."""
    return _plays(state, outcome, rows)


@kernel()
def terminal(state: State, stake: int, params: Params) -> float:
    """Return what the result of a finished game is worth."""
    result = result_of(state)
    if result < 0:
        return NOT_OVER
    worth: float = params[(N_RESULTS if stake < 0 else 0) + result]
    return worth


@kernel()
def bounds(state: State, stake: int, params: Params, limits: Float64Vector) -> None:
    """Narrow the limits to what the results that can still come are worth."""
    first = N_RESULTS if stake < 0 else 0
    lowest, highest = results_left(state)
    limits[0] = max(limits[0], params[first + lowest])
    limits[1] = min(limits[1], params[first + highest])


def fits(game: Game, states: Rows) -> int:
    """Count the boards before the first that is not possible."""
    return count_possible(states, True)


def backgammon(stakes: Stakes = MONEY) -> Game:
    """Return the game for stakes: those of the player on roll, or who decides, at the root.

    Raises:
        SettingError: see `Stakes.checked`.
    """
    worth = stakes.checked().worth
    return Game(
        name="backgammon",
        width=SIZE,
        max_outcomes=N_ROLLS,
        max_successors=plays.MAX_ROWS,
        low=float(worth[0]),
        high=float(worth[-1]),
        outcomes=outcomes,
        successors=successors,
        terminal=terminal,
        bounds=bounds,
        params=stakes.params,
        stake=0 if stakes.symmetric else 1,
        fits=fits,
    )


def filter_named(name: str | None, unit: float = 1.0) -> Filter:
    """Return a filter of `FILTERS`, or none, whose margin is in units of value."""
    chosen = FILTERS[name] if name else Filter()
    return chosen._replace(margin=chosen.margin * abs(unit))


BACKGAMMON = backgammon()
