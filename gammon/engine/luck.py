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
from gammon.compiled.records import BoolVector, Float64Matrix, Int8Matrix, Int64Vector
from gammon.engine.scale import Scale, by_terms
from gammon.eval.cubeful import evaluator_at
from gammon.rules.board import OPENING, State
from gammon.rules.dice import N_ROLLS, PROBABILITIES, ROLLS
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Terms
from gammon.search import Evaluator, Problem, problem_of
from gammon.search.evaluation import best_reply
from gammon.search.workspace import Workspace

#: The probabilities of the first roll of a game, float64 [21]. It is not a double: each player throws
#: a die, and the higher begins.
_FIRST = np.array([high != low for high, low in ROLLS], np.float64) / 15


@kernel(inner=True)
def luck_of_roll(
    problem: Problem, work: Workspace, state: State, outcome: int, stake: int, first: bool
) -> tuple[float, float]:
    """Return the luck of a roll, and the mean value of all rolls, to the player who rolls.

    The value of a roll is the static value after the best play.

    Args:
        problem: backgammon with its evaluator.
        work: has scratch for a search of depth 0.
        state: int8 [26], seen from the player who rolls.
        outcome: the roll, 0..20.
        stake: the stake of that player.
        first: whether it is the first roll of a game, and so not a double.
    """
    mean: float = 0.0
    value: float = 0.0
    for k in range(N_ROLLS):
        chance = _FIRST[k] if first else PROBABILITIES[k]
        if chance == 0.0:
            continue
        best, _ = best_reply(problem, work, state, k, stake)
        if k == outcome:
            value = -work.values[0, best]
        mean -= chance * work.values[0, best]
    return value - mean, mean


@kernel()
def _lucks(
    problem: Problem,
    work: Workspace,
    states: Int8Matrix,
    outcomes: Int64Vector,
    first: BoolVector,
    out: Float64Matrix,
) -> None:
    for i in range(states.shape[0]):
        out[i, 0], out[i, 1] = luck_of_roll(problem, work, states[i], outcomes[i], problem.stake, first[i])


def _lucks_at(
    evaluator: Evaluator,
    states: npt.ArrayLike,
    outcomes: npt.ArrayLike,
    first: npt.ArrayLike,
    terms: Terms,
    met: MatchEquityTable | None,
) -> npt.NDArray[np.float64]:
    """Return the luck of N rolls and the mean values of all rolls, float64 [N, 2], at the same terms."""
    game, array = Scale.at(terms, met).game, np.ascontiguousarray(states, np.int8)
    problem = problem_of(game, evaluator_at(evaluator, terms))
    out, work = np.empty((len(array), 2)), Workspace.allocate(problem, game.width, 0, False, None)
    _lucks(problem, work, array, np.asarray(outcomes, np.int64), np.asarray(first, np.bool_), out)
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
        luck = _lucks_at(evaluator, states[group], outcomes[group], first[group], at, met)[:, 0]
        lucks[group] = 0.5 * luck if at.length else luck
    if terms and not terms[0].length:
        lucks *= [at.cube for at in terms]
    return lucks


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
        float(_lucks_at(evaluator, [OPENING], [1], [True], at, met)[0, 1])
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
