"""Memory in kernels: copies of records, atomic operations, and arrays aligned to cache lines.

**Atomic operations.** A processor may delay a thread's writes, and a compiler may keep a number
in a register. So threads that share an array synchronize only by `load_acquire`,
`store_release` and `fetch_add`. Another thread sees the numbers that a thread
wrote before `store_release` or `fetch_add`, once it has called `load_acquire` or `fetch_add`.

As in `gammon.compiled.vector`, each of these functions is its own Python twin: with the compiler
off, its body runs, and a reference is the record itself.

**Lines.** A vector of 64 bytes is read at once if it lies in one line of the processor's cache;
otherwise two lines are read. `aligned_zeros` allocates memory that begins at a line.
"""

from threading import Lock
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from gammon.compiled.records import Int64Vector

R = TypeVar("R")


def copied(record: R) -> R:
    """Return a record by value, as a new record needs it that is to contain it."""
    return record


#: Without the compiler, one thread at a time runs an atomic operation.
_LOCK = Lock()


def load_acquire(numbers: Int64Vector, at: int) -> int:
    """Return a number; all that was written before its `store_release` is visible then."""
    with _LOCK:
        return int(numbers[at])


def store_release(numbers: Int64Vector, at: int, value: int) -> None:
    """Write a number, after all earlier writes of this thread have become visible."""
    with _LOCK:
        numbers[at] = value


def fetch_add(numbers: Int64Vector, at: int, value: int) -> int:
    """Add to a number as one atomic step, and return the number before."""
    with _LOCK:
        before = int(numbers[at])
        numbers[at] += value
        return before


K = TypeVar("K", bound=np.generic)

#: Bytes of a cache line.
LINE = 64


def aligned_zeros(size: int, kind: type[K]) -> npt.NDArray[K]:
    """Return `size` zeros of type `kind`, which begin at a cache line."""
    itemsize = np.dtype(kind).itemsize
    zeros: npt.NDArray[Any] = np.zeros(size + LINE // itemsize, kind)
    first = -(zeros.ctypes.data // itemsize) % (LINE // itemsize)
    return zeros[first : first + size]
