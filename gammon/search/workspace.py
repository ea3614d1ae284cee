"""The memory of a search, allocated once: nothing is allocated at a node.

A chance node of depth d has level l = d // 2; leaves have level 0. A node of level l
works in slice l of each array, and puts its successors in slice l - 1 of `rows`.

The replies at a lowest chance node are kept with their outputs, so the network evaluates them
once. Neither depends on the stake. If a node is searched at one stake and then, after a double,
at another one, the second search evaluates only the outcomes that the first did not reach.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    BoolVector,
    Float32Matrix,
    Float32Stack,
    Float32Vector,
    Float64Matrix,
    Float64Stack,
    Int8Matrix,
    Int8Stack,
    Int8Vector,
    Int64Matrix,
    Int64Stack,
    Int64Vector,
    UInt64Vector,
    trusted,
)
from gammon.search.game import State
from gammon.search.problem import Problem
from gammon.search.stats import N_COUNTS, NODE_LIMIT, STOPPED, UNLIMITED, new_counts
from gammon.search.table import Table, forget

#: Principal leaves are kept only if there can be no more than this: in backgammon to depth 9.
MAX_LEAVES = 200_000
#: A batch of replies for the network ends with the outcome that brings it to this size: the
#: network takes rows by sixteen and by four, and most outcomes have fewer.
BATCH = 64

#: The row of `UpperReplies.counts` that begins with the number of rows in use; -1: there is no node.
USED_ROWS = 5
#: Indices of `Replies.marks`: whether `state` is a node, how many rows are kept, how many probe
#: rows have their outputs, how many rows can be kept, whether this node's rows are kept, and
#: whether the next node may be searched at two stakes.
KNOWN, USED, PROBED, CAPACITY, KEEPING, TWICE = range(6)
#: The rows kept of one node. Few nodes have more; their last outcomes are not kept.
_KEPT = 1024


class Replies(NamedTuple):
    """The rows and outputs of the lowest chance node that was searched last.

    Attributes:
        state: int8 [W], the node.
        marks: int64 [6], see `KNOWN`.
        first: int64 [N], the index of the first reply to an outcome; -1 if it is not there.
        size: int64 [N], the number of replies to an outcome.
        open: bool [N], whether the game goes on in all replies to an outcome.
        rows: int8 [K + R, W], replies: K that are kept, and R for one batch.
        outputs: float32 [K + R, O], the leaf evaluator's outputs for them.
        probe_outputs: float32 [P, O], the outputs for `Workspace.probe_rows`.
    """

    state: Int8Vector
    marks: Int64Vector
    first: Int64Vector
    size: Int64Vector
    open: BoolVector
    rows: Int8Matrix
    outputs: Float32Matrix
    probe_outputs: Float32Matrix

    @classmethod
    def allocate(
        cls, width: int, outcomes: int, successors: int, picks: int, outputs: int, keep: bool
    ) -> "Replies":
        """Allocate memory for a node.

        Args:
            width: W, the bytes of a state.
            outcomes: N, the most outcomes.
            successors: the most rows of one outcome.
            picks: P, the most rows that the node's probes evaluate.
            outputs: O, the outputs of an evaluator.
            keep: whether replies are kept at all; K is 0 otherwise.
        """
        kept = min(_KEPT, outcomes * successors) if keep else 0
        size = kept + BATCH + successors
        return cls(
            state=np.empty(width, np.int8),
            marks=np.array([0, 0, 0, kept, 0, 0], np.int64),
            first=np.full(outcomes, -1, np.int64),
            size=np.zeros(outcomes, np.int64),
            open=np.zeros(outcomes, np.bool_),
            rows=np.empty((size, width), np.int8),
            outputs=np.empty((size, outputs), np.float32),
            probe_outputs=np.empty((picks, outputs), np.float32),
        )


class UpperReplies(NamedTuple):
    """All replies at the chance nodes above the lowest ones, for bounded search.

    A node of level l has slice l - 2 of each array; the last slices of `widths` and `looks` are
    scratch for other siblings. The replies of its outcomes lie one after the other. They stay with
    their outputs until another node of the same level needs the memory, so a second search of the
    node at another stake evaluates nothing again.

    Attributes:
        state: int8 [M, W], the node.
        rows: int8 [M, C, W].
        outputs: float32 [M, C, K], the leaf evaluator's outputs.
        widths: float32 [M + 1, C, V], the outputs of the evaluator of widths.
        looks: float64 [M + 1, C, 8], see `bounded.ROLLED`.
        ends: float64 [M, 3, N], see `bounded.LOWEST`.
        counts: int64 [M, 6, N], see `bounded.FIRST`.
        scratch: uint64, the scratch memory of the evaluator of widths.
    """

    state: Int8Matrix
    rows: Int8Stack
    outputs: Float32Stack
    widths: Float32Stack
    looks: Float64Stack
    ends: Float64Stack
    counts: Int64Stack
    scratch: UInt64Vector

    @classmethod
    def allocate(cls, problem: Problem, width: int, levels: int) -> "UpperReplies":
        """Allocate memory for nodes of `levels` levels, or none if values are not bounded."""
        outcomes, successors = problem.max_outcomes, problem.max_successors
        levels = max(levels, 0) if problem.bounded else 0
        size = max(outcomes, 2) * successors if problem.bounded else 0
        return cls(
            state=np.empty((levels, width), np.int8),
            rows=np.empty((levels, size, width), np.int8),
            outputs=np.empty((levels, size, problem.leaf.outputs), np.float32),
            widths=np.empty((levels + 1, size, problem.width.outputs), np.float32),
            looks=np.empty((levels + 1, size, 8), np.float64),
            ends=np.empty((levels, 3, outcomes), np.float64),
            counts=np.full((levels, 6, outcomes), -1, np.int64),
            scratch=problem.width.new_scratch() if problem.bounded else np.empty(0, np.uint64),
        )


@kernel(inner=True)
def forget_replies(replies: Replies) -> None:
    """Forget the node."""
    for what in (KNOWN, USED, PROBED, KEEPING):
        replies.marks[what] = 0
    forget_from(replies, 0)


@kernel(inner=True)
def forget_from(replies: Replies, begin: int) -> None:
    """Forget the outcomes whose replies begin at row `begin` or later."""
    for outcome in range(replies.first.shape[0]):
        if replies.first[outcome] >= begin:
            replies.first[outcome] = -1


@kernel(inner=True)
def begin_replies(replies: Replies, state: State) -> None:
    """Forget the last node, unless it is the same node and its replies are kept.

    Replies of a new node are kept only if it may be searched at two stakes: memory that every
    node reuses stays in the processor's first-level cache.
    """
    if replies.marks[CAPACITY] == 0:
        forget_replies(replies)
        return
    same = replies.marks[KNOWN] != 0
    for byte in range(state.shape[0]):
        same &= replies.state[byte] == state[byte]
        replies.state[byte] = state[byte]
    if not same:
        forget_replies(replies)
        replies.marks[KNOWN] = 1
        replies.marks[KEEPING] = replies.marks[TWICE]
    replies.marks[TWICE] = 0


@trusted
class Workspace(NamedTuple):
    """Buffers for a search whose highest chance node has level L.

    Attributes:
        rows: int8 [L, R, W], the siblings of level l under consideration.
        values: float32 [L, R], their static values, to the player on roll in the row.
        ties: float32 [L, R], their tie-breaking numbers from `game.Tie`, where needed.
        outputs: float32 [R, K], an evaluator's outputs before they are folded.
        replies: the replies at the lowest chance node, with their outputs.
        upper: the replies at nodes above the lowest ones, for bounded search.
        doubled: float32 [>= R], static values after a double.
        scratch: uint64, the scratch memory of the leaf evaluator.
        probe_scratch: uint64, the scratch memory of the probe evaluator.
        chance: float64 [L + 1, N], the probabilities of a node's outcomes.
        sequence: int64 [L + 1, N], the outcomes in the order in which they are searched.
        limits: float64 [L + 1, 2], the bounds of a node's value.
        bound: float64 [L + 1, N], lower bounds of the outcomes' values, from probes.
        probe_rows: int8 [N * k, W], the leaves that one node's probes evaluate, at most k for
            each outcome.
        probe_values: float32 [N * k], their static values.
        picked: int64 [N], how many of them belong to each outcome.
        killers: int8 [N, W], the best successors in the node of depth 2 searched last.
        killer_known: bool [N], the outcomes that have a killer.
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
        table: the transposition table.
    """

    rows: Int8Stack
    values: Float32Matrix
    ties: Float32Matrix
    outputs: Float32Matrix
    replies: Replies
    upper: UpperReplies
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
    killers: Int8Matrix
    killer_known: BoolVector
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
        """Allocate buffers for chance nodes of at most `depth` plies.

        Args:
            problem: gives the numbers of outcomes, successors, probes and outputs.
            width: W, the bytes of a state.
            depth: plies, even.
            leaves: keep principal leaves. Otherwise, and if there could be more than
                `MAX_LEAVES`, their capacity C is 0.
            table: see `Table`; None for a search without one.
        """
        level = depth // 2
        below = max(level, 1)
        outcomes, successors = problem.max_outcomes, problem.max_successors
        most = outcomes**level
        picks = outcomes * min(problem.probes, successors)
        outputs = max(problem.leaf.outputs, problem.probe.outputs)
        capacity = most if leaves and most <= MAX_LEAVES else 0
        aside = capacity if problem.doubles else 0
        return cls(
            rows=np.empty((below, successors, width), np.int8),
            values=np.empty((below, successors), np.float32),
            ties=np.zeros((below, successors), np.float32),
            outputs=np.empty((successors, outputs), np.float32),
            replies=Replies.allocate(width, outcomes, successors, picks, outputs, problem.doubles),
            upper=UpperReplies.allocate(problem, width, level - 1),
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
            killers=np.empty((outcomes, width), np.int8),
            killer_known=np.zeros(outcomes, np.bool_),
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


@kernel()
def begin_again(work: Workspace) -> None:
    """Reset a workspace without a table, except for the evaluators' scratch memory."""
    for what in range(N_COUNTS):
        work.stats[what] = 0
    work.stats[NODE_LIMIT], work.stats[STOPPED] = UNLIMITED, 0
    begin_anew(work)


@kernel(inner=True)
def begin_anew(work: Workspace) -> None:
    """Forget the results of earlier nodes: empty the table, the killers and the replies."""
    forget(work.table)
    forget_replies(work.replies)
    work.replies.marks[TWICE] = 0
    for m in range(work.upper.counts.shape[0]):
        work.upper.counts[m, USED_ROWS, 0] = -1
    for outcome in range(work.killer_known.shape[0]):
        work.killer_known[outcome] = False
