"""The memory of a search, allocated once: nothing is allocated at a node.

A chance node of depth d has level l = d // 2; leaves have level 0. A node of level l
works in slice l of each array, and puts its successors in slice l - 1 of `rows`.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.search.game import Game
from gammon.search.stats import new_counts
from gammon.search.table import TABLE, Table

__all__ = ["WORKSPACE", "Workspace"]

#: More principal leaves than this are not kept.
MAX_LEAVES = 50_000


class Workspace(NamedTuple):
    """Buffers for a search whose upper chance node has level L.

    Attributes:
        rows: int8 [L, R, W], the siblings of level l under consideration.
        values: float32 [L, R], their static values, to the player on roll in the row.
        chance: float64 [L + 1, N], the probabilities of a node's outcomes.
        sequence: int64 [L + 1, N], the outcomes in the order in which they are searched.
        limits: float64 [L + 1, 2], the bounds of a node's value.
        bound: float64 [L + 1, N], lower bounds of the outcomes' values, from probes.
        probe_rows: int8 [N * k, W], the leaves that one node's probes look at, k for
            each outcome.
        probe_values: float32 [N * k], their static values.
        picked: int64 [N], how many of them belong to each outcome.
        killers: int8 [L + 1, N, W], the best successors in the node searched last.
        killer_known: bool [L + 1, N].
        leaf_rows: int8 [L + 1, C, W], the principal leaves of the last node of level l.
        leaf_weight: float64 [L + 1, C], their probabilities, negative where the
            opponent of the node's player is on roll in the leaf.
        leaf_count: int64 [L + 1].
        stats: int64, see `stats`.
        table: chance nodes searched before.
    """

    rows: npt.NDArray[np.int8]
    values: npt.NDArray[np.float32]
    chance: npt.NDArray[np.float64]
    sequence: npt.NDArray[np.int64]
    limits: npt.NDArray[np.float64]
    bound: npt.NDArray[np.float64]
    probe_rows: npt.NDArray[np.int8]
    probe_values: npt.NDArray[np.float32]
    picked: npt.NDArray[np.int64]
    killers: npt.NDArray[np.int8]
    killer_known: npt.NDArray[np.bool_]
    leaf_rows: npt.NDArray[np.int8]
    leaf_weight: npt.NDArray[np.float64]
    leaf_count: npt.NDArray[np.int64]
    stats: npt.NDArray[np.int64]
    table: Table

    @classmethod
    def allocate(
        cls, game: Game, depth: int, leaves: bool, probes: int, table: Table | None
    ) -> "Workspace":
        """Return buffers for chance nodes of at most `depth` plies, and so many probes.

        The capacity for principal leaves, C, is 0 unless `leaves` asks for them, and
        also where there could be more than `MAX_LEAVES`.
        """
        level = depth // 2
        below = max(level, 1)
        most = game.max_outcomes**level
        picks = game.max_outcomes * min(max(probes, 0), game.max_successors)
        capacity = most if leaves and most <= MAX_LEAVES else 0
        return cls(
            rows=np.empty((below, game.max_successors, game.width), np.int8),
            values=np.empty((below, game.max_successors), np.float32),
            chance=np.empty((level + 1, game.max_outcomes), np.float64),
            sequence=np.empty((level + 1, game.max_outcomes), np.int64),
            limits=np.empty((level + 1, 2), np.float64),
            bound=np.empty((level + 1, game.max_outcomes), np.float64),
            probe_rows=np.empty((picks, game.width), np.int8),
            probe_values=np.empty(picks, np.float32),
            picked=np.empty(game.max_outcomes, np.int64),
            killers=np.empty((level + 1, game.max_outcomes, game.width), np.int8),
            killer_known=np.zeros((level + 1, game.max_outcomes), np.bool_),
            leaf_rows=np.empty((level + 1, capacity, game.width), np.int8),
            leaf_weight=np.empty((level + 1, capacity), np.float64),
            leaf_count=np.zeros(level + 1, np.int64),
            stats=new_counts(),
            table=Table.none() if table is None else table,
        )


WORKSPACE = types.NamedTuple(  # type: ignore[no-untyped-call]
    (
        types.int8[:, :, ::1],
        types.float32[:, ::1],
        types.float64[:, ::1],
        types.int64[:, ::1],
        types.float64[:, ::1],
        types.float64[:, ::1],
        types.int8[:, ::1],
        types.float32[::1],
        types.int64[::1],
        types.int8[:, :, ::1],
        types.boolean[:, ::1],
        types.int8[:, :, ::1],
        types.float64[:, ::1],
        types.int64[::1],
        types.int64[::1],
        TABLE,
    ),
    Workspace,
)
