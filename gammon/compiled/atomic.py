"""Numbers that threads read and write at the same time, in kernels.

A processor may put off what a thread writes, and a compiler may keep what a thread has read. So
threads that work on one array tell each other by these functions alone when a part of it is
ready. What a thread wrote before `put` or `add`, another one finds after `seen` or `add`.

As in `gammon.compiled.vector`, each function is its own twin: with the compiler off, its body
runs.
"""

from threading import Lock

from gammon.compiled.records import Int64Vector

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
