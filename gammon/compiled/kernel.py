"""The decorator of kernels, the functions that must be fast.

A kernel is an ordinary function under `@kernel(...)`. Its annotations are its signature
(`gammon.compiled.records`). A call runs in one of three places:

* in the library, compiled ahead of time (`gammon.compiled.library`);
* if the library does not have the kernel, or its sources have changed since
  (`gammon.compiled.sources`), as code that numba compiles and keeps on disk
  (`gammon.compiled.jit`), if numba is installed;
* as plain Python, for a debugger, if the environment variable `GAMMON_KERNELS` is "python".

An inner kernel that Python calls, as tests do, is plain Python; the kernels that it calls are not.

`GAMMON_KERNELS` may also be "numba" (numba compiles all kernels), "library", or a variant of the
library, such as "x86-64-v2" (only the library's kernels run).

A kernel is passed to another kernel inside a record, as games and evaluators pass theirs.
"""

import logging
import os
from collections.abc import Callable
from functools import cache, cached_property, update_wrapper
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gammon.base.errors import MissingExtraError, SettingError
from gammon.base.extras import extra
from gammon.compiled import kinds
from gammon.compiled.flat import ForeignError
from gammon.compiled.library import KernelLibrary, LibraryError, Native, NoLibraryError, library
from gammon.compiled.records import annotations_of, kind_of, signature_of
from gammon.compiled.sources import kernel_digest

if TYPE_CHECKING:
    from gammon.compiled.jit.compiler import Compiled

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")

_LOG = logging.getLogger(__name__)
_WISH = os.environ.get("GAMMON_KERNELS") or "any"
_PYTHON = _WISH == "python"


@cache
def _library() -> KernelLibrary | LibraryError:
    """Return the library of this package, or the reason why it is not used.

    Raises:
        SettingError: `GAMMON_KERNELS` asks for a library that cannot be used.
    """
    if _WISH in {"numba", "python"}:
        return LibraryError(f"GAMMON_KERNELS is {_WISH}")
    try:
        return library(None if _WISH in {"any", "library"} else _WISH)
    except LibraryError as error:
        if _WISH != "any":
            raise SettingError(f"GAMMON_KERNELS={_WISH}: {error}") from None
        if not isinstance(error, NoLibraryError):
            _LOG.warning("%s: not used", error)
        return error


def no_library() -> str:
    """Return in a few words why kernels run or start slower than they could, or ""."""
    compiled = _library()
    if isinstance(compiled, LibraryError):
        return str(compiled)
    changed = len(compiled.changed)
    return f"files changed since the library was built: {changed}" if changed else ""


def variant() -> str:
    """Return where kernels run: "x86-64-v3" or another variant, "numba", or "python"."""
    compiled = _library()
    return compiled.variant if isinstance(compiled, KernelLibrary) else "python" if _PYTHON else "numba"


class Kernel:
    """A function that must be fast, in all its compiled forms.

    Args:
        function: the Python function.
        inner: only kernels call it, so the library has no entry point for Python.
        inline: it is copied into its callers.
        allocates: it allocates memory.
        wraps: its unsigned sums and products may wrap around.

    Attributes:
        py_func: the Python function.
        inner: as given.
        for_python: whether numba also compiles the code that takes arguments from Python.
    """

    def __init__(self, function: Any, inner: bool, inline: bool, allocates: bool, wraps: bool) -> None:
        update_wrapper(self, function)
        self.py_func = np.errstate(over="ignore")(function) if wraps else function
        self._function = function
        self.inner, self.for_python, self._allocates = inner, True, allocates
        #: The compiler options that change the code of its callers, too.
        self.options = inline, allocates
        #: Read by numba, to decide whether to copy the kernel into its callers.
        self.targetoptions = {"inline": "always" if inline else "never"}

    def __reduce__(self) -> str:
        """Pickle the kernel by its name."""
        return self._function.__qualname__  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        """Its module and its name there."""
        return f"{self._function.__module__}.{self._function.__qualname__}"

    @cached_property
    def signature(self) -> kinds.Signature:
        """The kinds of its arguments and of its result."""
        return signature_of(self._function)

    @cached_property
    def native(self) -> Native | None:
        """The library's version of the kernel, or None if it has none that may be used."""
        compiled = _library()
        if self.inner or isinstance(compiled, LibraryError):
            return None
        return compiled.kernel(self.name, self.signature, lambda: kernel_digest(self))

    @cached_property
    def compiled(self) -> "Compiled":
        """The kernel as numba compiles it.

        Raises:
            MissingExtraError: numba is not installed.
        """
        try:
            with extra("jit", self.name):
                import numba  # noqa: F401
        except MissingExtraError as error:
            raise MissingExtraError(
                f"{no_library() or 'the library does not have the kernel'}: {error}"
            ) from None
        return _compiled_by(Kernel)(
            self._function, self.signature, self._allocates, self.inner, self.for_python
        )

    @cached_property
    def reachable(self) -> int | None:
        """The address at which the library's kernels can call it, or None if they cannot.

        They can call code that numba compiles now if they were compiled by the same version.
        """
        if self.native:
            return self.native.address
        return self.compiled.address if _is_of_numba() else None

    @cached_property
    def address(self) -> int:
        """The address at which numba's kernels call it: in the library, if they can."""
        if self.native and _is_of_numba():
            return self.native.address
        return self.compiled.address

    def __call__(self, *values: Any) -> Any:
        """Call the kernel. Only the kinds of the arguments are checked."""
        return self._run(*values)

    @cached_property
    def _run(self) -> Callable[..., Any]:
        if self.native:
            return self._with_natives(self.native.run)
        if self.inner:
            plain: Callable[..., Any] = self.py_func
            return plain
        return self.compiled.for_python

    def _with_natives(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that calls the library's kernel, or numba's version if that fails.

        The library cannot call some functions of users, or such a function has failed. Then
        numba compiles all that the call needs, and its code raises the actual error.
        """

        def either(*values: Any) -> Any:
            try:
                return run(*values)
            except ForeignError:
                if not _numba_version():
                    raise MemoryError("no memory is left for a kernel") from None
                return self.compiled.for_python(*values)

        return either


@cache
def _numba_version() -> str:
    """Return the version of numba, or "" if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # the import takes 25 ms

    try:
        return version("numba")
    except PackageNotFoundError:
        return ""


@cache
def _is_of_numba() -> bool:
    """Return whether the installed version of numba has compiled the library."""
    compiled = _library()
    return isinstance(compiled, KernelLibrary) and compiled.is_of(_numba_version())


@cache
def _compiled_by(kernels: type) -> "type[Compiled]":
    from gammon.compiled.jit.compiler import Compiled, know

    know(kernels)
    return Compiled


@cache
def _functions_of(record: Any) -> tuple[tuple[str, kinds.Signature], ...]:
    """Return the fields of a record that are kernels, with their signatures."""
    fields = [(name, kind_of(hint)) for name, hint in annotations_of(record).items()]
    return tuple((name, kind.signature) for name, kind in fields if isinstance(kind, kinds.Function))


def checked(record: R) -> R:
    """Return a record (a NamedTuple), after a check of the kernels in it.

    Raises:
        TypeError: a field is not a kernel of the annotated signature.
    """
    if _PYTHON:
        return record
    kind: Any = record.__class__
    for name, signature in _functions_of(kind):
        function = getattr(record, name)
        if not isinstance(function, Kernel) or function.inner:
            raise TypeError(f"{name}: expected a kernel of signature {signature}, not an inner one")
        if function.signature != signature:
            raise TypeError(f"{name}: a kernel of signature {function.signature}; expected {signature}")
        if not function.native:
            load(function)
    return record


def load(*kernels: Any) -> None:
    """Compile or load kernels ahead of their first use."""
    for function in kernels:
        if not _PYTHON and not function.native:
            function.compiled.result  # noqa: B018


def kernel(
    *wrong: Any, inline: bool = False, inner: bool = False, allocates: bool = False, wraps: bool = False
) -> Callable[[F], F]:
    """Return a decorator that makes a function a kernel.

    Args:
        wrong: the function, if the parentheses were forgotten; it is refused.
        inline: paste the body into its callers, which are all kernels.
        inner: only kernels call it. Python can still call it, as tests do, but that compiles
            it once more.
        allocates: it allocates memory. Other kernels do not count references to arrays: their
            callers must keep the arrays alive.
        wraps: its unsigned sums and products may wrap around; plain Python does not warn then.

    Returns:
        A decorator. The decorated function trusts its input, which the public layer checks
        once.
    """
    if wrong:
        name = getattr(wrong[0], "__qualname__", "a kernel")
        raise TypeError(f"{name}: write @kernel(), with parentheses")

    def decorate(function: F) -> F:
        decorated: Any = Kernel(function, inner or inline, inline, allocates, wraps)
        return decorated.py_func if _PYTHON else decorated  # type: ignore[no-any-return]

    return decorate
