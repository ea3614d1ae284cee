"""The mean of a sample, its standard error and its confidence interval."""

from functools import cache

import numpy as np
import numpy.typing as npt

#: Half the width of a 95 % confidence interval, in standard errors, for large samples.
REACH = 1.96
#: With fewer values, no standard error is reported.
FEW = 10


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
