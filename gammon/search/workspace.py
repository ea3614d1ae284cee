"""The memory of a search, allocated once: nothing is allocated at a node.

A chance node of depth d has level l = d // 2; leaves have level 0. A node of level l
works in slice l of each array, and puts its successors in slice l - 1 of `rows`.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.search.game import Game
from gammon.search.stats import SIZE

__all__ = ["WORKSPACE", "Workspace"]

#: More principal leaves than this are not kept.
MAX_LEAVES = 50_000


class Workspace(NamedTuple):
    """Buffers for a search whose upper chance node has level L.

    Attributes:
        rows: int8 [L, R, W], the siblings of level l under consideration.
        values: float32 [L, R], their static values, to the player on roll in the row.
        chance: float64 [L + 1, N], the probabilities of a node's outcomes.
        bound: float64 [L + 1, N], lower bounds of the outcomes' values, from probes.
        leaf_rows: int8 [L + 1, C, W], the principal leaves of the last node of level l.
        leaf_weight: float64 [L + 1, C], their probabilities, negative where the
            opponent of the node's player is on roll in the leaf.
        leaf_count: int64 [L + 1].
        stats: int64 [stats.SIZE].
    """

    rows: npt.NDArray[np.int8]
    values: npt.NDArray[np.float32]
    chance: npt.NDArray[np.float64]
    bound: npt.NDArray[np.float64]
    leaf_rows: npt.NDArray[np.int8]
    leaf_weight: npt.NDArray[np.float64]
    leaf_count: npt.NDArray[np.int64]
    stats: npt.NDArray[np.int64]

    @classmethod
    def allocate(cls, game: Game, depth: int, leaves: bool) -> "Workspace":
        """Return buffers for chance nodes of at most `depth` plies.

        The capacity for principal leaves, C, is 0 unless `leaves` asks for them, and
        also where there could be more than `MAX_LEAVES`.
        """
        level = depth // 2
        below = max(level, 1)
        most = game.max_outcomes**level
        capacity = most if leaves and most <= MAX_LEAVES else 0
        return cls(
            rows=np.empty((below, game.max_successors, game.width), np.int8),
            values=np.empty((below, game.max_successors), np.float32),
            chance=np.empty((level + 1, game.max_outcomes), np.float64),
            bound=np.empty((level + 1, game.max_outcomes), np.float64),
            leaf_rows=np.empty((level + 1, capacity, game.width), np.int8),
            leaf_weight=np.empty((level + 1, capacity), np.float64),
            leaf_count=np.zeros(level + 1, np.int64),
            stats=np.zeros(SIZE, np.int64),
        )


WORKSPACE = types.NamedTuple(  # type: ignore[no-untyped-call]
    (
        types.int8[:, :, ::1],
        types.float32[:, ::1],
        types.float64[:, ::1],
        types.float64[:, ::1],
        types.int8[:, :, ::1],
        types.float64[:, ::1],
        types.int64[::1],
        types.int64[::1],
    ),
    Workspace,
)
