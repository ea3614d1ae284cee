"""Hypergammon: backgammon with three checkers a side, which begin on the 24, 23 and 22 points.

State, stakes and values are as in `gammon.games.backgammon`; so any evaluator of backgammon can value
these positions. Parameters: those of `gammon.rules.terms`, and at their end the number of checkers
of a side.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector
from gammon.games.backgammon import BACKGAMMON, offer, outcomes, successors
from gammon.rules.board import OWN_BAR, SIZE, Points
from gammon.rules.match_equity import params_of
from gammon.rules.outcome import count_possible
from gammon.rules.terms import CUBELESS, N_PARAMS, Terms, payoff_at, stake_of
from gammon.search.game import NOT_OVER, Game, Params, Rows, State, first_false, no_offer

#: The checkers of a side in hypergammon.
CHECKERS = 3
_HOME = 6
_AT_CHECKERS = N_PARAMS
_WORST, _BEST = 0, 5


@kernel(inner=True)
def _on_board(state: State) -> tuple[int, int]:
    """Return the checkers of each side on the board, the player on roll first."""
    own = 0
    their = 0
    for place in range(SIZE):
        own += max(int(state[place]), 0)
        their -= min(int(state[place]), 0)
    return own, their


@kernel()
def terminal(state: State, stake: int, params: Params) -> float:
    """Return the payoff of a finished game, or `NOT_OVER`."""
    own, their = _on_board(state)
    checkers = int(params[_AT_CHECKERS])
    if own > 0 and their > 0:
        return NOT_OVER
    result = 2 if own > 0 else 3
    if max(own, their) == checkers:  # the loser has borne off no checker: a gammon at least
        result = 1 if own > 0 else 4
        for place in range(_HOME + 1):
            if state[OWN_BAR - place] > 0:
                result = 0
            if state[place] < 0:
                result = 5
    return payoff_at(stake, result, params)


@kernel()
def bounds(state: State, stake: int, params: Params, limits: Float64Vector) -> None:
    """Narrow the limits to the payoffs of results that are still possible."""
    own, their = _on_board(state)
    checkers = int(params[_AT_CHECKERS])
    limits[0] = max(limits[0], payoff_at(stake, 2 if own < checkers else _WORST, params))
    limits[1] = min(limits[1], payoff_at(stake, 3 if their < checkers else _BEST, params))


def fits(game: Game, states: Rows) -> int:
    """Return the number of states before the first that has too many checkers, or is impossible."""
    most = int(game.params[_AT_CHECKERS])
    own, their = np.maximum(states, 0).sum(axis=1), -np.minimum(states, 0).sum(axis=1)
    return min(count_possible(states, True), first_false((own <= most) & (their <= most)))


def game(checkers: int = CHECKERS, terms: Terms = CUBELESS) -> Game:
    """Return the game with a number of checkers a side, for money.

    Args:
        checkers: the checkers of a side, 1 to 15.
        terms: what is at stake, as for `gammon.games.backgammon.backgammon`.

    Raises:
        SettingError: see `Terms.checked`.
    """
    terms = terms.checked()
    params = np.append(params_of(terms, None), float(checkers))
    at_root = stake_of(terms)
    return BACKGAMMON._replace(
        name="hypergammon",
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


def opening(checkers: int = CHECKERS) -> Points:
    """Return the position at the start: one checker of each side on its rearmost points."""
    points = [0] * SIZE
    for k in range(checkers):
        points[OWN_BAR - 1 - k], points[1 + k] = 1, -1
    return tuple(points)
