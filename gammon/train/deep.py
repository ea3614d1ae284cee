"""Targets two turns ahead, which cost some eighty times those of one turn.

Such a target is the mean over the 21 rolls of the best reply, whose value is again the mean
over the opponent's 21 rolls of the best reply: a search of depth 4 from the position. The
chances are those of its principal leaves.
"""

import numpy as np
import numpy.typing as npt

from gammon.eval.equity import results_of_cumulative
from gammon.eval.principal import leaf_means
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import SIZE
from gammon.search import Evaluator, Setup
from gammon.train.selfplay import Turns

__all__ = ["deep_targets", "deepen", "is_deep"]

Rows = npt.NDArray[np.int8]

_DEPTH = 4
#: Positions searched in one call, all of whose leaves are kept: 441 each.
_TOGETHER = 256
#: Odd numbers, from which a position's share follows.
_FACTORS = np.random.default_rng(0).integers(2**64, size=SIZE, dtype=np.uint64) | np.uint64(1)


def deep_targets(evaluator: Evaluator, rows: Rows) -> npt.NDArray[np.float32]:
    """Return the chances of the six results [N, 6] two turns after positions int8 [N, 26].

    Args:
        evaluator: a network, which judges the leaves.
        rows: positions in play; their players on roll see the chances.
    """
    found = np.empty((len(rows), 6), np.float32)
    setup = Setup(BACKGAMMON, evaluator)
    for first in range(0, len(rows), _TOGETHER):
        part = slice(first, first + _TOGETHER)
        values = setup.values(rows[part], _DEPTH)
        means = leaf_means(evaluator, values.leaves, values.offsets)
        found[part] = results_of_cumulative(means)
    return found


def is_deep(rows: Rows, share: float) -> npt.NDArray[np.bool_]:
    """Tell which of the positions int8 [..., 26] get such targets: about a share of them.

    A position always does, or never does.
    """
    hashed = rows.astype(np.uint64) @ _FACTORS >> np.uint64(11)
    result: npt.NDArray[np.bool_] = hashed.astype(np.float64) < share * 2.0**53
    return result


def deepen(evaluator: Evaluator, share: float, turns: Turns) -> None:
    """Replace the targets of a share of the samples; see `is_deep`. They have no trace.

    Args:
        evaluator: as for `deep_targets`.
        share: 0 to 1.
        turns: of any number of games, changed in place.
    """
    where = is_deep(turns.samples, share)
    turns.targets[where] = deep_targets(evaluator, turns.samples[where])
