"""One kernel, as numba compiles it.

It is compiled once, for exactly one signature, kept on disk and loaded by later processes.

These are numba's own affairs, which another version may change: `_nrt`, `_cache`,
`_types_active_call`, `get_call_template`, `add_overload`, `_compile_for_args` and
`global_compiler_lock`.
"""

from collections import deque
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numba
from numba.core import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.typing.typeof import Purpose
from numba.extending import typeof_impl

from gammon.compiled import kinds
from gammon.compiled.compiling import compiling
from gammon.compiled.jit import memory, vector
from gammon.compiled.jit.disk import OnDisk
from gammon.compiled.jit.types import numba_signature, numba_type
from gammon.compiled.sources import layout, reached

#: The modules that say what the functions of the dialect become; to import them is enough.
VECTORS = vector, memory


class _Types(deque[Any]):
    """Keeps the types of the arguments of calls in progress alive.

    numba has a set for them. To put the type of a problem into a set takes 14 microseconds of
    each call, for it has no hash until that of all its parts is found.
    """

    add = deque.append


class Compiled:
    """A function under the compiler.

    Args:
        function: a plain function; its globals may hold kernels (see `know`).
        signature: of the function.
        allocates: it asks for memory.
        by_kernels: only kernels call it, as far as speed counts: code that takes its
            arguments from Python, a tenth of all that there is to compile, is made when
            Python calls it.
    """

    def __init__(self, function: Any, signature: kinds.Signature, allocates: bool, by_kernels: bool) -> None:
        self._function, self._kinds = function, signature
        self._signature = numba_signature(signature)
        self._allocates, self._by_kernels = allocates, by_kernels

    def _version(self, for_python: bool) -> Any:
        # A kernel does not count references to arrays unless it asks for memory. That costs a
        # locked instruction, some 5 ns, for each array that is passed or sliced.
        compile_with: Any = numba.njit
        made = compile_with(
            nogil=True,
            error_model="numpy",
            _nrt=self._allocates,
            no_cfunc_wrapper=True,
            no_cpython_wrapper=not for_python,
        )(self._function)
        variant = f"{'' if for_python else 'inner'} {self._allocates} {layout(self._kinds)}"
        made._cache = OnDisk(self._function, variant)
        made._types_active_call = _Types(maxlen=64)
        return made

    def _compile(self, version: Any) -> Any:
        with global_compiler_lock:  # several threads may be the first
            if not version.overloads:
                with compiling(lambda: len(reached(self._function))):
                    version.compile(self._signature)
                version.disable_compile()  # arguments of other types are refused
        return version

    @cached_property
    def dispatcher(self) -> Any:
        """The function that numba calls in its place; compiled when numba first does so."""
        made = self._version(not self._by_kernels)
        template = made.get_call_template

        def get_call_template(args: Any, kws: Any) -> Any:
            self._compile(made)
            return template(args, kws)

        made.get_call_template = get_call_template
        if self._by_kernels:
            # Without code for Python, numba would make no overload that Python may see, and
            # refuse all calls once nothing more is compiled.
            made.add_overload = lambda result: made.overloads.__setitem__(
                tuple(result.signature.args), result
            )
            made.disable_compile = lambda: setattr(made, "compile", lambda signature: None)
        return made

    @cached_property
    def result(self) -> Any:
        """The code that numba has made, as a kernel calls it."""
        (result,) = self._compile(self.dispatcher).overloads.values()
        return result

    @cached_property
    def address(self) -> int:
        """Where the code is that compiled functions call."""
        found: int = self.result.library.get_pointer_to_function(self.result.fndesc.llvm_func_name)
        return found

    @cached_property
    def for_python(self) -> Callable[..., Any]:
        """The function that Python calls."""
        made: Any = self.dispatcher
        if self._by_kernels:
            if self._function.__name__ in self._function.__code__.co_names:
                self._compile(made)  # first: what is made for Python calls it
            made = self._version(True)
        found: Callable[..., Any] = self._compile(made)
        return found


def know(kernel: type) -> None:
    """Let numba know a class of kernels.

    In the globals of a function that is compiled, one is what it calls; as an argument, or in
    a record, it is a pointer.

    Args:
        kernel: a class whose instances have `compiled` (a `Compiled`), `signature`, and
            `address`.
    """

    @typeof_impl.register(kernel)
    def _(value: Any, context: Any) -> Any:
        if context.purpose == Purpose.constant:
            return types.Dispatcher(value.compiled.dispatcher)
        return numba_type(kinds.Function(value.signature))
