"""Estimates from trials, for Python, C and JavaScript: means, errors, and the best candidate.

Trials come in blocks of 36, and every first throw of two dice occurs once in each block. So the
differences between first throws add nothing to the error of a mean. The error follows from the
variance within the 36 *strata*: a stratum is all trials with the same first throw. Two
candidates are compared by the differences of their trials, in which both had the same dice
(*common random numbers*), so that a part of the errors cancels.
"""

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.mean import REACH
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Matrix, Float64Vector, Int64Vector
from gammon.core.level import BLOCK

#: A float that may be infinite or nan; in JSON it is null then.
Open = Annotated[float, None]

#: Equities that differ by less count as equal: final values of games are float32.
EQUAL = 1e-5
#: A smaller standard error counts as zero.
ROUNDING = 1e-9
#: The columns that `judge` writes for a candidate.
MEAN, ERROR, BEHIND, BEHIND_ERROR, JSD, RANK = range(6)
N_JUDGED = 6
#: Scratch rows after the rows of the candidates.
N_WORK = 3
#: Up to this many numbers are summed without a split; see `_sum`.
_AT_ONCE, _LANES = 128, 8


class Estimate(NamedTuple):
    """A mean of trials.

    Attributes:
        mean: the mean; nan without trials.
        error: its standard error; nan without trials.
    """

    mean: Open
    error: Open

    @property
    def interval(self) -> tuple[Open, Open]:
        """The ends of the 95 % confidence interval."""
        return self.mean - REACH * self.error, self.mean + REACH * self.error


@kernel(inner=True)
def _sum(numbers: Float64Vector, first: int, n: int) -> float:
    """Return the sum of n consecutive numbers, by pairwise summation, which loses few digits.

    The order is numpy's, so a mean equals numpy's mean to the last bit.
    """
    if n > _AT_ONCE:
        half = n // 2
        half -= half % _LANES
        return float(_sum(numbers, first, half) + _sum(numbers, first + half, n - half))
    end = first + n - n % _LANES
    total = 0.0
    if n >= _LANES:
        a, b, c, d = numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3]
        e, f, g, h = (numbers[first + 4], numbers[first + 5], numbers[first + 6], numbers[first + 7])
        for k in range(first + _LANES, end, _LANES):
            a += numbers[k]
            b += numbers[k + 1]
            c += numbers[k + 2]
            d += numbers[k + 3]
            e += numbers[k + 4]
            f += numbers[k + 5]
            g += numbers[k + 6]
            h += numbers[k + 7]
        total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for k in range(end, first + n):
        total += numbers[k]
    return total


@kernel()
def mean_and_error(numbers: Float64Vector) -> tuple[float, float]:
    """Return the mean of trials and its standard error; nan without trials.

    Args:
        numbers: float64 [n], n a multiple of 36; overwritten. With a single block the variance
            within strata is unknown, and the variance of all trials takes its place.
    """
    n = numbers.shape[0]
    if n == 0:
        return np.nan, np.nan
    blocks, mean = n // BLOCK, _sum(numbers, 0, n) / n
    if blocks == 1:
        for i in range(n):
            numbers[i] = (numbers[i] - mean) * (numbers[i] - mean)
        return mean, np.sqrt(_sum(numbers, 0, n) / (n - 1) / n)
    for face in range(BLOCK):
        total, squares = 0.0, 0.0
        for block in range(blocks):
            total += numbers[block * BLOCK + face]
        for block in range(blocks):
            apart = numbers[block * BLOCK + face] - total / blocks
            squares += apart * apart
        numbers[face] = squares / (blocks - 1)
    return mean, np.sqrt(_sum(numbers, 0, BLOCK) / BLOCK / n)


def estimate(values: npt.NDArray[np.float64]) -> Estimate:
    """Return the mean of the trials 0..n-1, and its standard error.

    Args:
        values: float64 [n], n a multiple of 36; see `mean_and_error`.
    """
    return Estimate(*mean_and_error(np.array(values, np.float64)))


@kernel(inner=True)
def _difference(values: Float64Matrix, better: int, worse: int, n: int, unit: float) -> tuple[float, float]:
    """Return the mean difference of two rows of trials in units, and its standard error."""
    work = values[values.shape[0] - 1, :n]
    for i in range(n):
        work[i] = values[better, i] / unit - values[worse, i] / unit
    return mean_and_error(work)


@kernel(inner=True)
def _apart(values: Float64Matrix, better: int, worse: int, n: int, unit: float) -> float:
    """Return the mean difference of two rows of trials in standard errors of the difference.

    It is infinite if all trials differ by the same amount, and 0 if the means are equal. (The
    *joint standard deviation*, JSD, of other programs is for candidates with different dice.)
    """
    mean, error = _difference(values, better, worse, n, unit)
    if abs(mean) < EQUAL:
        return 0.0
    return mean / error if error > ROUNDING else np.copysign(np.inf, mean)


@kernel(inner=True)
def _mean(values: Float64Matrix, row: int, n: int) -> float:
    return _sum(values[row], 0, n) / n


@kernel(inner=True)
def _write_ranks(playing: Int64Vector, table: Float64Matrix) -> int:
    """Rank the candidates still playing by their means, and return the best one."""
    best = 0
    for c in range(playing.shape[0]):
        rank = 0
        for other in range(playing.shape[0]):
            ahead = table[other, MEAN] > table[c, MEAN]
            ahead |= other < c and table[other, MEAN] == table[c, MEAN]
            rank += int(ahead and playing[other] != 0)
        table[c, RANK] = rank
        if playing[c] != 0 and rank == 0:
            best = c
    return best


@kernel(inner=True)
def _write_doubled(values: Float64Matrix, n: int, cash: float, beavers: bool) -> None:
    """Write the trials of a double with the correct answer, and of a double that is passed."""
    row = values.shape[0] - N_WORK
    taken = _mean(values, 1, n)
    for i in range(n):
        values[row + 1, i] = cash
        values[row, i] = 2.0 * values[1, i] if beavers and taken < 0.0 else values[1, i]
        if taken >= cash:
            values[row, i] = cash


@kernel()
def judge(
    values: Float64Matrix, trials: Int64Vector, playing: Int64Vector, unit: float,
    cash: float, beavers: bool, table: Float64Matrix,
) -> float:  # fmt: skip
    """Compare the candidates of a decision, and return how clear the decision is.

    For plays, the clearness is the smallest lead of the best play over another one, both still
    playing. For the cube, two comparisons count: whether to double, and how to answer.

    Args:
        values: float64 [C + 3, N], the trials of each candidate, to the player who decides;
            the last 3 rows are scratch.
        trials: int64 [C], the trials of each candidate so far, multiples of 36.
        playing: int64 [C], 1 if the candidate is still played, 0 if it was dropped.
        unit: the difference in value that is an equity of 1.
        cash: for a cube decision, with the candidates no double and double/take: the value of
            a double that is passed. For plays, nan.
        beavers: whether the opponent may beaver.
        table: float64 [C, 6], to be written for each candidate: its mean; the standard error;
            how much less it is worth than the correct decision, by their common trials; the
            standard error of this difference; this difference of equities in standard errors;
            and how many candidates still playing are better.

    Returns:
        The clearness, in standard errors of differences; 0 if there is nothing to compare.
    """
    count, work = trials.shape[0], values.shape[0] - 1
    for c in range(count):
        for i in range(trials[c]):
            values[work, i] = values[c, i]
        table[c, MEAN], table[c, ERROR] = mean_and_error(values[work, : trials[c]])
    best = _write_ranks(playing, table)
    right, n = best, trials[best]
    about_cube = not np.isnan(cash)
    clear, compared = np.inf, about_cube
    if about_cube:
        n, doubled = trials[1], count
        _write_doubled(values, n, cash, beavers)
        clear = min(clear, abs(_apart(values, 0, doubled, n, unit)))
        clear = min(clear, abs(_apart(values, 1, doubled + 1, n, unit)))
        if beavers:  # a beaver is correct where a take is worth less than 0 to the player
            for i in range(n):
                values[doubled + 1, i] = 0.0
            clear = min(clear, abs(_apart(values, 1, doubled + 1, n, unit)))
        right = doubled if _mean(values, doubled, n) > table[0, MEAN] else 0
    for c in range(count):
        both = min(n, trials[c])
        mean, error = _difference(values, right, c, both, 1.0)
        table[c, BEHIND], table[c, BEHIND_ERROR] = mean, error
        table[c, JSD] = _apart(values, right, c, both, unit)
        if not about_cube and c != best and playing[c] != 0:
            clear, compared = min(clear, table[c, JSD]), bool(1)
    return clear if compared else 0.0
