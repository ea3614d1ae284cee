"""The luck of a roll in a rollout: its value less the mean value of all rolls.

The value of a roll is a function of the position alone, whatever is then played. So the mean of
the luck over all rolls is 0, and taking it out of a result is fair to any player. The function
here is the static value of the best of a few replies: `JUDGED` of them, which the small network
for probes likes best. That costs less than to value all replies, and takes out nearly as much.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Vector, Float64Vector, Int8Matrix, Int64Vector
from gammon.rules.board import SIZE, State
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.outcome import IN_PLAY, N_RESULTS, result_of
from gammon.search.evaluation import leaf_values, probe_values
from gammon.search.game import NOT_OVER
from gammon.search.leaves import copy_state
from gammon.search.picker import bring_best
from gammon.search.problem import Problem
from gammon.search.workspace import Workspace

#: The replies to a roll that are judged by the leaf evaluator.
JUDGED = 8


class LuckBuffers(NamedTuple):
    """Memory for the luck of one roll at a time.

    Attributes:
        replies: int8 [21 * JUDGED, 26], those to each roll that are judged, seen from the
            opponent.
        ends: int64 [21], where in `replies` those to each roll end.
        results: float64 [6], the luck in each of the six results, to the player who rolls.
    """

    replies: Int8Matrix
    ends: Int64Vector
    results: Float64Vector

    @classmethod
    def allocate(cls) -> "LuckBuffers":
        """Return memory."""
        return cls(
            np.empty((N_ROLLS * JUDGED, SIZE), np.int8), np.zeros(N_ROLLS, np.int64), np.zeros(N_RESULTS)
        )


@kernel(inner=True)
def add_chances(state: State, outputs: Float32Vector, weight: float, out: Float64Vector) -> None:
    """Add to the chances of a mover those of a position after the play.

    Args:
        state: int8 [26], seen from the opponent.
        outputs: float32 [K], those of the evaluator for it, which begin with its chances.
        weight: they are multiplied by it.
        out: float64 [6].
    """
    result = result_of(state)
    if result == IN_PLAY:
        for k in range(N_RESULTS):
            out[k] += weight * outputs[N_RESULTS - 1 - k]
    else:
        out[N_RESULTS - 1 - result] += weight


@kernel(inner=True)
def _gather(problem: Problem, work: Workspace, room: LuckBuffers, state: State, stake: int) -> int:
    """Write the replies that are judged, and return how many they are."""
    rows, values = work.rows[0], work.values[0]
    kept = 0
    for roll in range(N_ROLLS):
        n = problem.successors(state, roll, problem.params, rows)
        some = min(n, JUDGED)
        if some < n:
            probe_values(problem, work, state, rows, n, stake, values)
            for j in range(n):
                payoff = problem.terminal(rows[j], -stake, problem.params)
                if payoff != NOT_OVER:
                    values[j] = payoff
        for j in range(some):
            if some < n:
                bring_best(rows, values, j, n)
            copy_state(rows[j], room.replies[kept + j])
        kept += some
        room.ends[roll] = kept
    return kept


@kernel(inner=True)
def roll_luck(
    problem: Problem, work: Workspace, room: LuckBuffers, state: State, stake: int, thrown: int
) -> float:
    """Return the luck of a roll to its player, in units of value.

    Args:
        problem: the game and its evaluators.
        work: buffers for any depth.
        room: to be written into; `results` tells the luck in each result.
        state: int8 [26], before the roll, seen from the player who rolls.
        stake: of that player.
        thrown: the roll, 0..20.
    """
    kept = _gather(problem, work, room, state, stake)
    values = work.values[0]
    leaf_values(problem, work, state, room.replies, kept, stake, values)
    for k in range(N_RESULTS):
        room.results[k] = 0.0
    luck, j = 0.0, 0
    for roll in range(N_ROLLS):
        best, least = j, np.inf
        while j < room.ends[roll]:
            value = problem.terminal(room.replies[j], -stake, problem.params)
            if value == NOT_OVER:
                value = np.float64(values[j])
            if value < least:
                best, least = j, value
            j += 1
        weight = -PROBABILITIES[roll]
        if roll == thrown:
            weight += 1.0
        luck -= weight * least
        add_chances(room.replies[best], work.outputs[best], weight, room.results)
    return luck
