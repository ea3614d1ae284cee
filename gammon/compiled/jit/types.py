"""The types that numba has for kinds of values, and functions as arguments of kernels.

numba has a type for a function, and asks for the address of its code in Python at each call.
The type here, a child of numba's, reads the attribute `address` off the kernel; so a call costs
some 25 microseconds less. The code behind it is called as one compiled function calls another,
which a pointer of numba's own protocol is not.
"""

from functools import cache, singledispatch
from typing import Any

from numba.core import cgutils, types
from numba.experimental.function_type import FunctionModel
from numba.extending import NativeValue, register_model, typeof_impl, unbox

from gammon.compiled import kinds
from gammon.compiled.jit.memory import Place
from gammon.compiled.jit.vector_type import Vector
from gammon.compiled.records import Declared, kind_of


class PointerType(types.FunctionType):
    """The type of kernels of one signature that are handed to others."""


@cache
def numba_type(kind: kinds.Kind) -> Any:
    """Return the type that numba has for a kind."""
    return _type_of(kind)


@cache
def numba_signature(signature: kinds.Signature) -> Any:
    """Return a signature as numba has it."""
    return numba_type(signature.result)(*[numba_type(each) for each in signature.arguments])


@singledispatch
def _type_of(kind: kinds.Kind) -> Any:
    raise TypeError(f"{kind!r} is of no kind")


@_type_of.register
def _(kind: kinds.Scalar) -> Any:
    return types.boolean if kind == kinds.BOOLEAN else getattr(types, kind.name)


@_type_of.register
def _(kind: kinds.Array) -> Any:
    return types.Array(numba_type(kind.dtype), kind.axes, "C")


@_type_of.register
def _(kind: kinds.Vector) -> Any:
    return Vector(numba_type(kind.dtype), kind.lanes)


@_type_of.register
def _(kind: kinds.Function) -> Any:
    return PointerType(numba_signature(kind.signature))


@_type_of.register
def _(kind: kinds.Record) -> Any:
    parts = [numba_type(part) for part in kind.parts]
    if kind.made is None:
        return types.Tuple(parts)
    if len(set(parts)) == 1:  # numba has a type of its own for these
        return types.NamedUniTuple(parts[0], len(parts), kind.made)
    return types.NamedTuple(parts, kind.made)


@_type_of.register
def _(kind: kinds.Place) -> Any:
    return Place(numba_type(kind.record))


@typeof_impl.register(Declared)
def _typeof(value: Any, context: Any) -> Any:
    record: Any = type(value)
    return numba_type(kind_of(record))


register_model(PointerType)(FunctionModel)


@unbox(PointerType)
def _unbox(kind: PointerType, kernel: Any, context: Any) -> NativeValue:
    """Read the address off a kernel; the fields are those of `FunctionModel`.

    `c_addr` is for functions that have no `jit_addr`.
    """
    function = cgutils.create_struct_proxy(kind)(context.context, context.builder)
    number = context.pyapi.object_getattr_string(kernel, "address")
    function.jit_addr = context.pyapi.long_as_voidptr(number)
    context.pyapi.decref(number)
    function.c_addr = cgutils.get_null_value(function.jit_addr.type)
    word = context.context.get_value_type(types.voidptr)
    function.py_addr = context.builder.ptrtoint(kernel, word)
    return NativeValue(function._getvalue())
