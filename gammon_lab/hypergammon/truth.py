"""Searches of every position of hypergammon at once, from evaluations that err by a known amount.

Arrays are indexed by S * waiting + rolling as in `solve`. They have the equity of each position
without a cube to the player on roll. Eight evaluations are searched at once. One step of `back_up`
turns evaluations into the values of a search that looks one turn further. So the values of all
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
    Int64Matrix,
    Int64Vector,
)
from gammon.compiled.vector import EIGHT, filled, load, select, store
from gammon.eval.erring import shared_errors
from gammon.rules.board import SIZE
from gammon.rules.dice import HIGH, LOW, N_ROLLS, PROBABILITIES, throw
from gammon.search.evaluation import gauss
from gammon_lab.hypergammon.index import bases_of, index_of
from gammon_lab.hypergammon.sides import Sides, place_after, sides_of
from gammon_lab.hypergammon.solve import CUBELESS, N_VALUES, Rules
from gammon_lab.hypergammon.table import ExactTable, read_equities, stand

#: The kind of error that follows the lead in pips; other kinds are windows of 1 to 26 points.
BIASED = 0
_LANES = np.uint64(EIGHT)
_CHANCES = PROBABILITIES.astype(np.float32)
#: Above every value.
_FAR = np.float32(1e9)
#: Turns after which a game of exact play is given up; no game is nearly as long.
_MOST_TURNS = 1000


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


@kernel()
def back_up(rules: Rules, before: Float32Vector, after: Float32Vector) -> None:
    """Write the values of a search that looks one turn further.

    Args:
        rules: see `Rules`.
        before: float32 [S * S * 8], the values of all positions, by eight evaluations.
        after: float32 [S * S * 8], written; what is no position is left as it is.
    """
    n = rules.points.shape[0]
    for place in range(EIGHT * n):  # finished games
        after[place] = before[place]
    for side in range(1, n):
        starts, plays, hit_sides = rules.starts[side], rules.plays, rules.waiting
        for waiting in range(1, n):
            if rules.points[side] & rules.seen[waiting]:
                continue
            total = filled(np.float32(0.0), EIGHT)
            first = N_ROLLS * rules.blocked[waiting]
            start = starts[first]
            for roll in range(N_ROLLS):
                end = starts[first + roll + 1]
                lowest = filled(_FAR, EIGHT)
                for at in range(start, end):
                    place_of = place_after(plays[np.uint64(at)], waiting, hit_sides)
                    values = load(before, place_of * _LANES, EIGHT)
                    lowest = select(values < lowest, values, lowest)
                total = total - lowest * _CHANCES[roll]
                start = end
            store(after, EIGHT * (n * waiting + side), total)


@kernel()
def play_games(
    rules: Rules, truth: Float64Vector, start: int, seed: np.uint64, games: int, decisions: Int64Matrix
) -> int:
    """Play games of exact play by both sides, and write the decisions in them.

    Args:
        rules: see `Rules`.
        truth: float64 [S * S], the exact equities.
        start: the number of both sides at the start.
        seed: seed of the dice.
        games: how many games; the first roll is any but a double.
        decisions: int64 [D, 4], written while there is room: side on roll, waiting side, roll, game.

    Returns:
        How many decisions there were; forced plays are none.
    """
    n = rules.points.shape[0]
    many = 0
    for game in range(games):
        side, waiting = np.int64(start), np.int64(start)
        throws = 0
        for turn in range(_MOST_TURNS):
            roll = throw(seed, np.uint64(game), np.uint64(throws))
            throws += 1
            while turn == 0 and HIGH[roll] == LOW[roll]:
                roll = throw(seed, np.uint64(game), np.uint64(throws))
                throws += 1
            best, first, is_forced = np.inf, np.int64(-1), True
            first_at = N_ROLLS * rules.blocked[waiting] + roll
            chosen = np.int64(0)
            for at in range(rules.starts[side, first_at], rules.starts[side, first_at + 1]):
                place = np.int64(place_after(rules.plays[at], int(waiting), rules.waiting))
                if first < 0:
                    first = place
                is_forced = is_forced and place == first
                if truth[place] < best:
                    best, chosen = truth[place], place
            if not is_forced:
                if many < decisions.shape[0]:
                    decisions[many, 0], decisions[many, 1] = side, waiting
                    decisions[many, 2], decisions[many, 3] = roll, game
                many += 1
            side, waiting = chosen % n, chosen // n
            if waiting == 0:
                break
    return many


@kernel()
def list_losses(
    rules: Rules, truth: Float64Vector, values: Float32Vector, decisions: Int64Matrix, out: Float64Matrix
) -> None:
    """Write what decisions lose if they are made by the values of the successors.

    Args:
        rules: see `Rules`.
        truth: float64 [S * S], the exact equities.
        values: float32 [S * S * 8], the values by which plays are chosen, by eight evaluations.
        decisions: int64 [N, 4], see `play_games`.
        out: float64 [8, N], written: the losses in exact equity, 0 or more.
    """
    for k in range(decisions.shape[0]):
        side, waiting = decisions[k, 0], decisions[k, 1]
        list_at = N_ROLLS * rules.blocked[waiting] + decisions[k, 2]
        for lane in range(EIGHT):
            best, chosen, lowest = np.inf, 0.0, np.inf
            for at in range(rules.starts[side, list_at], rules.starts[side, list_at + 1]):
                place = place_after(rules.plays[at], waiting, rules.waiting)
                best = min(best, truth[place])
                value = values[place * _LANES + np.uint64(lane)]
                if value < lowest:
                    lowest, chosen = np.float64(value), truth[place]
            out[lane, k] = chosen - best
