"""The memory of a search, allocated once: nothing is allocated at a node.

A chance node of depth d has level l = d // 2; leaves have level 0. A node of level l
works in slice l of each array, and puts its successors in slice l - 1 of `rows`.

The replies of a lowest chance node are kept with their outputs, so that the network is asked
once. Nothing in them depends on the stake. So a node that is searched at one stake, and then at
another after a double, pays the second time only for the outcomes to which the first search did
not come.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    BoolVector,
    Float32Matrix,
    Float32Vector,
    Float64Matrix,
    Int8Matrix,
    Int8Stack,
    Int8Vector,
    Int64Matrix,
    Int64Vector,
    UInt64Vector,
    declared,
)
from gammon.search.game import State
from gammon.search.problem import Problem
from gammon.search.stats import N_COUNTS, NODE_LIMIT, STOPPED, UNLIMITED, new_counts
from gammon.search.table import Table, forget

#: More principal leaves than this are not kept.
MAX_LEAVES = 50_000
#: The network is asked for so many replies at a time, or for all to one more outcome: it takes
#: them by sixteen and by four, and most outcomes have fewer.
BATCH = 64

#: Numbers in `Replies.marks`: whether `state` is a node, how many rows are kept, how
#: many rows for probes have their outputs, how many rows may be kept, whether those of the
#: node are kept, and whether the next node may be searched at two stakes.
KNOWN, USED, PROBED, CAPACITY, KEEPING, TWICE = range(6)
#: The rows that are kept of a node. Most have fewer; of others, the last outcomes are not kept.
_KEPT = 1024


class Replies(NamedTuple):
    """The rows and outputs of the lowest chance node that was searched last.

    Attributes:
        state: int8 [W], the node.
        marks: int64 [6], see `KNOWN`.
        first: int64 [N], where the replies to an outcome begin; -1 where there are none.
        size: int64 [N], how many they are.
        open: bool [N], whether the game goes on in all of them.
        rows: int8 [K + R, W], replies: K that are kept, and R that the network is asked for
            at a time.
        outputs: float32 [K + R, O], those of the leaf evaluator.
        probe_outputs: float32 [P, O], of the rows for probes, which `Workspace` has.
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
        """Return room for a node.

        Args:
            width: W, the bytes of a state.
            outcomes: N.
            successors: the rows of one outcome.
            picks: P, the rows that its probes look at.
            outputs: O, those of an evaluator.
            keep: whether replies are kept at all; K is 0 otherwise.
        """
        kept = min(_KEPT, outcomes * successors) if keep else 0
        room = kept + BATCH + successors
        return cls(
            state=np.empty(width, np.int8),
            marks=np.array([0, 0, 0, kept, 0, 0], np.int64),
            first=np.full(outcomes, -1, np.int64),
            size=np.zeros(outcomes, np.int64),
            open=np.zeros(outcomes, np.bool_),
            rows=np.empty((room, width), np.int8),
            outputs=np.empty((room, outputs), np.float32),
            probe_outputs=np.empty((picks, outputs), np.float32),
        )


@kernel(inner=True)
def forget_replies(replies: Replies) -> None:
    """Forget the node."""
    for what in (KNOWN, USED, PROBED, KEEPING):
        replies.marks[what] = 0
    forget_from(replies, 0)


@kernel(inner=True)
def forget_from(replies: Replies, begin: int) -> None:
    """Forget the outcomes whose replies do not lie before a row."""
    for outcome in range(replies.first.shape[0]):
        if replies.first[outcome] >= begin:
            replies.first[outcome] = -1


@kernel(inner=True)
def begin_replies(replies: Replies, state: State) -> None:
    """Forget the node that was searched last, unless it is this one and replies are kept.

    Those of a new node are kept only where it may be searched twice: memory that each
    node writes again stays in the processor's first cache.
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


@declared
class Workspace(NamedTuple):
    """Buffers for a search whose upper chance node has level L.

    Attributes:
        rows: int8 [L, R, W], the siblings of level l under consideration.
        values: float32 [L, R], their static values, to the player on roll in the row.
        ties: float32 [L, R], the numbers that `game.Tie` writes of them, where it is asked.
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
        killers: int8 [N, W], the best successors in the node of depth 2 searched last.
        killer_known: bool [N].
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
    ties: Float32Matrix
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
    """Make a workspace without a table what a new one is, but for the evaluators' scratch."""
    for what in range(N_COUNTS):
        work.stats[what] = 0
    work.stats[NODE_LIMIT], work.stats[STOPPED] = UNLIMITED, 0
    begin_anew(work)


@kernel(inner=True)
def begin_anew(work: Workspace) -> None:
    """Forget what earlier nodes have left: the table, the killers, and replies."""
    forget(work.table)
    forget_replies(work.replies)
    work.replies.marks[TWICE] = 0
    for outcome in range(work.killer_known.shape[0]):
        work.killer_known[outcome] = False
