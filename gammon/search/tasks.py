"""One pass over the candidates of a decision as tasks that do not depend on each other.

The pass has three rounds. In the first, the best `top` candidates of the pass before get
exact values of rolling: their chance nodes have open windows, so that each outcome is a
decision of its own, and a task. The second is for games with doubles: where the player on roll
in one of these candidates might gain by a double, what it leads to is a task. The worst of the
values found is the floor of the third round, in which every other candidate is a task: proven
not to be above the floor, or exact.

A task begins with an empty table and no killers, and the floor does not rise during a
round; so the result of a task depends neither on the thread that does it nor on the moment.
The price is small: on positions of self-play, the tasks of depth 5 look at as many leaves as
one search does that keeps its table and raises its floor.

`tasks_kernel` has the steps of a pass.
"""

from typing import NamedTuple

import numpy as np

from gammon.records import (
    BoolVector,
    Float64Matrix,
    Float64Vector,
    Int8Stack,
    Int64Matrix,
    Int64Vector,
)
from gammon.search.candidates import Candidates
from gammon.search.game import Game
from gammon.search.stats import N_COUNTS
from gammon.search.workspace import Workspace

__all__ = ["DOUBLE", "WHOLE", "Tasks", "room_below"]

#: The outcome of a task that is a whole candidate.
WHOLE = -1
#: The outcome of a task that is a double of the player on roll in a candidate.
DOUBLE = -2


class Tasks(NamedTuple):
    """Room for K tasks and their results; `planned` of them are in use.

    Attributes:
        candidate: int64 [K], which successor of the root.
        outcome: int64 [K], which outcome below it, `WHOLE` or `DOUBLE`.
        chance: float64 [K], the probability of that outcome.
        size: int64 [K], its successors: the largest tasks go first, so that no thread is
            left with a long one.
        taken: bool [K]. Two threads that take one at the same moment both do it, which
            is a waste and no error.
        values: float64 [K], to the player who decides at the root; of a double, before it is
            multiplied by a factor.
        counts: int64 [K, 7], the work; see `stats.Stats`.
        leaf_rows: int8 [K, C, W], the principal leaves of a value found exactly.
        leaf_weight: float64 [K, C], as in `Candidates`; for an outcome, without its
            probability.
        leaf_count: int64 [K].
        planned: int64 [1].
        weight: float64 [N], the probabilities of a candidate's outcomes.
    """

    candidate: Int64Vector
    outcome: Int64Vector
    chance: Float64Vector
    size: Int64Vector
    taken: BoolVector
    values: Float64Vector
    counts: Int64Matrix
    leaf_rows: Int8Stack
    leaf_weight: Float64Matrix
    leaf_count: Int64Vector
    planned: Int64Vector
    weight: Float64Vector

    @classmethod
    def allocate(cls, game: Game, size: int, top: int = 1, capacity: int = 0) -> "Tasks":
        """Return room for a decision of `size` candidates.

        Args:
            game: the rules.
            size: candidates, at most.
            top: how many of them get a task for each outcome.
            capacity: C, the most principal leaves of a candidate; 0 if none are kept.
        """
        k = max(size, min(top, size) * game.max_outcomes)
        return cls(
            candidate=np.empty(k, np.int64),
            outcome=np.empty(k, np.int64),
            chance=np.empty(k, np.float64),
            size=np.empty(k, np.int64),
            taken=np.empty(k, np.bool_),
            values=np.empty(k, np.float64),
            counts=np.empty((k, N_COUNTS), np.int64),
            leaf_rows=np.empty((k, capacity, game.width), np.int8),
            leaf_weight=np.empty((k, capacity), np.float64),
            leaf_count=np.empty(k, np.int64),
            planned=np.zeros(1, np.int64),
            weight=np.empty(game.max_outcomes, np.float64),
        )


def room_below(game: Game, work: Workspace) -> Candidates:
    """Return room for the decisions below a candidate, with leaves if `work` keeps them."""
    capacity = work.leaf_rows.shape[1] // game.max_outcomes
    return Candidates.allocate(game, 1 if capacity else 0, capacity)
