"""Star1, Star2 and Star2.5: *-minimax with alpha-beta cutoffs at chance nodes.

The three algorithms are one recursive kernel, `search_node`; they differ in the number of probes. A
call searches a chance node and the decisions below it. In negamax form every value is to the
player on roll, so chance nodes stand over maximizing decisions only. `table` is the
transposition table, `evaluation` values leaves, and `picker` orders the replies.

Recursive calls must pass exactly the types of the signature (a float64, and `bool(1)`, since
True is a literal). Otherwise numba compiles another version for the other types, and the code
that it then keeps on disk crashes the process that loads it.

`problem` explains the common arguments of kernels. The steps of a node are numbered: 1 to 8 in
`search_node`, 6.1 to 6.4 in the loop of `_probe`, and 7.1 to 7.5 in the loop of `_search`. All
windows follow from one formula, `edge`.

Sources: B. W. Ballard, "A search procedure for perfect information games of chance: its
formulation and analysis" (AAAI-82); the slides of a lecture, "13. *-Minimax", on the work of
T. Hauk, M. Buro and J. Schaeffer. Both sources update the bounds from child to child by a formula
for equal probabilities, and one of the slides' probing windows assumes values around 0. Here every
window follows from `edge`, which is correct for all probabilities and values.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.search.evaluation import are_static, best_leaf, favoured, leaf_value
from gammon.search.game import NOT_OVER, Doubled, State, before_double, taken_value
from gammon.search.leaves import put_aside, take_back, write_leaf, write_line
from gammon.search.picker import (
    begin_outcomes,
    bring_next,
    gather_probes,
    lowest_replies,
    pick_probes,
    pick_replies,
    remember_reply,
)
from gammon.search.problem import Problem
from gammon.search.stats import PROBE_CUTS, PROBES, SEARCH_CUTS, STOPPED, TABLE_HITS, begin_node
from gammon.search.table import UNKNOWN, keep, look_up, zobrist
from gammon.search.workspace import TWICE, Workspace

#: Sums of products are correct to some sixteen digits, so a sum that equals a bound may seem to
#: miss it. Within this fraction of the range of values, the bound counts as reached.
SLACK = 1e-13


@kernel(inline=True)
def edge(target: float, seen: float, others: float, probability: float) -> float:
    """Return the value that outcome i must have for the chance node to be worth `target`.

    Args:
        target: alpha or beta of the chance node, maybe infinite.
        seen: the sum of P_j V_j over the outcomes already searched.
        others: the sum of P_j V_j over the outcomes still to come, with each V_j at its
            upper bound (for alpha) or lower bound (for beta).
        probability: P_i > 0.
    """
    return (target - seen - others) / probability


@kernel(inline=True)
def _returned(problem: Problem, value: float, alpha: float, beta: float) -> float:
    """Return a value unchanged, or with the option `fail_hard` clipped to the window."""
    if problem.options.fail_hard:
        value = min(max(value, alpha), beta)
    return value


@kernel(inline=True)
def _child(
    problem: Problem,
    work: Workspace,
    row: State,
    static: float,
    stake: int,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the value of a successor as `star` does.

    Leaves are valued inline: a call with all these arguments would cost more than the work.
    The node above writes them as principal leaves.
    """
    if depth == 0:
        payoff = problem.terminal(row, stake, problem.params)
        value = leaf_value(problem, work.stats, row, payoff, static, low, high)
        value = _returned(problem, value, alpha, beta)
    else:
        value = search_node(problem, work, row, static, stake, bool(1), depth, alpha, beta, low, high)
    return value


@kernel(inline=True)
def _probe(
    problem: Problem,
    work: Workspace,
    state: State,
    stake: int,
    key: np.uint64,
    depth: int,
    beta: float,
    outcomes: int,
) -> float:
    """Probe: raise each lower bound W_i to the value of a good successor, until beta is proved.

    The few successors that a probe visits prove only a lower bound of a decision's value, so
    probes cannot cut at the alpha side. `work.sequence` has `outcomes` outcomes.

    Returns:
        The lower bound of the node's value that the probes have proved: the sum of P_i W_i.
        If it is less than beta, `work.bound` has the W_i.
    """
    level = depth // 2
    options, chance, bound = problem.options, work.chance[level], work.bound[level]
    low, high = work.limits[level, 0], work.limits[level, 1]
    slack = SLACK * (high - low)
    work.stats[PROBES] += 1
    rows, values = work.rows[level - 1], work.values[level - 1]
    if depth == 2:
        gather_probes(problem, work, state, stake, key, outcomes)
        rows, values = work.probe_rows, work.probe_values
    ahead: float = low
    first, end = 0, 0
    for i in work.sequence[level, :outcomes]:
        # Step 6.1. Pick the successors to probe, one or a few.
        if depth == 2:
            first, end = end, end + work.picked[i]
        else:
            end = pick_probes(problem, work, state, stake, key, depth, i)
        # Step 6.2. The outcome's window: at its upper end the node is worth beta.
        p = chance[i]
        ahead -= p * low
        upper = edge(beta - slack, 0.0, ahead, p)
        if options.clamp:
            upper = min(upper, high)
        # Step 6.3. The best of these successors bounds the value of the outcome from below.
        best = low
        for j in range(first, end):
            value = -_child(
                problem, work, rows[j], np.float64(values[j]), -stake, depth - 2, -upper, -best, -high, -low
            )
            if value > best:
                best = value
                if best >= upper:
                    break
        # Step 6.4. Raise the node's bound, and stop once it has reached beta.
        bound[i] = best
        ahead += p * best
        if ahead >= beta - slack:
            work.stats[PROBE_CUTS] += 1
            break
    return ahead


@kernel(inline=True)
def _search(
    problem: Problem,
    work: Workspace,
    state: State,
    stake: int,
    key: np.uint64,
    depth: int,
    alpha: float,
    beta: float,
    outcomes: int,
    ahead: float,
) -> float:
    """Search the outcomes one by one, and cut off once the value must be outside the window.

    After a cutoff, min and max keep the result outside the window: rounding and slack could
    carry it back inside, where it would be taken for the exact value. `work.sequence` has
    `outcomes` outcomes. `ahead` is the sum of P_i W_i over them, where W_i is the lower bound
    in `work.bound`.
    """
    level = depth // 2
    options, chance, bound = problem.options, work.chance[level], work.bound[level]
    low, high = work.limits[level, 0], work.limits[level, 1]
    slack = SLACK * (high - low)
    record, static = work.leaf_rows.shape[1] > 0, are_static(problem)
    rows, values, ties = work.rows[level - 1], work.values[level - 1], work.ties[level - 1]
    if record:
        work.leaf_count[level] = 0
    seen: float = 0.0
    rest: float = 1.0
    for place in range(outcomes):
        # Step 7.1. The outcome's window. At `lower` the node is worth alpha if all outcomes to
        # come have their highest value; at `upper` it is worth beta if they have their lowest.
        i = work.sequence[level, place]
        p = chance[i]
        rest -= p
        ahead -= p * bound[i]
        lower = edge(alpha + slack, seen, high * rest, p)
        upper = edge(beta - slack, seen, ahead, p)
        enough = min(upper, high) if options.clamp else upper
        # Step 7.2. The successors, with their static values.
        if depth == 2:
            start, n = lowest_replies(problem, work, state, stake, place, outcomes)
            rows, placed = work.replies.rows[start:], 0
        else:
            start = 0
            n, placed = pick_replies(problem, work, state, stake, key, depth, i)
        # Step 7.3. Search them in order; a value of `enough` ends the decision.
        first_leaf = work.leaf_count[level]
        best, best_row, one_by_one = -np.inf, 0, n
        if depth == 2 and static and work.replies.open[i]:
            best, best_row = best_leaf(work.stats, values, n, enough)
            one_by_one = 0
        for j in range(one_by_one):
            bring_next(problem, rows, values, ties, depth, j, n, placed)
            value = -_child(
                problem, work, rows[j], np.float64(values[j]), -stake, depth - 2,
                -enough, -max(lower, best), -high, -low,
            )  # fmt: skip
            if work.stats[STOPPED] != 0:
                return 0.0
            if value > best:
                best, best_row = value, j
                if record and depth > 2:
                    write_line(work, level, first_leaf, p)
                if best >= enough:
                    break
        # Step 7.4. Add the outcome. A value outside its window proves a bound: cut off.
        remember_reply(problem, work, key, depth, i, rows[best_row])
        seen += p * best
        if best <= lower or best >= upper:
            work.stats[SEARCH_CUTS] += 1
            if best <= lower:
                proved: float = min(alpha, seen + high * rest)
            else:
                proved = max(beta, seen + ahead)
            return proved
        # Step 7.5. Keep the principal leaves of a lowest node.
        if record and depth == 2:
            if static:
                best_row = favoured(
                    problem, rows, work.replies.outputs[start:], values, n, stake, best_row, work.doubled
                )
            write_leaf(work, 0, rows[best_row])
            write_line(work, level, first_leaf, p)
    return seen


@kernel(inline=True)
def _on_turn(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    stake: int,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
    double: Doubled,
) -> float:
    """Return the fail-soft value of a state whose player may double before the roll.

    The value is max(R, min(D, cash)): R is the value of rolling, D the value of a double that
    is taken. In most states R is enough: it is beyond the window, or more than a pass pays, or
    no double can be worth more. If the static value equals the cash, D is searched first: if D
    is at least the cash, a bound of R will do.
    """
    level = depth // 2
    record = work.leaf_rows.shape[1] > 0
    cash = double.cash
    work.replies.marks[TWICE] = int(level == 1)
    passed = np.float32(static) == np.float32(cash) and alpha < cash
    rolled: float = -np.inf
    if not passed:
        rolled = search_node(problem, work, state, np.inf, stake, bool(0), depth, alpha, beta, low, high)
        if work.stats[STOPPED] != 0 or rolled >= beta or rolled >= cash:
            return rolled
        if alpha >= cash:
            return cash
        if double.ordered:
            # A double is worth at most `factor` times the value of rolling.
            most: float = max(rolled, double.factor * rolled)
            if most <= max(alpha, rolled):
                return most
    # If `rolled` is a bound, it is at most alpha, so alpha stays the lower end.
    least, enough = max(alpha, rolled), min(beta, cash)
    lower, upper = before_double(double, least), before_double(double, enough)
    if record:
        put_aside(work, level)
    value: float = search_node(
        problem, work, state, before_double(double, static), double.stake, bool(0), depth,
        lower, upper, double.low, double.high,
    )  # fmt: skip
    if work.stats[STOPPED] != 0:
        return 0.0
    taken = min(taken_value(double, value), cash)
    if value >= upper:
        taken = max(enough, taken)
        if record and taken < beta:
            # A pass. Keep the principal leaves of rolling, as if the game were played on.
            if rolled > alpha:
                take_back(work, level)
                return taken
            rolled = search_node(
                problem, work, state, np.inf, stake, bool(0), depth, -np.inf, beta, low, high
            )
            return max(rolled, taken)
    elif value > lower:
        taken = min(max(taken, least), enough)
    else:
        if record:
            take_back(work, level)
        taken = min(taken, least)
    if not passed:
        return max(rolled, taken) if value <= lower else taken
    if taken >= beta:
        return taken
    if record:
        put_aside(work, level)
    least = max(alpha, taken)
    rolled = search_node(problem, work, state, np.inf, stake, bool(0), depth, least, beta, low, high)
    if rolled > least:
        return rolled
    if record:
        take_back(work, level)
    return max(rolled, taken) if taken <= alpha else taken


@kernel(inner=True)
def search_node(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    stake: int,
    on_turn: bool,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the value of a chance node as `star` does."""
    level = depth // 2
    record = work.leaf_rows.shape[1] > 0
    # Step 1. A finished game is worth its payoff, and a leaf its static value.
    payoff: float = problem.terminal(state, stake, problem.params)
    if payoff != NOT_OVER or depth == 0:
        value = leaf_value(problem, work.stats, state, payoff, static, low, high)
        if record:
            write_leaf(work, level, state)
        return _returned(problem, value, alpha, beta)
    # Step 2. If the player on roll may double first, `_on_turn` searches both choices.
    if problem.doubles and on_turn:
        double = problem.offer(stake, problem.params)
        if double.cash != NOT_OVER:
            value = _on_turn(problem, work, state, static, stake, depth, alpha, beta, low, high, double)
            return _returned(problem, value, alpha, beta)
    # Step 3. Open the window at an end that is a bound of all values: a value there is then
    # exact, and has principal leaves.
    if alpha <= low:
        alpha = -np.inf
    if beta >= high:
        beta = np.inf
    # Step 4. Look the node up in the transposition table, which has values of rolling only.
    tabled = work.table.depth.shape[0] > 0
    key = np.uint64(0)
    if tabled:
        key = zobrist(work.table, state, stake)
        known = look_up(work.table, key, depth, alpha, beta, record)
        if known != UNKNOWN and alpha < np.inf:
            work.stats[TABLE_HITS] += 1
            return _returned(problem, known, alpha, beta)
    # Step 5. Count the node, and put its outcomes in order.
    if not begin_node(work.stats):
        return 0.0
    outcomes = begin_outcomes(problem, work, state, stake, level, low, high)
    low, high = work.limits[level, 0], work.limits[level, 1]
    # Step 6. Probe, if a lower bound of at least beta is likely. `ahead` is the least that the
    # outcomes not yet searched contribute: the sum of P_i W_i over them, where `bound` has the
    # W_i <= V_i. Probes raise `ahead`; the search subtracts each outcome from it.
    ahead = low
    cut = False
    hopeful = on_turn or not problem.doubles or static >= beta
    if problem.probes > 0 and beta < high and hopeful:
        ahead = _probe(problem, work, state, stake, key, depth, beta, outcomes)
        cut = ahead >= beta - SLACK * (high - low)
    # Step 7. Search the outcomes, unless the probes were enough.
    if cut:
        value = max(beta, ahead)
    elif alpha == np.inf:
        return ahead
    else:
        value = _search(problem, work, state, stake, key, depth, alpha, beta, outcomes, ahead)
    # Step 8. Remember the value or the bound.
    if tabled and work.stats[STOPPED] == 0:
        keep(work.table, key, depth, alpha, beta, value)
    return _returned(problem, value, alpha, beta)


@kernel()
def star(
    problem: Problem,
    work: Workspace,
    state: State,
    static: float,
    stake: int,
    on_turn: bool,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the fail-soft value of a chance node to the player on roll.

    A result strictly inside (alpha, beta) is exact. A result of at most alpha is an upper
    bound of the value, a result of at least beta a lower bound; with the option `fail_hard` it
    is then alpha or beta. The principal leaves of an exact value are left in `work`, if that
    has memory for them. If the search had to stop (`stats.STOPPED`), the result means nothing.

    Above depth 0, `static` decides whether rolling or a double is searched first. If the
    player may not double here, pass a rough upper estimate of the value: where the estimate is
    below beta, probing is skipped.

    With an alpha of inf, only probes are made, to prove that the value is at least beta. A
    result below beta is then the lower bound that they have proved, and `work.bound` has the
    bound of each outcome.
    """
    return search_node(problem, work, state, static, stake, on_turn, depth, alpha, beta, low, high)
