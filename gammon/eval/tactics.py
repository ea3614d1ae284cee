"""Shots, blocks and contact: numbers of a position that depend on several counts.

A network could learn them from the counts alone, but that takes long, and many units. Each
number is computed for both sides alike, as if that side were on roll. `SideNumbers` defines
them.

All are whole numbers; a feature is the number divided by its entry in `UNITS`. Sixteen positions
are computed side by side, one per lane of a vector (`gammon.compiled.vector`). A lane is a set
of points, one bit each: bit p for the side's own point p, bit 25 for its bar.
`gammon.eval.planes` makes these sets.

A roll is examined with one checker that plays one die or all of them; the rule that both dice
must be played, if possible, is ignored.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Int8Vector, Int16Vector, UInt32Vector
from gammon.compiled.vector import UInt32x16, as_int16, filled, length, load, ones, select, store
from gammon.eval.planes import AT_ONCE, N_PLANES, turned, write_planes
from gammon.rules.board import CHECKERS, SIZE, Rows


class SideNumbers(NamedTuple):
    """The numbers of one side, in storage order."""

    #: Rolls of the 36 that can hit a blot.
    shots: int
    #: Sum over the rolls of the pips that the best such hit costs the opponent.
    loss: int
    #: Rolls that take the rearmost checker more than six points forward; 36 without contact.
    escape: int
    #: Longest run of consecutive points made.
    prime: int
    #: Points held among the six in front of the opponent's rearmost checker.
    block: int
    #: Points by which the two rearmost checkers have still to pass each other.
    contact: int
    #: Checkers that have still to pass the opponent's rearmost checker.
    behind: int
    #: Pairs of a place and a die with which a checker can move from it.
    mobility: int
    #: 1 if a point in the opponent's home is held, else 0.
    anchor: int


_SIDE = len(SideNumbers._fields)
#: Index of each number among a side's numbers.
AT = SideNumbers(*range(_SIDE))
#: T, the numbers of both sides.
N_TACTICS = 2 * _SIDE
#: The value of each number at which its feature is 1.
UNITS = SideNumbers(
    shots=36, loss=36 * 24, escape=36, prime=6, block=6, contact=24, behind=15, mobility=40, anchor=1
)
_SCALES = np.array([1 / unit for unit in 2 * UNITS], np.float32)

#: Scratch of `tactics`: the planes, and two sets for each die.
SETS = (N_PLANES + 12) * AT_ONCE
#: Offsets of these sets: the places that a first checker reaches with a die, and the places from
#: which the other die is then played.
_REACHED = N_PLANES * AT_ONCE
_THEN = _REACHED + 6 * AT_ONCE
_BAR = 1 << 25
_POINTS = _BAR - 2
_HOME_OF_OPPONENT = _BAR - (1 << 19)


@kernel(inner=True)
def _unequal(
    blots: UInt32x16, rear: UInt32x16, free: UInt32x16, beyond: UInt32x16, sets: UInt32Vector
) -> tuple[UInt32x16, UInt32x16, UInt32x16]:
    """Examine the fifteen rolls of two unequal dice, each counted once.

    Args:
        blots: the opponent's points with a single checker.
        rear: the place of the rearmost checker.
        free: points that a checker may land on.
        beyond: the free points that are more than six points in front of `rear`.
        sets: see `SETS`.

    Returns:
        The number of rolls that hit, the sum of (point of the best hit, plus 1), and the number
        of rolls that take the rearmost checker beyond.
    """
    shots = filled(np.uint32(0), 16)
    points, escapes = shots, shots
    for big in range(2, 7):
        by_big = load(sets, _REACHED + (big - 1) * AT_ONCE, 16)
        then_big = load(sets, _THEN + (big - 1) * AT_ONCE, 16)
        rear_by_big = (rear >> big) & free
        for small in range(1, big):
            by_small = load(sets, _REACHED + (small - 1) * AT_ONCE, 16)
            then_small = load(sets, _THEN + (small - 1) * AT_ONCE, 16)
            hits = (by_big | by_small | (then_big >> small) | (then_small >> big)) & blots
            shots = select(hits != 0, shots + 1, shots)
            points = points + length(hits)
            if big + small > 6:
                past = ((rear_by_big >> small) | (((rear >> small) & free) >> big)) & beyond
                escapes = select(past != 0, escapes + 1, escapes)
    return shots, points, escapes


@kernel(inner=True)
def _rolls(
    held: UInt32x16, bar: UInt32x16, free: UInt32x16, blots: UInt32x16, rear: UInt32x16, sets: UInt32Vector
) -> tuple[UInt32x16, UInt32x16, UInt32x16, UInt32x16]:
    """Examine the 36 rolls.

    A checker on the bar enters first. If it is the only one there, any checker plays the rest
    of the roll; if there are more, they use up the roll.

    Args:
        held: places with a checker.
        bar: checkers on the bar.
        free: points that a checker may land on.
        blots: the opponent's points with a single checker.
        rear: the place of the rearmost checker.
        sets: see `SETS`.

    Returns:
        The number of rolls that hit, the pips that the best hits cost in all, the number of
        rolls that take the rearmost checker more than six points forward, and the number of
        pairs of a place and a die with which a checker can move.
    """
    first = select(bar == 0, held, _BAR)
    others = held & _POINTS
    one = select(bar < 2, free, 0)  # where a checker may continue once all are in
    also = select(bar == 1, others, 0)  # which other checkers may play then
    also_doubled = select(bar != 0, others, 0)
    twice_free, thrice_free = select(bar < 4, free, 0), select(bar < 3, free, 0)
    beyond = free & ((rear - 1) >> 6)
    shots = filled(np.uint32(0), 16)
    points, escapes, moves = shots, shots, shots
    for die in range(1, 7):
        once = (first >> die) & free
        moves = moves + ones(once)
        then = once & one
        store(sets, _REACHED + (die - 1) * AT_ONCE, once)
        store(sets, _THEN + (die - 1) * AT_ONCE, then | select(then != 0, also, 0))
        twice = ((once | select(once != 0, also_doubled, 0)) >> die) & twice_free
        thrice = (twice >> die) & thrice_free
        hits = (once | twice | thrice | ((thrice >> die) & one)) & blots
        shots = select(hits != 0, shots + 1, shots)
        points = points + length(hits)
        rear_twice = (((rear >> die) & free) >> die) & free
        rear_thrice = (rear_twice >> die) & free
        past = (rear_twice | rear_thrice | (rear_thrice >> die)) & beyond
        escapes = select(past != 0, escapes + 1, escapes)
    more_shots, more_points, more_escapes = _unequal(blots, rear, free, beyond, sets)
    shots = shots + (more_shots << 1)
    points = points + (more_points << 1)
    return shots, points - shots, escapes + (more_escapes << 1), moves


@kernel(inline=True)
def _count(c0: UInt32x16, c1: UInt32x16, c2: UInt32x16, c3: UInt32x16, places: UInt32x16) -> UInt32x16:
    """Return how many checkers stand on some places, given the bit planes of the counts."""
    total: UInt32x16 = ones(c0 & places) + (ones(c1 & places) << 1)
    total = total + (ones(c2 & places) << 2) + (ones(c3 & places) << 3)
    return total


@kernel(inner=True)
def _side(
    c0: UInt32x16, c1: UInt32x16, c2: UInt32x16, c3: UInt32x16, mine: UInt32x16,
    numbers: Int16Vector, at: int, sets: UInt32Vector,
) -> None:  # fmt: skip
    """Write the numbers of one side.

    Args:
        c0: bit 0 of the counts of both sides, in this side's numbering.
        c1: bit 1 of the counts.
        c2: bit 2 of the counts.
        c3: bit 3 of the counts.
        mine: places without a checker of the other side.
        numbers: int16, written.
        at: offset of the side's numbers.
        sets: see `SETS`.
    """
    several = c1 | c2 | c3
    held = (c0 | several) & mine
    made = several & mine & _POINTS
    their = (c0 | several) & ~mine
    free = ~(several & ~mine) & _POINTS
    # The opponent's rearmost place, or the own bar if the opponent has no checker left.
    low = (their | _BAR) & -(their | _BAR)
    first_their = length(low) - 1
    last = length(held | 1) - 1
    rear = filled(np.uint32(1), 16) << last
    contact = select(last > first_their, last - first_their, 0)
    bar = _count(c0, c1, c2, c3, held & _BAR)
    shots, loss, escapes, moves = _rolls(held, bar, free, their & free, rear, sets)
    run = made
    longest = filled(np.uint32(0), 16)
    for _ in range(CHECKERS // 2):
        longest = select(run != 0, longest + 1, longest)
        run = run & (run >> 1)
    past = ~(low | (low - 1)) & held  # the places above `low`
    behind = _count(c0, c1, c2, c3, past)
    ahead = (low << 7) - (low << 1)
    anchor = select((made & _HOME_OF_OPPONENT) != 0, filled(np.uint32(1), 16), 0)
    store(numbers, at + AT.shots * AT_ONCE, as_int16(shots))
    store(numbers, at + AT.loss * AT_ONCE, as_int16(loss))
    store(numbers, at + AT.escape * AT_ONCE, as_int16(select(contact > 0, escapes, 36)))
    store(numbers, at + AT.prime * AT_ONCE, as_int16(longest))
    store(numbers, at + AT.block * AT_ONCE, as_int16(ones(made & ahead)))
    store(numbers, at + AT.contact * AT_ONCE, as_int16(contact))
    store(numbers, at + AT.behind * AT_ONCE, as_int16(behind))
    store(numbers, at + AT.mobility * AT_ONCE, as_int16(moves))
    store(numbers, at + AT.anchor * AT_ONCE, as_int16(anchor))


@kernel(inner=True)
def tactics(sets: UInt32Vector, numbers: Int16Vector) -> None:
    """Write the numbers of sixteen positions.

    Args:
        sets: uint32 [`SETS`], the planes of the positions, followed by scratch.
        numbers: int16 [T, 16], flat: each number for all sixteen positions; the numbers of the
            player on roll come first.
    """
    c0, c1 = load(sets, 0, 16), load(sets, AT_ONCE, 16)
    c2, c3 = load(sets, 2 * AT_ONCE, 16), load(sets, 3 * AT_ONCE, 16)
    their = load(sets, 4 * AT_ONCE, 16)
    _side(c0, c1, c2, c3, ~their, numbers, 0, sets)
    c0, c1, c2, c3 = turned(c0), turned(c1), turned(c2), turned(c3)
    _side(c0, c1, c2, c3, turned(their), numbers, _SIDE * AT_ONCE, sets)


@kernel()
def _tactics_of_each(
    states: Rows, numbers: Int16Vector, counts: Int8Vector, sets: UInt32Vector, out: Float32Matrix
) -> None:
    for block in range(0, states.shape[0], AT_ONCE):
        several = min(AT_ONCE, states.shape[0] - block)
        for k in range(several):
            for place in range(SIZE):
                counts[place] = states[block + k, place]
            write_planes(counts, 0, k, sets)
        tactics(sets, numbers)
        for k in range(several):
            for t in range(N_TACTICS):
                out[block + k, t] = np.float32(numbers[t * AT_ONCE + k]) * _SCALES[t]


def tactics_of(states: Rows) -> Float32Matrix:
    """Return the features of positions int8 [N, 26], float32 [N, T]: the player's, then the opponent's."""
    out = np.empty((len(states), N_TACTICS), np.float32)
    numbers, counts = np.empty(N_TACTICS * AT_ONCE, np.int16), np.zeros(32, np.int8)
    sets = np.zeros(SETS, np.uint32)
    _tactics_of_each(np.ascontiguousarray(states), numbers, counts, sets, out)
    return out
