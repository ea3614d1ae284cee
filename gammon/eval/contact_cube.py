"""The cube in contact: its efficiency for each owner, of sixteen positions side by side.

`gammon.eval.cube_network` defines it. The numbers of the board that the network sees follow
from the planes of the positions (`gammon.eval.planes`), which are there for the other network.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    Float32Matrix,
    Float32Vector,
    Int32Vector,
    UInt32Vector,
)
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
from gammon.eval.bearoff import N_OWNERS
from gammon.eval.cube_network import BLOCK, PAIRS, QUARTER, SHIFT, UNITS, WHOLE
from gammon.eval.planes import AT_ONCE, N_PLANES
from gammon.rules.board import OWN_BAR, SIZE
from gammon.rules.home import HOME
from gammon.rules.outcome import N_RESULTS

#: Places from index 1 on by parts: the player's home, the outer boards, the opponent's home.
_LOW = (1 << (HOME + 1)) - 2
_HIGH = _LOW << (3 * HOME)
_MIDDLE = (1 << (SIZE - 1)) - 2 - _LOW - _HIGH
_PAIRS_OF_CHANCES = N_RESULTS // 2
_MOST = 2**15 - 1
_SCALE = np.float32(1.0 / (WHOLE * WHOLE))
_WHOLE, _ZERO, _ONE = np.float32(WHOLE), np.float32(0.0), np.float32(1.0)
_AT_1, _AT_BIAS1, _AT_2, _AT_BIAS2, _ = BLOCK
_UNITS = PAIRS * AT_ONCE
#: Numbers of scratch: what the network sees and its units, two and two, and what it says.
ROOM = _UNITS + UNITS // 2 * AT_ONCE + N_OWNERS * AT_ONCE


@kernel(inline=True)
def _store_parts(own: UInt32x16, their: UInt32x16, seen: UInt32Vector, at: int) -> None:
    """Write how many places of each part both sides have, three pairs for sixteen positions."""
    for_own, for_them = ones(own & _LOW), ones(their & _HIGH)
    store(seen, at, (for_own | (for_them << 16)) * QUARTER)
    for_own, for_them = ones(own & _MIDDLE), ones(their & _MIDDLE)
    store(seen, at + AT_ONCE, (for_own | (for_them << 16)) * QUARTER)
    for_own, for_them = ones(own & _HIGH), ones(their & _LOW)
    store(seen, at + 2 * AT_ONCE, (for_own | (for_them << 16)) * QUARTER)


@kernel(inline=True)
def _store_board(planes: UInt32Vector, seen: UInt32Vector) -> None:
    """Write the pairs of the board for sixteen positions."""
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
    lanes: int, block: int, planes: UInt32Vector, weights: Float32Vector, room: Int32Vector,
    out: Float32Matrix, first: int,
) -> None:  # fmt: skip
    """Write the efficiencies of the cube for each owner, in those of sixteen positions.

    Args:
        lanes: a set of them.
        block: the row of the first of the sixteen.
        planes: theirs, see `gammon.eval.planes`.
        weights: the block of the network.
        room: int32 [`ROOM`].
        out: float32 [R, >= first + 3], with the chances of the six results.
        first: the column of the efficiency for the cube of the player on roll; then come those
            for a centred one and the opponent's.
    """
    seen, found = room.view(np.uint32), room.view(np.float32)
    left = lanes
    while left:
        lane = lowest(left)
        left &= left - 1
        row = out[block + lane]
        for k in range(_PAIRS_OF_CHANCES):
            low, high = int(row[2 * k] * _WHOLE), int(row[2 * k + 1] * _WHOLE)
            room[k * AT_ONCE + lane] = low | high << 16
    _store_board(planes, seen)
    pairs, bias2 = weights.view(np.int32), weights[_AT_BIAS2:]
    for unit in range(0, UNITS, 2):
        low_sum = filled(pairs[_AT_BIAS1 + unit], 16)
        high_sum = filled(pairs[_AT_BIAS1 + unit + 1], 16)
        for k in range(PAIRS):
            both = halves(load(room, k * AT_ONCE, 16))
            of_low = filled(pairs[_AT_1 + unit * PAIRS + k], 16)
            of_high = filled(pairs[_AT_1 + (unit + 1) * PAIRS + k], 16)
            low_sum = low_sum + sums_of_pairs(both, halves(of_low))
            high_sum = high_sum + sums_of_pairs(both, halves(of_high))
        low_sum = select(low_sum > 0, low_sum, 0) >> SHIFT
        high_sum = select(high_sum > 0, high_sum, 0) >> SHIFT
        low_sum = select(low_sum < _MOST, low_sum, _MOST)
        high_sum = select(high_sum < _MOST, high_sum, _MOST)
        store(room, _UNITS + unit // 2 * AT_ONCE, low_sum | (high_sum << 16))
    at = _UNITS + UNITS // 2 * AT_ONCE
    for owner in range(N_OWNERS):
        total = filled(np.int32(0), 16)
        for k in range(UNITS // 2):
            both = halves(load(room, _UNITS + k * AT_ONCE, 16))
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
