"""Compiled functions as arguments of kernels, alone or inside a record.

numba has a type for such a function, and asks for the address of its code in Python at each
call of the kernel. A `Pointer` knows the address, and its type, a child of numba's, reads it
there; so a call costs some 25 microseconds less. What lies behind the address is called as
one compiled function calls another, which a pointer of numba's own protocol is not.
"""

from functools import cache
from typing import Any

from numba.core import cgutils, types
from numba.experimental.function_type import FunctionModel
from numba.extending import NativeValue, register_model, typeof_impl, unbox

__all__ = ["Pointer", "PointerType"]


class Pointer:
    """Where the code of a compiled function is.

    Args:
        compiled: a numba function that is compiled for one signature.

    Attributes:
        signature: that one.
        address: where the code is that compiled functions call.
    """

    def __init__(self, compiled: Any) -> None:
        (result,) = compiled.overloads.values()
        self._compiled = compiled  # which owns the code
        self.signature = result.signature
        self.address = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)

    def __call__(self, *arguments: Any) -> Any:
        """Call the function from Python."""
        return self._compiled(*arguments)


class PointerType(types.FunctionType):
    """The type of pointers to functions of one signature."""


@cache
def _type_of(signature: Any) -> PointerType:
    return PointerType(signature)


@typeof_impl.register(Pointer)
def _typeof(pointer: Pointer, context: Any) -> PointerType:
    return _type_of(pointer.signature)


register_model(PointerType)(FunctionModel)


@unbox(PointerType)
def _unbox(kind: PointerType, pointer: Any, context: Any) -> NativeValue:
    """Read the address off a `Pointer`; the fields are those of `FunctionModel`.

    `c_addr` is for functions that have no `jit_addr`.
    """
    function = cgutils.create_struct_proxy(kind)(context.context, context.builder)
    number = context.pyapi.object_getattr_string(pointer, "address")
    function.jit_addr = context.pyapi.long_as_voidptr(number)
    context.pyapi.decref(number)
    function.c_addr = cgutils.get_null_value(function.jit_addr.type)
    word = context.context.get_value_type(types.voidptr)
    function.py_addr = context.builder.ptrtoint(pointer, word)
    return NativeValue(function._getvalue())
