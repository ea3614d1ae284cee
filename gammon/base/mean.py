"""The mean of a sample, its standard error and its confidence interval."""

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

#: Half the width of a 95 % confidence interval, in standard errors, for large samples.
REACH = 1.96
#: With fewer values, no standard error is reported.
FEW = 10
#: With fewer units, a ratio of totals has no interval.
_FEWEST = 3
#: A smaller skewness is taken for 0.
_SYMMETRIC = 1e-6


def mean_and_error(values: npt.ArrayLike) -> tuple[float, float]:
    """Return the mean of N independent values, and its standard error (nan if N is 1)."""
    array = np.asarray(values, np.float64)
    n = len(array)
    error = float(array.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan")
    return float(array.mean()), error


def mean_and_told_error(values: npt.ArrayLike) -> tuple[float, float | None]:
    """Return the mean of N independent values, and its standard error; None if N < `FEW`."""
    mean, error = mean_and_error(values)
    return mean, error if np.size(values) >= FEW else None


@cache
def t_quantile(degrees: int) -> float:
    """Return half the width of a 95 % confidence interval, in standard errors (Student's t).

    With t = sqrt(degrees) tan(angle), the density of the angle is cos(angle)^(degrees - 1).

    Args:
        degrees: degrees of freedom, 1 or more.
    """
    # With many degrees, all but 1e-30 of the chance is within 12 standard errors.
    angles = np.linspace(0.0, min(np.pi / 2, 12 / np.sqrt(degrees)), 20_001)
    density = np.cos(angles) ** (degrees - 1)
    chances = np.cumsum(density[1:] + density[:-1])
    angle = np.interp(0.95 * chances[-1], chances, angles[1:])
    return float(np.sqrt(degrees) * np.tan(angle))


def told_margin(values: npt.ArrayLike) -> float:
    """Return half the width of the 95 % confidence interval of a mean of N values; 0 if N < `FEW`."""
    error = mean_and_told_error(values)[1]
    return 0.0 if error is None else t_quantile(np.size(values) - 1) * error


def ratio_and_error(sums: npt.ArrayLike, counts: npt.ArrayLike) -> tuple[float, float]:
    """Return a ratio of two totals over N independent units, and its standard error (nan if N is 1).

    The ratio is linearized: to first order it has the error of the mean of one number for each unit.

    Args:
        sums: the numerators of N units.
        counts: the denominators of these units.
    """
    x, n = np.asarray(sums, np.float64), np.asarray(counts, np.float64)
    ratio = float(x.sum() / n.sum())
    return mean_and_error(ratio + (x - ratio * n) / n.mean())


class Interval(NamedTuple):
    """A figure with its 95 % confidence interval.

    Attributes:
        value: the figure.
        low: the lower end of the interval.
        high: the upper end.
    """

    value: float
    low: float
    high: float


def ratio_interval(sums: npt.ArrayLike, counts: npt.ArrayLike, scale: float = 1.0) -> Interval | None:
    """Return a ratio of two totals over N units whose numerators may be skewed.

    The ratio is linearized (Cochran, Sampling Techniques, chapter 6); the units, such as matches, are
    drawn independently. Each end of the interval is the farther one of two: Student's, and the one with
    Hall's correction for skewness (Hall 1992, On the removal of skewness by transformation).

    Args:
        sums: the numerators of N units.
        counts: the denominators of these units.
        scale: what the ratio is multiplied by.

    Returns:
        The interval; None with fewer than three units, or if they do not differ.
    """
    x, n = np.asarray(sums, np.float64), np.asarray(counts, np.float64)
    units = len(x)
    if units < _FEWEST or n.sum() <= 0.0:
        return None
    ratio = float(x.sum() / n.sum())
    off = (x - ratio * n) / n.mean()
    error, reach = float(off.std(ddof=1)), t_quantile(units - 1) / units**0.5
    if error == 0.0:
        return None
    skew = float(np.mean(off**3)) / error**3
    ends = []
    for side in (-reach, reach):
        hall = side
        if abs(skew) > _SYMMETRIC:
            hall = -3.0 / skew * (np.cbrt(1.0 - skew * (side + skew / (6 * units))) - 1.0)
        ends.append(ratio + error * (max if side > 0.0 else min)(side, float(hall)))
    return Interval(scale * ratio, scale * ends[0], scale * ends[1])
