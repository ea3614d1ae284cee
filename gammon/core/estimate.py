"""Estimates from trials: means, their standard errors, and how far two candidates are apart.

Trials come in blocks of 36, in each of which every first roll of two dice comes once. So the
differences between first rolls add nothing to the error of a mean: it follows from the variance
within the 36 *strata*, the trials with one first roll.
"""

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.mean import REACH
from gammon.core.level import BLOCK

#: It may be infinite, or not a number: in JSON that is null.
Open = Annotated[float, None]
Values = npt.NDArray[np.float64]

#: Equities that differ by less are equal: the values that games end with have 24 bits.
EQUAL = 1e-5
#: A smaller standard error is none.
ROUNDING = 1e-9


class Estimate(NamedTuple):
    """A mean of trials.

    Attributes:
        mean: the mean.
        error: its standard error; nan without trials.
    """

    mean: Open
    error: Open

    @property
    def interval(self) -> tuple[Open, Open]:
        """The bounds between which the truth lies with a chance of 95 %."""
        return self.mean - REACH * self.error, self.mean + REACH * self.error


def estimate(values: Values) -> Estimate:
    """Return the mean of the trials 0..n-1, and its standard error.

    Args:
        values: float64 [n], n a multiple of 36. With a single block nothing is known of the
            variance within strata, and that of all trials takes its place.
    """
    n = len(values)
    if n == 0:
        return Estimate(float("nan"), float("nan"))
    blocks = values.reshape(-1, BLOCK)
    variance = values.var(ddof=1) if len(blocks) == 1 else blocks.var(axis=0, ddof=1).mean()
    return Estimate(float(values.mean()), float(np.sqrt(variance / n)))


def difference(better: Values, worse: Values) -> Estimate:
    """Return how much more one candidate is worth than another, by the trials of both.

    The difference is that of each trial, in which both had the same dice: a part of the errors
    cancels.

    Args:
        better: float64 [n], the trials of a candidate.
        worse: float64 [m], those of another one, which may have had fewer, or more.
    """
    common = min(len(better), len(worse))
    return estimate(better[:common] - worse[:common])


def jsd_apart(better: Values, worse: Values) -> float:
    """Return by how many standard errors of their difference one candidate beats another.

    (The *joint standard deviation*, JSD, of other programs is that of two candidates with dice
    of their own.)

    Args:
        better: as for `difference`, in equity.
        worse: as there.

    Returns:
        Infinity where all trials differ alike; 0 where the means are equal.
    """
    mean, error = difference(better, worse)
    if abs(mean) < EQUAL:
        return 0.0
    return mean / error if error > ROUNDING else float(np.copysign(np.inf, mean))
