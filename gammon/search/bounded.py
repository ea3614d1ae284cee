"""Bounded search: a look ahead moves the value of a chance node by its width at most.

The value of a chance node is what was known of it before the look ahead, plus a revision that
is held within the node's *width*. Only the nodes at the root are *free*: the candidates of a
decision, or the position whose value is asked. So the equity that a person reads is a mean of held
values. Let s be the static value of rolling in a state, e its width (the value of the evaluator of
widths, times the first parameter k), and r_l the parameter of level l (half the depth), from l = 2
on. A node of depth 2 l whose player may not double has the value

    value(2)   = the mean of the best static replies, held within s - e and s + e
    value(2 l) = the mean of the best values of depth 2 l - 2, held within value(2) -+ r_l e

where the mean is over the outcomes, a free node has infinite widths, and a reply's value is its
value before the turn, when its player may still double, as in `algorithms`. Finished games have
their payoffs, and leaves their static values. To depth 3, and if every width is infinite, it is
expectimax.

From depth 5 on each pass over the candidates of a decision begins with the best ones of the pass
before, as many as values are wanted. Every other candidate is held as a reply is, on the side that
would reject it: if the highest value that its static value, its value of depth 2 and its width allow
is not above the worst value of the first ones, it is not searched further.

The definition does not depend on windows, order, threads or the transposition table;
`tests/naive/bounded.py` computes it plainly.

*-minimax cuts a chance node off when the bounds of its outcomes leave no doubt. In backgammon the
only bounds that a game offers are its lowest and highest payoff, which leave doubt until most of
the outcomes are searched. Widths give each reply an interval from its static value alone, each
outcome the interval of its best reply, and each node the weighted sum of these: so Star1's
bounds and Star2's probes can cut off at every node.

`problem` explains the common arguments of kernels. The lowest chance nodes are searched by
`star.search_node`, within the node's bounds. Above them a node takes the numbered steps of
`_node`.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float64Matrix, Float64Vector
from gammon.search.evaluation import evaluate_leaves
from gammon.search.game import NOT_OVER, Doubled, Rows, State, before_double, taken_value
from gammon.search.leaves import copy_state, put_aside, take_back, write_leaf, write_line
from gammon.search.picker import begin_outcomes
from gammon.search.problem import Problem
from gammon.search.star import SLACK, edge, search_node, star
from gammon.search.stats import PROBE_CUTS, PROBES, SEARCH_CUTS, STOPPED, TABLE_HITS, begin_node
from gammon.search.table import UNKNOWN, keep, look_up, zobrist
from gammon.search.workspace import BATCH, TWICE, USED_ROWS, Workspace

#: The columns of a *look*, all that is known of a row before it is searched: the static value of
#: rolling, its width, and both again at the stake after a double by the player on roll.
ROLLED, WIDTH, TAKEN, TAKEN_WIDTH = range(4)
#: More columns of `UpperReplies.looks`: the tie number, 0 unless principal leaves are kept; the static
#: value before the turn, a lower and an upper bound, to the player on roll in the reply.
TIE, STATIC, LEAST, MOST = range(4, 8)
#: A free node has infinite widths in its look. From this column on is the look that it would have as
#: a reply, which counts for candidates; for other free nodes the widths are infinite there, too.
AS_REPLY = 4
#: The rows of `UpperReplies.ends`: a lower and an upper bound of an outcome's value to the player
#: who decides, and the value of its principal leaves, -inf if there are none.
LOWEST, HIGHEST, LINE = range(3)
#: The rows of `UpperReplies.counts`: the first reply to an outcome, -1 if it is not there yet; the
#: number of replies; the statically best one; the number of principal leaves, and the reply that
#: they belong to. See also `USED_ROWS`.
FIRST, SIZE, TOP, LEAVES, LED = range(5)


@kernel(inline=True)
def _ratio(problem: Problem, level: int) -> float:
    """Return r_l: how many widths a node's value may lie from its value of depth 2."""
    last = problem.parameters.shape[0] - 1
    return 0.0 if level == 1 else problem.parameters[min(level - 1, last)]


@kernel(inner=True)
def write_looks(
    problem: Problem,
    work: Workspace,
    outputs: Float32Matrix,
    widths: Float32Matrix,
    n: int,
    stake: int,
    looks: Float64Matrix,
) -> None:
    """Write the looks of n rows: what is known of each before a look ahead.

    Args:
        problem: has the evaluators.
        work: has scratch for a batch.
        outputs: float32 [>= n, K], the leaf evaluator's outputs.
        widths: float32 [>= n, V], the outputs of the evaluator of widths.
        n: how many rows, at most B.
        stake: the stake of the players on roll in the rows.
        looks: float64 [>= n, >= 4], to be written, see `ROLLED`.
    """
    values, k = work.doubled, np.float32(problem.parameters[0])
    problem.leaf.fold(outputs, n, stake, problem.params, values)
    for j in range(n):
        looks[j, ROLLED] = values[j]
    problem.width.fold(widths, n, stake, problem.params, values)
    for j in range(n):
        looks[j, WIDTH] = k * values[j]
    if not problem.doubles:
        return
    double = problem.offer(stake, problem.params)
    if double.cash == NOT_OVER:
        return
    problem.leaf.fold(outputs, n, double.stake, problem.params, values)
    for j in range(n):
        looks[j, TAKEN] = values[j]
    problem.width.fold(widths, n, double.stake, problem.params, values)
    for j in range(n):
        looks[j, TAKEN_WIDTH] = k * values[j]


@kernel(inline=True)
def _held(look: Float64Vector, column: int, reach: float, low: float, high: float) -> tuple[float, float]:
    """Return bounds of the value of rolling: `reach` widths from the static value, within [low, high]."""
    static, away = look[column], reach * look[column + 1]
    return max(low, static - away), min(high, static + away)


@kernel(inline=True)
def interval(
    double: Doubled, look: Float64Vector, reach: float, low: float, high: float
) -> tuple[float, float]:
    """Return a lower and an upper bound of a value before the turn, to the player on roll.

    Args:
        double: the consequences of a double by that player.
        look: float64 [4], see `ROLLED`.
        reach: how many widths the value of rolling may lie from its static value.
        low: a lower bound of all values.
        high: an upper bound of all values.
    """
    least, most = _held(look, ROLLED, reach, low, high)
    if double.cash != NOT_OVER:
        worse, better = _held(look, TAKEN, reach, double.low, double.high)
        least = max(least, min(taken_value(double, worse), double.cash))
        most = max(most, min(taken_value(double, better), double.cash))
    return least, most


@kernel(inline=True)
def _static(double: Doubled, look: Float64Vector) -> float:
    """Return the static value before the turn."""
    rolled: float = look[ROLLED]
    if double.cash != NOT_OVER:
        rolled = max(rolled, min(taken_value(double, look[TAKEN]), double.cash))
    return np.float64(np.float32(rolled))


@kernel(inner=True)
def _begin_replies(work: Workspace, level: int, state: State) -> None:
    """Forget the replies of the last node of a level, unless `state` is the same."""
    upper, m = work.upper, level - 2
    same = upper.counts[m, USED_ROWS, 0] >= 0
    for byte in range(state.shape[0]):
        same &= upper.state[m, byte] == state[byte]
        upper.state[m, byte] = state[byte]
    if not same:
        upper.counts[m, USED_ROWS, 0] = 0
        for outcome in range(upper.counts.shape[2]):
            upper.counts[m, FIRST, outcome] = -1


@kernel(inner=True)
def _write_replies(
    problem: Problem, work: Workspace, state: State, level: int, place: int, outcomes: int
) -> int:
    """Write the replies to a batch of outcomes, with their outputs.

    The batch begins at index `place` of `work.sequence`, which has `outcomes` outcomes.

    Returns:
        The index after the batch.
    """
    upper, m = work.upper, level - 2
    begin = end = upper.counts[m, USED_ROWS, 0]
    while place < outcomes and end - begin < BATCH:
        i = work.sequence[level, place]
        place += 1
        if upper.counts[m, FIRST, i] >= 0:
            continue
        n = problem.successors(state, i, problem.params, upper.rows[m][end:])
        upper.counts[m, FIRST, i], upper.counts[m, SIZE, i] = end, n
        end += n
    if end > begin:
        rows, n = upper.rows[m][begin:], end - begin
        evaluate_leaves(problem, work, state, rows, n, upper.outputs[m][begin:])
        problem.width.evaluate(state, rows, n, problem.width.weights, upper.widths[m][begin:], upper.scratch)
    upper.counts[m, USED_ROWS, 0] = end
    return place


@kernel(inline=True)
def _precedes(look: Float64Vector, other: Float64Vector) -> bool:
    """Return whether a reply is searched before another one: by its static value, then its tie number."""
    earlier: bool = look[STATIC] < other[STATIC] or (look[STATIC] == other[STATIC] and look[TIE] < other[TIE])
    return earlier


@kernel(inner=True)
def _bound_outcome(
    problem: Problem, work: Workspace, level: int, i: int, stake: int, low: float, high: float
) -> float:
    """Write the static values and bounds of the replies to an outcome, and the outcome's bounds.

    Returns:
        The value of the statically best reply, to the player who decides, who has `stake`.
    """
    upper, m = work.upper, level - 2
    first, n = upper.counts[m, FIRST, i], upper.counts[m, SIZE, i]
    rows, looks = upper.rows[m][first:], upper.looks[m][first:]
    write_looks(problem, work, upper.outputs[m][first:], upper.widths[m][first:], n, -stake, looks)
    ties = problem.leaf.has_tie and work.leaf_rows.shape[1] > 0
    if ties:
        problem.leaf.tie(rows, upper.outputs[m][first:], n, -stake, problem.params, work.doubled)
    for j in range(n):
        looks[j, TIE] = work.doubled[j] if ties else 0.0
    double = problem.offer(-stake, problem.params)
    reach = 1.0 + _ratio(problem, level - 1)
    lowest: float = -np.inf
    highest: float = -np.inf
    top = 0
    for j in range(n):
        payoff: float = problem.terminal(rows[j], -stake, problem.params)
        static, least, most = payoff, payoff, payoff
        if payoff == NOT_OVER:
            static = _static(double, looks[j])
            least, most = interval(double, looks[j], reach, -high, -low)
        looks[j, STATIC] = static
        looks[j, LEAST], looks[j, MOST] = least, most
        lowest, highest = max(lowest, -most), max(highest, -least)
        if _precedes(looks[j], looks[top]):
            top = j
    upper.ends[m, LOWEST, i], upper.ends[m, HIGHEST, i] = lowest, highest
    upper.ends[m, LINE, i] = -np.inf
    upper.counts[m, TOP, i] = first + top
    best: float = -looks[top, STATIC]
    return best


@kernel(inner=True)
def _update_outcome(work: Workspace, level: int, i: int) -> None:
    """Write the bounds of an outcome that follow from those of its replies."""
    upper, m = work.upper, level - 2
    first = upper.counts[m, FIRST, i]
    lowest: float = -np.inf
    highest: float = -np.inf
    for j in range(first, first + upper.counts[m, SIZE, i]):
        lowest, highest = max(lowest, -upper.looks[m, j, MOST]), max(highest, -upper.looks[m, j, LEAST])
    upper.ends[m, LOWEST, i], upper.ends[m, HIGHEST, i] = lowest, highest


@kernel(inline=True)
def _part(problem: Problem, level: int) -> int:
    """Return how many leaves an outcome of a node of `level` can have."""
    part = 1
    for _ in range(level - 1):
        part *= problem.max_outcomes
    return part


@kernel(inner=True)
def _join_lines(problem: Problem, work: Workspace, level: int, outcomes: int) -> None:
    """Move the leaves of a node's outcomes together, in the order of `work.sequence`.

    The leaves of each outcome, written by `_search_reply`, lie in a part of their own. If the
    value of the first of the best replies followed from bounds, that reply is its own leaf.
    """
    upper, m, part = work.upper, level - 2, _part(problem, level)
    rows, weight = work.leaf_rows[level], work.leaf_weight[level]
    count = 0
    for i in range(problem.max_outcomes):
        place = 0
        while place < outcomes and work.sequence[level, place] != i:
            place += 1
        if place == outcomes:
            continue
        begin, n, first = part * i, upper.counts[m, LEAVES, i], upper.counts[m, FIRST, i]
        best = -1
        for j in range(first, first + upper.counts[m, SIZE, i]):
            if -upper.looks[m, j, MOST] == upper.ends[m, LOWEST, i]:
                best = j if best < 0 or _precedes(upper.looks[m, j], upper.looks[m, best]) else best
        if upper.ends[m, LINE, i] != upper.ends[m, LOWEST, i] or upper.counts[m, LED, i] != best:
            n = 1
            copy_state(upper.rows[m, best], rows[begin])
            weight[begin] = -1.0
        for leaf in range(begin, begin + n):
            if leaf != count:
                copy_state(rows[leaf], rows[count])
            weight[count] = work.chance[level, i] * weight[leaf]
            count += 1
    work.leaf_count[level] = count


@kernel(inline=True)
def _search_reply(
    problem: Problem,
    work: Workspace,
    level: int,
    i: int,
    j: int,
    stake: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> None:
    """Search reply j, after outcome i, in a window, and narrow its bounds.

    All of this is seen by the player on roll in the reply. Principal leaves of a value inside
    the window are kept in the outcome's part, with the opposite sign.
    """
    upper, m = work.upper, level - 2
    look = upper.looks[m, j]
    depth, row = 2 * level - 2, upper.rows[m, j]
    value = _node(problem, work, row, look, bool(0), stake, bool(1), depth, alpha, beta, low, high)
    least, most = upper.looks[m, j, LEAST], upper.looks[m, j, MOST]
    if value <= alpha:
        upper.looks[m, j, MOST] = max(min(most, value), least)
    elif value >= beta:
        upper.looks[m, j, LEAST] = min(max(least, value), most)
    else:
        upper.looks[m, j, LEAST] = upper.looks[m, j, MOST] = value
        if work.leaf_rows.shape[1] > 0 and -value > upper.ends[m, LINE, i]:
            begin = _part(problem, level) * i
            write_line(work, level, begin, 1.0)
            upper.counts[m, LEAVES, i], upper.ends[m, LINE, i] = work.leaf_count[level] - begin, -value
            upper.counts[m, LED, i] = j


@kernel(inline=True)
def _search_outcome(
    problem: Problem,
    work: Workspace,
    level: int,
    i: int,
    lower: float,
    enough: float,
    stake: int,
    low: float,
    high: float,
) -> None:
    """Search the replies to an outcome until its value is known, or known to be outside (lower, enough).

    Afterwards `upper.ends[level - 2, LOWEST, i]` is the value. An entry of `enough` or more is only a
    lower bound of the value; with an entry of at most `lower`, the value is at most `lower` too.
    """
    upper, m = work.upper, level - 2
    first, end = upper.counts[m, FIRST, i], upper.counts[m, FIRST, i] + upper.counts[m, SIZE, i]
    while upper.ends[m, LOWEST, i] < enough:
        # The statically best reply that may still be better than all that is known.
        floor = max(lower, upper.ends[m, LOWEST, i])
        best = -1
        for j in range(first, end):
            if upper.looks[m, j, LEAST] >= upper.looks[m, j, MOST] or -upper.looks[m, j, LEAST] <= floor:
                continue
            if best < 0 or _precedes(upper.looks[m, j], upper.looks[m, best]):
                best = j
        if best < 0:
            break
        _search_reply(problem, work, level, i, best, -stake, -enough, -floor, -high, -low)
        if work.stats[STOPPED] != 0:
            return
        _update_outcome(work, level, i)


@kernel(inline=True)
def _turn(
    problem: Problem,
    work: Workspace,
    state: State,
    look: Float64Vector,
    stake: int,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
    double: Doubled,
) -> float:
    """Return the value of a state whose player may double before the roll.

    The value is max(R, P), where R is the value of rolling, and P the value of a double: the
    lower one of a take and a pass. What their bounds decide is not searched. If the static value
    indicates a pass, P comes first. The node of a pass is its own principal leaf.
    """
    level = depth // 2
    record = work.leaf_rows.shape[1] > 0
    reach, cash = 1.0 + _ratio(problem, level), double.cash
    _, most_rolled = _held(look, ROLLED, reach, low, high)
    worse, better = _held(look, TAKEN, reach, double.low, double.high)
    least, most_doubled = min(taken_value(double, worse), cash), min(taken_value(double, better), cash)
    if least >= beta:
        return least
    # `floor` is exact if it is above alpha, and `bound` is no less than the part searched so far.
    floor: float = max(alpha, least)
    bound: float = -np.inf
    itself = True
    work.replies.marks[TWICE] = int(level == 1)
    double_first = int(taken_value(double, look[TAKEN]) >= cash)
    for part in range(double_first, double_first + 2):
        value: float = most_doubled if part & 1 else most_rolled
        if value > floor and part & 1:
            enough = min(beta, cash)
            lower, upper = before_double(double, floor), before_double(double, enough)
            value = _node(
                problem, work, state, look, bool(1), double.stake, bool(0), depth, lower, upper,
                double.low, double.high,
            )  # fmt: skip
            passed = min(taken_value(double, value), cash)
            passed = max(passed, enough) if value >= upper else min(passed, enough)
            value = min(passed, floor) if value <= lower else max(passed, floor)
        elif value > floor:
            value = _node(problem, work, state, look, bool(0), stake, bool(0), depth, floor, beta, low, high)
        if work.stats[STOPPED] != 0:
            return 0.0
        bound = max(bound, value)
        if value >= beta:
            return value
        if value > floor:
            floor = value
            itself = part & 1 == 1 and value >= cash
            if record and not itself:
                put_aside(work, level)
    if floor <= alpha:
        return bound
    if record and itself and look[WIDTH] < np.inf:
        write_leaf(work, level, state)
    elif record and itself:
        # A pass at the root. Its principal leaves are those of rolling, as if the game were played on.
        _node(problem, work, state, look, bool(0), stake, bool(0), depth, -np.inf, np.inf, low, high)
    elif record:
        take_back(work, level)
    return floor


@kernel(inline=True)
def _search(
    problem: Problem,
    work: Workspace,
    state: State,
    look: Float64Vector,
    column: int,
    stake: int,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the value of a chance node above the lowest ones.

    Its static value and its width are in columns `column` and `column + 1` of its look.
    """
    upper, level, m = work.upper, depth // 2, depth // 2 - 2
    record, slack = work.leaf_rows.shape[1] > 0, SLACK * (high - low)
    least, most = _held(look, column, 1.0 + _ratio(problem, level), low, high)
    lower, enough = max(alpha, least) + slack, min(beta, most) - slack
    # Step 4. All replies with their static values and widths, which bound each outcome. `down`
    # and `up` are the sums of the outcomes' bounds; outcomes not yet bounded count with `low` and `high`.
    outcomes = begin_outcomes(problem, work, state, stake, level, low, high)
    sequence, chance = work.sequence[level], work.chance[level]
    _begin_replies(work, level, state)
    mean: float = 0.0
    down: float = low
    up: float = high
    ready = 0
    for place in range(outcomes):
        if place == ready:
            if up <= lower or down >= enough:
                break
            ready = _write_replies(problem, work, state, level, place, outcomes)
        i = sequence[place]
        p = chance[i]
        mean += p * _bound_outcome(problem, work, level, i, stake, low, high)
        down += p * (upper.ends[m, LOWEST, i] - low)
        up += p * (upper.ends[m, HIGHEST, i] - high)
    # Step 5. The best static replies give the value of depth 2, and closer bounds.
    if up > lower and down < enough:
        free = look[column + 1] == np.inf
        own = column + AS_REPLY if free else column
        rolled, width = look[own], look[own + 1]
        mean, away = min(max(mean, rolled - width), rolled + width), _ratio(problem, level) * width
        if not free:
            least, most = max(least, mean - away), min(most, mean + away)
        elif mean - away >= beta:
            rejected: float = mean - away
            return rejected
        if most <= alpha:
            return most
        if least >= beta:
            return least
        lower, enough = max(alpha, least) + slack, min(beta, most) - slack
    # Step 6. Probe: search the statically best reply to each outcome, which also orders the rest.
    if problem.probes > 0:
        work.stats[PROBES] += 1
        for i in sequence[:outcomes]:
            if up <= lower or down >= enough:
                break
            j = upper.counts[m, TOP, i]
            p, before, after = chance[i], upper.ends[m, LOWEST, i], upper.ends[m, HIGHEST, i]
            if upper.looks[m, j, LEAST] < min(upper.looks[m, j, MOST], -before):
                limit = edge(enough, down - p * before, 0.0, p)
                _search_reply(problem, work, level, i, j, -stake, -limit, -before, -high, -low)
                if work.stats[STOPPED] != 0:
                    return 0.0
                _update_outcome(work, level, i)
                down += p * (upper.ends[m, LOWEST, i] - before)
                up += p * (upper.ends[m, HIGHEST, i] - after)
        work.stats[PROBE_CUTS] += int(down >= enough)
    # Step 7. Search the outcomes one by one.
    for i in sequence[:outcomes]:
        if up <= lower or down >= enough:
            break
        p, before, after = chance[i], upper.ends[m, LOWEST, i], upper.ends[m, HIGHEST, i]
        if before >= after:
            continue
        floor = edge(lower, up - p * after, 0.0, p)
        limit = edge(enough, down - p * before, 0.0, p)
        _search_outcome(problem, work, level, i, floor, limit, stake, low, high)
        if work.stats[STOPPED] != 0:
            return 0.0
        known = upper.ends[m, LOWEST, i]
        down += p * (known - before)
        if known >= limit:
            down = max(down, enough)
        elif known <= floor:
            up = min(up, lower)
        else:
            up += p * (known - after)
    # A value beyond the bounds of the node is held at the bound; its leaf is the node itself.
    value: float = 0.0
    if up <= lower:
        value = least if alpha < least else max(least, min(alpha, up))
    elif down >= enough:
        value = most if beta > most else min(most, max(beta, down))
    else:
        for i in sequence[:outcomes]:
            value += chance[i] * upper.ends[m, LOWEST, i]
        if record:
            _join_lines(problem, work, level, outcomes)
    if up <= lower or down >= enough:
        work.stats[SEARCH_CUTS] += 1
        if record and alpha < value < beta:
            write_leaf(work, level, state)
    return value


@kernel(inner=True)
def _node(
    problem: Problem,
    work: Workspace,
    state: State,
    look: Float64Vector,
    doubled: bool,
    stake: int,
    on_turn: bool,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the fail-soft value of a chance node as `bounded` does; its game is not over.

    `look`, float64 [4], is the look of the state. `doubled` is whether its static value and width
    after a double count; `stake` is then the stake after the double.
    """
    level = depth // 2
    record = work.leaf_rows.shape[1] > 0
    # Step 1. If the player on roll may double first, `_turn` compares both choices.
    if on_turn:
        double = problem.offer(stake, problem.params)
        if double.cash != NOT_OVER:
            return _turn(problem, work, state, look, stake, depth, alpha, beta, low, high, double)
    # Step 2. The static value and the width give the first bounds.
    column = TAKEN if doubled else ROLLED
    least, most = _held(look, column, 1.0 + _ratio(problem, level), low, high)
    if most <= alpha:
        return most
    if least >= beta:
        return least
    if level == 1:
        lower, upper = max(alpha, least), min(beta, most)
        value = search_node(problem, work, state, look[column], stake, bool(0), 2, lower, upper, low, high)
        held = min(max(value, least), most)
        clipped = (value <= least and least > low) or (value >= most and most < high)
        if record and clipped and alpha < held < beta:
            write_leaf(work, 1, state)
        return held
    # Step 3. Look the node up in the transposition table.
    tabled = work.table.depth.shape[0] > 0 and look[column + 1] < np.inf
    key = np.uint64(0)
    if tabled:
        key = zobrist(work.table, state, stake)
        known = look_up(work.table, key, depth, alpha, beta, record)
        if known != UNKNOWN:
            work.stats[TABLE_HITS] += 1
            return known
    if not begin_node(work.stats):
        return 0.0
    value = _search(problem, work, state, look, column, stake, depth, alpha, beta, low, high)
    # Step 8. Remember the value or the bound.
    if tabled and work.stats[STOPPED] == 0:
        keep(work.table, key, depth, alpha, beta, value)
    return value


@kernel(inner=True)
def look_at_replies(
    problem: Problem, work: Workspace, state: State, rows: Rows, n: int, stake: int, doubled: int
) -> None:
    """Write the looks of n replies twice: at the stake without a double by the player who decides, and
    at the stake after one.

    They are in the last slice of `work.upper.looks`, from rows 0 and `problem.max_successors` on.
    `work.outputs` has the outputs of the replies.
    """
    upper = work.upper
    widths, looks = upper.widths[-1], upper.looks[-1]
    problem.width.evaluate(state, rows, n, problem.width.weights, widths, upper.scratch)
    write_looks(problem, work, work.outputs, widths, n, -stake, looks)
    write_looks(problem, work, work.outputs, widths, n, -doubled, looks[problem.max_successors :])


@kernel(inner=True)
def bounded_reply(
    problem: Problem,
    work: Workspace,
    row: State,
    look: Float64Vector,
    stake: int,
    depth: int,
    alpha: float,
    beta: float,
    low: float,
    high: float,
) -> float:
    """Return the fail-soft value of a reply before the turn of its player, who has `stake`."""
    payoff: float = problem.terminal(row, stake, problem.params)
    if payoff != NOT_OVER:
        return search_node(problem, work, row, payoff, stake, bool(1), depth, alpha, beta, low, high)
    return _node(problem, work, row, look, bool(0), stake, bool(1), depth, alpha, beta, low, high)


@kernel(inline=True)
def _free_look(work: Workspace, double: Doubled, static: float) -> Float64Vector:
    """Return the look of a free node; `static` is its static value before the turn."""
    look: Float64Vector = work.upper.looks[-1, 0]
    look[ROLLED], look[WIDTH], look[TAKEN_WIDTH] = 0.0, np.inf, np.inf
    passed = np.float32(static) == np.float32(double.cash)
    look[TAKEN] = double.high if passed else double.low
    for column in range(ROLLED, TAKEN_WIDTH + 1):
        look[AS_REPLY + column] = look[column]
    return look


@kernel()
def bounded(
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
    """Return the fail-soft value of a free node; the arguments and the result are as for `star`.

    There must be no noise and no filter. An alpha of inf is not allowed.
    """
    payoff: float = problem.terminal(state, stake, problem.params)
    if payoff != NOT_OVER or depth <= 2 or not problem.bounded:
        return star(problem, work, state, static, stake, on_turn, depth, alpha, beta, low, high)
    look = _free_look(work, problem.offer(stake, problem.params), static)
    return _node(problem, work, state, look, bool(0), stake, on_turn, depth, alpha, beta, low, high)


@kernel(inner=True)
def bounded_candidate(
    problem: Problem, work: Workspace, row: State, static: float, depth: int, enough: float
) -> float:
    """Return the value of a candidate before the turn of its player, or a lower bound, at least `enough`.

    A bound may be what the candidate's width allows. `row` is the candidate, and `static` its static
    value, both seen from its player; `depth` of its chance node is at least 4.
    """
    stake, low, high = -problem.stake, -problem.high, -problem.low
    payoff: float = problem.terminal(row, stake, problem.params)
    if payoff != NOT_OVER:
        return payoff
    upper, double = work.upper, problem.offer(stake, problem.params)
    rows, looks, widths = row.reshape(1, -1), upper.looks[-1, 1:], upper.widths[-1]
    # These evaluations are not counted: the first pass has counted the same states.
    problem.leaf.evaluate(row, rows, 1, problem.leaf.weights, work.outputs, work.scratch)
    problem.width.evaluate(row, rows, 1, problem.width.weights, widths, upper.scratch)
    write_looks(problem, work, work.outputs, widths, 1, stake, looks)
    least, _ = interval(double, looks[0], 1.0 + _ratio(problem, depth // 2), low, high)
    if least >= enough:
        return least
    look = _free_look(work, double, static)
    for column in range(ROLLED, TAKEN_WIDTH + 1):
        look[AS_REPLY + column] = looks[0, column]
    if double.cash < enough:  # a pass would not be enough
        look[AS_REPLY + TAKEN_WIDTH] = np.inf
    return _node(problem, work, row, look, bool(0), stake, bool(1), depth, -np.inf, enough, low, high)


@kernel(inner=True)
def bounded_outcome(
    problem: Problem,
    work: Workspace,
    state: State,
    outcome: int,
    stake: int,
    depth: int,
    low: float,
    high: float,
) -> float:
    """Return the value of the decision after an outcome, to the player who decides and has `stake`.

    `depth`, at least 4, is the depth of the chance node above the decision. If `work` has memory
    for principal leaves, the leaves of this node are the leaves of the decision afterwards.
    """
    level = depth // 2
    work.sequence[level, 0] = outcome
    _begin_replies(work, level, state)
    _write_replies(problem, work, state, level, 0, 1)
    _bound_outcome(problem, work, level, outcome, stake, low, high)
    _search_outcome(problem, work, level, outcome, -np.inf, np.inf, stake, low, high)
    if work.leaf_rows.shape[1] > 0:
        work.chance[level, outcome] = 1.0
        _join_lines(problem, work, level, 1)
    value: float = work.upper.ends[level - 2, LOWEST, outcome]
    return value
