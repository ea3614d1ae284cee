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
from numba import types

from gammon.kernel import kernel
from gammon.search.game import NOT_OVER
from gammon.search.leaves import copy_state, write_leaf, write_line
from gammon.search.noise import leaf_value
from gammon.search.order import bring_best, bring_killer, bring_reply, narrow, set_sequence
from gammon.search.problem import PROBLEM, STATE, Problem, State
from gammon.search.stats import (
    EVALUATIONS,
    LEAVES,
    PROBE_CUTS,
    PROBES,
    SEARCH_CUTS,
    STOPPED,
    TABLE_HITS,
    begin_node,
)
from gammon.search.table import find, keep, keep_reply, zobrist
from gammon.search.workspace import WORKSPACE, Workspace

__all__ = ["edge", "star"]

_F64 = types.float64
_INT = types.int64

#: Sums of products are right to some sixteen digits, so that a sum which equals a bound may
#: seem to miss it. Within this part of the range of values, it counts as reached.
_SLACK = 1e-13


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


@kernel(_INT(PROBLEM, WORKSPACE, STATE, types.uint64, _INT, _INT), inner=True)
def _pick(
    problem: Problem, work: Workspace, state: State, key: np.uint64, depth: int, outcome: int
) -> int:
    """Put the successors that a probe is to look at in front, and return how many."""
    level = depth // 2
    options = problem.options
    rows = work.rows[level - 1]
    values = work.values[level - 1]
    n: int = problem.successors(state, outcome, rows)
    selective = depth > 2 and options.replies > 0
    if selective:
        problem.leaf(state, rows, n, problem.leaf_weights, values)
        work.stats[EVALUATIONS] += n
        n = narrow(rows, values, n, options)
    count = min(n, problem.probes)
    if selective or not options.static_order:
        return count
    known = False
    if depth == 2:
        known = options.killers and bring_killer(work, level, outcome, n)
    elif work.table.depth.shape[0] > 0:
        known = bring_reply(work, level, key, outcome, n)
    first = 1 if known else 0
    if first < count and depth > 2 and options.static_picks:
        problem.leaf(state, rows, n, problem.leaf_weights, values)
        work.stats[EVALUATIONS] += n
    elif first < count:
        problem.probe(state, rows, n, problem.probe_weights, values)
    for j in range(first, count):
        bring_best(rows, values, j, n)
    return count


@kernel(_F64(PROBLEM, WORKSPACE, STATE, _F64, _INT, _F64, _F64, _F64, _F64), inner=True)
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
    upper bound of the value, and one that is at least beta a lower bound; with the option
    `fail_hard` it is alpha or beta. If `work` has room for principal leaves, those of a
    value inside the window are left there. If the search had to stop (`stats.STOPPED`),
    the result means nothing.

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
    options = problem.options
    stats = work.stats
    sigma, noise_seed = problem.sigma, problem.noise_seed
    record = work.leaf_rows.shape[1] > 0
    tabled = work.table.depth.shape[0] > 0
    payoff: float = problem.terminal(state)
    key = np.uint64(0)
    if tabled and payoff == NOT_OVER and (depth > 0 or options.table_leaves):
        key = zobrist(work.table, state)
        slot = find(work.table, key, depth)
        if slot >= 0:
            lower, upper = work.table.lower[slot], work.table.upper[slot]
            known = np.inf
            if lower >= beta or (lower == upper and not record):
                known = lower
            elif upper <= alpha:
                known = upper
            if known != np.inf:
                stats[TABLE_HITS] += 1
                return min(max(known, alpha), beta) if options.fail_hard else known

    if payoff != NOT_OVER or depth == 0:
        stats[LEAVES] += 1
        if record:
            write_leaf(work, level, state)
        value: float = leaf_value(
            payoff, static, state, sigma, noise_seed, options.node_bounds, low, high
        )
        if tabled and options.table_leaves and payoff == NOT_OVER:
            keep(work.table, key, depth, -np.inf, np.inf, value)
        return min(max(value, alpha), beta) if options.fail_hard else value

    if not begin_node(work.stats):
        return 0.0
    if options.node_bounds:
        limits = work.limits[level]
        limits[0], limits[1] = low, high
        problem.bounds(state, limits)
        low, high = limits[0], limits[1]
    # Leaves are valued on the spot: a call with all these arguments costs more than it does.
    quick = depth == 2 and not options.fail_hard and not options.table_leaves
    rows = work.rows[level - 1]
    values = work.values[level - 1]
    chance = work.chance[level]
    bound = work.bound[level]
    sequence = work.sequence[level]
    outcomes = set_sequence(
        sequence, chance, problem.outcomes(state, chance), options.likely_first
    )
    for i in sequence[:outcomes]:
        bound[i] = low
    slack = _SLACK * (high - low)
    # What the outcomes not yet searched contribute at least: their sum of P_j W_j, where
    # W_j <= V_j is `bound`. Probes raise it, the search takes its outcomes out of it.
    ahead: float = low
    value = -np.inf
    cut = False

    # Probing phase: raise W_i to the value of a good successor, hoping that this alone
    # carries the node to beta. A part of the decision's successors can prove a lower
    # bound only, so there is nothing to probe for at the alpha side.
    if problem.probes > 0 and beta < high:
        stats[PROBES] += 1
        probe_rows, probe_values = rows, values
        if depth == 2:
            # One call of the evaluator for all outcomes. An early cutoff wastes some of
            # it, and costs less than as many calls.
            total = 0
            probe_rows, probe_values = work.probe_rows, work.probe_values
            for i in sequence[:outcomes]:
                n = _pick(problem, work, state, key, depth, i)
                work.picked[i] = n
                for j in range(n):
                    copy_state(rows[j], probe_rows[total])
                    total += 1
            problem.leaf(state, probe_rows, total, problem.leaf_weights, probe_values)
            stats[EVALUATIONS] += total
        first = 0
        for i in sequence[:outcomes]:
            p = chance[i]
            n = work.picked[i]
            if depth > 2:
                n = _pick(problem, work, state, key, depth, i)
            ahead -= p * low
            upper = edge(beta - slack, 0.0, ahead, p)
            if options.clamp:
                upper = min(upper, high)
            best = low
            for j in range(first, first + n):
                if quick:
                    leaf = probe_rows[j]
                    stats[LEAVES] += 1
                    if record:
                        write_leaf(work, 0, leaf)
                    value = -leaf_value(
                        problem.terminal(leaf), np.float64(probe_values[j]), leaf,
                        sigma, noise_seed, options.node_bounds, -high, -low,
                    )  # fmt: skip
                else:
                    value = -star(
                        problem, work, probe_rows[j], np.float64(probe_values[j]), depth - 2,
                        -upper, -best, -high, -low,
                    )  # fmt: skip
                if value > best:
                    best = value
                    if best >= upper:
                        break
            if depth == 2:
                first += n
            bound[i] = best
            ahead += p * best
            if ahead >= beta - slack:
                break
        cut = ahead >= beta - slack
        if cut:
            stats[PROBE_CUTS] += 1
            value = max(beta, ahead)

    # Search phase. Where a bound decides a cutoff, rounding and slack must not carry the
    # result back inside the window, where it would pass for the value: min and max.
    if not cut:
        if record:
            work.leaf_count[level] = 0
        seen: float = 0.0
        rest: float = 1.0
        for i in sequence[:outcomes]:
            p = chance[i]
            rest -= p
            ahead -= p * bound[i]
            lower = edge(alpha + slack, seen, high * rest, p)
            upper = edge(beta - slack, seen, ahead, p)
            enough = min(upper, high) if options.clamp else upper
            n = problem.successors(state, i, rows)
            problem.leaf(state, rows, n, problem.leaf_weights, values)
            stats[EVALUATIONS] += n
            if depth > 2:
                n = narrow(rows, values, n, options)
            sorted_by_table = depth > 2 and tabled and bring_reply(work, level, key, i, n)
            first_leaf = work.leaf_count[level]
            best, best_row = -np.inf, 0
            for j in range(n):
                if depth > 2 and options.static_order and not (j == 0 and sorted_by_table):
                    bring_best(rows, values, j, n)
                if quick:
                    leaf = rows[j]
                    stats[LEAVES] += 1
                    if record:
                        write_leaf(work, 0, leaf)
                    value = -leaf_value(
                        problem.terminal(leaf), np.float64(values[j]), leaf,
                        sigma, noise_seed, options.node_bounds, -high, -low,
                    )  # fmt: skip
                else:
                    value = -star(
                        problem, work, rows[j], np.float64(values[j]), depth - 2,
                        -enough, -max(lower, best), -high, -low,
                    )  # fmt: skip
                if stats[STOPPED] != 0:
                    return 0.0
                if value > best:
                    best, best_row = value, j
                    if record:
                        write_line(work, level, first_leaf, p)
                    if best >= enough:
                        break
            if depth == 2 and options.killers:
                copy_state(rows[best_row], work.killers[level, i])
                work.killer_known[level, i] = True
            elif depth > 2 and tabled:
                keep_reply(work.table, key, i, rows[best_row])
            seen += p * best
            if best <= lower:
                cut, value = True, min(alpha, seen + high * rest)
                break
            if best >= upper:
                cut, value = True, max(beta, seen + ahead)
                break
        if cut:
            stats[SEARCH_CUTS] += 1
        else:
            value = seen
    if stats[STOPPED] != 0:
        return 0.0
    if tabled:
        keep(work.table, key, depth, alpha, beta, value)
    return min(max(value, alpha), beta) if options.fail_hard else value
