"""The luck of a roll: its value less the mean value of all rolls.

The mean of this luck over all rolls is 0, for any evaluator. So subtracting a game's luck
from its result leaves the expected result unchanged. The better the evaluator judges rolls,
the more of the luck of the dice is removed.
"""

from collections.abc import Sequence
from functools import partial
from typing import Protocol

import numpy as np
import numpy.typing as npt

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Matrix, Int8Matrix
from gammon.engine.worth import Worth, by_terms
from gammon.eval.cubeful import cubeful_evaluator
from gammon.games.backgammon import backgammon
from gammon.rules.board import OPENING
from gammon.rules.dice import N_ROLLS, PROBABILITIES, ROLLS
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.stakes import Stakes
from gammon.rules.terms import Terms
from gammon.search import Evaluator, Game, Problem, problem_of
from gammon.search.evaluation import best_reply
from gammon.search.workspace import Workspace

#: The first roll of a game is not a double: each player throws a die, and the higher begins.
_OPENING = np.array([high != low for high, low in ROLLS], np.float64) / 15


@kernel()
def _roll_values(
    problem: Problem, work: Workspace, states: Int8Matrix, out: Float64Matrix
) -> None:
    for i in range(states.shape[0]):
        for k in range(N_ROLLS):
            best, _ = best_reply(problem, work, states[i], k, problem.stake)
            out[i, k] = -work.values[0, best]


def roll_values(
    game: Game, evaluator: Evaluator, states: npt.ArrayLike
) -> npt.NDArray[np.float64]:
    """Return what each roll is worth to the player on roll, float64 [N, 21].

    Args:
        game: backgammon, for the stakes of the player on roll, in whose unit values are.
        evaluator: values the best successor.
        states: int8 [N, 26], each seen from its player on roll.
    """
    array = np.ascontiguousarray(states, np.int8)
    out = np.empty((len(array), N_ROLLS), np.float64)
    problem = problem_of(game, evaluator)
    work = Workspace.allocate(problem, game.width, 0, False, None)
    _roll_values(problem, work, array, out)
    return out


def luck_of(
    game: Game,
    evaluator: Evaluator,
    states: npt.ArrayLike,
    outcomes: npt.ArrayLike,
    first: npt.ArrayLike,
) -> npt.NDArray[np.float64]:
    """Return the luck of rolls, float64 [N], in the game's unit to the player on roll.

    Args:
        game: as in `roll_values`.
        evaluator: gives the values of rolls, as in `roll_values`.
        states: int8 [N, 26], before the roll, each seen from its player on roll.
        outcomes: int [N], the rolls, 0..20.
        first: whether the rolls are the first of their games, and so no doubles: a bool, or
            bool [N].
    """
    worth = roll_values(game, evaluator, states)
    chosen = worth[np.arange(len(worth)), np.asarray(outcomes, np.int64)]
    return chosen - np.where(first, worth @ _OPENING, worth @ PROBABILITIES)


def luck_at(
    evaluator: Evaluator,
    states: npt.NDArray[np.int8],
    outcomes: npt.NDArray[np.int64],
    terms: Sequence[Terms],
    first: npt.NDArray[np.bool_],
    met: MatchEquityTable | None = None,
) -> npt.NDArray[np.float64]:
    """Return the luck of rolls in games with the cube, float64 [N], to the players on roll.

    It is a chance to win the match, or for money points: with the cube as it is at the roll.

    Args:
        evaluator: with the cube; see `gammon.eval.cubeful`.
        states: as in `luck_of`.
        outcomes: int64 [N], the rolls, 0..20.
        terms: N, of the players on roll.
        first: bool [N], as in `luck_of`.
        met: the match equity table; Kazaross-XG2 unless given.
    """
    found = np.empty(len(terms))
    for at, group in by_terms(terms).items():
        lucks = luck_of(
            Worth.cubeful(at, met).game, evaluator, states[group], outcomes[group], first[group]
        )
        found[group] = 0.5 * lucks if at.length else lucks
    if terms and not terms[0].length:
        found *= [each.cube for each in terms]
    return found


def initiative_at(
    evaluator: Evaluator, terms: Terms, met: MatchEquityTable | None = None
) -> float:
    """Return what it is worth to begin a game beyond the mean of both who may.

    It is luck too, which `luck_at` leaves out: in pairs of games each player begins one.

    Args:
        evaluator: as in `luck_at`.
        terms: of the player who begins.
        met: as in `luck_at`.

    Returns:
        A chance to win the match, or points for money.
    """
    means = [
        float((roll_values(Worth.cubeful(at, met).game, evaluator, [OPENING]) @ _OPENING)[0])
        for at in (terms, terms.turned())
    ]
    return (0.25 if terms.length else 0.5) * sum(means)


class Judge(Protocol):
    """Says how lucky the rolls of a player are."""

    def __call__(
        self, states: npt.NDArray[np.int8], outcomes: npt.NDArray[np.int64],
        terms: Sequence[Terms], first: npt.NDArray[np.bool_], /,
    ) -> npt.NDArray[np.float64]:  # fmt: skip
        """Return the luck of rolls, float64 [N], to the player; see `luck_at`."""


def judges_of(
    evaluator: Evaluator, stakes: Stakes | None, met: MatchEquityTable | None = None
) -> tuple[Judge, Judge]:
    """Return what says how lucky the rolls of A and of B are.

    Args:
        evaluator: gives the values of rolls, without the cube.
        stakes: what results are worth to A where the cube is dead, and the unit of luck; None:
            the cube is in play.
        met: as in `luck_at`.
    """
    if stakes is None:
        judge = partial(luck_at, cubeful_evaluator(evaluator), met=met)
        return judge, judge
    return _judge_for(evaluator, stakes), _judge_for(evaluator, stakes.turned())


def _judge_for(evaluator: Evaluator, stakes: Stakes) -> Judge:
    """Return the judge of a player to whom results are worth this."""
    game = backgammon(stakes)
    return lambda states, outcomes, terms, first: luck_of(
        game, evaluator, states, outcomes, first
    )
