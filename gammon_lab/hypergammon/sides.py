"""The sides of hypergammon, and what each becomes with each roll.

A *side* is the checkers of one player on 26 places, in that player's numbering: 0 is off, 1 to 24
are the points, 25 is the bar. Sides are numbered in order of their pips, so that all sides with
equally many pips are neighbours, and side 0 has borne off all checkers.

The side that waits can block at most one point, since it has three checkers at most. So the plays
of a side and a roll are listed once for each point that may be blocked. A play has the points on
which its checkers land: those with a blot are hit.
"""

from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.checks import is_whole, shown
from gammon.base.errors import SettingError
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Int8Matrix, Int8Vector, Int16Vector, Int64Matrix, Int64Vector
from gammon.compiled.vector import lowest
from gammon.rules.board import OWN_BAR, SIZE
from gammon.rules.dice import HIGH, LOW, N_ROLLS

#: The most checkers of a side; more could block two points.
MOST_CHECKERS = 3
#: For each side: lists of plays by the blocked point (0 for none) and the roll.
N_LISTS = OWN_BAR * N_ROLLS
#: A play while lists are made: the number of the side after it, and above these bits the set of
#: points on which checkers land.
_SIDE_BITS = 16
#: A finished play: the row of the waiting side after hits, and above these bits the row of the
#: side that has played; see `Plays`.
ROW_BITS = 32
#: Sequences of four moves by three checkers: room for a list before duplicates are dropped.
_MOST_SEQUENCES = 128
#: Room for all lists of a side.
_MOST_PLAYS = 40 * N_LISTS
_HOME = 6


def _binomials() -> npt.NDArray[np.int64]:
    """Return C(n, k) for n up to 28 and k up to 3."""
    table = np.zeros((SIZE + MOST_CHECKERS, MOST_CHECKERS + 1), np.int64)
    table[:, 0] = 1
    for n in range(1, len(table)):
        table[n, 1:] = table[n - 1, 1:] + table[n - 1, :-1]
    return table


CHOOSE = _binomials()


def checked_checkers(checkers: object) -> int:
    """Return a number of checkers a side.

    Raises:
        SettingError: it is not 1, 2 or 3.
    """
    if isinstance(checkers, int) and is_whole(checkers, 1, MOST_CHECKERS):
        return checkers
    raise SettingError(f"checkers {shown(checkers)}: expected a whole number, 1 to {MOST_CHECKERS}")


class Sides(NamedTuple):
    """All sides of a number of checkers, S of them.

    Attributes:
        counts: int8 [S, 26], the checkers on each place.
        groups: int64 [25 C + 2], where the sides of 0, 1, 2, ... pips begin.
        number: int64 [S], the number of a side by its rank (`rank_of_places`).
        points: int64 [S], the set of points that a side occupies, in its numbering.
        seen: int64 [S], the same set in the other player's numbering.
        blots: int64 [S], the set of points with one checker, in the other player's numbering.
        blocked: int64 [S], the point with two or more, in the other player's numbering; 0 for none.
        hit: int64 [S, 26], the side after the blot on a point, in the other player's numbering,
            is put on the bar.
        lost: int64 [S], the points that the side loses if the game ends now: 1, 2 or 3.
    """

    counts: Int8Matrix
    groups: Int64Vector
    number: Int64Vector
    points: Int64Vector
    seen: Int64Vector
    blots: Int64Vector
    blocked: Int64Vector
    hit: Int64Matrix
    lost: Int64Vector


@kernel(inner=True)
def rank_of_places(counts: Int8Vector) -> int:
    """Return the colexicographic rank of a side among all sides with as many checkers.

    Args:
        counts: int8 [26], the checkers on each place; off counts, too.
    """
    rank = 0
    checkers = 0
    for place in range(SIZE):
        for _ in range(counts[place]):
            rank += CHOOSE[place + checkers, checkers + 1]
            checkers += 1
    return rank


@kernel()
def number_sides(counts: Int8Matrix, number: Int64Vector) -> None:
    """Write the number of each side by its rank."""
    for side in range(counts.shape[0]):
        number[rank_of_places(counts[side])] = side


@cache
def sides_of(checkers: int) -> Sides:
    """Return all sides with this number of checkers.

    Raises:
        SettingError: see `checked_checkers`.
    """
    checkers = checked_checkers(checkers)
    places = sorted(combinations_with_replacement(range(SIZE), checkers), key=lambda at: (sum(at), at))
    counts = np.array([np.bincount(at, minlength=SIZE) for at in places], np.int8)
    pips = counts.astype(np.int64) @ np.arange(SIZE)
    number = np.empty(len(counts), np.int64)
    number_sides(counts, number)
    by_places = {at: side for side, at in enumerate(places)}
    hit = np.tile(np.arange(len(counts))[:, None], SIZE)
    for side, at in enumerate(places):
        for place in at:
            if 0 < place < OWN_BAR:
                rest = list(at)
                rest.remove(place)
                hit[side, OWN_BAR - place] = by_places[tuple(sorted([*rest, OWN_BAR]))]
    inside = counts[:, 1:OWN_BAR].astype(np.int64)
    bit = np.int64(1) << np.arange(1, OWN_BAR)
    made = inside[:, ::-1] >= 2
    behind = (counts[:, OWN_BAR - _HOME :] > 0).any(axis=1)
    return Sides(
        counts,
        np.searchsorted(pips, np.arange(OWN_BAR * checkers + 2)),
        number,
        (inside > 0) @ bit,
        (inside[:, ::-1] > 0) @ bit,
        (inside[:, ::-1] == 1) @ bit,
        np.where(made.any(axis=1), made.argmax(axis=1) + 1, 0),
        hit,
        np.where(counts[:, 0] > 0, 1, 2 + behind),
    )


@kernel(inner=True)
def _sequences(
    counts: Int8Vector,
    first: int,
    second: int,
    left: int,
    blocked: int,
    landed: int,
    made: int,
    number: Int64Vector,
    ends: Int64Matrix,
    n: int,
) -> int:
    """Write the end of each sequence of moves that cannot be made longer.

    Args:
        counts: int8 [26], the side; restored.
        first: the die of the next move.
        second: the die of the move after it, and so on in turn.
        left: how many moves are left.
        blocked: the point on which no checker may land, 0 for none.
        landed: the set of points on which checkers have landed so far.
        made: how many moves have been made.
        number: see `Sides`.
        ends: int64 [_MOST_SEQUENCES, 2], written: how many moves were made, and the play.
        n: how many ends are written.

    Returns:
        The new number of ends.
    """
    stuck = True
    rear = OWN_BAR
    while rear > 0 and counts[rear] == 0:
        rear -= 1
    if left > 0:
        last = OWN_BAR if rear == OWN_BAR else 1
        for source in range(rear, last - 1, -1):
            target = source - first
            if counts[source] == 0 or (target > 0 and target == blocked):
                continue
            if target <= 0 and (rear > _HOME or (target < 0 and source != rear)):
                continue
            stuck = False
            target = max(target, 0)
            counts[source] -= 1
            counts[target] += 1
            touched = landed | 1 << target if target > 0 else landed
            n = _sequences(counts, second, first, left - 1, blocked, touched, made + 1, number, ends, n)
            counts[source] += 1
            counts[target] -= 1
    if stuck:
        ends[n, 0] = made
        ends[n, 1] = landed << _SIDE_BITS | number[rank_of_places(counts)]
        n += 1
    return n


@kernel(allocates=True)
def list_plays(counts: Int8Vector, number: Int64Vector, starts: Int64Vector, plays: Int64Vector) -> int:
    """Write the plays of a side with each roll and each blocked point.

    Args:
        counts: int8 [26], the side; restored.
        number: see `Sides`.
        starts: int64 [N_LISTS + 1], written: where the list of blocked point b and roll r begins,
            at index 21 b + r.
        plays: int64 [_MOST_PLAYS], written.

    Returns:
        The number of plays. A list of a point that the side itself occupies is empty.
    """
    ends = np.empty((_MOST_SEQUENCES, 2), np.int64)
    total = 0
    for blocked in range(OWN_BAR):
        for roll in range(N_ROLLS):
            begin = total
            starts[N_ROLLS * blocked + roll] = begin
            if blocked > 0 and counts[blocked] > 0:
                continue
            high, low = HIGH[roll], LOW[roll]
            first = n = 0
            if high == low:
                n = _sequences(counts, high, high, 4, blocked, 0, 0, number, ends, 0)
            else:
                first = _sequences(counts, high, low, 2, blocked, 0, 0, number, ends, 0)
                n = _sequences(counts, low, high, 2, blocked, 0, 0, number, ends, first)
            most = 0
            for k in range(n):
                most = max(most, ends[k, 0])
            if high != low and most == 1 and ends[0, 0] == 1:
                n = first  # only one die can be played: the larger, since it can be
            for k in range(n):
                fresh = ends[k, 0] == most
                for at in range(begin, total):
                    fresh = fresh and plays[at] != ends[k, 1]
                if fresh:
                    plays[total] = ends[k, 1]
                    total += 1
    starts[N_LISTS] = total
    return total


class Plays(NamedTuple):
    """The plays of all sides with all rolls.

    Attributes:
        starts: int64 [S, N_LISTS + 1], where the lists of a side begin; see `list_plays`.
        plays: int64 [P]. The bits from 32 on are S times the side after the play. The lower bits
            are S times the index of a set of points on which the checkers land.
        waiting: int16 [H * S], for each such set the number of each waiting side after its blots
            on these points are hit.
    """

    starts: Int64Matrix
    plays: Int64Vector
    waiting: Int16Vector


@kernel()
def hit_sides(sets: Int64Vector, blots: Int64Vector, hit: Int64Matrix, waiting: Int16Vector) -> None:
    """Write the waiting sides after hits; see `Plays`.

    Args:
        sets: int64 [H], sets of points.
        blots: int64 [S], see `Sides`.
        hit: int64 [S, 26], see `Sides`.
        waiting: int16 [H * S], written.
    """
    n = blots.shape[0]
    for k in range(sets.shape[0]):
        for side in range(n):
            after = side
            met = sets[k] & blots[side]
            while met:
                after = hit[after, lowest(met)]
                met &= met - 1
            waiting[n * k + side] = after


@cache
def plays_of(checkers: int) -> Plays:
    """Return the plays of all sides with this number of checkers.

    Raises:
        SettingError: see `checked_checkers`.
    """
    sides = sides_of(checkers)
    n = len(sides.counts)
    starts = np.empty((n, N_LISTS + 1), np.int64)
    buffer = np.empty(_MOST_PLAYS, np.int64)
    parts, total = [], 0
    for side, counts in enumerate(sides.counts):
        many = list_plays(counts, sides.number, starts[side], buffer)
        parts.append(buffer[:many].copy())
        starts[side] += total
        total += many
    plays = np.concatenate(parts)
    sets, index = np.unique(plays >> _SIDE_BITS, return_inverse=True)
    waiting = np.empty(len(sets) * n, np.int16)
    hit_sides(sets, sides.blots, sides.hit, waiting)
    after = plays & ((1 << _SIDE_BITS) - 1)
    return Plays(starts, (n * after) << ROW_BITS | n * index, waiting)


@kernel(inline=True)
def place_after(play: int, side: int, waiting: Int16Vector) -> np.uint64:
    """Return the index in arrays by both sides of the position after a play; see `Plays`.

    Unsigned, since a compiled index without a sign takes no check for counting from the end.

    Args:
        play: one of `Plays.plays`.
        side: the number of the waiting side.
        waiting: as in `Plays`.
    """
    hit = np.uint64(play & ((1 << ROW_BITS) - 1)) + np.uint64(side)
    return np.uint64(play >> ROW_BITS) + np.uint64(waiting[hit])
