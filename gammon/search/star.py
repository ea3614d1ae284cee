"""Star1, Star2 and Star2.5: *-minimax with alpha-beta cutoffs at chance nodes.

One self-recursive kernel, `_node`; the number of probes tells the three apart. A call searches
a chance node and the decisions below it: in negamax form every value is to the player on
roll, so chance nodes stand over maximizing decisions only. `table` answers for nodes that
were searched before, `evaluation` values leaves, and `picker` has the order of replies.

The recursive calls must pass exactly the types of the signature (a float64, and `bool(1)`,
since True is a literal): numba would otherwise compile one more version for theirs, and the
code that it then keeps on disk crashes the process that loads it.

`problem` explains the arguments that kernels have in common. The steps of a node are numbered:
1 to 8 in `_node`, and those of the two loops over outcomes, 6.1 to 6.4 in `_probe` and 7.1 to
7.5 in `_search`. `edge` is the one formula that all windows come from.

Sources: B. W. Ballard, "A search procedure for perfect information games of chance: its
formulation and analysis" (AAAI-82); the slides of a lecture, "13. *-Minimax", on the work of
T. Hauk, M. Buro and J. Schaeffer. Their update of the bounds from child to child is for
equal probabilities, and one of the slides' probing windows for values around 0; here every
window follows from `edge`, which is right for all.
"""

from typing import Annotated, NamedTuple

import numpy as np

from gammon.compiled import kinds
from gammon.compiled.kernel import kernel
from gammon.compiled.memory import held, hold
from gammon.compiled.records import kind_of
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

#: Sums of products are right to some sixteen digits, so that a sum which equals a bound may
#: seem to miss it. Within this part of the range of values, it counts as reached.
SLACK = 1e-13


class _Shared(NamedTuple):
    """The records that all nodes of a search share."""

    problem: Problem
    work: Workspace


_Place = Annotated[_Shared, kinds.Place(kind_of(_Shared))]


@kernel(inline=True)
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


@kernel(inline=True)
def _returned(problem: Problem, value: float, alpha: float, beta: float) -> float:
    """Return a value as the node's caller gets it: a fail-hard one is within the window."""
    if problem.options.fail_hard:
        value = min(max(value, alpha), beta)
    return value


@kernel(inline=True)
def _child(
    shared: _Place,
    row: State,
    static: float,
    stake: int,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return what `star` does, of a successor.

    Leaves are valued on the spot: a call with all these arguments costs more than it does. As
    principal leaves they are written by the node above.
    """
    if depth == 0:
        problem, work = held(shared)
        payoff = problem.terminal(row, stake, problem.params)
        value = leaf_value(problem, work.stats, row, payoff, static, low, high)
        value = _returned(problem, value, alpha, beta)
    else:
        value = _node(shared, row, static, stake, bool(1), depth, alpha, beta, low, high)
    return value


@kernel(inline=True)
def _probe(
    shared: _Place, state: State, stake: int, key: np.uint64, depth: int, beta: float, outcomes: int
) -> float:
    """Probe: raise W_i to the value of a good successor, until that carries the node to beta.

    A part of the decision's successors can prove a lower bound only, so there is nothing to
    probe for at the alpha side. `work.sequence` has `outcomes` outcomes.

    Returns:
        The lower bound of the node's value that the probes have proved: the sum of P_i W_i.
        Where it is less than beta, `work.bound` has the W_i.
    """
    problem, work = held(shared)
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
        # Step 6.1. Pick the successors to look at, one or a few.
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
                shared, rows[j], np.float64(values[j]), -stake, depth - 2, -upper, -best, -high, -low
            )
            if value > best:
                best = value
                if best >= upper:
                    break
        # Step 6.4. Raise the node's bound, and end where it has reached beta.
        bound[i] = best
        ahead += p * best
        if ahead >= beta - slack:
            work.stats[PROBE_CUTS] += 1
            break
    return ahead


@kernel(inline=True)
def _search(
    shared: _Place,
    state: State,
    stake: int,
    key: np.uint64,
    depth: int,
    alpha: float,
    beta: float,
    outcomes: int,
    ahead: float,
) -> float:
    """Search the outcomes one by one, until the node cannot end inside the window.

    Where a bound decides a cutoff, rounding and slack must not carry the result back inside
    the window, where it would pass for the value: min and max. `work.sequence` has `outcomes`
    outcomes, and `ahead` is the sum of P_i W_i over them, where W_i is their lower bound in
    `work.bound`.
    """
    problem, work = held(shared)
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
        # Step 7.1. The outcome's window. At `lower` the node is worth alpha, if all outcomes to
        # come have their highest value; at `upper` it is worth beta, if they have their lowest.
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
        # Step 7.3. Search them in order; one that is enough ends the decision.
        first_leaf = work.leaf_count[level]
        best, best_row, one_by_one = -np.inf, 0, n
        if depth == 2 and static and work.replies.open[i]:
            best, best_row = best_leaf(work.stats, values, n, enough)
            one_by_one = 0
        for j in range(one_by_one):
            bring_next(problem, rows, values, ties, depth, j, n, placed)
            value = -_child(
                shared, rows[j], np.float64(values[j]), -stake, depth - 2,
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
        # Step 7.4. Add the outcome. Outside its window it proves a bound of the node: cut.
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
    shared: _Place,
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

    That is max(R, min(D, cash)). Most states need only R: where it is beyond the window, where
    rolling is worth more than a pass, where no double can be worth more. Where the static value
    is the cash, D comes first: if it is no less than the cash, a bound of R will do.
    """
    work = held(shared).work
    level = depth // 2
    record = work.leaf_rows.shape[1] > 0
    cash = double.cash
    work.replies.marks[TWICE] = int(level == 1)
    passed = np.float32(static) == np.float32(cash) and alpha < cash
    rolled: float = -np.inf
    if not passed:
        rolled = _node(shared, state, np.inf, stake, bool(0), depth, alpha, beta, low, high)
        if work.stats[STOPPED] != 0 or rolled >= beta or rolled >= cash:
            return rolled
        if alpha >= cash:
            return cash
        if double.ordered:
            # A double is worth at most `factor` times what rolling is.
            most: float = max(rolled, double.factor * rolled)
            if most <= max(alpha, rolled):
                return most
    # A bound `rolled` is at most alpha, so that it leaves alpha the lower end.
    least, enough = max(alpha, rolled), min(beta, cash)
    lower, upper = before_double(double, least), before_double(double, enough)
    if record:
        put_aside(work, level)
    value: float = _node(
        shared, state, before_double(double, static), double.stake, bool(0), depth,
        lower, upper, double.low, double.high,
    )  # fmt: skip
    if work.stats[STOPPED] != 0:
        return 0.0
    taken = min(taken_value(double, value), cash)
    if value >= upper:
        taken = max(enough, taken)
        if record and taken < beta:
            # A pass. Its leaves are those of rolling, as if the game were played on.
            if rolled > alpha:
                take_back(work, level)
                return taken
            rolled = _node(shared, state, np.inf, stake, bool(0), depth, -np.inf, beta, low, high)
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
    rolled = _node(shared, state, np.inf, stake, bool(0), depth, least, beta, low, high)
    if rolled > least:
        return rolled
    if record:
        take_back(work, level)
    return max(rolled, taken) if taken <= alpha else taken


@kernel(inner=True)
def _node(
    shared: _Place,
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
    """Return what `star` does."""
    problem, work = held(shared)
    level = depth // 2
    record = work.leaf_rows.shape[1] > 0
    # Step 1. A finished game has its payoff, and a leaf its static value.
    payoff: float = problem.terminal(state, stake, problem.params)
    if payoff != NOT_OVER or depth == 0:
        value = leaf_value(problem, work.stats, state, payoff, static, low, high)
        if record:
            write_leaf(work, level, state)
        return _returned(problem, value, alpha, beta)
    # Step 2. The player on roll may double first: `_on_turn` searches what that leads to.
    if problem.doubles and on_turn:
        double = problem.offer(stake, problem.params)
        if double.cash != NOT_OVER:
            value = _on_turn(shared, state, static, stake, depth, alpha, beta, low, high, double)
            return _returned(problem, value, alpha, beta)
    # Step 3. Open the window where it ends at the bound of the values: a value there is exact,
    # and has its leaves.
    if alpha <= low:
        alpha = -np.inf
    if beta >= high:
        beta = np.inf
    # Step 4. An earlier search of the node may answer.
    tabled = work.table.depth.shape[0] > 0  # which has values of rolling only
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
    # Step 6. Probe, if a lower bound of beta or more is likely. `ahead` is the least that the
    # outcomes not yet searched contribute: their sum of P_i W_i, where W_i <= V_i is `bound`.
    # Probes raise it, the search takes its outcomes out of it.
    ahead = low
    cut = False
    hopeful = on_turn or not problem.doubles or static >= beta
    if problem.probes > 0 and beta < high and hopeful:
        ahead = _probe(shared, state, stake, key, depth, beta, outcomes)
        cut = ahead >= beta - SLACK * (high - low)
    # Step 7. Search the outcomes, unless the probes were enough.
    if cut:
        value = max(beta, ahead)
    elif alpha == np.inf:
        return ahead
    else:
        value = _search(shared, state, stake, key, depth, alpha, beta, outcomes, ahead)
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

    A result strictly inside (alpha, beta) is the value. One that is at most alpha is an
    upper bound of the value, and one that is at least beta a lower bound; with the option
    `fail_hard` it is alpha or beta. If `work` has room for principal leaves, those of a
    value inside the window are left there. If the search had to stop (`stats.STOPPED`),
    the result means nothing.

    Above depth 0, `static` only decides whether rolling or a double is searched first. If the
    player may not double here, pass a rough upper estimate: when it is below beta, probing is
    skipped.

    An alpha of inf asks for probes only, which are to show that the value is at least beta. A
    result below beta is then the lower bound that they have proved, and `work` has that of each
    outcome.
    """
    shared = hold(_Shared(problem, work))
    return _node(shared, state, static, stake, on_turn, depth, alpha, beta, low, high)
