"""The planes of positions, as tests ask for them."""

from collections.abc import Sequence

import numpy as np

from gammon.eval.planes import AT_ONCE, N_PLANES, write_planes
from gammon.rules.board import Points


def planes_of(boards: Sequence[Points], room: int = N_PLANES * AT_ONCE) -> np.ndarray:
    """The planes of at most sixteen positions, uint32 [room]; behind them are zeros."""
    planes = np.zeros(room, np.uint32)
    for lane, points in enumerate(boards):
        write_planes(np.array([*points, *[0] * 6], np.int8), 0, lane, planes)
    return planes
