"""A kernel compiled by numba, and numba's types for the kinds of values.

A kernel is compiled once, for exactly one signature, and kept on disk for later processes: one
file for each kernel, with a checksum.

This module uses internals of numba, which another version may change: `_nrt`, `_cache`,
`_types_active_call`, `get_call_template`, `add_overload`, `_compile_for_args`,
`return_types_from_partial` and `global_compiler_lock`.
"""

import hashlib
import logging
import pickle
import platform
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property, singledispatch
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core import cgutils, types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.serialize import dumps
from numba.core.typeinfer import TypeInferer
from numba.core.typing.typeof import Purpose
from numba.experimental.function_type import FunctionModel
from numba.extending import NativeValue, register_model, typeof_impl, unbox

from gammon.base.errors import GammonError
from gammon.base.files import user_folder, write_bytes
from gammon.compiled import kinds
from gammon.compiled.compiling import compiling
from gammon.compiled.jit import memory, vector
from gammon.compiled.jit.memory import Ref
from gammon.compiled.jit.vector import VectorType
from gammon.compiled.records import Trusted, kind_of
from gammon.compiled.sources import code_digest, layout, reached


def _declared_result(inferer: Any) -> Any:
    """Return the result's type of a kernel that calls itself, which its signature declares.

    numba would infer all types of the kernel again at every such call, which takes half a minute.
    """
    return inferer.typevars[inferer._get_return_vars()[0].name].getone()


_inferer: Any = TypeInferer
_inferer.return_types_from_partial = _declared_result


class PointerType(types.FunctionType):
    """The numba type of kernels of one signature that are passed to other kernels."""


@cache
def numba_type(kind: kinds.Kind) -> Any:
    """Return the numba type of a kind."""
    return _type_of(kind)


@cache
def numba_signature(signature: kinds.Signature) -> Any:
    """Return the numba signature of a signature."""
    return numba_type(signature.result)(*map(numba_type, signature.arguments))


#: A record of more numbers is passed between kernels by reference.
_BY_VALUE = 24


@cache
def _words(kind: kinds.Kind) -> int:
    """Return how many numbers a value takes as an argument."""
    if isinstance(kind, kinds.Record):
        return sum(map(_words, kind.parts))
    if isinstance(kind, kinds.Array):
        return 5 + 2 * kind.axes
    return 3 if isinstance(kind, kinds.Function) else 1


@cache
def inner_signature(signature: kinds.Signature) -> Any:
    """Return the numba signature of a kernel that only kernels call: it takes large records by reference."""
    arguments = map(numba_type, signature.arguments)
    large = (isinstance(kind, kinds.Record) and _words(kind) > _BY_VALUE for kind in signature.arguments)
    return numba_type(signature.result)(
        *(Ref(argument) if by_ref else argument for argument, by_ref in zip(arguments, large, strict=True))
    )


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
    return VectorType(numba_type(kind.dtype), kind.lanes)


@_type_of.register
def _(kind: kinds.Function) -> Any:
    return PointerType(numba_signature(kind.signature))


@_type_of.register
def _(kind: kinds.Record) -> Any:
    parts = [numba_type(part) for part in kind.parts]
    if kind.made is None:
        return types.Tuple(parts)
    if len(set(parts)) == 1:  # numba has a separate type for these
        return types.NamedUniTuple(parts[0], len(parts), kind.made)
    return types.NamedTuple(parts, kind.made)


@typeof_impl.register(Trusted)
def _typeof(value: Any, context: Any) -> Any:
    record: Any = type(value)
    return numba_type(kind_of(record))


register_model(PointerType)(FunctionModel)


@unbox(PointerType)
def _unbox(kind: PointerType, kernel: Any, context: Any) -> NativeValue:
    """Convert a kernel to a function pointer; the fields are as in `FunctionModel`.

    `c_addr` is for functions without a `jit_addr`.
    """
    function = cgutils.create_struct_proxy(kind)(context.context, context.builder)
    number = context.pyapi.object_getattr_string(kernel, "address")
    function.jit_addr = context.pyapi.long_as_voidptr(number)
    context.pyapi.decref(number)
    function.c_addr = cgutils.get_null_value(function.jit_addr.type)
    word = context.context.get_value_type(types.voidptr)
    function.py_addr = context.builder.ptrtoint(kernel, word)
    return NativeValue(function._getvalue())


_LOG = logging.getLogger(__name__)
_DIGEST_SIZE = hashlib.sha256().digest_size


@cache
def cache_folder() -> Path:
    """Return the folder of the compiled code in the user's cache: one for each set of versions."""
    versions = platform.python_version(), numba.__version__, llvmlite.__version__
    return user_folder(f"compiled-{hashlib.sha256(repr(versions).encode()).hexdigest()[:16]}")


class OnDisk(NullCache):
    """Numba's cache for the compiled code of one function: a file with a checksum.

    Args:
        function: a plain function. A function that was typed in, or a closure over variables of
            another one, is compiled again in each process.
        variant: distinguishes the options and signatures with which a function is compiled.
    """

    def __init__(self, function: Any, variant: str = "") -> None:
        self._function, self._variant = function, variant
        self._name = f"{function.__module__}.{function.__name__}"
        code = function.__code__
        self._cacheable = not code.co_freevars and Path(code.co_filename).is_file()

    def _path(self, signature: Any, codegen: Any) -> Path:
        form = repr((self._variant, str(signature), codegen.magic_tuple()))
        return cache_folder() / f"{self._name}-{code_digest(self._function, form)}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the function compiled for a signature on this processor, or None."""
        if not self._cacheable:
            return None
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        try:
            data = path.read_bytes()
        except OSError:
            return None
        payload = memoryview(data)[_DIGEST_SIZE:]
        if hashlib.sha256(payload).digest() != data[:_DIGEST_SIZE]:
            _LOG.warning("%r is damaged: left out, and compiled again", str(path))
            return None
        return CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the compiled code. If the disk is full, it is not stored, and compiled again later."""
        if not self._cacheable or data.library.has_dynamic_globals:
            return
        payload = dumps(data._reduce())
        with suppress(GammonError):
            digest = hashlib.sha256(payload).digest()
            write_bytes(self._path(sig, data.codegen), digest + payload)


#: The modules that define the compiled forms of vectors and references, by their import.
VECTORS = vector, memory


class _Types(deque[Any]):
    """Keeps the types of arguments alive while a call is in progress.

    numba uses a set. To add the type of a problem to a set takes 14 microseconds of each call,
    because its hash is computed from all its parts.
    """

    add = deque.append


class Compiled:
    """A function compiled by numba.

    Args:
        function: a plain function; its globals may hold kernels (see `know`).
        signature: the signature of the function.
        allocates: it allocates memory.
        inner: only kernels call it, so it takes large records by reference; Python cannot call it.
        for_python: compile the code that converts arguments from Python, a tenth of all code.
    """

    def __init__(
        self, function: Any, signature: kinds.Signature, allocates: bool, inner: bool, for_python: bool = True
    ) -> None:
        self._function, self._kinds = function, signature
        self._allocates, self._inner, self._for_python = allocates, inner, for_python and not inner

    def _dispatcher(self) -> Any:
        # Only a kernel that allocates memory counts references to arrays. Counting costs a
        # locked instruction, some 5 ns, for each array that is passed or sliced.
        compile_with: Any = numba.njit
        dispatcher = compile_with(
            nogil=True,
            error_model="numpy",
            _nrt=self._allocates,
            no_cfunc_wrapper=True,
            no_cpython_wrapper=not self._for_python,
        )(self._function)
        variant = f"{'' if self._for_python else 'inner'} {self._allocates} {layout(self._kinds)}"
        dispatcher._cache = OnDisk(self._function, variant)
        dispatcher._types_active_call = _Types(maxlen=64)
        return dispatcher

    def _compile(self, dispatcher: Any) -> None:
        signature = inner_signature(self._kinds) if self._inner else numba_signature(self._kinds)
        with global_compiler_lock:  # several threads may be the first
            if not dispatcher.overloads:
                with compiling(lambda: len(reached(self._function))):
                    dispatcher.compile(signature)
                dispatcher.disable_compile()  # arguments of other types are refused

    @cached_property
    def dispatcher(self) -> Any:
        """The numba dispatcher that other kernels call; compiled at the first such call."""
        dispatcher = self._dispatcher()
        template = dispatcher.get_call_template

        def get_call_template(args: Any, kws: Any) -> Any:
            self._compile(dispatcher)
            return template(args, kws)

        dispatcher.get_call_template = get_call_template
        if not self._for_python:
            # Without code for Python, numba would register no overload, and refuse all calls
            # after `disable_compile`.
            dispatcher.add_overload = lambda result: dispatcher.overloads.__setitem__(
                tuple(result.signature.args), result
            )
            dispatcher.disable_compile = lambda: setattr(dispatcher, "compile", lambda signature: None)
        return dispatcher

    @cached_property
    def result(self) -> Any:
        """The code compiled by numba, as a kernel calls it."""
        self._compile(self.dispatcher)
        (result,) = self.dispatcher.overloads.values()
        return result

    @cached_property
    def address(self) -> int:
        """The address of the code, for calls by compiled functions."""
        address: int = self.result.library.get_pointer_to_function(self.result.fndesc.llvm_func_name)
        return address

    @cached_property
    def for_python(self) -> Callable[..., Any]:
        """The function that Python calls."""
        self._compile(self.dispatcher)
        compiled: Callable[..., Any] = self.dispatcher
        return compiled


def know(kernel: type) -> None:
    """Register a class of kernels with numba.

    A kernel among the globals of a compiled function is called directly. As an argument, or in
    a record, it is a function pointer.

    Args:
        kernel: a class whose instances have `compiled` (a `Compiled`), `signature`, and
            `address`.
    """

    @typeof_impl.register(kernel)
    def _(value: Any, context: Any) -> Any:
        if context.purpose == Purpose.constant:
            return types.Dispatcher(value.compiled.dispatcher)
        return numba_type(kinds.Function(value.signature))
