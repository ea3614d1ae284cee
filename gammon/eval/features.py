"""What a network sees of a position: 204 numbers made of one count each, and 18 more.

For each of 25 places of a side (its points 1..24 and its bar) four units tell
the number of checkers there: exactly one, exactly two, three or more, and half
of what exceeds three (after Tesauro 1992). Two more units a side tell the
checkers borne off: a fifteenth each, and whether there is one at all.

Since each of these depends on one count alone, the first layer of a network is a
sum of table rows, one for each point and its count; `gammon.eval.nnue` builds
that table and updates the sum by differences. What one count cannot tell, shots
and blocks, follows: `gammon.eval.tactics`. A network may do without it.
"""

import numpy as np
import numpy.typing as npt

from gammon.eval.tactics import N_TACTICS, tactics_of
from gammon.rules.board import CHECKERS, SIZE

__all__ = [
    "N_COUNTS", "N_FEATURES", "OFF_UNITS", "POINT_UNITS", "encode", "off_column",
    "point_column",
]  # fmt: skip

_PER_PLACE = 4
_PER_OFF = 2
_SIDE = 25 * _PER_PLACE

#: The features that are made of one count each.
N_COUNTS = 2 * _SIDE + 2 * _PER_OFF
#: F, the length of a feature vector.
N_FEATURES = N_COUNTS + N_TACTICS


def _point_units(count: int) -> list[float]:
    return [count == 1, count == 2, count >= 3, max(count - 3, 0) / 2]


#: Units of one place by its count, float32 [16, 4].
POINT_UNITS = np.array([_point_units(c) for c in range(CHECKERS + 1)], np.float32)
#: Units of the borne-off checkers by their count, float32 [16, 2].
OFF_UNITS = np.array([[c / CHECKERS, c > 0] for c in range(CHECKERS + 1)], np.float32)


def point_column(index: int, opponent: bool) -> int:
    """Return the first feature of board index 0..25 for one side.

    A side has no checkers on the other's bar, so each has 25 places. The opponent's
    places are in the opponent's own numbering, as if that player were on roll.
    """
    place = 25 - index if opponent else index
    return (_SIDE if opponent else 0) + (place - 1) * _PER_PLACE


def off_column(opponent: bool) -> int:
    """Return the first feature of a side's borne-off checkers."""
    return 2 * _SIDE + (_PER_OFF if opponent else 0)


def encode(points: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Return the features of positions.

    Args:
        points: int8 [N, 26], each seen from the player on roll.

    Returns:
        float32 [N, 222].
    """
    states = np.asarray(points, np.int8).reshape(-1, SIZE)
    own = np.maximum(states, 0)
    their = np.maximum(-states[:, ::-1], 0)
    rows = len(states)
    sides = [POINT_UNITS[side[:, 1:]].reshape(rows, _SIDE) for side in (own, their)]
    offs = [OFF_UNITS[CHECKERS - side.sum(axis=1, dtype=np.int64)] for side in (own, their)]
    return np.concatenate([*sides, *offs, tactics_of(states)], axis=1)
