"""The luck of a roll in a rollout: its value minus the mean value of all rolls.

Luck is the control variate of a rollout: it is subtracted from the results to reduce their
variance. The value of a roll depends only on the position and the roll, not on the play chosen.
So the mean luck over all rolls is 0, and subtracting it biases no player's result. The value
here is the static value of the best of `JUDGED` replies, chosen by the small probe network. That
costs less than valuing all replies, and removes nearly as much variance.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Vector, Float64Vector, Int8Matrix, Int64Vector
from gammon.rules.board import SIZE, State
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.outcome import IN_PLAY, N_RESULTS, result_of
from gammon.search.evaluation import leaf_values, probe_values, write_payoffs
from gammon.search.game import NOT_OVER
from gammon.search.leaves import copy_state
from gammon.search.picker import bring_best
from gammon.search.problem import Problem
from gammon.search.workspace import Workspace

#: The replies to a roll that the leaf evaluator values.
JUDGED = 8


class LuckBuffers(NamedTuple):
    """Memory for the luck of one roll at a time.

    Attributes:
        replies: int8 [21 * JUDGED, 26], the replies to each roll that are valued, seen from the
            opponent.
        ends: int64 [21], the end of each roll's replies in `replies`.
        results: float64 [6], the luck in the probability of each of the six results, to the
            player who rolls.
    """

    replies: Int8Matrix
    ends: Int64Vector
    results: Float64Vector

    @classmethod
    def allocate(cls) -> "LuckBuffers":
        """Allocate the memory."""
        return cls(
            np.empty((N_ROLLS * JUDGED, SIZE), np.int8), np.zeros(N_ROLLS, np.int64), np.zeros(N_RESULTS)
        )


@kernel(inner=True)
def add_chances(state: State, outputs: Float32Vector, weight: float, out: Float64Vector) -> None:
    """Add the chances of a position after a play, weighted, to the chances of the mover.

    Args:
        state: int8 [26], seen from the opponent.
        outputs: float32 [K], the evaluator's outputs for it, which begin with the chances.
        weight: the factor for the chances.
        out: float64 [6], the mover's chances.
    """
    result = result_of(state)
    if result == IN_PLAY:
        for k in range(N_RESULTS):
            out[k] += weight * outputs[N_RESULTS - 1 - k]
    else:
        out[N_RESULTS - 1 - result] += weight


@kernel(inner=True)
def _gather(problem: Problem, work: Workspace, buffers: LuckBuffers, state: State, stake: int) -> int:
    """Write the replies to all rolls that are to be valued, and return their number."""
    rows, values = work.rows[0], work.values[0]
    kept = 0
    for roll in range(N_ROLLS):
        n = problem.successors(state, roll, problem.params, rows)
        some = min(n, JUDGED)
        if some < n:
            probe_values(problem, work, state, rows, n, stake, values)
            write_payoffs(problem, rows, n, stake, values)
        for j in range(some):
            if some < n:
                bring_best(rows, values, j, n)
            copy_state(rows[j], buffers.replies[kept + j])
        kept += some
        buffers.ends[roll] = kept
    return kept


@kernel(inner=True)
def estimated_luck(
    problem: Problem, work: Workspace, buffers: LuckBuffers, state: State, stake: int, thrown: int
) -> float:
    """Return the luck of a roll to its player, in units of value.

    Args:
        problem: the game and its evaluators.
        work: buffers for any depth.
        buffers: scratch; `results` gets the luck in each result.
        state: int8 [26], before the roll, seen from the player who rolls.
        stake: the stake of that player.
        thrown: the roll, 0..20.
    """
    kept = _gather(problem, work, buffers, state, stake)
    values = work.values[0]
    leaf_values(problem, work, state, buffers.replies, kept, stake, values)
    for k in range(N_RESULTS):
        buffers.results[k] = 0.0
    luck, j = 0.0, 0
    for roll in range(N_ROLLS):
        best, least = j, np.inf
        while j < buffers.ends[roll]:
            value = problem.terminal(buffers.replies[j], -stake, problem.params)
            if value == NOT_OVER:
                value = np.float64(values[j])
            if value < least:
                best, least = j, value
            j += 1
        weight = -PROBABILITIES[roll]
        if roll == thrown:
            weight += 1.0
        luck -= weight * least
        add_chances(buffers.replies[best], work.outputs[best], weight, buffers.results)
    return luck
