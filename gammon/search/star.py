"""Star1, Star2 and Star2.5: *-minimax with alpha-beta cutoffs at chance nodes.

One self-recursive kernel; the number of probes tells the three apart. A call searches a
chance node and the decisions below it: in negamax form every value is to the player on
roll, so chance nodes stand over maximizing decisions only.

The recursive calls must pass exactly the types of the signature (a float64, no literal
bool): numba would otherwise compile one more version for theirs, and the code that it
then keeps on disk crashes the process that loads it.

Sources: B. W. Ballard, "The *-minimax search procedure for trees containing chance
nodes", Artificial Intelligence 21 (1983); T. Hauk, M. Buro and J. Schaeffer,
"Rediscovering *-minimax search" (2004). Their update of the bounds from child to child
is for equal probabilities, and one of their probing windows for values around 0; here
every window follows from `edge`, which is right for all.
"""

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel
from gammon.search.game import NOT_OVER
from gammon.search.leaves import write_leaf, write_line
from gammon.search.noise import noisy
from gammon.search.problem import PROBLEM, STATE, Problem, State
from gammon.search.stats import (
    EVALUATIONS,
    LEAVES,
    NODES,
    PROBE_CUTS,
    PROBES,
    SEARCH_CUTS,
)
from gammon.search.workspace import WORKSPACE, Workspace

__all__ = ["bring_best", "edge", "star"]

_F64 = types.float64
_INT = types.int64


@kernel(_F64(_F64, _F64, _F64, _F64), inline=True)
def edge(target: float, seen: float, others: float, probability: float) -> float:
    """Return the value of an outcome at which the chance node's value is `target`.

    Args:
        target: alpha or beta of the chance node, maybe infinite.
        seen: the sum of P_j V_j over the outcomes already searched.
        others: the same sum over those still to come, with each V_j at its upper
            bound (for alpha) or lower bound (for beta).
        probability: P_i > 0 of the outcome in question.
    """
    return (target - seen - others) / probability


@kernel(types.void(types.int8[:, ::1], types.float32[::1], _INT, _INT), inline=True)
def bring_best(
    rows: npt.NDArray[np.int8], values: npt.NDArray[np.float32], start: int, n: int
) -> None:
    """Swap the best sibling of `start`..n-1, the one worst for the opponent, to `start`."""
    best = start
    for j in range(start + 1, n):
        if values[j] < values[best]:
            best = j
    if best != start:
        values[start], values[best] = values[best], values[start]
        for byte in range(rows.shape[1]):
            rows[start, byte], rows[best, byte] = rows[best, byte], rows[start, byte]


@kernel(_F64(PROBLEM, WORKSPACE, STATE, _F64, _INT, _F64, _F64, _F64, _F64))
def star(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the fail-soft value of a chance node to the player on roll.

    A result strictly inside (alpha, beta) is the value. One that is at most alpha is an
    upper bound of the value, and one that is at least beta a lower bound. If `work` has
    room for principal leaves, those of a value inside the window are left there.

    Args:
        problem: the game, the evaluators, the number of probes, the noise.
        work: buffers for at least `depth`.
        state: int8 [W], seen from the player on roll.
        static: its static value; used at depth 0 only.
        depth: plies, even.
        alpha: lower end of the window, maybe -inf.
        beta: upper end of the window, maybe inf.
        low: no value of the state is below it; the opponent's are then at most -low.
        high: no value of the state is above it.
    """
    level = depth // 2
    record = work.leaf_rows.shape[1] > 0
    payoff: float = problem.terminal(state)
    if payoff != NOT_OVER or depth == 0:
        work.stats[LEAVES] += 1
        if record:
            write_leaf(work, level, state)
        if payoff != NOT_OVER:
            return payoff
        return noisy(static, state, problem.sigma, problem.noise_seed, low, high)

    work.stats[NODES] += 1
    rows = work.rows[level - 1]
    values = work.values[level - 1]
    chance = work.chance[level]
    bound = work.bound[level]
    outcomes = problem.outcomes(state, chance)
    for i in range(outcomes):
        bound[i] = low
    # What the outcomes not yet searched contribute at least: their sum of P_j W_j, where
    # W_j <= V_j is `bound`. Probes raise it, the search takes its outcomes out of it.
    ahead: float = low

    # Probing phase: raise W_i to the value of a good successor, hoping that this alone
    # carries the node to beta. A part of the decision's successors can prove a lower
    # bound only, so there is nothing to probe for at the alpha side.
    if problem.probes > 0 and beta < high:
        work.stats[PROBES] += 1
        for i in range(outcomes):
            p = chance[i]
            if p == 0.0:
                continue
            n = problem.successors(state, i, rows)
            problem.probe(state, rows, n, problem.probe_weights, values)
            n_probed = min(n, problem.probes)
            for j in range(n_probed):
                bring_best(rows, values, j, n)
            if depth == 2:
                problem.leaf(state, rows, n_probed, problem.leaf_weights, values)
                work.stats[EVALUATIONS] += n_probed
            ahead -= p * low
            upper = edge(beta, 0.0, ahead, p)
            best = low
            for j in range(n_probed):
                value = -star(
                    problem, work, rows[j], np.float64(values[j]), depth - 2,
                    -upper, -best, -high, -low,
                )  # fmt: skip
                if value > best:
                    best = value
                    if best >= upper:
                        break
            bound[i] = best
            ahead += p * best
            if ahead >= beta:
                work.stats[PROBE_CUTS] += 1
                return ahead

    # Search phase. Where a bound computed here decides a cutoff, rounding must not carry
    # the result back inside the window, where it would pass for the value: min and max.
    if record:
        work.leaf_count[level] = 0
    seen: float = 0.0
    rest: float = 1.0
    for i in range(outcomes):
        p = chance[i]
        if p == 0.0:
            continue
        rest -= p
        ahead -= p * bound[i]
        lower = edge(alpha, seen, high * rest, p)
        upper = edge(beta, seen, ahead, p)
        n = problem.successors(state, i, rows)
        problem.leaf(state, rows, n, problem.leaf_weights, values)
        work.stats[EVALUATIONS] += n
        first_leaf = work.leaf_count[level]
        best = -np.inf
        for j in range(n):
            if depth > 2:
                bring_best(rows, values, j, n)
            value = -star(
                problem, work, rows[j], np.float64(values[j]), depth - 2,
                -upper, -max(lower, best), -high, -low,
            )  # fmt: skip
            if value > best:
                best = value
                if record:
                    write_line(work, level, first_leaf, p)
                if best >= upper:
                    break
        seen += p * best
        if best <= lower:
            work.stats[SEARCH_CUTS] += 1
            return min(alpha, seen + high * rest)
        if best >= upper:
            work.stats[SEARCH_CUTS] += 1
            return max(beta, seen + ahead)
    return seen
