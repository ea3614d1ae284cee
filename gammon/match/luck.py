"""The luck of a roll: its value less the mean value of all rolls.

The mean of this luck over all rolls is 0, for any evaluator. So subtracting a game's luck
from its result leaves the expected result unchanged. The better the evaluator judges rolls,
the more of the luck of the dice is removed.
"""

import numpy as np
import numpy.typing as npt

from gammon.kernel import kernel
from gammon.records import Float64Matrix, Int8Matrix
from gammon.rules.dice import N_ROLLS, PROBABILITIES, ROLLS
from gammon.search import Evaluator, Game, Problem, problem_of
from gammon.search.reply import best_reply
from gammon.search.workspace import Workspace

__all__ = ["luck_of", "roll_values"]

#: The first roll of a game is no double: each player throws a die, and the higher begins.
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
    first: bool,
) -> npt.NDArray[np.float64]:
    """Return the luck of rolls, float64 [N], in the game's unit to the player on roll.

    Args:
        game: as in `roll_values`.
        evaluator: gives the values of rolls, as in `roll_values`.
        states: int8 [N, 26], before the roll, each seen from its player on roll.
        outcomes: int [N], the rolls, 0..20.
        first: whether the rolls are the first of their games, and so no doubles.
    """
    worth = roll_values(game, evaluator, states)
    chosen = worth[np.arange(len(worth)), np.asarray(outcomes, np.int64)]
    return chosen - worth @ (_OPENING if first else PROBABILITIES)
