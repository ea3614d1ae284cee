"""One pass over the candidates of a decision as tasks that do not depend on each other.

The pass has three rounds, which `rounds_kernel` plans. In the first, the best `top` candidates
of the pass before get exact values: their chance nodes have open windows, so that each outcome
is a decision of its own, and a task. Where a double of the player on roll in one of these
candidates seems to matter, the tasks search what it leads to beside rolling. Where it might
matter after all, it is a task of the second round. The worst of the values found is the floor
of the third round, in which every other candidate is a task: proven not to be above the floor,
or exact.

A task begins with an empty table and no killers, and the floor does not rise during a
round; so the result of a task depends neither on the thread that does it nor on the moment.
The price is small: on positions of self-play, the tasks of depth 5 look at as many leaves as
one search does that keeps its table and raises its floor.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.records import (
    Float64Matrix,
    Float64Vector,
    Int8Stack,
    Int8Vector,
    Int64Matrix,
    Int64Vector,
)
from gammon.search.candidates import Candidates
from gammon.search.game import Game
from gammon.search.stats import N_COUNTS
from gammon.search.workspace import Workspace

__all__ = [
    "BOTH", "DEPTH", "DONE", "DOUBLE", "HALTED", "LIMIT", "NEXT", "OPEN", "PLANNED", "ROLLED",
    "ROUND", "TURNED", "WHOLE", "Tasks", "room_below",
]  # fmt: skip

#: The outcome of a task that is a whole candidate.
WHOLE = -1
#: The outcome of a task that is a double of the player on roll in a candidate.
DOUBLE = -2
#: The way in which the tasks of a candidate search it: before the turn, as `star` does;
#: rolling, so that doubles are left for the second round; or both stakes, side by side.
TURNED, ROLLED, BOTH = range(3)

#: Numbers in `Tasks.marks`. Of the thread that leads: how many tasks are planned, of which
#: round of the pass, and the plies of the candidates' chance nodes.
PLANNED, ROUND, DEPTH = range(3)
#: Of all threads, by `gammon.compiled.atomic`: whether a pass is under way; where the tasks of
#: the round end; which one is to be taken next; how many are done; whether a thread had to
#: stop.
OPEN, LIMIT, NEXT, DONE, HALTED = range(3, 8)
_MARKS = 8


class Tasks(NamedTuple):
    """Room for K tasks and their results, of a decision with up to R candidates.

    Attributes:
        candidate: int64 [K], which successor of the root.
        outcome: int64 [K], which outcome below it, `WHOLE` or `DOUBLE`.
        chance: float64 [K], the probability of that outcome.
        size: int64 [K], its successors: the largest tasks go first, so that no thread is
            left with a long one.
        values: float64 [K, 2], to the player who decides at the root: at the present stake, and
            beside it after a double, before that is multiplied by a factor. A task that is a
            double has one value, the first.
        counts: int64 [K, 7], the work; see `stats.Stats`.
        leaf_rows: int8 [2 R, C, W], the principal leaves of values found exactly. Those of a
            candidate's tasks lie in row 2 s, where s is its slot, and those after a double in
            the next one; each outcome has a part of it.
        leaf_weight: float64 [2 R, C], as in `Candidates`; without the outcome's probability.
        leaf_count: int64 [K, 2].
        way: int8 [R], how the tasks of a candidate search it: `TURNED`, `ROLLED` or `BOTH`.
        total: int64 [7], the work of the rounds that are complete.
        marks: int64 [8], see `PLANNED` and `OPEN`.
        floor: float64 [1], the value that a candidate which is one task has to beat.
        line: int64 [N], tasks of one candidate in the order in which their values are added.
        weight: float64 [N], the probabilities of a candidate's outcomes.
    """

    candidate: Int64Vector
    outcome: Int64Vector
    chance: Float64Vector
    size: Int64Vector
    values: Float64Matrix
    counts: Int64Matrix
    leaf_rows: Int8Stack
    leaf_weight: Float64Matrix
    leaf_count: Int64Matrix
    way: Int8Vector
    total: Int64Vector
    marks: Int64Vector
    floor: Float64Vector
    line: Int64Vector
    weight: Float64Vector

    @classmethod
    def allocate(cls, game: Game, size: int, top: int = 1, capacity: int = 0) -> "Tasks":
        """Return room for a decision of `size` candidates.

        Args:
            game: the rules.
            size: R, candidates, at most.
            top: how many of them get a task for each outcome.
            capacity: C, the most principal leaves of a candidate; 0 if none are kept.
        """
        k = max(size, min(top, size) * game.max_outcomes)
        return cls(
            candidate=np.empty(k, np.int64),
            outcome=np.empty(k, np.int64),
            chance=np.empty(k, np.float64),
            size=np.empty(k, np.int64),
            values=np.empty((k, 2), np.float64),
            counts=np.empty((k, N_COUNTS), np.int64),
            leaf_rows=np.empty((2 * size, capacity, game.width), np.int8),
            leaf_weight=np.empty((2 * size, capacity), np.float64),
            leaf_count=np.empty((k, 2), np.int64),
            way=np.empty(size, np.int8),
            total=np.zeros(N_COUNTS, np.int64),
            marks=np.zeros(_MARKS, np.int64),
            floor=np.empty(1, np.float64),
            line=np.empty(game.max_outcomes, np.int64),
            weight=np.empty(game.max_outcomes, np.float64),
        )


def room_below(game: Game, work: Workspace) -> Candidates:
    """Return room for the decisions below a candidate, with leaves if `work` keeps them.

    It has two slots for leaves: one for each stake.
    """
    capacity = work.leaf_rows.shape[1] // game.max_outcomes
    return Candidates.allocate(game, 2 if capacity else 0, capacity)
