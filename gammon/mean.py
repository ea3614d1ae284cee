"""The mean of a sample, and how far off it may be."""

import numpy as np
import numpy.typing as npt

__all__ = ["mean_and_error"]


def mean_and_error(values: npt.ArrayLike) -> tuple[float, float]:
    """Return the mean of N independent values, and its standard error (nan if N is 1)."""
    array = np.asarray(values, np.float64)
    n = len(array)
    error = float(array.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan")
    return float(array.mean()), error
