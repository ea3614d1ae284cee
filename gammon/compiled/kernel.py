"""The one numba decorator of the project.

Every hot function is an ordinary function under `@kernel(...)`. Its annotations are its
signature (`gammon.compiled.records`). It is compiled once, kept on disk and loaded by later
processes. With `NUMBA_DISABLE_JIT=1` the same functions run as plain Python.

A compiled function is passed to a kernel inside a record, as those of games and evaluators
are: `argument` puts a `gammon.compiled.pointer.Pointer` in its place.

These are numba's own affairs, which another version may change: `_nrt`, `_cache`,
`_types_active_call`, `get_call_template`, `add_overload`, `_compile_for_args` and
`global_compiler_lock`.
"""

from collections import deque
from collections.abc import Callable
from functools import cache
from inspect import isfunction
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core.compiler_lock import global_compiler_lock

from gammon.compiled.disk import OnDisk
from gammon.compiled.pointer import Pointer
from gammon.compiled.records import annotations_of, numba_type, signature_of

__all__ = ["FAST", "argument", "kernel", "load"]

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")

#: Floating-point freedoms for inference loops: sums may be reordered and fused,
#: which lets them use the full vector width. Not among them: `nnan` and `ninf`,
#: which would make comparisons with infinite window bounds undefined.
FAST = {"reassoc", "contract", "arcp", "nsz", "afn"}

_JIT_OFF = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]


class _Types(deque[Any]):
    """Keeps the types of the arguments of calls in progress alive.

    numba has a set for them. To put the type of a problem into a set takes 14 microseconds of
    each call, for it has no hash until that of all its parts is found.
    """

    add = deque.append


@cache
def _functions_of(record: Any) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a record that are compiled functions, with their signatures."""
    fields = [(name, numba_type(hint)) for name, hint in annotations_of(record).items()]
    return tuple((name, kind.signature) for name, kind in fields if hasattr(kind, "signature"))


def _pointer(function: Any, signature: Any, name: str) -> Any:
    """Return a function as a record holds it.

    Raises:
        TypeError: it is not compiled, or for another signature.
    """
    if _JIT_OFF:
        return function
    pointer = getattr(function, "gammon_pointer", function)
    if not isinstance(pointer, Pointer):
        if hasattr(function, "gammon_signature"):
            _compile(function)
        if len(getattr(function, "overloads", ())) != 1:
            raise TypeError(f"{name}: expected a kernel of signature {signature}")
        pointer = function.gammon_pointer = Pointer(function)
    # Most are the very ones that they were made with; a comparison takes microseconds.
    if pointer.signature is not signature:
        if pointer.signature != signature:
            raise TypeError(
                f"{name}: a kernel of signature {pointer.signature}; expected {signature}"
            )
        pointer.signature = signature
    return pointer


def argument(record: R) -> R:
    """Return a record (a NamedTuple) as a kernel takes it.

    The compiled functions in it become function pointers.

    Raises:
        TypeError: a function is not a kernel of the signature that its field asks for.
    """
    fields: Any = record
    pointers = {}
    for name, signature in _functions_of(fields.__class__):
        function = getattr(record, name)
        pointer = _pointer(function, signature, name)
        if pointer is not function:
            pointers[name] = pointer
    result: R = fields._replace(**pointers) if pointers else record
    return result


def _compile(compiled: Any) -> Any:
    """Compile a function for its signature, or load it; return it."""
    with global_compiler_lock:  # several threads may be the first
        if not compiled.signatures:
            compiled.compile(compiled.gammon_signature)
            compiled.disable_compile()
    return compiled


def _put_off(compiled: Any) -> None:
    """Put off compiling, or loading, until a function is called.

    The first call may be by a kernel that is compiled. numba would load the compiled code of
    every function of a module that is imported. But a kernel's code already holds that of all
    kernels it calls.
    """
    template = compiled.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        _compile(compiled)
        return template(args, kws)

    compiled.get_call_template = get_call_template
    compiled._compile_for_args = lambda *args, **kws: _compile(compiled)


def _without_python(compiled: Any, version_for_python: Callable[[], Any]) -> None:
    """Let Python call another version of a function, which is made at the first such call.

    Code that takes its arguments from Python is a tenth of all that there is to compile.
    """

    def add_overload(result: Any) -> None:
        compiled.overloads[tuple(result.signature.args)] = result

    def disable_compile() -> None:
        """Only for kernels: with the compiler off, numba would refuse Python's call at once."""
        compiled.compile = lambda signature: None

    compiled.add_overload = add_overload
    compiled.disable_compile = disable_compile
    version = cache(version_for_python)
    compiled._compile_for_args = lambda *args, **kws: version()


def load(*kernels: Any) -> None:
    """Compile kernels, or load them from disk, ahead of their first use."""
    for each in kernels:
        if not _JIT_OFF:
            _compile(each)


def kernel(
    signature: Any = None,
    *,
    fast: bool = False,
    inline: bool = False,
    inner: bool = False,
    later: bool = False,
    allocates: bool = False,
    wraps: bool = False,
) -> Callable[[F], F]:
    """Compile a function for exactly one signature, and keep the result on disk.

    Args:
        signature: a numba signature, such as `int64(int8[::1])`; unless given, it is that
            of the annotations.
        fast: allow the reorderings of `FAST`; for inference, not for search.
        inline: paste the body into its callers, which are all kernels.
        inner: only kernels call it; so it is compiled, or loaded from disk, with the first of
            them. Python may call it all the same, as tests do: that compiles it once more.
        later: compile it, or load it, when it is first called, not when its module is
            imported.
        allocates: it asks for memory. Other kernels do not count references to arrays,
            which costs a locked instruction, some 5 ns, for each array that is passed or
            sliced; whoever calls them holds the arrays.
        wraps: its unsigned sums and products may wrap around, of which plain Python is not
            to warn.

    Returns:
        A decorator. The decorated function trusts its input: checking is the
        public layer's work, done once.
    """

    if isfunction(signature):
        raise TypeError(f"{signature.__qualname__}: write @kernel(), with parentheses")

    def decorate(function: F) -> F:
        if _JIT_OFF:
            return np.errstate(over="ignore")(function) if wraps else function
        exact = signature_of(function) if signature is None else signature
        options: dict[str, Any] = {
            "nogil": True,
            "error_model": "numpy",
            "fastmath": FAST if fast else False,
            "inline": "always" if inline else "never",
            "_nrt": allocates,
            "no_cfunc_wrapper": True,
        }

        def version(for_python: bool) -> Any:
            own = options | {"no_cpython_wrapper": not for_python}
            made: Any = numba.njit(**own)(function)
            made._cache = OnDisk(function, "" if for_python else "inner")
            made._types_active_call = _Types(maxlen=64)
            made.gammon_signature = exact
            return made

        by_kernels = inner or inline
        compiled = version(not by_kernels)
        if by_kernels or later:
            _put_off(compiled)
        else:
            _compile(compiled)
        if by_kernels:
            _without_python(compiled, lambda: _compile(version(True)))
        result: F = compiled
        return result

    return decorate
