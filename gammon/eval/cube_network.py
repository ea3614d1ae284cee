"""The cube network, `models/cube.network`: its file, its numbers, and its kernels.

In positions with contact it estimates how close the cube is to a live cube; it was trained by
`scripts/learn_cube.py`. Its inputs are the chances of the six results and 20 counts of the
board (`seen_of`). It computes in integers, so all processors give the same bits:

1. sums [16]: bias plus weights times the 26 inputs, in int32;
2. units [16]: positive sums >> `SHIFT`, at most 32,767;
3. the efficiencies if the player on roll owns the cube, if it is centred, and if the opponent
   owns it: weights times units in int32, then as float32 times 2^-20 plus the bias, clipped to
   0..1.

A weight of 1 in the file is the integer `WHOLE`. Pairs of int16 are packed into 32 bits.
"""

from functools import cache
from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.errors import ModelError
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, Int8Matrix, Int32Vector, UInt32Vector
from gammon.compiled.vector import (
    UInt32x16,
    as_float32,
    filled,
    halves,
    load,
    lowest,
    ones,
    select,
    store,
    sums_of_pairs,
)
from gammon.eval.array_cache import LearnedFile
from gammon.eval.bearoff import N_OWNERS
from gammon.eval.planes import AT_ONCE, N_PLANES
from gammon.rules.board import CHECKERS, OWN_BAR, SIZE
from gammon.rules.home import HOME
from gammon.rules.outcome import N_RESULTS

#: Units of the hidden layer.
UNITS = 16
#: Thresholds of checkers on a point (1, 2, 3), and parts of the board.
LEVELS, PARTS = 3, 3
#: Number of inputs (chances, counts and both bars), and of pairs of them.
SEEN = N_RESULTS + 2 * (LEVELS * PARTS + 1)
PAIRS = SEEN // 2
#: Shapes of the weights and biases, in the order of the file: a unit's weights are contiguous.
SHAPES = (UNITS, SEEN), (UNITS,), (N_OWNERS, UNITS), (N_OWNERS,)
N_LEARNED = sum(prod(shape) for shape in SHAPES)
#: The network that ships with gammon.
NETWORK = LearnedFile("cube.network", N_LEARNED, "the network of the cube")
#: Fixed point: a weight or a chance of 1 is `WHOLE`; a checker or a point counts as `QUARTER`.
SHIFT = 10
WHOLE = 1 << SHIFT
QUARTER = WHOLE // 4
#: Bounds of the parts of the board in the side's own numbering: home, outer boards, and the
#: opponent's home.
_ENDS = (1, HOME + 1, 3 * HOME + 1, 4 * HOME + 1)
_MOST = 2**31


class CubeOffsets(NamedTuple):
    """Offsets in the block, in numbers of 32 bits."""

    weight1: int  #: int16 [16, 13, 2]: by unit, by pair of inputs
    bias1: int  #: int32 [16]
    weight2: int  #: int16 [3, 8, 2]: by owner of the cube, by pair of units
    bias2: int  #: float32 [3]
    end: int


_SIZES = (UNITS * PAIRS, UNITS, N_OWNERS * UNITS // 2, 8)
BLOCK = CubeOffsets(*np.cumsum([0, *_SIZES]).tolist())


def seen_of(rows: Int8Matrix, chances: Float32Matrix) -> npt.NDArray[np.int32]:
    """Return the network's inputs for positions, int32 [N, 26].

    Inputs come in pairs: first neighbouring chances, then a count of the player on roll with
    the opponent's. The counts are, for each part (home, outer boards, the other side's home),
    the points with at least 1, 2, 3 checkers; last come the checkers on the bar.

    Args:
        rows: int8 [N, 26], each seen from its player on roll.
        chances: float32 [N, 6], losses first.
    """
    own = np.maximum(rows, 0)
    their = np.maximum(-rows[:, ::-1], 0)  # by the opponent's points
    counts = []
    for level in range(1, LEVELS + 1):
        for first, end in pairwise(_ENDS):
            for side in (own, their):
                counts.append((side[:, first:end] >= level).sum(axis=1))
    counts += [own[:, OWN_BAR], their[:, OWN_BAR]]
    scaled = QUARTER * np.stack(counts, axis=1).astype(np.int32)
    return np.concatenate([(chances * np.float32(WHOLE)).astype(np.int32), scaled], axis=1)


@cache
def cube_block() -> Float32Vector:
    """Return the block of the shipped network.

    Raises:
        ModelError: the file is missing or damaged.
    """
    return block_of(NETWORK.numbers())


def block_of(flat: Float32Vector) -> Float32Vector:
    """Return the block of a network.

    Args:
        flat: float32 [483], the weights and biases of the two layers, one after the other.

    Raises:
        ModelError: a number is too large, or a sum could wrap around.
    """
    places = np.cumsum([prod(shape) for shape in SHAPES])[:-1]
    one, bias1, two, bias2 = (
        part.reshape(shape).astype(np.float64)
        for part, shape in zip(np.split(flat, places), SHAPES, strict=True)
    )
    weight1, weight2 = np.rint(WHOLE * one), np.rint(WHOLE * two)
    first = np.rint(WHOLE * WHOLE * bias1)
    most = np.full(SEEN, CHECKERS * QUARTER)
    most[:N_RESULTS] = WHOLE
    reach1 = np.abs(weight1) @ most + np.abs(first)
    reach2 = np.abs(weight2).sum(axis=1) * (2**15 - 1)
    widest = max(np.abs(weight1).max(), np.abs(weight2).max())
    # A comparison with NaN is false, so NaN is rejected too.
    if not (widest < 2**15 and max(reach1.max(), reach2.max()) < _MOST):
        raise ModelError(f"{NETWORK.what}: its numbers are too large")
    block = np.zeros(BLOCK.end, np.float32)
    for at, part, kind in (
        (BLOCK.weight1, weight1, np.int16),
        (BLOCK.bias1, first, np.int32),
        (BLOCK.weight2, weight2, np.int16),
        (BLOCK.bias2, bias2, np.float32),
    ):
        packed = part.astype(kind).ravel().view(np.float32)
        block[at : at + packed.size] = packed
    return block


# The compiled network works on sixteen positions side by side. Its counts of the board come from
# the bit planes of the positions, which the main network needs anyway.

#: Places by part, as bits from index 1 on: the player's home, outer boards, opponent's home.
_LOW = (1 << (HOME + 1)) - 2
_HIGH = _LOW << (3 * HOME)
_MIDDLE = (1 << (SIZE - 1)) - 2 - _LOW - _HIGH
_PAIRS_OF_CHANCES = N_RESULTS // 2
_MOST_SUM = 2**15 - 1
_SCALE = np.float32(1.0 / (WHOLE * WHOLE))
_WHOLE, _ZERO, _ONE = np.float32(WHOLE), np.float32(0.0), np.float32(1.0)
_AT_1, _AT_BIAS1, _AT_2, _AT_BIAS2, _ = BLOCK
_UNITS = PAIRS * AT_ONCE
#: Numbers of scratch: inputs and units, in pairs, and the outputs.
SCRATCH = _UNITS + UNITS // 2 * AT_ONCE + N_OWNERS * AT_ONCE


@kernel(inline=True)
def _store_parts(own: UInt32x16, their: UInt32x16, seen: UInt32Vector, at: int) -> None:
    """Write how many given places each side has in each part: three pairs, for sixteen positions."""
    for_own, for_them = ones(own & _LOW), ones(their & _HIGH)
    store(seen, at, (for_own | (for_them << 16)) * QUARTER)
    for_own, for_them = ones(own & _MIDDLE), ones(their & _MIDDLE)
    store(seen, at + AT_ONCE, (for_own | (for_them << 16)) * QUARTER)
    for_own, for_them = ones(own & _HIGH), ones(their & _LOW)
    store(seen, at + 2 * AT_ONCE, (for_own | (for_them << 16)) * QUARTER)


@kernel(inline=True)
def _store_board(planes: UInt32Vector, seen: UInt32Vector) -> None:
    """Write the input pairs of the board for sixteen positions."""
    their = load(planes, (N_PLANES - 1) * AT_ONCE, 16)
    one, two = load(planes, 0, 16), load(planes, AT_ONCE, 16)
    more = load(planes, 2 * AT_ONCE, 16) | load(planes, 3 * AT_ONCE, 16)
    at = _PAIRS_OF_CHANCES * AT_ONCE
    held = one | two | more
    _store_parts(held & ~their, held & their, seen, at)
    held = two | more
    _store_parts(held & ~their, held & their, seen, at + 3 * AT_ONCE)
    held = (one & two) | more
    _store_parts(held & ~their, held & their, seen, at + 6 * AT_ONCE)
    # Nobody's checkers stand on the other side's bar.
    on_bars = ((one >> OWN_BAR) & 1) | ((one & 1) << 16)
    for k in range(1, N_PLANES - 1):
        plane = load(planes, k * AT_ONCE, 16)
        on_bars = on_bars + ((((plane >> OWN_BAR) & 1) | ((plane & 1) << 16)) << k)
    store(seen, at + 9 * AT_ONCE, on_bars * QUARTER)


@kernel(inner=True)
def write_efficiencies(
    lanes: int,
    block: int,
    planes: UInt32Vector,
    weights: Float32Vector,
    scratch: Int32Vector,
    out: Float32Matrix,
    first: int,
) -> None:
    """Write the efficiencies of the cube for each owner, for some of sixteen positions.

    Args:
        lanes: the set of positions.
        block: the row of the first of the sixteen.
        planes: bit planes of the sixteen, see `gammon.eval.planes`.
        weights: the block of the network.
        scratch: int32 [`SCRATCH`], scratch.
        out: float32 [R, >= first + 3], with the chances of the six results.
        first: column of the efficiency if the player on roll owns the cube; the columns for a
            centred cube and for the opponent's cube follow.
    """
    seen, found = scratch.view(np.uint32), scratch.view(np.float32)
    left = lanes
    while left:
        lane = lowest(left)
        left &= left - 1
        row = out[block + lane]
        for k in range(_PAIRS_OF_CHANCES):
            low, high = int(row[2 * k] * _WHOLE), int(row[2 * k + 1] * _WHOLE)
            scratch[k * AT_ONCE + lane] = low | high << 16
    _store_board(planes, seen)
    pairs, bias2 = weights.view(np.int32), weights[_AT_BIAS2:]
    for unit in range(0, UNITS, 2):
        low_sum = filled(pairs[_AT_BIAS1 + unit], 16)
        high_sum = filled(pairs[_AT_BIAS1 + unit + 1], 16)
        for k in range(PAIRS):
            both = halves(load(scratch, k * AT_ONCE, 16))
            of_low = filled(pairs[_AT_1 + unit * PAIRS + k], 16)
            of_high = filled(pairs[_AT_1 + (unit + 1) * PAIRS + k], 16)
            low_sum = low_sum + sums_of_pairs(both, halves(of_low))
            high_sum = high_sum + sums_of_pairs(both, halves(of_high))
        low_sum = select(low_sum > 0, low_sum, 0) >> SHIFT
        high_sum = select(high_sum > 0, high_sum, 0) >> SHIFT
        low_sum = select(low_sum < _MOST_SUM, low_sum, _MOST_SUM)
        high_sum = select(high_sum < _MOST_SUM, high_sum, _MOST_SUM)
        store(scratch, _UNITS + unit // 2 * AT_ONCE, low_sum | (high_sum << 16))
    at = _UNITS + UNITS // 2 * AT_ONCE
    for owner in range(N_OWNERS):
        total = filled(np.int32(0), 16)
        for k in range(UNITS // 2):
            both = halves(load(scratch, _UNITS + k * AT_ONCE, 16))
            weight = filled(pairs[_AT_2 + owner * (UNITS // 2) + k], 16)
            total = total + sums_of_pairs(both, halves(weight))
        efficiency = as_float32(total) * _SCALE + bias2[owner]
        efficiency = select(efficiency > _ZERO, efficiency, _ZERO)
        store(found, at + owner * AT_ONCE, select(efficiency < _ONE, efficiency, _ONE))
    left = lanes
    while left:
        lane = lowest(left)
        left &= left - 1
        for owner in range(N_OWNERS):
            out[block + lane, first + owner] = found[at + owner * AT_ONCE + lane]
