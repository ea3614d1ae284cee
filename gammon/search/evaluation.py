"""Static values, the value of a leaf and the best static reply, for all algorithms.

**Noise** at leaves is a fixed function of the state. The same state has the same error wherever
it appears, so probe and search agree, and runs are reproducible. Errors at different states are
independent. The noise models an evaluator that differs from another one by errors of a known
size.

`problem` explains the arguments that kernels have in common.
"""

import math

import numpy as np

from gammon.compiled.hashing import mix, unit
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, Float64Vector
from gammon.search.game import NOT_OVER, Evaluator, Rows, State, taken_value
from gammon.search.problem import Problem
from gammon.search.stats import EVALUATIONS, LEAVES, Counts
from gammon.search.workspace import Workspace

_BYTE = np.uint64(8)


@kernel(inner=True)
def gauss(state: State, seed: np.uint64) -> float:
    """Return a standard normal number that depends only on the state and the seed.

    The bytes of the state are hashed eight at a time; two hashes give the two uniform
    numbers of Box and Muller (1958).
    """
    key = mix(seed)
    word = np.uint64(0)
    for i in range(state.shape[0]):
        word = word << _BYTE | np.uint64(int(state[i]) & 255)
        if i & 7 == 7:
            key = mix(key ^ word)
            word = np.uint64(0)
    first = mix(key ^ word)
    second = mix(first)
    radius = math.sqrt(-2.0 * math.log(unit(first) + 2.0**-53))
    return radius * math.cos(2.0 * math.pi * unit(second))


@kernel(inner=True)
def _turn_values(
    problem: Problem,
    evaluator: Evaluator,
    work: Workspace,
    outputs: Float32Matrix,
    n: int,
    stake: int,
    values: Float32Vector,
) -> None:
    """Write the values before the turn of n rows, to the players on roll, who have `stake`."""
    if evaluator.has_turn:
        evaluator.turn(outputs, n, stake, problem.params, values)
        return
    evaluator.fold(outputs, n, stake, problem.params, values)
    double = problem.offer(stake, problem.params)
    if double.cash == NOT_OVER:
        return
    evaluator.fold(outputs, n, double.stake, problem.params, work.doubled)
    for j in range(n):
        taken = taken_value(double, np.float64(work.doubled[j]))
        values[j] = max(np.float64(values[j]), min(taken, double.cash))


@kernel(inline=True)
def evaluate_leaves(
    problem: Problem, work: Workspace, state: State, rows: Rows, n: int, outputs: Float32Matrix
) -> None:
    """Write the leaf evaluator's outputs, float32 [>= n, K], of successors, and count them."""
    problem.leaf.evaluate(state, rows, n, problem.leaf.weights, outputs, work.scratch)
    work.stats[EVALUATIONS] += n


@kernel(inline=True)
def fold_leaves(
    problem: Problem, work: Workspace, outputs: Float32Matrix, n: int, stake: int, values: Float32Vector
) -> None:
    """Convert n rows of the leaf evaluator's outputs into values, float32 [>= n].

    Values are before the turn, when the player on roll in the row may double, and to this
    player. `stake` is the stake of the opponent, whose successors the rows are.
    """
    if problem.doubles:
        _turn_values(problem, problem.leaf, work, outputs, n, -stake, values)
    else:
        problem.leaf.fold(outputs, n, -stake, problem.params, values)


@kernel(inline=True)
def leaf_values(
    problem: Problem, work: Workspace, state: State, rows: Rows, n: int, stake: int, values: Float32Vector
) -> None:
    """Write the leaf evaluator's values of successors, and count the evaluations.

    The outputs stay in `work.outputs`.
    """
    evaluate_leaves(problem, work, state, rows, n, work.outputs)
    fold_leaves(problem, work, work.outputs, n, stake, values)


@kernel(inline=True)
def probe_values(
    problem: Problem, work: Workspace, state: State, rows: Rows, n: int, stake: int, values: Float32Vector
) -> None:
    """Write the probe evaluator's values, as `leaf_values` does, without counting."""
    problem.probe.evaluate(state, rows, n, problem.probe.weights, work.outputs, work.probe_scratch)
    if problem.doubles:
        _turn_values(problem, problem.probe, work, work.outputs, n, -stake, values)
    else:
        problem.probe.fold(work.outputs, n, -stake, problem.params, values)


@kernel(inner=True)
def write_payoffs(problem: Problem, rows: Rows, n: int, stake: int, values: Float32Vector) -> None:
    """Replace the values of finished games among the successors by their payoffs.

    `stake` is the stake of the player who moved.
    """
    for j in range(n):
        payoff = problem.terminal(rows[j], -stake, problem.params)
        if payoff != NOT_OVER:
            values[j] = payoff


@kernel(inner=True)
def favoured(
    problem: Problem,
    rows: Rows,
    outputs: Float32Matrix,
    values: Float32Vector,
    n: int,
    stake: int,
    best: int,
    ties: Float32Vector,
) -> int:
    """Break ties: return the successor with the lowest tie number among the best ones.

    Args:
        problem: has the evaluator.
        rows: int8 [>= n, W], the successors, seen from the opponent.
        outputs: float32 [>= n, K], the evaluator's outputs for the successors.
        values: float32 [>= n], their static values, to the opponent.
        n: the number of successors.
        stake: the stake of the player who moved.
        best: a successor with the lowest value. If its game is over, it stays the best.
        ties: float32 [>= n], scratch.
    """
    equal = 0
    for j in range(n):
        equal += int(values[j] == values[best])
    if equal <= 1 or not problem.leaf.has_tie:
        return best
    if problem.terminal(rows[best], -stake, problem.params) != NOT_OVER:
        return best
    problem.leaf.tie(rows, outputs, n, -stake, problem.params, ties)
    least = best
    for j in range(n):
        better = values[j] == values[best] and ties[j] < ties[least]
        # The evaluator's outputs for a finished game mean nothing.
        if better and problem.terminal(rows[j], -stake, problem.params) == NOT_OVER:
            least = j
    return least


@kernel(inner=True)
def best_reply(problem: Problem, work: Workspace, state: State, outcome: int, stake: int) -> tuple[int, int]:
    """Return the best successor by the leaf evaluator, for the player who decides.

    `game.Tie` decides among successors of equal value.

    The successors stay in `work.rows[0]`, their values to the opponent in `work.values[0]`
    (payoffs, where the game is over), and the evaluator's outputs in `work.outputs`.

    Returns:
        The row of the best successor, and the number of successors.
    """
    rows, values = work.rows[0], work.values[0]
    n = problem.successors(state, outcome, problem.params, rows)
    leaf_values(problem, work, state, rows, n, stake, values)
    write_payoffs(problem, rows, n, stake, values)
    best = 0
    for j in range(n):
        if values[j] < values[best]:
            best = j
    return favoured(problem, rows, work.outputs, values, n, stake, best, work.doubled), n


@kernel(inline=True)
def leaf_value(
    problem: Problem, stats: Counts, state: State, payoff: float, static: float, low: float, high: float
) -> float:
    """Count a leaf and return its value: the payoff, or the static value with noise.

    With noise, or with the filter `node_bounds`, a static value is clipped to [low, high].
    `payoff` is `NOT_OVER` if the game goes on.
    """
    stats[LEAVES] += 1
    value = payoff
    if payoff == NOT_OVER:
        value = static
        if problem.sigma > 0.0:
            value += problem.sigma * gauss(state, problem.noise_seed[0])
        if problem.sigma > 0.0 or problem.filter.node_bounds:
            value = min(max(value, low), high)
    return value


@kernel(inline=True)
def all_go_on(problem: Problem, rows: Rows, n: int) -> bool:
    """Return whether the game goes on in all of n rows."""
    go_on = True
    for j in range(n):
        go_on &= problem.terminal(rows[j], problem.stake, problem.params) == NOT_OVER
    return go_on


@kernel(inline=True)
def are_static(problem: Problem) -> bool:
    """Return whether the value of every unfinished leaf is its unchanged static value."""
    changed = problem.options.fail_hard or problem.filter.node_bounds
    return not changed and problem.sigma == 0.0


@kernel(inline=True)
def best_leaf(stats: Counts, values: Float32Vector, n: int, enough: float) -> tuple[float, int]:
    """Return the value and the index of the best of n leaves, by their static values.

    Args:
        stats: see `stats`; the leaves are added to its counts.
        values: float32 [>= n], to the opponent of the player who chooses.
        n: how many leaves, at least 1.
        enough: the first leaf of at least this value ends the search.
    """
    best, place = -np.float64(values[0]), 0
    j = 1
    while best < enough and j < n:
        value = -np.float64(values[j])
        if value > best:
            best, place = value, j
        j += 1
    stats[LEAVES] += j
    return best, place


@kernel(inline=True)
def open_node(
    problem: Problem, state: State, stake: int, low: float, high: float
) -> tuple[Float64Vector, Float64Vector, Rows, Float32Vector]:
    """Allocate the memory of a chance node, for algorithms that do not use `Workspace` for it.

    Returns:
        limits: float64 [2], the bounds of the node's value.
        chance: float64 [N], to be filled.
        rows: int8 [R, W], for the successors of an outcome.
        values: float32 [R], zeros, for their static values.
    """
    limits = np.empty(2, np.float64)
    set_limits(problem, state, stake, limits, low, high)
    chance = np.empty(problem.max_outcomes, np.float64)
    rows = np.empty((problem.max_successors, state.shape[0]), np.int8)
    values = np.zeros(problem.max_successors, np.float32)
    return limits, chance, rows, values


@kernel(inline=True)
def set_limits(
    problem: Problem, state: State, stake: int, limits: Float64Vector, low: float, high: float
) -> None:
    """Write the bounds of a chance node's value: low and high, or the game's narrower ones."""
    limits[0], limits[1] = low, high
    if problem.filter.node_bounds:
        problem.bounds(state, stake, problem.params, limits)
