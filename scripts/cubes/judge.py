"""How good are values with the cube? Their distance from better ones, and the loss of decisions.

Values are float64 or float32 [N, 3]: the value of rolling for money, in points of the cube, to the
player on roll who owns the cube, if it is centred, and if the opponent owns it.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cubes.targets import OWNERS, folded, static_outputs
from gammon.base.mean import mean_and_error
from gammon.core.trials_kernel import Plan
from gammon.engine.block import Starts, play_games
from gammon.eval.bearoff import N_OWNERS
from gammon.games.backgammon import backgammon
from gammon.rules.terms import Terms
from gammon.search import Evaluator, Filter

Rows = npt.NDArray[np.int8]
Values = npt.NDArray[np.float64]


class Distance(NamedTuple):
    """The distance of values from better ones.

    Attributes:
        rms: float64 [3], the root mean square, for each owner.
        mean: float64 [3], the mean error.
        error: float64 [3], the standard error of the mean error.
        lost: float64 [2], the loss of decisions with a centred cube, and with one's own.
        lost_error: float64 [2], the standard error of `lost`.
    """

    rms: Values
    mean: Values
    error: Values
    lost: Values
    lost_error: Values

    @classmethod
    def of(cls, values: npt.ArrayLike, better: npt.ArrayLike) -> "Distance":
        """Return the distance of values [N, 3] from better ones."""
        apart = np.asarray(values, np.float64) - np.asarray(better, np.float64)
        means = np.array([mean_and_error(column) for column in apart.T])
        lost = np.array([mean_and_error(column) for column in losses(values, better).T])
        return cls(np.sqrt((apart**2).mean(axis=0)), *means.T, *lost.T)


def losses(values: npt.ArrayLike, better: npt.ArrayLike) -> Values:
    """Return the losses, by better values, of decisions made by values, float64 [N, 2].

    The columns are for a centred cube and for the cube of the player on roll. A loss is the loss
    of that player's double or no double, and of the opponent's take or pass.
    """
    mine, right = (np.asarray(array, np.float64) for array in (values, better))
    lost = np.empty((len(mine), 2))
    taken, truly = 2.0 * mine[:, 2], 2.0 * right[:, 2]
    answer = np.where((taken < 1.0) != (truly < 1.0), np.abs(truly - 1.0), 0.0)
    for place, column in enumerate((1, 0)):
        gain = np.minimum(truly, 1.0) - right[:, column]
        doubles = np.minimum(taken, 1.0) > mine[:, column]
        lost[:, place] = np.where(doubles != (gain > 0.0), np.abs(gain), 0.0) + answer
    return lost


def static_values(player: Evaluator, rows: Rows) -> npt.NDArray[np.float32]:
    """Return the values of positions for the three owners, float32 [N, 3].

    Args:
        player: an evaluator with the cube.
        rows: int8 [N, 26], each seen from its player on roll; no game is over.
    """
    return folded(player, static_outputs(player, rows))


def rolled_values(leaf: Evaluator, rows: Rows, trials: int, depths: tuple[int, int], seed: int) -> Values:
    """Return the means of games from each position, luck taken out, float64 [N, 3].

    Args:
        leaf: the evaluator with the cube, which plays and evaluates the luck of rolls.
        rows: int8 [N, 26], each seen from its player on roll; no game is over.
        trials: games for each position and owner.
        depths: plies of a play, and of a decision about the cube.
        seed: the seed of the dice, which differ between the positions.
    """
    game = backgammon(Terms())
    stakes, scales = np.array(OWNERS, np.int64), np.ones(N_OWNERS)
    means = np.empty((len(rows), N_OWNERS))
    for number, row in enumerate(rows):
        plan = Plan(np.uint64(seed + number), *depths, 0, False, False)
        starts = Starts(np.tile(row, (N_OWNERS, 1)), stakes, scales)
        games = play_games(game, leaf, leaf, plan, starts, 0, trials, Filter())
        means[number] = games.values.mean(axis=1)
    return means
