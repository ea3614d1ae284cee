"""The choices of the players in a rollout: which play, whether to double, whether to take.

At depth 1 they follow from the outputs of the evaluator. At a greater depth each is a search of
its own, which begins with nothing in its memory; so a choice depends on the position alone.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, Float64Vector
from gammon.search.algorithms import Search
from gammon.search.candidates import Candidates, begin_decision, drop_worst, search_candidates
from gammon.search.game import NOT_OVER, Doubled, State, taken_value
from gammon.search.workspace import TWICE, Workspace, begin_anew

#: The player rolls; or doubles, and the opponent takes, or passes.
ROLL, TAKE, PASS = range(3)
#: Values that differ by less are equal: sums over outcomes are rounded.
_EQUAL = 1e-6


@kernel(inner=True)
def best_play(
    search: Search,
    work: Workspace,
    room: Candidates,
    limits: Float64Vector,
    state: State,
    outcome: int,
    stake: int,
    depth: int,
) -> int:
    """Return the row of `room` that has the best successor, seen from the opponent.

    Args:
        search: a search by one of the Stars, with its filter.
        work: buffers for chance nodes of depth - 1.
        room: to be written into.
        limits: float64 [2], to be written into.
        state: int8 [26], seen from the player who decides.
        outcome: the roll.
        stake: of that player.
        depth: plies, odd.
    """
    problem = search.problem
    begin_anew(work)
    limits[0], limits[1] = -np.inf, np.inf
    problem.bounds(state, stake, problem.params, limits)
    low, high = limits[0], limits[1]
    n = begin_decision(problem, work, room, state, outcome, stake)
    search_candidates(search, work, room, n, 0, 1, stake, low, high)
    if depth > 1 and problem.filter.replies > 0:
        drop_worst(room, problem.filter)
    if room.progress[1] > 1:
        for below in range(2, depth, 2):
            search_candidates(search, work, room, room.progress[1], below, 1, stake, low, high)
    return int(room.order[0])


@kernel(inner=True)
def _rolled(
    search: Search,
    work: Workspace,
    limits: Float64Vector,
    state: State,
    stake: int,
    depth: int,
) -> float:
    """Return what rolling is worth by a search of `depth` - 1 plies."""
    problem = search.problem
    limits[0], limits[1] = -np.inf, np.inf
    problem.bounds(state, stake, problem.params, limits)
    value: float = search.value(
        problem, work, state, 0.0, stake, bool(0), depth - 1, -np.inf, np.inf,
        limits[0], limits[1],
    )  # fmt: skip
    return value


@kernel(inner=True)
def cube_action(
    search: Search,
    work: Workspace,
    limits: Float64Vector,
    state: State,
    outputs: Float32Matrix,
    value: Float32Vector,
    stake: int,
    double: Doubled,
    depth: int,
) -> tuple[int, float]:
    """Return what happens to the cube before a roll: ROLL, TAKE or PASS.

    Args:
        search: as for `best_play`.
        work: as for `best_play`.
        limits: as for `best_play`.
        state: int8 [26], seen from the player on roll.
        outputs: float32 [1, K], those of the evaluator for the state.
        value: float32 [1], to be written into.
        stake: of the player on roll.
        double: what a double leads to.
        depth: plies, odd.

    Returns:
        The action, and what the values after it are multiplied by: more after a beaver.
    """
    problem = search.problem
    if double.cash == NOT_OVER:
        return ROLL, 1.0
    if depth > 1:
        begin_anew(work)
        work.replies.marks[TWICE] = int(depth == 3)
        rolled = _rolled(search, work, limits, state, stake, depth)
        if double.ordered and rolled <= 0.0:
            return ROLL, 1.0
        after = _rolled(search, work, limits, state, double.stake, depth)
    else:
        problem.leaf.fold(outputs, 1, stake, problem.params, value)
        rolled = np.float64(value[0])
        problem.leaf.fold(outputs, 1, double.stake, problem.params, value)
        after = np.float64(value[0])
    taken = taken_value(double, after)
    if taken >= double.cash:
        # Of equal values a pass is taken up: the opponent might err.
        return (PASS, 1.0) if rolled <= double.cash + _EQUAL else (ROLL, 1.0)
    if taken > rolled:
        return TAKE, double.beaver if after < 0.0 else double.factor
    return ROLL, 1.0
