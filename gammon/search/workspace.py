"""The memory of a search, allocated once: nothing is allocated at a node.

A chance node of depth d has level l = d // 2; leaves have level 0. A node of level l
works in slice l of each array, and puts its successors in slice l - 1 of `rows`.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    BoolMatrix,
    Float32Matrix,
    Float32Vector,
    Float64Matrix,
    Int8Matrix,
    Int8Stack,
    Int64Matrix,
    Int64Vector,
    UInt64Vector,
)
from gammon.search.problem import STAR, Problem
from gammon.search.replies import TWICE, Replies, forget_replies
from gammon.search.stats import N_COUNTS, new_counts
from gammon.search.table import Table, forget

__all__ = ["MAX_LEAVES", "Workspace", "begin_anew"]

#: More principal leaves than this are not kept.
MAX_LEAVES = 50_000


class Workspace(NamedTuple):
    """Buffers for a search whose upper chance node has level L.

    Attributes:
        rows: int8 [L, R, W], the siblings of level l under consideration.
        values: float32 [L, R], their static values, to the player on roll in the row.
        outputs: float32 [R, K], an evaluator's outputs before they are folded.
        replies: those of the lowest chance node, with their outputs.
        doubled: float32 [>= R], static values after a double.
        scratch: uint64, that of the evaluator of leaves.
        probe_scratch: uint64, that of the evaluator for probes.
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
        aside_rows: int8 [L + 1, C, W], leaves put aside while a double is searched; C is 0 in
            games without doubles.
        aside_weight: float64 [L + 1, C].
        aside_count: int64 [L + 1].
        stats: int64, see `stats`.
        before: int64 [7], the counts at the start of a task.
        table: chance nodes searched before.
    """

    rows: Int8Stack
    values: Float32Matrix
    outputs: Float32Matrix
    replies: Replies
    doubled: Float32Vector
    scratch: UInt64Vector
    probe_scratch: UInt64Vector
    chance: Float64Matrix
    sequence: Int64Matrix
    limits: Float64Matrix
    bound: Float64Matrix
    probe_rows: Int8Matrix
    probe_values: Float32Vector
    picked: Int64Vector
    killers: Int8Stack
    killer_known: BoolMatrix
    leaf_rows: Int8Stack
    leaf_weight: Float64Matrix
    leaf_count: Int64Vector
    aside_rows: Int8Stack
    aside_weight: Float64Matrix
    aside_count: Int64Vector
    stats: Int64Vector
    before: Int64Vector
    table: Table

    @classmethod
    def allocate(
        cls, problem: Problem, width: int, depth: int, leaves: bool, table: Table | None
    ) -> "Workspace":
        """Return buffers for chance nodes of at most `depth` plies.

        Args:
            problem: says how many outcomes, successors, probes and outputs there may be.
            width: W, the bytes of a state.
            depth: plies, even.
            leaves: keep principal leaves. The capacity for them, C, is 0 otherwise, and
                also where there could be more than `MAX_LEAVES`.
            table: see `Table`; None for a search without one.
        """
        level = depth // 2
        below = max(level, 1)
        outcomes, successors = problem.max_outcomes, problem.max_successors
        most = outcomes**level
        picks = 0
        if problem.algorithm == STAR:
            picks = outcomes * min(problem.probes, successors)
        outputs = max(problem.leaf.outputs, problem.probe.outputs)
        capacity = most if leaves and most <= MAX_LEAVES else 0
        aside = capacity if problem.doubles else 0
        return cls(
            rows=np.empty((below, successors, width), np.int8),
            values=np.empty((below, successors), np.float32),
            outputs=np.empty((successors, outputs), np.float32),
            replies=Replies.allocate(
                width, outcomes, successors, picks, outputs, problem.doubles
            ),
            doubled=np.empty(max(successors, picks), np.float32),
            scratch=problem.leaf.new_scratch(),
            probe_scratch=problem.probe.new_scratch(),
            chance=np.empty((level + 1, outcomes), np.float64),
            sequence=np.empty((level + 1, outcomes), np.int64),
            limits=np.empty((level + 1, 2), np.float64),
            bound=np.empty((level + 1, outcomes), np.float64),
            probe_rows=np.empty((picks, width), np.int8),
            probe_values=np.empty(picks, np.float32),
            picked=np.empty(outcomes, np.int64),
            killers=np.empty((level + 1, outcomes, width), np.int8),
            killer_known=np.zeros((level + 1, outcomes), np.bool_),
            leaf_rows=np.empty((level + 1, capacity, width), np.int8),
            leaf_weight=np.empty((level + 1, capacity), np.float64),
            leaf_count=np.zeros(level + 1, np.int64),
            aside_rows=np.empty((level + 1, aside, width), np.int8),
            aside_weight=np.empty((level + 1, aside), np.float64),
            aside_count=np.zeros(level + 1, np.int64),
            stats=new_counts(),
            before=np.zeros(N_COUNTS, np.int64),
            table=Table.none() if table is None else table,
        )


@kernel(inner=True)
def begin_anew(work: Workspace) -> None:
    """Forget what earlier nodes have left: the table, the killers, and replies."""
    forget(work.table)
    forget_replies(work.replies)
    work.replies.marks[TWICE] = 0
    for level in range(work.killer_known.shape[0]):
        for outcome in range(work.killer_known.shape[1]):
            work.killer_known[level, outcome] = False
