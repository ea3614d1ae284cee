"""Vector functions for the rows of a matrix: eight at a time, a lane of each vector for one.

A loop over rows takes its columns out of them, computes with these in lanes of float64, and
writes a number for each row:

    for first in range(0, n, EIGHT):
        sums = as_float64(column(rows, first, n, 0)) + as_float64(column(rows, first, n, 1))
        store_some(out, first, as_rounded(sums), n - first)

Where fewer than eight rows are left, the last one stands in the lanes of those that are not.
"""

from typing import Annotated

import numpy as np

from gammon.compiled import kinds
from gammon.compiled.vector import Lanes, Mask

#: The rows that are taken at a time.
EIGHT = 8

#: As arguments of kernels are annotated.
Float32x8 = Annotated[Lanes, kinds.Vector(kinds.FLOAT32, EIGHT)]
Float64x8 = Annotated[Lanes, kinds.Vector(kinds.FLOAT64, EIGHT)]
Mask8 = Annotated[Mask, kinds.Vector(kinds.BOOLEAN, EIGHT)]


def column(rows: Lanes, first: int, n: int, k: int, width: int) -> Lanes:
    """Return the k-th number of eight rows from the first-th on.

    Args:
        rows: [>= n, K], contiguous.
        first: of the rows, less than n.
        n: how many rows there are; the last one stands for those behind it.
        k: the column.
        width: K.
    """
    found: Lanes = rows[np.minimum(np.arange(first, first + EIGHT), n - 1), k]
    return found


def store_some(numbers: Lanes, at: int, v: Lanes, count: int) -> None:
    """Write the first lanes of a vector to an array.

    Args:
        numbers: [N], contiguous, of the type of the lanes.
        at: where the first lane goes.
        v: the vector.
        count: how many lanes, at least 1; all of them where it is more than there are.
    """
    count = min(count, len(v))
    numbers[at : at + count] = v[:count]


def as_float64(v: Lanes) -> Lanes:
    """Return lanes of float32 as float64."""
    return v.astype(np.float64)


def as_rounded(v: Lanes) -> Lanes:
    """Return lanes of float64 as the nearest float32."""
    return v.astype(np.float32)
