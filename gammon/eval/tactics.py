"""Shots, blocks and contact: numbers of a position that no single count tells.

A network could learn them from the counts alone, but that takes long, and many units. Each
number is computed for both sides alike, as if that side were on roll. `SideNumbers` names
them and says what they are.

A roll is looked at with one checker that plays one die or all of them; the rule that both
dice must be played, if possible, is not considered. Kernels hold a side as a few sets of
points with one bit for each: bit p for its own point p, bit 25 for its bar.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.kernel import kernel
from gammon.records import Float32Matrix, Float32Vector
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.state import Rows, State

__all__ = ["AT", "N_TACTICS", "SideNumbers", "tactics", "tactics_of"]


class SideNumbers(NamedTuple):
    """The numbers of one side, in the order in which they are stored."""

    #: Share of the 36 rolls that can hit a blot.
    shots: int
    #: Mean over the rolls of the pips that the best such hit costs, / 24.
    loss: int
    #: Share of the rolls that take the rearmost checker more than six points on; 1 where
    #: there is no contact.
    escape: int
    #: Longest run of points in a row, / 6.
    prime: int
    #: Points held among the six in front of the opponent's rearmost checker, / 6.
    block: int
    #: Points by which the two rearmost checkers have still to pass each other, / 24.
    contact: int
    #: Checkers that have still to pass the opponent's rearmost one, / 15.
    behind: int
    #: Pairs of a place and a die that can be moved from it, / 40.
    mobility: int
    #: 1 if a point in the opponent's home is held, else 0.
    anchor: int


_SIDE = len(SideNumbers._fields)
#: Where each number of a side stands among them.
AT = SideNumbers(*range(_SIDE))
#: T, the numbers of both sides.
N_TACTICS = 2 * _SIDE


def _ways_out() -> npt.NDArray[np.int8]:
    """Return how many of the 36 rolls take a checker more than six points on, int8 [4096].

    The index is the set of open points among the twelve ahead: bit 12 - d is the point that
    is d points on. No roll needs a point that is further on.
    """
    ahead = np.arange(4096)
    found = np.zeros(4096, np.int8)
    for a in range(1, 7):
        for b in range(max(1, 7 - a), a):
            via = ahead >> (12 - a) | ahead >> (12 - b)
            found += (2 * (via & ahead >> (12 - a - b) & 1)).astype(np.int8)
        path = range(a, min(4 * a, a + 6) + 1, a)  # to the first step beyond six
        if path[-1] > 6:
            needed = sum(1 << (12 - step) for step in path)
            found += ahead & needed == needed
    return found


_WAYS_OUT = _ways_out()
_DIE = np.arange(1, 7, dtype=np.uint32)
#: The fifteen rolls without doubles.
_BIG = np.array([a for a in range(1, 7) for _ in range(1, a)], np.uint32)
_SMALL = np.array([b for a in range(1, 7) for b in range(1, a)], np.uint32)
_U1, _U2, _U4, _U56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
_U55, _U33 = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_U0F, _U01 = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_BAR = 1 << 25
_POINTS = _BAR - 2
_HOME_OF_OPPONENT = _BAR - (1 << 19)


@kernel(inline=True, wraps=True)
def _size(points: int) -> int:
    """Return how many points a set has."""
    # In these steps, on unsigned numbers, the compiler sees the processor's own instruction.
    bits = np.uint64(points)
    bits = bits - ((bits >> _U1) & _U55)
    bits = (bits & _U33) + ((bits >> _U2) & _U33)
    bits = (bits + (bits >> _U4)) & _U0F
    return int((bits * _U01) >> _U56)


@kernel(inline=True)
def _highest(points: int) -> int:
    """Return the highest point of a set that is not empty: the exponent of its number."""
    return int(np.float64(points).view(np.int64) >> 52) - 1023


@kernel(inline=True)
def _top(points: np.uint32) -> np.uint32:
    """Return the highest point of a set below 2**25, 0 if it is empty, as `_highest` does.

    Without the bit below the highest, rounding cannot reach the next power of two.
    """
    bits = np.float32((points & ~(points >> np.uint32(1))) | np.uint32(1)).view(np.uint32)
    return (bits >> np.uint32(23)) - np.uint32(127)


@kernel(inline=True)
def _turned(places: int) -> int:
    """Return the set of 25 - p for each p: the same places in the other side's numbering."""
    places = ((places >> 1) & 0x55555555) | ((places & 0x55555555) << 1)
    places = ((places >> 2) & 0x33333333) | ((places & 0x33333333) << 2)
    places = ((places >> 4) & 0x0F0F0F0F) | ((places & 0x0F0F0F0F) << 4)
    places = ((places >> 8) & 0x00FF00FF) | ((places & 0x00FF00FF) << 8)
    return (((places >> 16) & 0xFFFF) | ((places & 0xFFFF) << 16)) >> 6


@kernel(inner=True)
def _shots(held: int, free: int, blots: int) -> tuple[int, int]:
    """Return how many of the 36 rolls hit, and the pips that the best hits cost in all.

    The side has no checker on the bar; `_shots_from_bar` is for those that have. The loops
    have no branches, so that the compiler looks at all rolls together.

    Args:
        held: places with a checker.
        free: points that a checker may land on.
        blots: the opponent's points with a single checker.
    """
    shots = np.uint32(0)
    loss = np.uint32(0)
    first, free_32, blots_32 = np.uint32(held), np.uint32(free), np.uint32(blots)
    for k in range(_BIG.shape[0]):
        big, small = _BIG[k], _SMALL[k]
        by_big = (first >> big) & free_32
        by_small = (first >> small) & free_32
        hits = (by_big | by_small | by_big >> small | by_small >> big) & blots_32
        shots += np.uint32(2) * np.uint32(hits != 0)
        loss += np.uint32(2) * _top(hits)
    for k in range(_DIE.shape[0]):
        die = _DIE[k]
        once = (first >> die) & free_32
        twice = (once >> die) & free_32
        thrice = (twice >> die) & free_32
        hits = (once | twice | thrice | (thrice >> die) & free_32) & blots_32
        shots += np.uint32(hits != 0)
        loss += _top(hits)
    return int(shots), int(loss)


@kernel(inner=True)
def _shots_from_bar(held: int, bar: int, free: int, blots: int) -> tuple[int, int]:
    """Return what `_shots` does for a side with checkers on the bar: they enter first.

    Args:
        held: places with a checker.
        bar: checkers on the bar, 1 or more.
        free: points that a checker may land on.
        blots: the opponent's points with a single checker.
    """
    shots = 0
    loss = 0
    others = held & ~_BAR
    for a in range(1, 7):
        by_a = (_BAR >> a) & free
        for b in range(1, a):
            by_b = (_BAR >> b) & free
            hits = by_a | by_b
            if bar == 1 and by_a != 0:
                hits |= (others | by_a) >> b
            if bar == 1 and by_b != 0:
                hits |= (others | by_b) >> a
            hits &= blots
            shots += 2 * (hits != 0)
            loss += 2 * _highest(hits | 1)
        hits = by_a
        if by_a != 0:
            reached = others | by_a
            for _ in range(4 - min(bar, 4)):
                reached = (reached >> a) & free
                hits |= reached
        hits &= blots
        shots += hits != 0
        loss += _highest(hits | 1)
    return shots, loss


@kernel(inline=True)
def _escapes(rear: int, free: int) -> int:
    """Return how many of the 36 rolls take the rearmost checker more than six points on."""
    ahead = free >> (rear - 12) if rear >= 12 else free << (12 - rear)
    return int(_WAYS_OUT[ahead & 4095])


@kernel(inner=True)
def _side(bar: int, held: int, made: int, their: int, closed: int, out: Float32Vector) -> None:
    """Write the numbers of one side, all but `behind`.

    Args:
        bar: checkers on the bar.
        held: places with a checker.
        made: places with two or more.
        their: the opponent's places with a checker, in this side's numbering.
        closed: those of them with two or more.
        out: float32 [T / 2].
    """
    rear = _highest(held) if held else 0
    their_rear = _highest(_turned(their)) if their else 0
    closed &= _POINTS
    made &= _POINTS
    free = _POINTS & ~closed
    shots, loss = 0, 0
    if bar > 0:
        shots, loss = _shots_from_bar(held, bar, free, their & free)
    else:
        shots, loss = _shots(held, free, their & free)
    out[AT.shots] = np.float32(shots) * np.float32(1 / 36)
    out[AT.loss] = np.float32(loss) * np.float32(1 / 36 / 24)
    contact = max(rear + their_rear - 25, 0)
    out[AT.escape] = np.float32(_escapes(rear, free)) * np.float32(1 / 36) if contact else 1.0
    run = made
    longest = 0
    for _ in range(CHECKERS // 2):  # no branch that could be guessed wrong
        longest += int(run != 0)
        run &= run >> 1
    out[AT.prime] = np.float32(longest) * np.float32(1 / 6)
    out[AT.block] = np.float32(_size(made & (63 << (26 - their_rear)))) * np.float32(1 / 6)
    out[AT.contact] = np.float32(contact) * np.float32(1 / 24)
    places = _BAR if bar > 0 else held
    moves = 0
    for die in range(1, 7):
        moves += _size((places >> die) & free)
    out[AT.mobility] = np.float32(moves) * np.float32(1 / 40)
    out[AT.anchor] = np.float32(1.0) if made & _HOME_OF_OPPONENT else np.float32(0.0)


@kernel(inner=True)
def tactics(state: State, out: Float32Vector) -> None:
    """Write the numbers of the player on roll, then those of the opponent.

    Args:
        state: int8 [26], seen from the player on roll.
        out: float32 [T].
    """
    own = 0
    own_made = 0
    their = 0
    their_made = 0
    for p in range(SIZE):
        count = int(state[p])
        own |= (count > 0) << p
        own_made |= (count > 1) << p
        their |= (count < 0) << p
        their_made |= (count < -1) << p
    # A side's rearmost place is the lowest one in the other side's numbering.
    last_own = _highest(own) if own else 0
    first_their = 25 - _highest(_turned(their)) if their else 25
    own_behind = 0
    their_behind = 0
    for p in range(SIZE):
        count = int(state[p])
        own_behind += max(count, 0) * (p > first_their)
        their_behind += max(-count, 0) * (p < last_own)
    first, second = out[:_SIDE], out[_SIDE:]
    _side(int(state[25]), own, own_made, their, their_made, first)
    _side(
        -int(state[0]), _turned(their), _turned(their_made), _turned(own),
        _turned(own_made), second,
    )  # fmt: skip
    first[AT.behind] = np.float32(own_behind) * np.float32(1 / 15)
    second[AT.behind] = np.float32(their_behind) * np.float32(1 / 15)


@kernel(inner=True)
def _tactics_of_each(states: Rows, out: Float32Matrix) -> None:
    for r in range(states.shape[0]):
        tactics(states[r], out[r])


def tactics_of(states: Rows) -> Float32Matrix:
    """Return the numbers of positions int8 [N, 26], float32 [N, T]: own ones, then theirs."""
    out = np.empty((len(states), N_TACTICS), np.float32)
    _tactics_of_each(np.ascontiguousarray(states), out)
    return out
