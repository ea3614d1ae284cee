"""Backgammon as the search sees it: for money or in a match, with the cube or without it.

State, int8 [26]: see `gammon.rules.board`. Stakes and parameters: see `gammon.rules.terms`.
Values are points per unit of the cube for money, or 2 p - 1 in a match, where p is the chance to
win the match.
"""

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector
from gammon.rules import plays
from gammon.rules.board import SIZE
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.match_equity import MatchEquityTable, params_of
from gammon.rules.outcome import N_RESULTS, count_possible, result_of, results_left
from gammon.rules.terms import CUBELESS, JACOBY, MATCH, NO_OFFER, Terms, payoff_at, stake_of
from gammon.rules.terms import offer as offer_at
from gammon.search.game import NOT_OVER, Doubled, Game, Params, Rows, State, no_offer
from gammon.search.problem import Filter

#: Move filters by their names in GNU Backgammon: how many plays they keep, and how far these
#: may be from the statically best one.
FILTERS = {
    "tiny": Filter(5, 0.08),
    "narrow": Filter(8, 0.12),
    "normal": Filter(8, 0.16),
    "large": Filter(16, 0.32),
    "huge": Filter(20, 0.44),
}

_plays = plays.successors
_WORST, _BEST = 0, N_RESULTS - 1


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
    """Return the payoff of a finished game, or `NOT_OVER`."""
    result = result_of(state)
    return NOT_OVER if result < 0 else payoff_at(stake, result, params)


@kernel()
def bounds(state: State, stake: int, params: Params, limits: Float64Vector) -> None:
    """Narrow the limits to the payoffs, at the present cube, of results that are still possible.

    A double does not widen them: the player need not double, and the opponent can pass.
    """
    lowest, highest = results_left(state)
    limits[0] = max(limits[0], payoff_at(stake, lowest, params))
    limits[1] = min(limits[1], payoff_at(stake, highest, params))


@kernel()
def offer(stake: int, params: Params) -> Doubled:
    """Return the consequences of a double by the player on roll."""
    doubled, factor, beaver, cash = offer_at(stake, params)
    if cash == NO_OFFER:
        return Doubled(stake, 1.0, 1.0, NOT_OVER, False, 0.0, 0.0)
    # For money, owning the cube is best, and the opponent's ownership worst, so D <= R. In
    # matches the leaf model does not guarantee it, and the Jacoby rule ends with a double.
    ordered = params[MATCH] == 0.0 and (params[JACOBY] == 0.0 or stake != 0)
    low, high = payoff_at(doubled, _WORST, params), payoff_at(doubled, _BEST, params)
    return Doubled(doubled, factor, beaver, cash, ordered, low, high)


def fits(game: Game, states: Rows) -> int:
    """Return the number of boards before the first impossible one."""
    return count_possible(states, True)


def backgammon(terms: Terms = CUBELESS, table: MatchEquityTable | None = None) -> Game:
    """Return the game for these terms, seen from the player who rolls or decides at the root.

    If the cube is dead, the game has no doubles and suits any evaluator of chances. Otherwise
    it needs an evaluator of `gammon.eval.cubeful`.

    Args:
        terms: what is at stake; by default, money without the cube.
        table: the match equity table; not needed for money.

    Raises:
        SettingError: see `Terms.checked`.
    """
    terms = terms.checked()
    params, at_root = params_of(terms, table), stake_of(terms)
    return Game(
        name="backgammon" if terms.dead else "backgammon with the cube",
        width=SIZE,
        max_outcomes=N_ROLLS,
        max_successors=plays.MAX_ROWS,
        low=payoff_at(at_root, _WORST, params),
        high=payoff_at(at_root, _BEST, params),
        outcomes=outcomes,
        successors=successors,
        terminal=terminal,
        bounds=bounds,
        params=params,
        stake=at_root,
        offer=no_offer if terms.dead else offer,
        fits=fits,
    )


def filter_named(name: str | None, unit: float = 1.0) -> Filter:
    """Return a filter of `FILTERS`, or the empty filter, with its margin in units of value."""
    chosen = FILTERS[name] if name else Filter()
    return chosen._replace(margin=chosen.margin * abs(unit))


BACKGAMMON = backgammon()
