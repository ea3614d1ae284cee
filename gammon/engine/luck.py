"""The luck of a roll: its value less the mean value of all rolls.

The mean of this luck over all rolls is 0, for any evaluator. So subtracting a game's luck
from its result leaves the expected result unchanged. The better the evaluator judges rolls,
the more of the luck of the dice is removed.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Matrix, Int8Matrix
from gammon.engine.scale import Scale, by_terms
from gammon.eval.cubeful import evaluator_at
from gammon.rules.board import OPENING
from gammon.rules.dice import N_ROLLS, PROBABILITIES, ROLLS
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Terms
from gammon.search import Evaluator, Game, Problem, problem_of
from gammon.search.evaluation import best_reply
from gammon.search.workspace import Workspace

#: The first roll of a game is not a double: each player throws a die, and the higher begins.
_OPENING = np.array([high != low for high, low in ROLLS], np.float64) / 15


@kernel()
def _roll_values(problem: Problem, work: Workspace, states: Int8Matrix, out: Float64Matrix) -> None:
    for i in range(states.shape[0]):
        for k in range(N_ROLLS):
            best, _ = best_reply(problem, work, states[i], k, problem.stake)
            out[i, k] = -work.values[0, best]


def roll_values(game: Game, evaluator: Evaluator, states: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return what each roll is worth to the player on roll, float64 [N, 21].

    Args:
        game: backgammon, at the terms of the player on roll.
        evaluator: values the best successor.
        states: int8 [N, 26], each seen from its player on roll.
    """
    array = np.ascontiguousarray(states, np.int8)
    out = np.empty((len(array), N_ROLLS), np.float64)
    problem = problem_of(game, evaluator)
    work = Workspace.allocate(problem, game.width, 0, False, None)
    _roll_values(problem, work, array, out)
    return out


def luck_at(
    evaluator: Evaluator,
    states: npt.NDArray[np.int8],
    outcomes: npt.NDArray[np.int64],
    terms: Sequence[Terms],
    first: npt.NDArray[np.bool_],
    met: MatchEquityTable | None = None,
) -> npt.NDArray[np.float64]:
    """Return the luck of rolls, float64 [N], to the players on roll.

    Luck is a chance to win the match, or points for money, at the cube of that moment.

    Args:
        evaluator: values positions; from `gammon.eval.evaluators`.
        states: int8 [N, 26], before the roll, each seen from its player on roll.
        outcomes: int64 [N], the rolls, 0..20.
        terms: N, the terms of the players on roll.
        first: bool [N], whether a roll is the first of its game, and so not a double.
        met: the match equity table; Kazaross-XG2 unless given.
    """
    lucks = np.empty(len(terms))
    for at, group in by_terms(terms).items():
        values = _roll_values_at(evaluator, states[group], at, met)
        mean = np.where(first[group], values @ _OPENING, values @ PROBABILITIES)
        luck = values[np.arange(len(group)), outcomes[group]] - mean
        lucks[group] = 0.5 * luck if at.length else luck
    if terms and not terms[0].length:
        lucks *= [at.cube for at in terms]
    return lucks


def _roll_values_at(
    evaluator: Evaluator, states: npt.ArrayLike, terms: Terms, met: MatchEquityTable | None
) -> npt.NDArray[np.float64]:
    """Return `roll_values` in the game at these terms."""
    return roll_values(Scale.at(terms, met).game, evaluator_at(evaluator, terms), states)


def initiative_at(evaluator: Evaluator, terms: Terms, met: MatchEquityTable | None = None) -> float:
    """Return the value of beginning a game, less the mean value for both players.

    This is luck, too, but `luck_at` leaves it out, because in a pair of games each player begins
    once.

    Args:
        evaluator: as in `luck_at`.
        terms: the terms of the player who begins.
        met: as in `luck_at`.

    Returns:
        A chance to win the match, or points for money.
    """
    means = [
        float((_roll_values_at(evaluator, [OPENING], at, met) @ _OPENING)[0])
        for at in (terms, terms.for_opponent())
    ]
    return (0.25 if terms.length else 0.5) * sum(means)


class LuckJudge(Protocol):
    """A function that returns the luck of a player's rolls."""

    def __call__(
        self,
        states: npt.NDArray[np.int8],
        outcomes: npt.NDArray[np.int64],
        terms: Sequence[Terms],
        first: npt.NDArray[np.bool_],
        /,
    ) -> npt.NDArray[np.float64]:
        """Return the luck of rolls, float64 [N], to the player; see `luck_at`."""
