"""Positions as bit planes: sixteen positions in five vectors.

A *plane* holds a set of board indexes for each of sixteen positions, bit p for index p; each
lane of a vector (`gammon.compiled.vector`) is the set of one position. Four planes hold the bits
of the number of checkers on a place, of either side: plane k has bit k of the count. The fifth
plane has the places of the opponent.
"""

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Int8Vector, UInt32Vector
from gammon.compiled.vector import UInt32x16, bits, load, ones, select

#: Positions per vector.
AT_ONCE = 16
_BITS = 4
N_PLANES = _BITS + 1


@kernel(inner=True)
def write_planes(counts: Int8Vector, at: int, lane: int, planes: UInt32Vector) -> None:
    """Write one lane of the planes.

    Args:
        counts: int8 vector with the 26 counts of a position, followed by six zeros.
        at: offset of the counts.
        lane: index of the position among the sixteen.
        planes: uint32 [N_PLANES, 16], flat.
    """
    v = load(counts, at, 32)
    planes[_BITS * AT_ONCE + lane] = bits(v < 0)
    v = select(v > 0, v, -v)
    for k in range(_BITS):
        # The sign of a lane is now bit k of its count.
        planes[k * AT_ONCE + lane] = bits((v << (7 - k)) < 0)


@kernel(inline=True)
def places(planes: UInt32Vector) -> tuple[UInt32x16, UInt32x16]:
    """Return the places of the player on roll, and the places of the opponent."""
    held = load(planes, 0, 16)
    for k in range(1, _BITS):
        held = held | load(planes, k * AT_ONCE, 16)
    their = load(planes, _BITS * AT_ONCE, 16)
    return held & ~their, their


@kernel(inner=True)
def checkers(planes: UInt32Vector) -> tuple[UInt32x16, UInt32x16]:
    """Return how many checkers the player on roll and the opponent have on the board."""
    their = load(planes, _BITS * AT_ONCE, 16)
    of_both = ones(load(planes, 0, 16))
    of_them = ones(load(planes, 0, 16) & their)
    for k in range(1, _BITS):
        plane = load(planes, k * AT_ONCE, 16)
        of_both = of_both + (ones(plane) << k)
        of_them = of_them + (ones(plane & their) << k)
    return of_both - of_them, of_them


@kernel(inline=True)
def turned(plane: UInt32x16) -> UInt32x16:
    """Return the set of 25 - p for each p in a set: the same places in the other side's numbering."""
    plane = ((plane >> 1) & 0x55555555) | ((plane & 0x55555555) << 1)
    plane = ((plane >> 2) & 0x33333333) | ((plane & 0x33333333) << 2)
    plane = ((plane >> 4) & 0x0F0F0F0F) | ((plane & 0x0F0F0F0F) << 4)
    plane = ((plane >> 8) & 0x00FF00FF) | ((plane & 0x00FF00FF) << 8)
    return ((plane >> 16) | (plane << 16)) >> 6
