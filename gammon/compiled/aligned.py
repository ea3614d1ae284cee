"""Memory that begins where a line of the processor's cache does.

A vector of 64 bytes is read at once if it lies in one line; else it takes two.
"""

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

K = TypeVar("K", bound=np.generic)

#: Bytes of a line.
LINE = 64


def aligned_zeros(size: int, kind: type[K]) -> npt.NDArray[K]:
    """Return `size` zeros of a kind of numbers, which begin with a line."""
    each = np.dtype(kind).itemsize
    room: npt.NDArray[Any] = np.zeros(size + LINE // each, kind)
    first = -(room.ctypes.data // each) % (LINE // each)
    return room[first : first + size]
