"""Principal leaves: the leaves that best play reaches from a node, with their probabilities.

The exact value of a node is the weighted sum of the values of its principal leaves. Any
quantity that is linear in the chances, such as the probability of a gammon, can be computed
from the same leaves without a second search.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector, Int64Vector
from gammon.search.game import Rows, State
from gammon.search.workspace import Workspace


class Leaves(NamedTuple):
    """The M principal leaves of a node.

    If `values` are the leaves' values to their own players on roll,
    `(probabilities * signs) @ values` is the value of the node to its player on roll
    (decision or chance).

    Attributes:
        rows: int8 [M, W], the leaves, each seen from its own player on roll.
        probabilities: float64 [M], the probability that play reaches each leaf; the sum is 1.
        signs: float64 [M], +1 where the node's player is on roll in the leaf, else -1.
    """

    rows: Rows
    probabilities: Float64Vector
    signs: Float64Vector

    @classmethod
    def of(cls, rows: Rows, weight: Float64Vector, count: int) -> "Leaves":
        """Copy `count` leaves with signed weights out of a kernel's buffers."""
        return cls(rows[:count].copy(), np.abs(weight[:count]), np.sign(weight[:count]))

    @classmethod
    def joined(cls, parts: Sequence["Leaves"]) -> tuple["Leaves", Int64Vector]:
        """Concatenate the leaves of N nodes, at least one.

        Returns:
            The leaves of all nodes, one node after the other.
            int64 [N + 1], the index of each node's first leaf, and the number of leaves.
        """
        offsets = np.zeros(len(parts) + 1, np.int64)
        np.cumsum([len(part.rows) for part in parts], out=offsets[1:])
        return cls(*map(np.concatenate, zip(*parts, strict=True))), offsets


@kernel(inner=True)
def copy_state(source: State, target: State) -> None:
    """Copy the bytes of a state. (A slice assignment takes a second to compile.)"""
    for byte in range(source.shape[0]):
        target[byte] = source[byte]


@kernel(inner=True)
def write_leaf(work: Workspace, level: int, state: State) -> None:
    """Make `state` the only principal leaf of the node of `level`."""
    copy_state(state, work.leaf_rows[level, 0])
    work.leaf_weight[level, 0] = 1.0
    work.leaf_count[level] = 1


@kernel(inner=True)
def write_line(work: Workspace, level: int, start: int, probability: float) -> None:
    """Append the leaves of the last searched successor to the first `start` leaves of `level`.

    They replace the leaves of an earlier successor after the same outcome. Their weights change
    sign and are multiplied by `probability`.
    """
    below = level - 1
    count = work.leaf_count[below]
    for m in range(count):
        copy_state(work.leaf_rows[below, m], work.leaf_rows[level, start + m])
        work.leaf_weight[level, start + m] = -probability * work.leaf_weight[below, m]
    work.leaf_count[level] = start + count


@kernel(inner=True)
def put_aside(work: Workspace, level: int) -> None:
    """Keep the leaves of the last node of `level` while its double is searched."""
    count = work.leaf_count[level]
    for m in range(count):
        copy_state(work.leaf_rows[level, m], work.aside_rows[level, m])
        work.aside_weight[level, m] = work.leaf_weight[level, m]
    work.aside_count[level] = count


@kernel(inner=True)
def take_back(work: Workspace, level: int) -> None:
    """Restore the leaves that `put_aside` kept as the leaves of the last node of `level`."""
    count = work.aside_count[level]
    for m in range(count):
        copy_state(work.aside_rows[level, m], work.leaf_rows[level, m])
        work.leaf_weight[level, m] = work.aside_weight[level, m]
    work.leaf_count[level] = count
