"""Functions called between guards: what they read and write beyond their arrays shows.

Kernels do not check indices. So each array that a function gets here is the middle of a
longer one, and the function is called twice, with other numbers around the arrays. A guard
that is not as it was has been written to. Two results that are not the same depend on
something that the function should not know.

numba can check indices itself (`boundscheck`). But it would not look into the kernels that a
function calls, nor say which array it was, and takes most of a second to compile each function
once more.

As plain Python (`GAMMON_KERNELS=python`) the functions see only the middle, and an index beyond
it is an IndexError of theirs.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon.base.errors import GameError

#: Bytes before an array; behind it are as many, and as many as the array has.
_GUARD = 1 << 14
#: The numbers around an array that is read, at one call and at the other; and around room,
#: which must not be the same, or a number copied from guard to guard would not be seen. As
#: indices they stay within the guards; as flags or limits they make a difference.
_AROUND, _AROUND_ROOM = (0, 100), (5, 90)
#: How often a function is called again that did not do the same twice.
_AGAIN = 4
#: Arrays that are larger than that are not compared after each call.
_LARGE = 1 << 16


class Guarded:
    """An array between two guards.

    Args:
        name: what messages call it.
        axes: what they call its size, such as `max_successors x width`.
        content: its numbers. A function that is called may not change them.
        room: the function writes into it. Floating-point room is full of nan before.
        kept: the function that writes into it finds `content` there.
        scratch: it is nobody's but the function's, which finds there what it left.

    Attributes:
        array: the array as a function gets it.
    """

    def __init__(
        self,
        name: str,
        axes: str,
        content: npt.NDArray[Any],
        room: bool = False,
        kept: bool = False,
        scratch: bool = False,
    ) -> None:
        self.name = name
        self.axes = axes
        self.room = room
        self._scratch = scratch
        self._content = content
        self._kept = kept or not room
        before = _GUARD // content.itemsize
        end = before + content.size
        self._whole = np.empty(end + before + content.size, content.dtype)
        self._before, self._behind = self._whole[:before], self._whole[end:]
        self.array = self._whole[before:end].reshape(content.shape)
        self.array[...] = content

    def prepare(self, guard: int) -> None:
        """Write a number into the guards, and what a function is to find into the array."""
        self._before.fill(guard)
        self._behind.fill(guard)
        if self._scratch:
            return
        if self.room and self._kept:
            self.array[...] = self._content
        elif self.room:
            self.array.fill(np.nan if self.array.dtype.kind == "f" else guard)

    def check(self, guard: int) -> None:
        """Raise a GameError if a guard is not as it was."""
        if not (self._before == guard).all():
            raise GameError(f"writes before the begin of {self.name}")
        if not (self._behind == guard).all():
            raise GameError(f"writes behind the end of {self._named}")

    def check_content(self) -> None:
        """Raise a GameError if an array that may only be read has been written to."""
        may_write = self.room or self._scratch
        if not may_write and self.array.tobytes() != self._content.tobytes():
            raise GameError(f"writes into {self.name}, which it may only read")

    @property
    def large(self) -> bool:
        """Whether it is compared after the last call only."""
        return self.array.nbytes > _LARGE

    @property
    def _named(self) -> str:
        return f"{self.name}: {self.axes} is {' x '.join(map(str, self.array.shape))}"

    @property
    def dependence(self) -> str:
        """The reason why a result depends on the guards, and on what the room held before."""
        if self.room:
            return f"leaves parts of {self.name} unwritten, or reads what was there before"
        return f"reads behind the end of {self._named}"


def _once(
    function: Callable[..., Any],
    arguments: Sequence[Guarded | int],
    guards: Sequence[int],
    count: int | None,
) -> tuple[Any, bytes]:
    """Return the result of one call and the bytes of the part that it wrote."""
    arrays = [each for each in arguments if isinstance(each, Guarded)]
    for each, guard in zip(arrays, guards, strict=True):
        each.prepare(guard)
    try:
        result = function(
            *[each.array if isinstance(each, Guarded) else each for each in arguments]
        )
    except Exception as error:
        raise GameError(f"raises {type(error).__name__}: {error}") from None
    written = b""
    for each, guard in zip(arrays, guards, strict=True):
        each.check(guard)
        if not each.large:
            each.check_content()
        if each.room:
            n = result if count is None else count
            whole = isinstance(n, int | np.integer)
            if not whole or (count is None and not 1 <= n <= len(each.array)):
                most, axis = len(each.array), each.axes.split()[0]
                raise GameError(f"returns {n!r}; expected 1 to {axis}, {most}")
            written = each.array[:n].tobytes()
    return result, written


def call(
    function: Callable[..., Any],
    arguments: Sequence[Guarded | int],
    count: int | None = None,
) -> Any:
    """Call a function between guards, and return its result; what it wrote is in its room.

    Args:
        function: of a game or an evaluator.
        arguments: its arguments, of which one may be room.
        count: how many rows of the room it is to write; unless given, its result says so.

    Raises:
        GameError: it reads or writes what it should not, raises an error, or does not do the
            same twice. The message begins with a verb: the caller says which function.
    """
    arrays = [each for each in arguments if isinstance(each, Guarded)]
    around = [_AROUND_ROOM if each.room else _AROUND for each in arrays]

    def outcome(*second: int) -> tuple[str, bytes]:
        """Call it with the second numbers around some arrays, and the first elsewhere."""
        guards = [pair[k in second] for k, pair in enumerate(around)]
        result, written = _once(function, arguments, guards, count)
        return repr(result), written

    others = outcome(*range(len(arrays)))
    result, written = _once(function, arguments, [first for first, _ in around], count)
    usual = repr(result), written
    if usual == others:
        return result
    if all(outcome() == usual for _ in range(_AGAIN)):
        for k, each in enumerate(arrays):
            if outcome(k) != usual:
                raise GameError(each.dependence)
    raise GameError("gives another result when it is called again")
