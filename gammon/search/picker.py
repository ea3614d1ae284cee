"""Move ordering: the order in which a search visits outcomes, candidates and successors.

Outcomes: `set_sequence`. Candidates of the root (and, from depth 5 on, where tasks share the work, of the
decision after each reply): `sort_by_static` before they have values, `place_candidate` by their values.

The successors of a decision come in stages, and a stage that ends the search of the decision
saves the stages after it. The lowest chance nodes have depth 2:

             a probe at 2    a probe above   a search at 2   a search above
    KILLER   first, (a)      -               -               -
    TABLE    -               first, (b)      -               first, (c)
    PROBE    then            then, not (d)   -               -
    LEAF     -               then, (d)       -               then
    GAME     not (e)         not (e)         always          not (e)
    KEPT     -               instead, (f)    -               -

    (a) `Options.killers`   (b) there is a table, and (e)   (c) there is a table
    (d) `Options.static_picks`   (e) `Options.static_order`, without which GAME replaces PROBE
    and LEAF   (f) there is a `Filter.replies`

* KILLER: the successor most like the best reply to the same outcome in the last node searched.
* TABLE: the best reply of an earlier search, from the transposition table.
* PROBE: the best by the probe evaluator.
* LEAF: the best by the leaf evaluator. A search brings each successor forward when its turn
  comes; `game.Tie` decides among successors of equal static value.
* GAME: in the order in which the game wrote them.
* KEPT: the successors that pass the filter, the best by the leaf evaluator first.

Among successors of equal value, a search keeps the principal leaves of the first one it meets.
So if all replies are equal because the opponent doubles and the player passes, LEAF decides whose
chances are shown.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, Float64Vector, Int64Vector
from gammon.compiled.vector import Int16x16, as_int16, filled, load, select, sums_of_pairs, total
from gammon.search.evaluation import (
    all_go_on,
    evaluate_leaves,
    fold_leaves,
    leaf_values,
    probe_values,
    set_limits,
    write_payoffs,
)
from gammon.search.game import Rows, State
from gammon.search.leaves import copy_state
from gammon.search.problem import Problem
from gammon.search.table import find_reply, keep_reply
from gammon.search.workspace import (
    BATCH,
    CAPACITY,
    KEEPING,
    PROBED,
    USED,
    Workspace,
    begin_replies,
    forget_from,
)

#: The stages of successors.
KILLER, TABLE, PROBE, LEAF, GAME, KEPT = range(6)

#: Bytes of a state that are compared at a time, and their indices.
_LANES = 16
_PLACES = np.arange(_LANES, dtype=np.int16)


@kernel(inline=True)
def first_stage(problem: Problem, work: Workspace, depth: int, probing: bool) -> int:
    """Return the stage of the first successor: KILLER or TABLE, or GAME for neither."""
    if depth == 2:
        return KILLER if probing and problem.options.killers else GAME
    return TABLE if work.table.depth.shape[0] > 0 else GAME


@kernel(inline=True)
def main_stage(problem: Problem, depth: int, probing: bool) -> int:
    """Return the stage of the other successors: PROBE, LEAF, GAME or KEPT."""
    if depth == 2 and not probing:
        return GAME
    if probing and depth > 2 and problem.filter.replies > 0:
        return KEPT
    if not problem.options.static_order:
        return GAME
    if probing and (depth == 2 or not problem.options.static_picks):
        return PROBE
    return LEAF


@kernel(inline=True)
def _swap(rows: Rows, values: Float32Vector, a: int, b: int) -> None:
    if a == b:
        return
    values[a], values[b] = values[b], values[a]
    for byte in range(rows.shape[1]):
        rows[a, byte], rows[b, byte] = rows[b, byte], rows[a, byte]


@kernel(inner=True)
def bring_best(rows: Rows, values: Float32Vector, start: int, n: int) -> None:
    """Swap the best of the siblings `start`..n-1 to `start`: the one of least value to the opponent."""
    best = start
    for j in range(start + 1, n):
        if values[j] < values[best]:
            best = j
    _swap(rows, values, start, best)


@kernel(inner=True)
def bring_favourite(rows: Rows, values: Float32Vector, ties: Float32Vector, start: int, n: int) -> None:
    """Do what `bring_best` does; the lowest tie number decides among equal values."""
    best = start
    for j in range(start + 1, n):
        if values[j] < values[best] or (values[j] == values[best] and ties[j] < ties[best]):
            best = j
    ties[start], ties[best] = ties[best], ties[start]
    _swap(rows, values, start, best)


@kernel(inner=True)
def _bring_equal(rows: Rows, values: Float32Vector, ties: Float32Vector, n: int) -> None:
    """Swap the first of n siblings with its equal in value that has the lowest tie number."""
    best = 0
    for j in range(1, n):
        if values[j] == values[0] and ties[j] < ties[best]:
            best = j
    ties[0], ties[best] = ties[best], ties[0]
    _swap(rows, values, 0, best)


@kernel(inner=True)
def keep_best(
    problem: Problem, rows: Rows, n: int, stake: int, values: Float32Vector, ties: Float32Vector
) -> int:
    """Bring the successors that pass the filter to the front.

    `values` and `ties` are their static values and tie numbers; finished games get their
    payoffs first. `stake` is the stake of the player who moved.

    Returns:
        How many pass the filter: n if it lets all pass.
    """
    filter = problem.filter
    if filter.replies == 0:
        return n
    write_payoffs(problem, rows, n, stake, values)
    for j in range(min(n, filter.replies)):
        bring_favourite(rows, values, ties, j, n)
        if values[j] > values[0] + filter.margin:
            return j
    return min(n, filter.replies)


@kernel(inline=True)
def _differences(a: State, b: State, at: int) -> Int16x16:
    """Return the absolute differences of sixteen bytes of two states."""
    difference = as_int16(load(a, at, _LANES)) - as_int16(load(b, at, _LANES))
    return select(difference > 0, difference, -difference)


@kernel(inner=True)
def distance(a: State, b: State) -> int:
    """Return the sum of absolute differences of two states of at most 2,048 bytes."""
    width = a.shape[0]
    rest = width % _LANES
    if width < _LANES:
        difference = 0
        for byte in range(width):
            difference += abs(int(a[byte]) - int(b[byte]))
        return difference
    sums = filled(np.int16(0), _LANES)
    for byte in range(0, width - rest, _LANES):
        sums = sums + _differences(a, b, byte)
    # The last sixteen bytes, without the bytes already counted.
    new = load(_PLACES, 0, _LANES) > np.int16(_LANES - 1 - rest)
    sums = sums + select(new, _differences(a, b, width - _LANES), 0)
    return total(sums_of_pairs(sums, filled(np.int16(1), _LANES)))


@kernel(inline=True)
def _bring_killer(work: Workspace, outcome: int, n: int) -> bool:
    """Swap the successor that is most like the killer of this outcome to the front.

    The killer is the best reply to this outcome in a sibling node. The nodes differ by one decision of
    the other player, and so do the positions after the same reply: the nearest successor is probably
    that reply.

    Returns:
        Whether there is a killer.
    """
    if not work.killer_known[outcome]:
        return False
    rows = work.rows[0]
    killer = work.killers[outcome]
    nearest, least = 0, 1 << 30
    for j in range(n):
        away = distance(rows[j], killer)
        if away < least:
            nearest, least = j, away
    _swap(rows, work.values[0], 0, nearest)
    return True


@kernel(inner=True)
def _bring_reply(work: Workspace, level: int, key: np.uint64, outcome: int, n: int) -> bool:
    """Swap the best reply from the table to the front; return whether there is one."""
    rows, ties = work.rows[level - 1], work.ties[level - 1]
    known = find_reply(work.table, key, outcome, rows, n)
    if known < 0:
        return False
    ties[0], ties[known] = ties[known], ties[0]
    _swap(rows, work.values[level - 1], 0, known)
    return True


@kernel(inline=True)
def _value_all(problem: Problem, work: Workspace, state: State, stake: int, level: int, n: int) -> None:
    """Write the static values of n siblings of a level, and their tie numbers if needed.

    Ties matter if principal leaves are kept, or if a filter leaves siblings out.
    """
    rows = work.rows[level - 1]
    leaf_values(problem, work, state, rows, n, stake, work.values[level - 1])
    counts = work.leaf_rows.shape[1] > 0 or problem.filter.replies > 0
    if problem.leaf.has_tie and counts:
        ties = work.ties[level - 1]
        problem.leaf.tie(rows, work.outputs, n, -stake, problem.params, ties)


@kernel(inline=True)
def pick_probes(
    problem: Problem, work: Workspace, state: State, stake: int, key: np.uint64, depth: int, outcome: int
) -> int:
    """Bring the successors to probe to the front, and return their number."""
    level = depth // 2
    rows = work.rows[level - 1]
    values = work.values[level - 1]
    n = problem.successors(state, outcome, problem.params, rows)
    stage = main_stage(problem, depth, bool(1))
    if stage == KEPT:
        _value_all(problem, work, state, stake, level, n)
        n = keep_best(problem, rows, n, stake, values, work.ties[level - 1])
        return min(n, problem.probes)
    count = min(n, problem.probes)
    known = False
    if stage != GAME:
        first = first_stage(problem, work, depth, bool(1))
        if first == KILLER:
            known = _bring_killer(work, outcome, n)
        elif first == TABLE:
            known = _bring_reply(work, level, key, outcome, n)
    placed = 1 if known else 0
    if stage == LEAF and placed < count:
        leaf_values(problem, work, state, rows, n, stake, values)
    elif stage == PROBE and placed < count:
        probe_values(problem, work, state, rows, n, stake, values)
    elif depth > 2 and problem.doubles:
        # With doubles, `star` needs the static value to choose what to search first.
        leaf_values(problem, work, state, rows, count, stake, values)
    if stage != GAME:
        for j in range(placed, count):
            bring_best(rows, values, j, n)
    return count


@kernel(inner=True)
def _ask_for_replies(problem: Problem, work: Workspace, state: State, place: int, outcomes: int) -> None:
    """Write a batch of replies, from an outcome on, and their outputs into `work.replies`."""
    replies = work.replies
    keeping = replies.marks[KEEPING] != 0
    begin = end = replies.marks[USED]
    forget_from(replies, begin)
    for i in work.sequence[1, place:outcomes]:
        if replies.first[i] >= 0:
            continue
        rows = replies.rows[end:]
        n = problem.successors(state, i, problem.params, rows)
        replies.first[i], replies.size[i] = end, n
        replies.open[i] = keeping and all_go_on(problem, rows, n)
        end += n
        if end - begin >= BATCH:
            break
    rows, outputs = replies.rows[begin:], replies.outputs[begin:]
    evaluate_leaves(problem, work, state, rows, end - begin, outputs)
    if keeping and end <= replies.marks[CAPACITY]:
        replies.marks[USED] = end


@kernel(inline=True)
def lowest_replies(
    problem: Problem, work: Workspace, state: State, stake: int, place: int, outcomes: int
) -> tuple[int, int]:
    """Return where `work.replies` has the replies to an outcome of a lowest chance node.

    Their values are written into `work.values`. The network evaluates the replies to several
    outcomes at once. If the node may be searched twice, `replies.open` is whether the game
    goes on in all replies to the outcome; otherwise it is False. `place` is the index of the
    outcome in `work.sequence`, which has `outcomes` outcomes.

    Returns:
        The index of the first reply in `work.replies`, and the number of replies.
    """
    replies, outcome = work.replies, work.sequence[1, place]
    if replies.first[outcome] < 0:
        _ask_for_replies(problem, work, state, place, outcomes)
    first, n = replies.first[outcome], replies.size[outcome]
    fold_leaves(problem, work, replies.outputs[first:], n, stake, work.values[0])
    return first, n


@kernel(inline=True)
def pick_replies(
    problem: Problem, work: Workspace, state: State, stake: int, key: np.uint64, depth: int, outcome: int
) -> tuple[int, int]:
    """Write the successors to search above the lowest chance nodes, and their static values.

    Returns:
        The number of successors, and how many are already in their final place: 1 if the
        table's reply is in front, else 0.
    """
    level = depth // 2
    rows = work.rows[level - 1]
    values = work.values[level - 1]
    n = problem.successors(state, outcome, problem.params, rows)
    _value_all(problem, work, state, stake, level, n)
    n = keep_best(problem, rows, n, stake, values, work.ties[level - 1])
    placed = 0
    tabled = first_stage(problem, work, depth, bool(0)) == TABLE
    if tabled and _bring_reply(work, level, key, outcome, n):
        _bring_equal(rows, values, work.ties[level - 1], n)
        placed = 1
    return n, placed


@kernel(inline=True)
def bring_next(
    problem: Problem,
    rows: Rows,
    values: Float32Vector,
    ties: Float32Vector,
    depth: int,
    j: int,
    n: int,
    placed: int,
) -> None:
    """Bring the successor to be searched j-th to index j.

    At the lowest chance nodes this is skipped: all successors have their values already.
    """
    if main_stage(problem, depth, bool(0)) == LEAF and j >= placed:
        bring_favourite(rows, values, ties, j, n)


@kernel(inline=True)
def remember_reply(
    problem: Problem, work: Workspace, key: np.uint64, depth: int, outcome: int, reply: State
) -> None:
    """Store the best reply to an outcome for later searches, as a killer or in the table."""
    if depth == 2 and problem.options.killers:
        copy_state(reply, work.killers[outcome])
        work.killer_known[outcome] = True
    elif depth > 2 and work.table.depth.shape[0] > 0:
        keep_reply(work.table, key, outcome, reply)


@kernel(inner=True)
def set_sequence(sequence: Int64Vector, chance: Float64Vector, outcomes: int, likely_first: bool) -> int:
    """Write the outcomes of nonzero probability in order, and return their number.

    The order is the game's. With `likely_first` the likeliest come first, and outcomes of equal
    probability stay in the game's order.
    """
    count = 0
    for i in range(outcomes):
        if chance[i] == 0.0:
            continue
        place = count
        while likely_first and place > 0 and chance[sequence[place - 1]] < chance[i]:
            sequence[place] = sequence[place - 1]
            place -= 1
        sequence[place] = i
        count += 1
    return count


@kernel(inner=True)
def place_candidate(values: Float64Vector, order: Int64Vector, r: int) -> None:
    """Insert the r-th candidate of the order among the sorted candidates before it.

    The best come first. The sort is stable: a candidate stays behind its equals.

    Args:
        values: float64, the values of all candidates, to the player who decides.
        order: int64 [> r]; the first r candidates are sorted.
        r: the index in `order` of the candidate to insert.
    """
    j, place = order[r], r
    while place > 0 and values[order[place - 1]] < values[j]:
        order[place] = order[place - 1]
        place -= 1
    order[place] = j


@kernel(inner=True)
def sort_by_static(
    problem: Problem,
    rows: Rows,
    outputs: Float32Matrix,
    static: Float32Vector,
    n: int,
    stake: int,
    order: Int64Vector,
    ties: Float32Vector,
) -> None:
    """Write the order of the n candidates of a root: the worst for the opponent first.

    Candidates of equal static value are in the order of their tie numbers. Without the option
    `static_order`, all are in the game's order.

    Args:
        problem: has the evaluator.
        rows: int8 [>= n, W], the candidates, seen from the opponent.
        outputs: float32 [>= n, K], the evaluator's outputs for the candidates.
        static: float32 [>= n], their static values, to the opponent.
        n: the number of candidates.
        stake: the stake of the player who decides.
        order: int64 [>= n], to be written.
        ties: float32 [>= n], scratch.
    """
    equal = False
    for j in range(n):
        place = j
        while problem.options.static_order and place > 0 and static[order[place - 1]] > static[j]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = j
        equal |= place > 0 and static[order[place - 1]] == static[j]
    if not (equal and problem.leaf.has_tie and problem.options.static_order):
        return
    problem.leaf.tie(rows, outputs, n, -stake, problem.params, ties)
    for first in range(1, n):
        j, place = order[first], first
        while place > 0 and (static[order[place - 1]] == static[j] and ties[order[place - 1]] > ties[j]):
            order[place] = order[place - 1]
            place -= 1
        order[place] = j


@kernel(inline=True)
def gather_probes(
    problem: Problem, work: Workspace, state: State, stake: int, key: np.uint64, outcomes: int
) -> None:
    """Pick and value the successors that a lowest chance node probes.

    One call of the evaluator serves all outcomes. An early cutoff wastes some of it, which
    costs less than a call for each outcome. If the node was probed at another stake before,
    the same rows are used again.
    """
    replies = work.replies
    if replies.marks[PROBED] == 0:
        total = 0
        for i in work.sequence[1, :outcomes]:
            work.picked[i] = pick_probes(problem, work, state, stake, key, 2, i)
            for j in range(work.picked[i]):
                copy_state(work.rows[0, j], work.probe_rows[total])
                total += 1
        evaluate_leaves(problem, work, state, work.probe_rows, total, replies.probe_outputs)
        replies.marks[PROBED] = total
    total = replies.marks[PROBED]
    fold_leaves(problem, work, replies.probe_outputs, total, stake, work.probe_values)


@kernel(inline=True)
def begin_outcomes(
    problem: Problem, work: Workspace, state: State, stake: int, level: int, low: float, high: float
) -> int:
    """Set a node up: its limits and its outcomes in order. Return the number of outcomes."""
    limits, chance, bound = work.limits[level], work.chance[level], work.bound[level]
    set_limits(problem, state, stake, limits, low, high)
    n = problem.outcomes(state, problem.params, chance)
    n = set_sequence(work.sequence[level], chance, n, problem.options.likely_first)
    for i in work.sequence[level, :n]:
        bound[i] = limits[0]
    if level == 1:
        begin_replies(work.replies, state)
    return n
