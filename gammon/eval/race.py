"""Races by one side at a time: how many rolls each side needs, and the chances of two sides.

In a race the rolls that a side needs are its own affair. So its chances to bear off its last
and its first checker after 1, 2, ... 32 rolls are found for each side alone, and the chances of
the six results are those of two such sides. If all its checkers are at home, they come from
the tables of `gammon.eval.bearoff`, else from a small network that learned them from exact
ones (`scripts/learn_races.py`); sides of up to three checkers have an exact table. Another one
has the rolls until no checker is in the opponent's home, for backgammons: both are those of
`gammon.eval.race_tables`.

Each chance is that of a side that plays for the fewest rolls on average to that end.

The network sees a side's checkers on its 24 points, and is in float32. Every sum is taken in
one order, and no product is fused with a sum, so all processors give the same bits:

1. sums [128]: bias, a row for the points 1 to 3, by how many checkers each of them has, up to
   four, the same for the points 4 to 6, then a row for each point from 7 on that has checkers
   and each one below that has more than four, by their number, from point 1 on;
2. sums [64]: bias, then the row of each of the 128 that is above 0, times it, in their order;
3. logits [2, 32]: the same of the 64. They are logarithms to the base 2 of the chances of the
   last checker, then of the first one;
4. chances: `power_of_two` of each logit less the largest of its 32, times 1 / their sum. In
   that, numbers k and 16 + k are added, of the 16 sums those k and 8 + k, and the 8 sums from
   k = 0 on.

All of it is a block of numbers behind the tables of bearoffs: `BLOCK` has where things lie.
"""

import hashlib
from functools import cache
from io import BytesIO
from math import e, log2, prod
from typing import NamedTuple

import numpy as np

from gammon.base.errors import ModelError
from gammon.base.files import shipped_files
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, Int8Matrix, UInt32Vector
from gammon.compiled.vector import bits, load, lowest, reverse, select, store
from gammon.eval.bearoff import ROLLS_KEPT
from gammon.eval.planes import AT_ONCE, places
from gammon.eval.power import power
from gammon.eval.race_tables import BACK, FEW, N_FEW, OUTER, build_back, build_few, rank_of_few
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.home import FIRST_WHOLE, HOME, N_SIDES, N_TWO_SIDED, rank_from, rank_of
from gammon.rules.state import State

#: Numbers that stand for the checkers on a point in the file.
UNITS = 6
#: The home points are seen in two groups, together: of a point up to so many checkers.
GROUPS, GROUP = 2, 3
TOLD_APART = 4
#: The step to another row of its group by a checker of each point, and how many rows it has.
_STEP = np.array([1, TOLD_APART + 1, (TOLD_APART + 1) ** 2], np.int64)
N_GROUP = (TOLD_APART + 1) ** GROUP
#: Rolls that are told apart; the last ones stand for more.
BINS = ROLLS_KEPT
#: Units of the layers.
H1, H2 = 128, 64
#: A side with more pips, or more checkers in the opponent's home, is judged by the other
#: network.
MOST_PIPS, MOST_BACK = 200, 6
#: The numbers of a side: chances of the last checker off, of the first one off, and of none
#: in the opponent's home after so many rolls; the units of the second layer; 1 if it has borne
#: off none, 1 if it then has checkers back, 1 if `FIRST` is written; its pips, and those that
#: take it home.
FIRST, _OUT, _HIDDEN = BINS, 2 * BINS, 3 * BINS
_WHOLE, _IS_BACK, _HAS_FIRST, _PIPS, _NEED = range(3 * BINS + H2, 3 * BINS + H2 + 5)
SIDE = 3 * BINS + H2 + AT_ONCE
#: Numbers of scratch: two sides, and the sums and rows of the first layer.
ROOM = 2 * SIDE + H1 + 32
#: The square of 5.5 standard deviations of a pip: they are .53 rolls for the root of a roll.
_SPREAD = np.float32(30.0)
#: Chances that are as good as none.
_FEW = 1e-7
#: Numbers that the network learns from.
SEEN = OUTER * UNITS + GROUPS * N_GROUP
_SHAPES = (H1, SEEN), (H1,), (H2, H1), (H2,), (2 * BINS, H2), (2 * BINS,)
_ZERO, _ONE = np.float32(0.0), np.float32(1.0)


class Block(NamedTuple):
    """Where things lie in the block, in numbers of float32."""

    #: [24, 15, H1]: by point, and by the checkers on it less 1; of a home point what those
    #: beyond the fourth change
    steps: int
    home: int  #: [2, 125, H1]: of the home points' groups, the lowest point's checkers first
    bias1: int  #: [H1]
    weight2: int  #: [H1, H2]
    bias2: int  #: [H2]
    weight3: int  #: [H2, 64]
    bias3: int  #: [64]
    back: int  #: [924, 32]: see `gammon.eval.race_tables`
    few: int  #: [2925, 32]: see there
    end: int


_SIZES = (
    OUTER * CHECKERS * H1, GROUPS * N_GROUP * H1, H1, H1 * H2, H2, 2 * BINS * H2, 2 * BINS,
    N_TWO_SIDED * BINS, N_FEW * BINS,
)  # fmt: skip
BLOCK = Block(*np.cumsum([0, *_SIZES]).tolist())
_, _AT_HOME, _BIAS1, _WEIGHT2, _BIAS2, _WEIGHT3, _BIAS3, _AT_BACK, _AT_FEW, _ = BLOCK
_AT_ONE_OFF = N_SIDES * BINS


def units_of(sides: Int8Matrix) -> Float32Matrix:
    """Return sides int8 [N, 24] as the network learns them, float32 [N, 394].

    Six numbers tell of each point: whether it has 1, 2, ... 5 checkers at least, and a third
    of those beyond. Then there is a 1 among 125 numbers for each group of home points.
    """
    steps = [sides >= k for k in range(1, UNITS)]
    found = np.stack([*steps, np.maximum(sides - (UNITS - 1), 0) / 3], axis=2)
    few = np.minimum(sides[:, :HOME], TOLD_APART).reshape(len(sides), GROUPS, GROUP)
    which = (few @ _STEP)[:, :, None] == np.arange(N_GROUP)
    every = found.reshape(len(sides), -1), which.reshape(len(sides), -1)
    return np.concatenate(every, axis=1).astype(np.float32)


@cache
def _file() -> bytes:
    """Return what the file of the shipped network has.

    Raises:
        ModelError: there is none.
    """
    paths = [path for path in shipped_files(".npy") if path.stem == "race"]
    try:
        return paths[0].read_bytes()
    except (IndexError, OSError) as error:
        raise ModelError(f"the network of races cannot be read: {error}") from None


def race_id() -> str:
    """Return twelve digits that tell the shipped network of races from others.

    Raises:
        ModelError: there is none.
    """
    return hashlib.sha256(_file()).hexdigest()[:12]


@cache
def race_block() -> Float32Vector:
    """Return the block of the shipped network.

    Raises:
        ModelError: it is not there, or is not what was written.
    """
    try:
        flat = np.load(BytesIO(_file()), allow_pickle=False)
    except ValueError as error:
        raise ModelError(f"the network of races is damaged: {error}") from None
    size = sum(prod(shape) for shape in _SHAPES)
    if flat.dtype != np.float32 or flat.shape != (size,) or not np.isfinite(flat).all():
        raise ModelError(f"the network of races is damaged: expected {size} numbers of float32")
    return block_of(flat)


def block_of(flat: Float32Vector) -> Float32Vector:
    """Return the block of a network.

    Args:
        flat: the weights and biases of its three layers, one after the other, a unit's weights
            side by side.
    """
    places = np.cumsum([prod(shape) for shape in _SHAPES])[:-1]
    one, bias1, two, bias2, three, bias3 = (
        part.reshape(shape) for part, shape in zip(np.split(flat, places), _SHAPES, strict=True)
    )
    weights = one.T[: OUTER * UNITS].reshape(OUTER, UNITS, H1)
    steps = np.zeros((OUTER, CHECKERS + 1, H1), np.float32)
    for count in range(1, CHECKERS + 1):
        alone = np.zeros((1, OUTER), np.int8)
        alone[0, 0] = count
        for unit, value in enumerate(units_of(alone)[0, :UNITS]):
            steps[:, count] += value * weights[:, unit]
    home = one.T[OUTER * UNITS :].reshape(GROUPS, N_GROUP, H1).copy()
    for row in range(N_GROUP):
        for p in range(GROUP):
            home[:, row] += steps[p:HOME:GROUP, row // _STEP[p] % (TOLD_APART + 1)]
    steps[:HOME] -= steps[:HOME, TOLD_APART : TOLD_APART + 1]
    base = np.float32(log2(e))
    layers = bias1, two.T, bias2, three.T * base, bias3 * base
    parts = steps[:, 1:], home, *layers, build_back(), build_few()
    return np.concatenate([part.ravel() for part in parts])


@kernel(inner=True)
def races(planes: UInt32Vector) -> int:
    """Return the set of those of sixteen positions in which there is no contact.

    Args:
        planes: see `gammon.eval.planes`.
    """
    own, their = places(planes)
    # The lowest of their places is the highest that own ones must stay below.
    lowest = their & (~their + 1)
    return bits(own < lowest)


@kernel()
def is_race(state: State) -> bool:
    """Tell whether the network of races judges a position without contact.

    Args:
        state: int8 [26], without contact.
    """
    own, their, own_back, their_back = 0, 0, 0, 0
    for p in range(1, SIZE - 1):
        count = int(state[p])
        if count > 0:
            own += p * count
            own_back += count if p >= BACK else 0
        else:
            their -= (25 - p) * count
            their_back -= count if 25 - p >= BACK else 0
    return max(own, their) <= MOST_PIPS and max(own_back, their_back) <= MOST_BACK


@kernel(inner=True)
def same_side(state: State, other: State) -> bool:
    """Tell whether the player on roll has the same side in two positions int8 [26]."""
    a, b = load(state, 0, 16), load(other, 0, 16)
    c, d = load(state, SIZE - 16, 16), load(other, SIZE - 16, 16)
    first = select(a > 0, a, 0) != select(b > 0, b, 0)
    return bits(first) == 0 and bits(select(c > 0, c, 0) != select(d > 0, d, 0)) == 0


@kernel(inline=True)
def _layer(
    weights: Float32Vector, bias: int, rows: int, apart: int, lanes: int,
    units: Float32Vector, first: int, n: int, out: Float32Vector, to: int,
) -> None:  # fmt: skip
    """Write the sums of a layer: the bias, then the row of each unit above 0 times it.

    Args:
        weights: a vector that has the block.
        bias: where the bias lies.
        rows: where the row of the first unit lies.
        apart: numbers from a row to the next one.
        lanes: how many sums there are, a constant.
        units: a vector that has the units.
        first: where they begin.
        n: how many they are, a multiple of 32.
        out: what has the sums.
        to: where they begin.
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
def _write_chances(
    at: int, weights: Float32Vector, side: Float32Vector, logits: int, to: int
) -> None:
    """Write 32 chances of a side from the last layer; its units are written.

    Args:
        at: where the block begins.
        weights: a vector that has it.
        side: float32 [`SIDE`].
        logits: which of the 64 are theirs, the first of them.
        to: where the chances go.
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
def write_side(
    state: State, opponent: bool, weights: Float32Vector, tables: int, at: int,
    room: Float32Vector, side: Float32Vector,
) -> None:  # fmt: skip
    """Write what a side of a race needs to bear off its last checker, and what it is.

    Args:
        state: int8 [26].
        opponent: whose side.
        weights: a vector that has the tables of bearoffs and the block.
        tables: where those begin.
        at: where the block begins.
        room: float32 [`H1` + 32], to be written over.
        side: float32 [`SIDE`].
    """
    counts, rows = room[H1 : H1 + 8].view(np.int8), room[H1 + 8 :].view(np.int32)
    first, second = load(state, 0, 16), load(state, SIZE - 16, 16)
    if opponent:
        first, second = reverse(-second), reverse(-first)
    store(counts, 0, first)
    store(counts, SIZE - 16, second)
    left = bits(first > 0) | bits(second > 0) << (SIZE - 16)
    low, high, n = 0, 0, GROUPS
    total, pips, need, back = 0, 0, 0, 0
    while left:
        p = lowest(left)
        left &= left - 1
        count = int(counts[p])
        if p <= GROUP:
            low += min(count, TOLD_APART) * _STEP[p - 1]
        elif p <= HOME:
            high += min(count, TOLD_APART) * _STEP[p - 1 - GROUP]
        if p > HOME or count > TOLD_APART:
            rows[n] = ((p - 1) * CHECKERS + count - 1) * H1
            n += 1
        total += count
        pips += p * count
        need += max(p - HOME, 0) * count
        back += count if p >= BACK else 0
    whole = total == CHECKERS
    side[_PIPS], side[_NEED] = np.float32(pips), np.float32(need)
    side[_WHOLE] = _ONE if whole else _ZERO
    side[_IS_BACK] = _ONE if whole and back > 0 else _ZERO
    side[_HAS_FIRST] = _ZERO
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
        store(room, half, sums)
    _layer(weights, at + _BIAS2, at + _WEIGHT2, H2, H2, room, 0, H1, side, _HIDDEN)
    _write_chances(at, weights, side, 0, 0)


@kernel(inner=True)
def write_first(
    state: State, opponent: bool, weights: Float32Vector, tables: int, at: int,
    side: Float32Vector,
) -> None:  # fmt: skip
    """Write what a side with 15 checkers, as `write_side` left it, needs for its first one.

    And, if it has checkers in the other's home, until they have left it.

    The arguments are those of `write_side`.
    """
    if side[_HAS_FIRST] > 0.0:
        return
    side[_HAS_FIRST] = _ONE
    if side[_NEED] == 0.0:
        row = tables + _AT_ONE_OFF + (rank_of(state, opponent) - FIRST_WHOLE) * BINS
        store(side, FIRST, load(weights, row, 32))
        return
    _write_chances(at, weights, side, BINS, FIRST)
    if side[_IS_BACK] > 0.0:
        row = at + _AT_BACK + rank_from(state, opponent, BACK) * BINS
        store(side, _OUT, load(weights, row, 32))


@kernel(inner=True)
def _may_gammon(winner: Float32Vector, loser: Float32Vector) -> bool:
    """Tell whether a side may lose a gammon, as far as pips tell.

    Elsewhere it happens once in 10,000 games at the most. The winner's pips are then so many
    more than those that take the loser home, beside how much both vary.
    """
    more = winner[_PIPS] - loser[_NEED]
    near = more < 0.0 or more * more < _SPREAD * (winner[_PIPS] + loser[_NEED])
    return bool(loser[_WHOLE] > 0.0 and near)


@kernel(inner=True)
def _gammons(winner: Float32Vector, loser: Float32Vector, ahead: int) -> tuple[float, float]:
    """Return the chances of a gammon and of a backgammon, if the winner is done.

    Args:
        winner: float32 [`SIDE`].
        loser: the other side, with its first checker.
        ahead: the rolls that the loser has had more than the winner less one: 1 or 0.
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
        if none < _FEW:
            break
    return gammon, backgammon


@kernel()
def race_chances(
    state: State, weights: Float32Vector, tables: int, at: int, same: bool,
    scratch: Float32Vector, out: Float32Vector,
) -> None:  # fmt: skip
    """Write the chances of the six results, losses first, to the player on roll.

    Args:
        state: int8 [26], a race as `is_race` knows them.
        weights: a vector that has the tables of bearoffs and the block.
        tables: where those begin.
        at: where the block begins.
        same: whether the side of the player on roll is that of the last call.
        scratch: float32 [`ROOM`], as that call left it.
        out: float32 [6].
    """
    own, their, room = scratch[:SIDE], scratch[SIDE : 2 * SIDE], scratch[2 * SIDE :]
    if not same:
        write_side(state, False, weights, tables, at, room, own)
    write_side(state, True, weights, tables, at, room, their)
    own_left, their_left = 1.0, 1.0  # chances that a checker is left by now
    win, lose = 0.0, 0.0
    for k in range(BINS):
        done, after = np.float64(own[k]), np.float64(their[k])
        win += done * their_left
        own_left -= done
        lose += after * own_left
        their_left -= after
        if own_left < _FEW or their_left < _FEW:
            break
    # The rest of a sum that is rounded may be a little less than nothing.
    win, lose = max(win, 0.0), max(lose, 0.0)
    gammon, backgammon, lose_gammon, lose_backgammon = 0.0, 0.0, 0.0, 0.0
    if _may_gammon(own, their):
        write_first(state, True, weights, tables, at, their)
        gammon, backgammon = _gammons(own, their, 0)
    if _may_gammon(their, own):
        write_first(state, False, weights, tables, at, own)
        lose_gammon, lose_backgammon = _gammons(their, own, 1)
    # Each purpose has a play of its own, and sums are rounded: so these are kept in order.
    gammon = min(max(gammon, 0.0), win)
    lose_gammon = min(max(lose_gammon, 0.0), lose)
    backgammon = min(max(backgammon, 0.0), gammon)
    lose_backgammon = min(max(lose_backgammon, 0.0), lose_gammon)
    out[0], out[1], out[2] = lose_backgammon, lose_gammon - lose_backgammon, lose - lose_gammon
    out[3], out[4], out[5] = win - gammon, gammon - backgammon, backgammon
