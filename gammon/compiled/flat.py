"""Arguments of the library's kernels: a row of words, and what a kernel leaves of its result.

A word has eight bytes. A number takes one, a tuple those of its fields. An array takes seven
and more: two for numba's own use, how many numbers it has, the bytes of one, the address, its
shape and its strides. A function takes three, of which the last is its address.
"""

import ctypes
import struct
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from gammon.compiled import kinds
from gammon.compiled.records import Declared

#: The words of a value, as bytes.
Words = Callable[[Any], bytes]

_WORD = {
    kinds.INT64: "q",
    kinds.UINT64: "Q",
    kinds.UINT32: "Q",
    kinds.BOOLEAN: "q",
    kinds.FLOAT64: "d",
    kinds.FLOAT32: "f4x",
}
#: Numbers as they lie in a result.
_LEFT = {
    kinds.INT64: "q",
    kinds.UINT64: "Q",
    kinds.UINT32: "I",
    kinds.BOOLEAN: "?",
    kinds.FLOAT64: "d",
    kinds.FLOAT32: "f",
}


class ForeignError(Exception):
    """The library cannot call a function in an argument, or it has failed there."""


@cache
def words_of(kind: kinds.Kind) -> Words:
    """Return what makes the words of values of a kind.

    It raises a `TypeError` where an array is of another kind, and a `ForeignError`.
    """
    if isinstance(kind, kinds.Scalar):
        return struct.Struct(f"={_WORD[kind]}").pack
    if isinstance(kind, kinds.Array):
        return _words_of_array(kind)
    if isinstance(kind, kinds.Function):
        return _words_of_function
    if isinstance(kind, kinds.Record):
        return _words_of_record(kind)
    raise TypeError(f"{kind} is no argument")


def _words_of_array(kind: kinds.Array) -> Words:
    dtype, axes = np.dtype(kind.dtype.name), kind.axes
    pack = struct.Struct(f"={5 + 2 * axes}q").pack

    def words(value: Any) -> bytes:
        if value.dtype != dtype or value.ndim != axes or not value.flags.c_contiguous:
            raise TypeError(f"an array of {value.dtype}, shape {value.shape}: expected {kind}, contiguous")
        return pack(0, 0, value.size, value.itemsize, _address(value), *value.shape, *value.strides)

    return words


def _address(value: Any) -> int:
    """Return where the numbers of a contiguous array are."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(value))
    except (TypeError, ValueError):  # nobody may write there, or it is empty
        found: int = value.__array_interface__["data"][0]
        return found


_FUNCTION = struct.Struct("=3q")


def _words_of_function(value: Any) -> bytes:
    if value.reachable is None:
        raise ForeignError
    return _FUNCTION.pack(0, 0, value.reachable)


def _words_of_record(kind: kinds.Record) -> Words:
    parts = [words_of(part) for part in kind.parts]

    def words(value: Any) -> bytes:
        return b"".join([part(each) for part, each in zip(parts, value, strict=True)])

    def kept(value: Any) -> bytes:
        own: dict[str, bytes] = value.__dict__
        found = own.get("words")
        if found is None:
            found = own["words"] = words(value)
        return found

    # The arrays of a record live as long as it does, where they are.
    return kept if kind.made and issubclass(kind.made, Declared) else words


def _result_reader(kind: kinds.Kind) -> tuple[int, Callable[[ctypes.Array[Any]], Any]]:
    """Return how many bytes a result takes, and what reads it.

    Raises:
        TypeError: it is neither nothing, nor a number, nor a tuple of numbers.
    """
    if kind == kinds.VOID:
        return 8, lambda room: None
    if isinstance(kind, kinds.Scalar):
        number = struct.Struct(f"@{_LEFT[kind]}")
        return 8, lambda room: number.unpack_from(room)[0]
    if not isinstance(kind, kinds.Record):
        raise TypeError(f"{kind} is no result")
    numbers = struct.Struct("@" + "".join(_LEFT[part] for part in kind.parts))  # type: ignore[index]
    make = kind.made._make if kind.made else tuple
    return numbers.size, lambda room: make(numbers.unpack_from(room))


def entry(call: Any, signature: kinds.Signature) -> Callable[..., Any]:
    """Return a kernel of the library as a function of Python.

    Args:
        call: a C function that takes the words of all arguments and room for the result, and
            returns 0, or else another number: no memory was left, or a function of somebody
            else's has failed.
        signature: of the kernel.

    Returns:
        The function. It raises a `ForeignError` as `words_of` does, and where the call fails;
        and what a function of Python's raises in the call.
    """
    call.argtypes, call.restype = [ctypes.c_char_p, ctypes.c_void_p], ctypes.c_int32
    arguments = [words_of(each) for each in signature.arguments]
    size, read = _result_reader(signature.result)
    room_of = ctypes.c_char * size

    def run(*values: Any) -> Any:
        words = b"".join([part(each) for part, each in zip(arguments, values, strict=True)])
        room = room_of()
        raised: BaseException | None = None
        try:
            if call(words, room):
                raised = ForeignError()
        except SystemError as error:  # Python's word for an error that has come out of C
            raised = error.__cause__ or error
        if raised:
            raise raised
        return read(room)

    return run
