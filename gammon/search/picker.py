"""The order in which a search looks at outcomes, candidates and successors: all of it is here.

Outcomes: `set_sequence`. Candidates of the root: `sort_by_static` before they have values, and
`place_candidate` by their values.

The successors of a decision come in stages, and a stage that ends the search of the
decision saves those behind it. The lowest chance nodes have depth 2:

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

* KILLER: the successor most like the best one of the same outcome in the node searched last.
* TABLE: the one that an earlier search found best.
* PROBE: the best by the probe evaluator.
* LEAF: the best by the leaf evaluator. In a search each is brought forward when its turn comes,
  and of those with one static value the one that `game.Tie` favours.
* GAME: as the game wrote them.
* KEPT: those that the filter keeps, the best by the leaf evaluator first.

A search that keeps principal leaves keeps those of the successor that it met first among those
of one value. So LEAF decides which chances a person reads where the cube makes all replies
equal.
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

#: Bytes of a state that are compared at a time, and their places.
_LANES = 16
_PLACES = np.arange(_LANES, dtype=np.int16)


@kernel(inline=True)
def first_stage(problem: Problem, work: Workspace, depth: int, probing: bool) -> int:
    """Return the stage that may bring one successor to the front: KILLER or TABLE, or GAME."""
    if depth == 2:
        return KILLER if probing and problem.options.killers else GAME
    return TABLE if work.table.depth.shape[0] > 0 else GAME


@kernel(inline=True)
def main_stage(problem: Problem, depth: int, probing: bool) -> int:
    """Return the stage of the successors behind the first: PROBE, LEAF, GAME or KEPT."""
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
    """Swap the best sibling of `start`..n-1, the one worst for the opponent, to `start`."""
    best = start
    for j in range(start + 1, n):
        if values[j] < values[best]:
            best = j
    _swap(rows, values, start, best)


@kernel(inner=True)
def bring_favourite(rows: Rows, values: Float32Vector, ties: Float32Vector, start: int, n: int) -> None:
    """Do what `bring_best` does; among siblings of one value, the one with the least tie."""
    best = start
    for j in range(start + 1, n):
        if values[j] < values[best] or (values[j] == values[best] and ties[j] < ties[best]):
            best = j
    ties[start], ties[best] = ties[best], ties[start]
    _swap(rows, values, start, best)


@kernel(inner=True)
def _bring_equal(rows: Rows, values: Float32Vector, ties: Float32Vector, n: int) -> None:
    """Swap the first of n siblings with the one of its value that has the least tie."""
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

    They have their static values and ties; those in which the game is over get their payoffs
    first. `stake` is that of the player whose successors they are.

    Returns:
        How many they are: n for the filter that lets all pass.
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
    """Return the distances of sixteen bytes of two states."""
    difference = as_int16(load(a, at, _LANES)) - as_int16(load(b, at, _LANES))
    return select(difference > 0, difference, -difference)


@kernel(inner=True)
def distance(a: State, b: State) -> int:
    """Return the sum of the distances of all bytes of two states, of 2,048 bytes at most."""
    width = a.shape[0]
    rest = width % _LANES
    if width < _LANES:
        found = 0
        for byte in range(width):
            found += abs(int(a[byte]) - int(b[byte]))
        return found
    sums = filled(np.int16(0), _LANES)
    for byte in range(0, width - rest, _LANES):
        sums = sums + _differences(a, b, byte)
    # The last sixteen bytes, but for those that were counted.
    new = load(_PLACES, 0, _LANES) > np.int16(_LANES - 1 - rest)
    sums = sums + select(new, _differences(a, b, width - _LANES), 0)
    return total(sums_of_pairs(sums, filled(np.int16(1), _LANES)))


@kernel(inline=True)
def _bring_killer(work: Workspace, outcome: int, n: int) -> bool:
    """Swap the successor that is most like the killer of this outcome to the front.

    That killer is the best reply in a sibling node: the two nodes differ by one decision
    of the other player, and the two replies that are one and the same move by as much.

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
    """Swap the best reply that the table knows to the front; tell whether there is one."""
    rows, ties = work.rows[level - 1], work.ties[level - 1]
    known = find_reply(work.table, key, outcome, rows, n)
    if known < 0:
        return False
    ties[0], ties[known] = ties[known], ties[0]
    _swap(rows, work.values[level - 1], 0, known)
    return True


@kernel(inline=True)
def _value_all(problem: Problem, work: Workspace, state: State, stake: int, level: int, n: int) -> None:
    """Write the static values of n siblings of a level, and their ties where these count.

    They count where leaves are kept, and where a filter leaves siblings out.
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
    """Put the successors that a probe is to look at in front, and return how many."""
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
        # Where a player may double, the static value tells what to search first.
        leaf_values(problem, work, state, rows, count, stake, values)
    if stage != GAME:
        for j in range(placed, count):
            bring_best(rows, values, j, n)
    return count


@kernel(inner=True)
def _ask_for_replies(problem: Problem, work: Workspace, state: State, place: int, outcomes: int) -> None:
    """Write the replies to the outcomes from a place on into `work.replies`, with outputs."""
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
    """Find the replies to an outcome of a lowest chance node in `work.replies`.

    Their values are written into `work.values`. The network is asked for those to several
    outcomes at once. Of a node that may be searched twice, `replies.open` tells whether the
    game goes on in all of them; of others it is False. `place` is that of the outcome in the
    sequence, which has so many outcomes.

    Returns:
        Where in `work.replies` they begin, and how many they are.
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
    """Write the successors that a search above the lowest chance nodes is to look at.

    Their static values stand beside them.

    Returns:
        How many they are, and how many of them are in their place already: 1 where the
        table's reply stands in front, else 0.
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
    """Bring the successor that a search looks at as its j-th to place j.

    At the lowest chance nodes the order saves nothing: all of them have their values.
    """
    if main_stage(problem, depth, bool(0)) == LEAF and j >= placed:
        bring_favourite(rows, values, ties, j, n)


@kernel(inline=True)
def remember_reply(
    problem: Problem, work: Workspace, key: np.uint64, depth: int, outcome: int, reply: State
) -> None:
    """Keep the best reply to an outcome, as a killer or in the table, for later searches."""
    if depth == 2 and problem.options.killers:
        copy_state(reply, work.killers[outcome])
        work.killer_known[outcome] = True
    elif depth > 2 and work.table.depth.shape[0] > 0:
        keep_reply(work.table, key, outcome, reply)


@kernel(inner=True)
def set_sequence(sequence: Int64Vector, chance: Float64Vector, outcomes: int, likely_first: bool) -> int:
    """Write the outcomes that are possible at all, in order, and return how many those are.

    The order is that of the game, or the likeliest come first, and those of one probability in
    the order of the game.
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
    """Move the r-th candidate of the order forward, to its place among those before it.

    The best come first. Behind its equals it stays in the order that it had.

    Args:
        values: float64, of all candidates, to the player who decides.
        order: int64 [> r], of which the first r are sorted.
        r: which one.
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

    Candidates of one static value are in the order of their ties. Where the options ask for no
    order, all are in the order of the game.

    Args:
        problem: has the evaluator.
        rows: int8 [>= n, W], the candidates, seen from the opponent.
        outputs: float32 [>= n, K], the evaluator's for them.
        static: float32 [>= n], their static values, to the opponent.
        n: how many they are.
        stake: of the player who decides.
        order: int64 [>= n], to be written.
        ties: float32 [>= n], to be written into.
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
    """Pick and value what the probes of a lowest chance node look at.

    That is one call of the evaluator for all outcomes. An early cutoff wastes some of
    it, and costs less than as many calls. A node that was probed at another stake looks at the
    same rows.
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
    """Set a node up: its limits, and its outcomes in order; return how many those are."""
    limits, chance, bound = work.limits[level], work.chance[level], work.bound[level]
    set_limits(problem, state, stake, limits, low, high)
    n = problem.outcomes(state, problem.params, chance)
    n = set_sequence(work.sequence[level], chance, n, problem.options.likely_first)
    for i in work.sequence[level, :n]:
        bound[i] = limits[0]
    if level == 1:
        begin_replies(work.replies, state)
    return n
