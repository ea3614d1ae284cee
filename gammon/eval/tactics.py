"""What takes several points to see: shots, blocks, contact, as 18 numbers of a position.

A network can learn these from counts alone, but it takes long, and many units. Each number
is computed for both sides alike, as if that side were on roll; they are

    shots       share of the 36 rolls that can hit a blot
    loss        mean over the rolls of the pips that the best such hit costs, / 24
    escape      share of the rolls that take the rearmost checker more than six points on;
                1 where there is no contact
    prime       longest run of points in a row, / 6
    block       points held among the six in front of the opponent's rearmost checker, / 6
    contact     points by which the two rearmost checkers have still to pass, / 24
    behind      checkers that have still to pass the opponent's rearmost one, / 15
    mobility    pairs of a place and a die that can be moved from it, / 40
    anchor      whether a point in the opponent's home is held

Rolls are looked at with one checker that plays one die or all of them; the rule that both
dice must be played, if possible, is not considered. A side is a few sets of points, one
bit for each: bit p for its own point p, bit 25 for its bar.
"""

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.kernel import kernel
from gammon.rules.board import SIZE, State

__all__ = ["N_TACTICS", "tactics", "tactics_of"]

Floats = npt.NDArray[np.float32]

_SIDE = 9
#: T, how many numbers there are.
N_TACTICS = 2 * _SIDE

_INT = types.int64
_BAR = 1 << 25
_POINTS = _BAR - 2
_HOME_OF_OPPONENT = _BAR - (1 << 19)


@kernel(_INT(_INT), inline=True)
def _size(points: int) -> int:
    """Return how many points a set has."""
    points = points - ((points >> 1) & 0x55555555)
    points = (points & 0x33333333) + ((points >> 2) & 0x33333333)
    points = (points + (points >> 4)) & 0x0F0F0F0F
    return ((points * 0x01010101) & 0xFFFFFFFF) >> 24


@kernel(_INT(_INT), inline=True)
def _highest(points: int) -> int:
    """Return the highest point of a set that is not empty: the exponent of its number."""
    return int(np.float64(points).view(np.int64) >> 52) - 1023


@kernel(_INT(_INT), inline=True)
def _turned(places: int) -> int:
    """Return the set of 25 - p for each p: the same places in the other side's numbering."""
    places = ((places >> 1) & 0x55555555) | ((places & 0x55555555) << 1)
    places = ((places >> 2) & 0x33333333) | ((places & 0x33333333) << 2)
    places = ((places >> 4) & 0x0F0F0F0F) | ((places & 0x0F0F0F0F) << 4)
    places = ((places >> 8) & 0x00FF00FF) | ((places & 0x00FF00FF) << 8)
    return (((places >> 16) & 0xFFFF) | ((places & 0xFFFF) << 16)) >> 6


@kernel(types.void(_INT, _INT, _INT, _INT, _INT, types.float32[::1]), inner=True)
def _rolls(held: int, bar: int, free: int, blots: int, rear: int, out: Floats) -> None:
    """Write shots, loss and escape into out[0], out[1] and out[2].

    Args:
        held: places with a checker, the bar among them.
        bar: checkers on the bar.
        free: points that the opponent does not hold.
        blots: points where the opponent has a single checker.
        rear: the rearmost checker's place.
        out: numbers of a side.
    """
    first = _BAR if bar > 0 else held
    back = 1 << rear
    gone = (1 << max(rear - 6, 0)) - 1
    shots = 0
    loss = 0
    escapes = 0
    for a in range(1, 7):
        by_a = (first >> a) & free
        rear_a = (back >> a) & free
        for b in range(1, a):
            by_b = (first >> b) & free
            hits = by_a | by_b
            if bar == 0:
                hits |= (by_a >> b) | (by_b >> a)
            elif bar == 1:
                if by_a != 0:
                    hits |= (held ^ _BAR | by_a) >> b
                if by_b != 0:
                    hits |= (held ^ _BAR | by_b) >> a
            hits &= blots
            shots += 2 * (hits != 0)
            loss += 2 * _highest(hits | 1)
            if a + b > 6:
                rear_b = (back >> b) & free
                escapes += 2 * (((rear_a >> b) | (rear_b >> a)) & free != 0)
        # Doubles: checkers on the bar enter first, with a move each.
        hits = by_a
        reached = by_a if bar == 0 else held & ~_BAR | by_a
        if by_a != 0:
            for _ in range(3 if bar == 0 else 4 - min(bar, 4)):
                reached = (reached >> a) & free
                hits |= reached
        hits &= blots
        shots += hits != 0
        loss += _highest(hits | 1)
        twice = (rear_a >> a) & free
        thrice = (twice >> a) & free
        last = (thrice >> a) & free
        escapes += (twice | thrice | last) & gone != 0
    out[0] = np.float32(shots) * np.float32(1 / 36)
    out[1] = np.float32(loss) * np.float32(1 / 36 / 24)
    out[2] = np.float32(escapes) * np.float32(1 / 36)


@kernel(types.void(_INT, _INT, _INT, _INT, _INT, types.float32[::1]), inner=True)
def _side(bar: int, held: int, made: int, their: int, closed: int, out: Floats) -> None:
    """Write the numbers of one side, but for `behind`.

    Args:
        bar: checkers on the bar.
        held: places with a checker.
        made: places with two or more.
        their: the opponent's places.
        closed: those with two or more.
        out: numbers of a side.
    """
    rear = _highest(held) if held else 0
    their_rear = _highest(_turned(their)) if their else 0
    closed &= _POINTS
    made &= _POINTS
    free = _POINTS & ~closed
    _rolls(held, bar, free, their & free, rear, out)
    contact = max(rear + their_rear - 25, 0)
    if contact == 0:
        out[2] = 1.0
    run = made
    longest = 0
    while run != 0:
        run &= run >> 1
        longest += 1
    out[3] = np.float32(longest) * np.float32(1 / 6)
    out[4] = np.float32(_size(made & (63 << (26 - their_rear)))) * np.float32(1 / 6)
    out[5] = np.float32(contact) * np.float32(1 / 24)
    places = _BAR if bar > 0 else held
    moves = 0
    for die in range(1, 7):
        moves += _size((places >> die) & free)
    out[7] = np.float32(moves) * np.float32(1 / 40)
    out[8] = np.float32(1.0) if made & _HOME_OF_OPPONENT else np.float32(0.0)


@kernel(types.void(types.int8[::1], types.float32[::1]), inner=True)
def tactics(state: State, out: Floats) -> None:
    """Write the numbers of the player on roll, then those of the opponent.

    Args:
        state: int8 [26], seen from the player on roll.
        out: float32 [18].
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
    # The lowest of a side's places, in the other side's numbering, is its rearmost one.
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
    first[6] = np.float32(own_behind) * np.float32(1 / 15)
    second[6] = np.float32(their_behind) * np.float32(1 / 15)


@kernel(types.void(types.int8[:, ::1], types.float32[:, ::1]))
def _tactics_of_each(states: State, out: Floats) -> None:
    for r in range(states.shape[0]):
        tactics(states[r], out[r])


def tactics_of(states: State) -> Floats:
    """Return the numbers of positions int8 [N, 26], float32 [N, 18]."""
    out = np.empty((len(states), N_TACTICS), np.float32)
    _tactics_of_each(np.ascontiguousarray(states), out)
    return out
