"""Principal leaves: the leaves that best play reaches from a node, with their chances.

The value of a node searched exactly is the weighted sum of the values of its
principal leaves. Whatever is linear in the chances, such as the probability of a
gammon, can so be read off the same leaves without a second search.
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

    `(probabilities * signs) @ values`, with the leaves' values to their own players on
    roll, is the value of the node to its player on roll (decision or chance).

    Attributes:
        rows: int8 [M, W], the leaves, each seen from its own player on roll.
        probabilities: float64 [M], how likely chance leads there; they sum to 1.
        signs: float64 [M], +1 where the node's player is on roll in the leaf, else -1.
    """

    rows: Rows
    probabilities: Float64Vector
    signs: Float64Vector

    @classmethod
    def of(cls, rows: Rows, weight: Float64Vector, count: int) -> "Leaves":
        """Copy `count` leaves out of a kernel's buffers, with signed weights."""
        return cls(rows[:count].copy(), np.abs(weight[:count]), np.sign(weight[:count]))

    @classmethod
    def joined(cls, parts: Sequence["Leaves"]) -> tuple["Leaves", Int64Vector]:
        """Return the leaves of N nodes, at least one, in one.

        Returns:
            The leaves of all nodes, one node after the other.
            int64 [N + 1], where those of each node begin, and their number.
        """
        offsets = np.zeros(len(parts) + 1, np.int64)
        np.cumsum([len(part.rows) for part in parts], out=offsets[1:])
        return cls(*map(np.concatenate, zip(*parts, strict=True))), offsets


@kernel(inner=True)
def copy_state(source: State, target: State) -> None:
    """Copy the bytes of a state. (An assignment of slices takes a second to compile.)"""
    for byte in range(source.shape[0]):
        target[byte] = source[byte]


@kernel(inner=True)
def write_leaf(work: Workspace, level: int, state: State) -> None:
    """Make `state` itself the one principal leaf of the node of `level`."""
    copy_state(state, work.leaf_rows[level, 0])
    work.leaf_weight[level, 0] = 1.0
    work.leaf_count[level] = 1


@kernel(inner=True)
def write_line(work: Workspace, level: int, start: int, probability: float) -> None:
    """Let the last searched successor's leaves follow the first `start` of `level`.

    They replace those of an earlier successor for the same outcome, and change sides.
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
    """Make the leaves that were put aside those of the last node of `level` again."""
    count = work.aside_count[level]
    for m in range(count):
        copy_state(work.aside_rows[level, m], work.leaf_rows[level, m])
        work.leaf_weight[level, m] = work.aside_weight[level, m]
    work.leaf_count[level] = count
