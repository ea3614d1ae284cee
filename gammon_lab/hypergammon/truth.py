"""Searches of every position of hypergammon at once, from evaluations that err by a known amount.

Arrays are indexed by S * waiting + rolling as in `solve`. They have the equity of each position
without a cube to the player on roll. Sixteen evaluations are searched at once. One step of
`look_deeper` turns evaluations into the values of a search that looks one turn further. So the values of all
positions at depth 2 take one step, at depth 4 two steps, and a decision to depth d needs the values
of its successors at depth d - 1.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    Float32Vector,
    Float64Matrix,
    Float64Vector,
    Int8Matrix,
    Int8Vector,
    Int32Vector,
    Int64Vector,
)
from gammon.compiled.vector import as_float64, filled, load, select, store
from gammon.eval.erring import shared_errors
from gammon.rules.board import SIZE
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.search.evaluation import gauss
from gammon_lab.hypergammon.index import bases_of, index_of
from gammon_lab.hypergammon.sides import Sides, place_after, sides_of
from gammon_lab.hypergammon.solve import CUBELESS, N_VALUES, Rules
from gammon_lab.hypergammon.table import ExactTable, read_equities, stand

#: The kind of error that follows the lead in pips; other kinds are windows of 1 to 26 points.
BIASED = 0
#: Evaluations that are searched at once: a line of the cache for each position.
LANES = 16
_STEP = np.uint64(LANES)
#: The evaluation that is exact, the last one.
_EXACT = np.uint64(LANES - 1)
_CHANCES = PROBABILITIES.astype(np.float32)
#: Waiting sides that are handled together: the values of all plays against them stay in the cache.
_COLUMNS = 16
#: Above every value.
_FAR = np.float32(1e9)
#: Fewer visits of a position wait for the next sweep, and a sweep of fewer is the last one.
_LEAST, _LEAST_MOVED = 1e-9, 1e-5


@kernel(allocates=True)
def _list_truth(
    sides: Sides, checkers: int, bases: Int64Vector, table: Int8Matrix, truth: Float64Vector
) -> None:
    n = sides.counts.shape[0]
    state = np.zeros(SIZE, np.int8)
    numbers = np.empty(N_VALUES, np.float64)
    for side in range(1, n):
        for waiting in range(n):
            if sides.points[side] & sides.seen[waiting] == 0:
                stand(state, sides.counts, side, waiting)
                read_equities(table[index_of(state, checkers, bases)], numbers)
                truth[n * waiting + side] = numbers[CUBELESS]


def truth_of(table: ExactTable) -> Float64Vector:
    """Return the exact equities without a cube; 0 for what is no position."""
    sides = sides_of(table.checkers)
    truth = np.zeros(len(sides.counts) ** 2)
    _list_truth(sides, table.checkers, bases_of(table.checkers), table.rows, truth)
    return truth


@kernel(allocates=True)
def list_errors(sides: Sides, kind: int, seed: np.uint64, errors: Float64Vector) -> None:
    """Write the error of every position in play, with mean 0 and variance 1 over these positions.

    The windows of most places are empty, and their errors are the same in most positions. So errors
    with a small window would vary less from position to position, if they were not scaled.

    Args:
        sides: all sides.
        kind: the window of the errors, 1 to 26 points (`gammon.eval.erring`), or `BIASED` for errors
            that follow the lead in pips of the player on roll.
        seed: seed of the errors.
        errors: float64 [S * S], written; 0 for finished games and for what is no position.
    """
    n = sides.counts.shape[0]
    rows = np.zeros((n, SIZE), np.int8)
    drawn = np.empty(n, np.float64)
    errors[:] = 0.0
    playing, total, squares = 0, 0.0, 0.0
    for side in range(1, n):
        own = _pips(sides.counts[side])
        for waiting in range(1, n):
            stand(rows[waiting], sides.counts, side, waiting)
            drawn[waiting] = float(_pips(sides.counts[waiting]) - own)
        if kind == SIZE:
            for waiting in range(1, n):
                drawn[waiting] = gauss(rows[waiting], seed)
        elif kind != BIASED:
            shared_errors(rows, seed, kind, drawn)
        for waiting in range(1, n):
            if sides.points[side] & sides.seen[waiting] == 0:
                errors[n * waiting + side] = drawn[waiting]
                playing += 1
                total += drawn[waiting]
                squares += drawn[waiting] * drawn[waiting]
    mean = total / playing
    scale = 1.0 / np.sqrt(squares / playing - mean * mean)
    for side in range(1, n):
        for waiting in range(1, n):
            if sides.points[side] & sides.seen[waiting] == 0:
                errors[n * waiting + side] = (errors[n * waiting + side] - mean) * scale


@kernel(inner=True)
def _pips(counts: Int8Vector) -> int:
    """Return the pips of a side."""
    total = 0
    for place in range(SIZE):
        total += place * counts[place]
    return total


@kernel(inner=True)
def _pick(rules: Rules, truth: Float64Vector, side: int, waiting: int, picks: Int32Vector) -> None:
    """Write the index of the position after each roll's best play; negative if the play is forced."""
    first = N_ROLLS * rules.blocked[waiting]
    for roll in range(N_ROLLS):
        begin, end = rules.starts[side, first + roll], rules.starts[side, first + roll + 1]
        one = np.int64(place_after(rules.plays[begin], waiting, rules.waiting))
        best, forced = one, True
        for at in range(begin + 1, end):
            place = np.int64(place_after(rules.plays[at], waiting, rules.waiting))
            forced = forced and place == one
            best = place if truth[place] < truth[best] else best
        picks[roll] = -best if forced else best


@kernel(allocates=True)
def list_visits(rules: Rules, truth: Float64Vector, start: int, visits: Float64Vector) -> float:
    """Write how often a game of exact play by both sides reaches each position, on average.

    Visits flow from each position to the positions after the best plays of its rolls. In order of
    falling pips one sweep moves all of them as far as the next hit, which adds pips.

    Args:
        rules: see `Rules`.
        truth: float64 [S * S], the exact equities.
        start: the number of both sides at the start.
        visits: float64 [S * S], written; a finished game counts at the side that has lost.

    Returns:
        The decisions of a game, on average; forced plays are none.
    """
    n = rules.points.shape[0]
    most = rules.groups.shape[0] - 2
    visits[:] = 0.0
    flow, picks = np.zeros(n * n, np.float64), np.zeros((n * n, N_ROLLS), np.int32)
    flow[n * start + start] = 1.0
    decisions, moved = 0.0, 1.0
    while moved > _LEAST_MOVED:
        moved = 0.0
        for total in range(2 * most, 1, -1):
            for pips in range(max(total - most, 1), min(total - 1, most) + 1):
                for side in range(rules.groups[pips], rules.groups[pips + 1]):
                    for waiting in range(rules.groups[total - pips], rules.groups[total - pips + 1]):
                        at = n * waiting + side
                        mass = flow[at]
                        if mass < _LEAST:
                            continue
                        flow[at] = 0.0
                        visits[at] += mass
                        moved += mass
                        if picks[at, 0] == 0:
                            _pick(rules, truth, side, waiting, picks[at])
                        for roll in range(N_ROLLS):
                            part = mass * PROBABILITIES[roll]
                            flow[abs(picks[at, roll])] += part
                            if picks[at, roll] > 0:
                                decisions += part
    visits[:n] = flow[:n]
    return decisions


@kernel()
def look_deeper(
    rules: Rules,
    visits: Float64Vector,
    before: Float32Vector,
    after: Float32Vector,
    losses: Float64Vector,
    moments: Float64Matrix,
) -> None:
    """Write the values of a search that looks one turn further, and what decisions lose without it.

    The last of the sixteen evaluations is the exact one; it judges the plays that the others choose.

    Args:
        rules: see `Rules`.
        visits: float64 [S * S], how often a game reaches each position; see `list_visits`.
        before: float32 [S * S * 16], the values of all positions, by sixteen evaluations.
        after: float32 [S * S * 16], written; what is no position is left as it is.
        losses: float64 [16], written: the loss in a game, if plays are chosen by `before`.
        moments: float64 [2, 16], written: the mean error of `before` in the positions of a game, and
            the mean square.
    """
    n = rules.points.shape[0]
    for finished in range(LANES * n):
        after[finished] = before[finished]
    lost = errors = squares = filled(np.float64(0.0), LANES)
    weights = 0.0
    for column in range(1, n, _COLUMNS):
        for side in range(1, n):
            starts, plays, hit_sides = rules.starts[side], rules.plays, rules.waiting
            for waiting in range(column, min(column + _COLUMNS, n)):
                if rules.points[side] & rules.seen[waiting]:
                    continue
                first = N_ROLLS * rules.blocked[waiting]
                at_place = np.uint64(n * waiting + side) * _STEP
                total = filled(np.float32(0.0), LANES)
                given = filled(np.float32(0.0), LANES)
                start = starts[first]
                for roll in range(N_ROLLS):
                    end = starts[first + roll + 1]
                    lowest, chosen = filled(_FAR, LANES), filled(_FAR, LANES)
                    best = _FAR
                    for at in range(start, end):
                        place = place_after(plays[np.uint64(at)], waiting, hit_sides) * _STEP
                        values, exact = load(before, place, LANES), before[place + _EXACT]
                        lower = values < lowest
                        lowest = select(lower, values, lowest)
                        chosen = select(lower, filled(exact, LANES), chosen)
                        best = min(best, exact)
                    total = total - lowest * _CHANCES[roll]
                    given = given + (chosen - best) * _CHANCES[roll]
                    start = end
                store(after, at_place, total)
                weight = visits[n * waiting + side]
                if weight > 0.0:
                    error = as_float64(load(before, at_place, LANES) - before[at_place + _EXACT])
                    lost = lost + as_float64(given) * weight
                    errors = errors + error * weight
                    squares = squares + error * error * weight
                    weights += weight
    store(losses, 0, lost)
    store(moments[0], 0, errors * (1.0 / weights))
    store(moments[1], 0, squares * (1.0 / weights))
