"""Calls of the library's kernels: arguments as a sequence of words, results as bytes.

A word has eight bytes. A number takes one word, a tuple the words of its fields. An array takes
seven words or more: two that numba uses internally, the number of elements, the bytes of one,
the address, the shape and the strides. A function takes three words; the last is its address.
"""

import ctypes
import struct
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from gammon.compiled import kinds
from gammon.compiled.records import Trusted

#: A function from a value to its words, as bytes.
Words = Callable[[Any], bytes]

_WORD = {
    kinds.INT64: "q",
    kinds.UINT64: "Q",
    kinds.UINT32: "Q",
    kinds.BOOLEAN: "q",
    kinds.FLOAT64: "d",
    kinds.FLOAT32: "f4x",
}
#: The format of numbers in a result.
_RESULT = {
    kinds.INT64: "q",
    kinds.UINT64: "Q",
    kinds.UINT32: "I",
    kinds.BOOLEAN: "?",
    kinds.FLOAT64: "d",
    kinds.FLOAT32: "f",
}


class ForeignError(Exception):
    """The library cannot call a function in an argument, or that function has failed."""


@cache
def words_of(kind: kinds.Kind) -> Words:
    """Return the function that converts values of a kind to words.

    The function raises a `TypeError` if an array is of another kind, and a `ForeignError`.
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
    """Return the address of a contiguous array's data."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(value))
    except (TypeError, ValueError):  # it is read-only, or empty
        address: int = value.__array_interface__["data"][0]
        return address


_FUNCTION = struct.Struct("=3q")


def _words_of_function(value: Any) -> bytes:
    if value.reachable is None:
        raise ForeignError
    return _FUNCTION.pack(0, 0, value.reachable)


def _words_of_record(kind: kinds.Record) -> Words:
    parts = [words_of(part) for part in kind.parts]

    def words(value: Any) -> bytes:
        return b"".join([part(field) for part, field in zip(parts, value, strict=True)])

    def cached(value: Any) -> bytes:
        attributes: dict[str, bytes] = value.__dict__
        cached_words = attributes.get("words")
        if cached_words is None:
            cached_words = attributes["words"] = words(value)
        return cached_words

    # The words stay valid: a record's arrays stay at their addresses as long as it lives.
    return cached if kind.made and issubclass(kind.made, Trusted) else words


def _result_reader(kind: kinds.Kind) -> tuple[int, Callable[[ctypes.Array[Any]], Any]]:
    """Return the size of a result in bytes, and the function that reads it from a buffer.

    Raises:
        TypeError: the result is neither None, nor a number, nor a tuple of numbers.
    """
    if kind == kinds.VOID:
        return 8, lambda buffer: None
    if isinstance(kind, kinds.Scalar):
        number = struct.Struct(f"@{_RESULT[kind]}")
        return 8, lambda buffer: number.unpack_from(buffer)[0]
    if not isinstance(kind, kinds.Record):
        raise TypeError(f"{kind} is no result")
    numbers = struct.Struct("@" + "".join(_RESULT[part] for part in kind.parts))  # type: ignore[index]
    make = kind.made._make if kind.made else tuple
    return numbers.size, lambda buffer: make(numbers.unpack_from(buffer))


def entry(call: Any, signature: kinds.Signature) -> Callable[..., Any]:
    """Return a kernel of the library as a Python function.

    Args:
        call: a C function that takes the words of all arguments and a buffer for the result.
            It returns 0, or another number on failure: memory has run out, or a function
            that was passed in has failed.
        signature: the signature of the kernel.

    Returns:
        The function. It raises a `ForeignError` as `words_of` does, and if the call fails. It
        passes on exceptions of Python functions that run during the call.
    """
    call.argtypes, call.restype = [ctypes.c_char_p, ctypes.c_void_p], ctypes.c_int32
    arguments = [words_of(kind) for kind in signature.arguments]
    size, read = _result_reader(signature.result)
    buffer_type = ctypes.c_char * size

    def run(*values: Any) -> Any:
        words = b"".join([to_words(value) for to_words, value in zip(arguments, values, strict=True)])
        buffer = buffer_type()
        raised: BaseException | None = None
        try:
            if call(words, buffer):
                raised = ForeignError()
        except SystemError as error:  # how Python reports an exception that C code has left set
            raised = error.__cause__ or error
        if raised:
            raise raised
        return read(buffer)

    return run
