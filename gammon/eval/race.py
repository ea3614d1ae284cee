"""Races, one side at a time: how many rolls each side needs, and the chances of two sides.

In a race the sides do not interact. So the chances that a side's last and first checker are off
after 1, 2, ... 32 rolls are computed for each side alone, and the chances of the six results
follow from two sides. A side's chances come

* from the tables of `gammon.eval.bearoff`, if all its checkers are at home,
* from an exact table, if it has at most three checkers (`gammon.eval.race_tables`),
* else from a small network trained on exact chances (`gammon.eval.race_network`).

For backgammons, an exact table has the rolls until no checker is left in the opponent's home.
Each chance assumes that the side plays for the smallest mean number of rolls to that goal.

The network and these tables form one block of numbers behind the bearoff tables.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Vector, Int8Vector, Int32Vector, UInt32Vector
from gammon.compiled.vector import bits, load, lowest, reverse, select, store
from gammon.eval.planes import AT_ONCE, places
from gammon.eval.power import power
from gammon.eval.race_network import BINS, BLOCK, GROUP, GROUPS, H1, H2, N_GROUP, STEP, TOLD_APART
from gammon.eval.race_tables import BACK, FEW, rank_of_few
from gammon.rules.board import CHECKERS, SIZE, State
from gammon.rules.home import FIRST_WHOLE, HOME, N_SIDES, rank_from, rank_of

#: The race network learned from sides of at most so many pips; a side with more pips needs, in
#: addition, the rolls that the surplus takes.
MOST_PIPS = 200
#: A race with more checkers in an opponent's home is left to the general network.
MOST_BACK = 6
#: Layout of a side's numbers: chances that the last checker is off, that the first one is off,
#: and that none is in the opponent's home, after so many rolls; the units of the second layer;
#: 1 if it has borne off none; 1 if, besides, it has checkers back; 1 if `FIRST` is written; its
#: pips; the pips that take it home, at least `_A_CHECKER` per checker outside; and the pips
#: beyond `MOST_PIPS`.
FIRST, _OUT, _HIDDEN = BINS, 2 * BINS, 3 * BINS
_WHOLE, _IS_BACK, _HAS_FIRST, _PIPS, _NEED, _BEYOND = range(3 * BINS + H2, 3 * BINS + H2 + 6)
SIDE = 3 * BINS + H2 + AT_ONCE
#: Numbers of scratch: two sides, and the sums and row numbers of the first layer.
SCRATCH = 2 * SIDE + H1 + 32
#: The square of 5.5: a lead of 5.5 times the root of both sides' pips is safe. (The standard
#: deviation of n rolls is 0.53 times the root of n, in rolls.)
_SPREAD = np.float32(30.0)
#: Least pips per checker outside: however near, it takes a die, 3.5 pips on average plus waste.
_A_CHECKER = 4
#: Chances below this are ignored.
_NEGLIGIBLE = 1e-7
_ZERO, _ONE = np.float32(0.0), np.float32(1.0)
#: Rolls per pip: a roll has 49/6 pips on average.
_A_PIP = np.float32(6 / 49)
_, _AT_HOME, _BIAS1, _WEIGHT2, _BIAS2, _WEIGHT3, _BIAS3, _AT_BACK, _AT_FEW, _ = BLOCK
_AT_ONE_OFF = N_SIDES * BINS


@kernel(inner=True)
def races(planes: UInt32Vector) -> int:
    """Return the set of positions without contact, among sixteen.

    Args:
        planes: see `gammon.eval.planes`.
    """
    own, their = places(planes)
    # The opponent's lowest place; all own places must be below it.
    lowest = their & (~their + 1)
    return bits(own < lowest)


@kernel()
def is_race(state: State) -> bool:
    """Return whether the race network judges a position without contact.

    Args:
        state: int8 [26], without contact.
    """
    own_back, their_back = 0, 0
    for p in range(BACK, SIZE - 1):
        own_back += max(int(state[p]), 0)
        their_back -= min(int(state[SIZE - 1 - p]), 0)
    return max(own_back, their_back) <= MOST_BACK


@kernel(inner=True)
def same_side(state: State, other: State) -> bool:
    """Return whether the player on roll has the same side in two positions int8 [26]."""
    a, b = load(state, 0, 16), load(other, 0, 16)
    c, d = load(state, SIZE - 16, 16), load(other, SIZE - 16, 16)
    first = select(a > 0, a, 0) != select(b > 0, b, 0)
    return bits(first) == 0 and bits(select(c > 0, c, 0) != select(d > 0, d, 0)) == 0


@kernel(inline=True)
def _layer(
    weights: Float32Vector, bias: int, rows: int, apart: int, lanes: int,
    units: Float32Vector, first: int, n: int, out: Float32Vector, to: int,
) -> None:  # fmt: skip
    """Write the sums of a layer: the bias, plus the row of each positive unit times the unit.

    Args:
        weights: the vector that holds the block.
        bias: offset of the bias.
        rows: offset of the first unit's row.
        apart: distance between rows.
        lanes: number of sums, a constant.
        units: the vector that holds the units.
        first: offset of the units.
        n: number of units, a multiple of 32.
        out: the vector for the sums.
        to: offset of the sums in it.
    """
    sums = load(weights, bias, lanes)
    for block in range(0, n, 32):
        left = bits(load(units, first + block, 32) > 0.0)
        while left:
            unit = np.uint64(block + lowest(left))
            left &= left - 1
            row = np.uint64(rows) + unit * np.uint64(apart)
            sums = sums + load(weights, row, lanes) * units[np.uint64(first) + unit]
    store(out, to, sums)


@kernel(inner=True)
def _write_chances(at: int, weights: Float32Vector, side: Float32Vector, logits: int, to: int) -> None:
    """Write 32 chances of a side from the last layer, once its units are written.

    Args:
        at: offset of the block.
        weights: the vector that holds the block.
        side: float32 [`SIDE`].
        logits: the first of these chances' logits among all 64.
        to: offset of the chances in `side`.
    """
    bias, rows = at + _BIAS3 + logits, at + _WEIGHT3 + logits
    _layer(weights, bias, rows, 2 * BINS, BINS, side, _HIDDEN, H2, side, to)
    low, high = load(side, to, 16), load(side, to + 16, 16)
    store(side, to, select(low > high, low, high))
    few, more = load(side, to, 8), load(side, to + 8, 8)
    store(side, to, select(few > more, few, more))
    top = side[to]
    for k in range(1, 8):
        top = max(top, side[to + k])
    low, high = power(low - top), power(high - top)
    store(side, to, low + high)
    store(side, to, load(side, to, 8) + load(side, to + 8, 8))
    total = side[to]
    for k in range(1, 8):
        total += side[to + k]
    share = _ONE / total
    store(side, to, low * share)
    store(side, to + 16, high * share)


@kernel(inner=True)
def _shortened(counts: Int8Vector, beyond: int) -> int:
    """Move the rearmost checkers of a side forward by some pips.

    Args:
        counts: int8 [26], changed.
        beyond: number of pips.

    Returns:
        The set of the side's points after that.
    """
    rear = SIZE - 1
    for _ in range(beyond):
        while counts[rear] <= 0:
            rear -= 1
        counts[rear] -= 1
        counts[rear - 1] += 1
    left = 0
    for p in range(SIZE):
        left |= (1 << p) if counts[p] > 0 else 0
    return left


@kernel(inner=True)
def _write_longer(side: Float32Vector, at: int) -> None:
    """Add the rolls for a side's pips beyond `MOST_PIPS` to 32 chances.

    The last chance then stands for all longer races too.

    Args:
        side: float32 [`SIDE`].
        at: offset of the chances.
    """
    more = side[_BEYOND] * _A_PIP
    whole = int(more)
    share = more - np.float32(whole)
    last = _ONE
    for k in range(BINS - 1 - whole):
        last -= side[at + k]
    if whole < BINS - 1:
        last += share * side[at + BINS - 2 - whole]
    for k in range(BINS - 2, -1, -1):
        near = side[at + k - whole] if k >= whole else _ZERO
        far = side[at + k - whole - 1] if k > whole else _ZERO
        side[at + k] = near + share * (far - near)
    side[at + BINS - 1] = last


@kernel(inner=True)
def _read_side(counts: Int8Vector, left: int, rows: Int32Vector) -> tuple[int, int, int, int, int, int, int]:
    """List the first layer's rows for a side, and count its checkers and pips.

    Args:
        counts: int8 [26].
        left: the set of the side's points.
        rows: offsets of the rows outside the two groups; written from `GROUPS` on.

    Returns:
        The end of the list, the row of each group, the checkers, their pips, the pips that take
        the side home, and the checkers in the opponent's home.
    """
    low, high, n = 0, 0, GROUPS
    total, pips, need, back = 0, 0, 0, 0
    while left:
        p = lowest(left)
        left &= left - 1
        count = int(counts[p])
        if p <= GROUP:
            low += min(count, TOLD_APART) * STEP[p - 1]
        elif p <= HOME:
            high += min(count, TOLD_APART) * STEP[p - 1 - GROUP]
        if p > HOME or count > TOLD_APART:
            rows[n] = ((p - 1) * CHECKERS + count - 1) * H1
            n += 1
        total += count
        pips += p * count
        need += max(p - HOME, _A_CHECKER) * count if p > HOME else 0
        back += count if p >= BACK else 0
    return n, low, high, total, pips, need, back


@kernel(inner=True)
def write_side(
    state: State,
    opponent: bool,
    weights: Float32Vector,
    tables: int,
    at: int,
    scratch: Float32Vector,
    side: Float32Vector,
) -> None:
    """Write the chances that a side's last checker is off, and what describes the side.

    Args:
        state: int8 [26].
        opponent: write the opponent's side instead of the player's.
        weights: the vector that holds the bearoff tables and the block.
        tables: offset of the tables.
        at: offset of the block.
        scratch: float32 [`H1` + 32], scratch.
        side: float32 [`SIDE`].
    """
    counts, rows = scratch[H1 : H1 + 8].view(np.int8), scratch[H1 + 8 :].view(np.int32)
    first, second = load(state, 0, 16), load(state, SIZE - 16, 16)
    if opponent:
        first, second = reverse(-second), reverse(-first)
    store(counts, 0, first)
    store(counts, SIZE - 16, second)
    left = bits(first > 0) | bits(second > 0) << (SIZE - 16)
    n, low, high, total, pips, need, back = _read_side(counts, left, rows)
    beyond = max(pips - MOST_PIPS, 0)
    if beyond > 0:
        n, low, high, total, _, _, _ = _read_side(counts, _shortened(counts, beyond), rows)
    whole = total == CHECKERS
    side[_PIPS], side[_NEED] = np.float32(pips), np.float32(need)
    side[_WHOLE] = _ONE if whole else _ZERO
    side[_IS_BACK] = _ONE if whole and back > 0 else _ZERO
    side[_HAS_FIRST], side[_BEYOND] = _ZERO, np.float32(beyond)
    if need == 0:
        store(side, 0, load(weights, tables + rank_of(state, opponent) * BINS, 32))
        return
    if total <= FEW:
        few = at + _AT_FEW + rank_of_few(state, opponent) * BINS
        store(side, 0, load(weights, few, 32))
        return
    rows[0], rows[1] = _AT_HOME + low * H1, _AT_HOME + (N_GROUP + high) * H1
    for half in range(0, H1, 64):
        sums = load(weights, at + _BIAS1 + half, 64)
        for k in range(n):
            sums = sums + load(weights, at + half + rows[k], 64)
        store(scratch, half, sums)
    _layer(weights, at + _BIAS2, at + _WEIGHT2, H2, H2, scratch, 0, H1, side, _HIDDEN)
    _write_chances(at, weights, side, 0, 0)
    if beyond > 0:
        _write_longer(side, 0)


@kernel(inner=True)
def write_first(
    state: State, opponent: bool, weights: Float32Vector, tables: int, at: int, side: Float32Vector
) -> None:
    """Complete a side that `write_side` left, if it has 15 checkers.

    Writes the chances that its first checker is off and, if it has checkers in the opponent's
    home, that all of them have left it. Args as for `write_side`.
    """
    if side[_HAS_FIRST] > 0.0:
        return
    side[_HAS_FIRST] = _ONE
    if side[_NEED] == 0.0:
        row = tables + _AT_ONE_OFF + (rank_of(state, opponent) - FIRST_WHOLE) * BINS
        store(side, FIRST, load(weights, row, 32))
        return
    _write_chances(at, weights, side, BINS, FIRST)
    if side[_BEYOND] > 0.0:
        _write_longer(side, FIRST)
    if side[_IS_BACK] > 0.0:
        row = at + _AT_BACK + rank_from(state, opponent, BACK) * BINS
        store(side, _OUT, load(weights, row, 32))


@kernel(inner=True)
def _may_gammon(winner: Float32Vector, loser: Float32Vector) -> bool:
    """Return whether a side may lose a gammon, judged by pips.

    Where the answer is no, a gammon happens once in 10,000 games at most: the winner needs so
    many more pips than the loser needs to get home, relative to the spread of both.
    """
    more = winner[_PIPS] - loser[_NEED]
    near = more < 0.0 or more * more < _SPREAD * (winner[_PIPS] + loser[_NEED])
    return bool(loser[_WHOLE] > 0.0 and near)


@kernel(inner=True)
def _gammons(winner: Float32Vector, loser: Float32Vector, ahead: int) -> tuple[float, float]:
    """Return the chances of a gammon and of a backgammon, if the winner is done.

    Args:
        winner: float32 [`SIDE`].
        loser: float32 [`SIDE`] of the other side, with its first checker.
        ahead: 1 if the loser has had as many rolls as the winner, 0 if one roll fewer.
    """
    none, back = 1.0, np.float64(loser[_IS_BACK])
    gammon, backgammon = 0.0, 0.0
    for k in range(BINS):
        if ahead:
            none -= np.float64(loser[FIRST + k])
            back -= np.float64(loser[_OUT + k]) if back > 0.0 else 0.0
        done = np.float64(winner[k])
        gammon += done * none
        backgammon += done * back
        if not ahead:
            none -= np.float64(loser[FIRST + k])
            back -= np.float64(loser[_OUT + k]) if back > 0.0 else 0.0
        if none < _NEGLIGIBLE:
            break
    return gammon, backgammon


@kernel()
def race_chances(
    state: State,
    weights: Float32Vector,
    tables: int,
    at: int,
    same: bool,
    scratch: Float32Vector,
    out: Float32Vector,
) -> None:
    """Write the chances of the six results for the player on roll, losses first.

    Args:
        state: int8 [26], a race in the sense of `is_race`.
        weights: the vector that holds the bearoff tables and the block.
        tables: offset of the tables.
        at: offset of the block.
        same: whether the player on roll has the same side as in the last call.
        scratch: float32 [`SCRATCH`], as the last call left it.
        out: float32 [6].
    """
    own, their, side_scratch = scratch[:SIDE], scratch[SIDE : 2 * SIDE], scratch[2 * SIDE :]
    if not same:
        write_side(state, False, weights, tables, at, side_scratch, own)
    write_side(state, True, weights, tables, at, side_scratch, their)
    own_left, their_left = 1.0, 1.0  # chances that a checker is left by now
    win, lose = 0.0, 0.0
    for k in range(BINS):
        done, after = np.float64(own[k]), np.float64(their[k])
        win += done * their_left
        own_left -= done
        lose += after * own_left
        their_left -= after
        if own_left < _NEGLIGIBLE or their_left < _NEGLIGIBLE:
            break
    # Rounding may leave a sum slightly below 0.
    win, lose = max(win, 0.0), max(lose, 0.0)
    gammon, backgammon, lose_gammon, lose_backgammon = 0.0, 0.0, 0.0, 0.0
    if _may_gammon(own, their):
        write_first(state, True, weights, tables, at, their)
        gammon, backgammon = _gammons(own, their, 0)
    if _may_gammon(their, own):
        write_first(state, False, weights, tables, at, own)
        lose_gammon, lose_backgammon = _gammons(their, own, 1)
    # Each goal assumes its own play, and sums are rounded, so enforce the order of the chances.
    gammon = min(max(gammon, 0.0), win)
    lose_gammon = min(max(lose_gammon, 0.0), lose)
    backgammon = min(max(backgammon, 0.0), gammon)
    lose_backgammon = min(max(lose_backgammon, 0.0), lose_gammon)
    out[0], out[1], out[2] = lose_backgammon, lose_gammon - lose_backgammon, lose - lose_gammon
    out[3], out[4], out[5] = win - gammon, gammon - backgammon, backgammon
