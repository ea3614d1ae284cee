"""Memory in kernels: records handed on by their place, numbers that threads share, lines.

**Places.** A kernel takes a record number by number, and so a call of one copies all of it. A
kernel that calls itself at every node of a search would copy four hundred numbers there, which
never change. It takes the place of the record instead:

    place = hold(record)            # once; it lies there until this kernel returns
    record = held(place)            # in the kernel that has got the place

An argument that is a place is annotated with `Annotated[R, kinds.Place(kind_of(R))]`.

**Numbers that threads read and write at the same time.** A processor may put off what a thread
writes, and a compiler may keep what a thread has read. So threads that work on one array tell
each other by `seen`, `put` and `add` alone when a part of it is ready. What a thread wrote
before `put` or `add`, another one finds after `seen` or `add`.

As in `gammon.compiled.vector`, each of these functions is its own twin: with the compiler off,
its body runs, and a place is the record itself.

**Lines.** A vector of 64 bytes is read at once if it lies in one line of the processor's cache;
else it takes two. `aligned_zeros` makes memory that begins where a line does.
"""

from threading import Lock
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from gammon.compiled.records import Int64Vector

R = TypeVar("R")


def hold(record: R) -> R:
    """Return the place of a record, where it lies until the kernel that calls this returns."""
    return record


def held(place: R) -> R:
    """Return the record in a place. Nothing is read of it but what the kernel uses."""
    return place


#: Without the compiler, only one thread at a time is inside a function.
_ALONE = Lock()


def seen(numbers: Int64Vector, at: int) -> int:
    """Return a number, and see what was written before it was put there."""
    with _ALONE:
        return int(numbers[at])


def put(numbers: Int64Vector, at: int, value: int) -> None:
    """Write a number, when what was written before can be seen."""
    with _ALONE:
        numbers[at] = value


def add(numbers: Int64Vector, at: int, value: int) -> int:
    """Add to a number, as one step that no other thread divides; return what it was."""
    with _ALONE:
        before = int(numbers[at])
        numbers[at] += value
        return before


K = TypeVar("K", bound=np.generic)

#: Bytes of a line.
LINE = 64


def aligned_zeros(size: int, kind: type[K]) -> npt.NDArray[K]:
    """Return `size` zeros of a kind of numbers, which begin with a line."""
    each = np.dtype(kind).itemsize
    room: npt.NDArray[Any] = np.zeros(size + LINE // each, kind)
    first = -(room.ctypes.data // each) % (LINE // each)
    return room[first : first + size]
