"""The cube in races that no table covers: their value is taken from a race of two checkers.

Two facts matter in such a race: how likely the player on roll is to win, and how many rolls
remain in which that can change. So a side that needs m rolls on average is replaced by one
checker that needs as many. Among the races of two checkers with that length, one is won with the
same probability. Its exact value with the cube serves as the value of the position.

    two checkers [128, 3, 65]   the value of rolling now to the player on roll for money, in
                                points per unit of the cube: by the mean rolls of both sides
                                together, from 2 on in quarters; by the owner of the cube, as in
                                the table with the cube of `gammon.eval.bearoff`; and by the
                                chance to win, in 64ths

This table follows the table with the cube, and is the last one.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Vector, Float64Matrix, Float64Vector
from gammon.eval.bearoff import N_NUMBERS, N_OWNERS, N_WITH_CUBE
from gammon.rules.dice import HIGH, LOW, N_ROLLS, WEIGHTS

#: Mean rolls of both sides together in the first row of the table, and their step per row; the
#: number of rows, and of chances in each.
_FIRST, _STEP, _LENGTHS, _WINS = 2.0, 0.25, 128, 65
#: Numbers in the table: whole lines of 64 bytes.
N_TWO_CHECKERS = _LENGTHS * N_OWNERS * _WINS
#: Numbers in all tables.
N_TABLES = N_NUMBERS + N_WITH_CUBE + N_TWO_CHECKERS
#: The largest distance of a checker, in pips: as good as lost in the longest races.
_FAR = 190
_PARTS = np.array(WEIGHTS, np.int64)


@kernel(inner=True)
def _pips_of(roll: int) -> int:
    """Return how many pips a roll moves a checker."""
    pips = int(HIGH[roll] + LOW[roll])
    return 2 * pips if HIGH[roll] == LOW[roll] else pips


@kernel(inner=True)
def _write_mean_rolls(means: Float64Vector) -> None:
    """Write the mean number of rolls that a checker needs, by its pips."""
    for pips in range(1, means.shape[0]):
        rolls = 36.0
        for roll in range(N_ROLLS):
            rolls += _PARTS[roll] * means[max(pips - _pips_of(roll), 0)]
        means[pips] = rolls / 36.0


@kernel(inner=True, allocates=True)
def _write_races(wins: Float64Matrix, rolled: Float64Matrix) -> None:
    """Write the values of the races of two checkers to the player on roll.

    Args:
        wins: float64 [P, P], zeros: the chances to win, by the pips of both sides.
        rolled: float64 [3 P, P]: values of rolling, by the owner of the cube and the pips.
    """
    size = wins.shape[0]
    before = np.empty(rolled.shape, np.float64)  # values before a turn, which may begin with a double
    for total in range(2, 2 * size - 1):
        for own in range(max(total - size + 1, 1), min(total, size)):
            their = total - own
            for owner in range(N_OWNERS):
                rolled[owner * size + own, their] = 0.0
            for roll in range(N_ROLLS):
                left, share = own - _pips_of(roll), _PARTS[roll] / 36.0
                wins[own, their] += share if left <= 0 else share * (1.0 - wins[their, left])
                for owner in range(N_OWNERS):
                    worth = 1.0
                    if left > 0:
                        worth = -before[(N_OWNERS - 1 - owner) * size + their, left]
                    rolled[owner * size + own, their] += share * worth
            doubled = min(2.0 * rolled[(N_OWNERS - 1) * size + own, their], 1.0)
            for owner in range(N_OWNERS):
                worth = rolled[owner * size + own, their]
                if owner < N_OWNERS - 1:
                    worth = max(worth, doubled)
                before[owner * size + own, their] = worth


@kernel(inner=True, allocates=True)
def fill_two_checkers(out: Float32Vector) -> None:
    """Write the table of two checkers: float32 [`N_TWO_CHECKERS`]."""
    size = _FAR + 1
    means, wins = np.zeros(size, np.float64), np.zeros((size, size), np.float64)
    rolled = np.empty((N_OWNERS * size, size), np.float64)
    _write_mean_rolls(means)
    _write_races(wins, rolled)
    for length in range(_LENGTHS):
        rolls = _FIRST + _STEP * length
        # From races that are surely won to races that are surely lost.
        win, worth, their = 1.0, np.ones(N_OWNERS, np.float64), size - 2
        begin = length * N_OWNERS * _WINS
        place = _WINS - 1
        for own in range(1, size + 1):
            next_win, next_worth = 0.0, np.full(N_OWNERS, -1.0)
            if own < size and rolls - means[own] >= 1.0:
                left = rolls - means[own]
                if left > means[size - 1]:
                    continue
                while means[their] > left:
                    their -= 1
                part = (left - means[their]) / (means[their + 1] - means[their])
                next_win = _between(wins[own], their, part)
                if next_win >= win:
                    continue
                for owner in range(N_OWNERS):
                    next_worth[owner] = _between(rolled[owner * size + own], their, part)
            while place >= 0 and place >= next_win * (_WINS - 1):
                share = (win - place / (_WINS - 1)) / (win - next_win)
                for owner in range(N_OWNERS):
                    value = worth[owner] + share * (next_worth[owner] - worth[owner])
                    out[begin + owner * _WINS + place] = value
                place -= 1
            if next_win == 0.0:
                break
            win, worth = next_win, next_worth


@kernel(inner=True)
def _between(numbers: Float64Vector, at: int, part: float) -> float:
    """Interpolate linearly between two neighbouring numbers."""
    found: float = numbers[at] + part * (numbers[at + 1] - numbers[at])
    return found


@kernel(inner=True)
def with_two_checkers(rolls: float, win: float, tables: Float32Vector, at: int, out: Float32Vector) -> None:
    """Write the value of rolling for each owner of the cube, from a race of two checkers.

    Args:
        rolls: mean number of rolls that both sides need, added up.
        win: the chance of the player on roll to win, from 0 to 1.
        tables: the vector that holds the table, flat.
        at: offset of the table.
        out: float32 [3]: the player on roll owns the cube, it is centred, the opponent owns it.
    """
    length = min(max((rolls - _FIRST) / _STEP, 0.0), _LENGTHS - 1.001)
    chance = min(max(win * (_WINS - 1), 0.0), _WINS - 1.001)
    row, column = int(length), int(chance)
    part, share = length - row, chance - column
    for owner in range(N_OWNERS):
        first = at + (row * N_OWNERS + owner) * _WINS + column
        second = first + N_OWNERS * _WINS
        low = tables[first] + share * (tables[first + 1] - tables[first])
        high = tables[second] + share * (tables[second + 1] - tables[second])
        out[owner] = low + part * (high - low)
