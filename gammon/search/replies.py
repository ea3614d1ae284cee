"""The replies of one lowest chance node, with their outputs: the network is asked once.

Nothing here depends on the stake. So a node that is searched at one stake, and then at another
after a double, pays the second time only for the outcomes to which the first search did not
come.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    BoolVector,
    Float32Matrix,
    Int8Matrix,
    Int8Vector,
    Int64Vector,
)
from gammon.search.game import State

__all__ = [
    "CAPACITY", "KEEPING", "KNOWN", "PROBED", "TOGETHER", "TWICE", "USED", "Replies",
    "begin_replies", "forget_from", "forget_replies",
]  # fmt: skip

#: The network is asked for this number of replies at a time, or for all to one more outcome:
#: it takes them by sixteen and by four, and most outcomes have fewer.
TOGETHER = 64

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
        room = kept + TOGETHER + successors
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

    Those of a new node are kept only where it may be searched twice: memory that is written
    again at each node stays in the processor's first cache.
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
