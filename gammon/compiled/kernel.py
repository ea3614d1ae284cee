"""The one decorator of kernels, which are the functions that must be fast.

Each is an ordinary function under `@kernel(...)`. Its annotations are its signature
(`gammon.compiled.records`). Where a call of it runs is no affair of the caller's:

* in the library, which was compiled ahead of time (`gammon.compiled.library`);
* where the library has no such kernel, or what that is made of has changed since
  (`gammon.compiled.sources`), in the code that numba makes of it and keeps on disk
  (`gammon.compiled.jit`), if numba is installed;
* as plain Python, if the variable `GAMMON_KERNELS` is "python", as for a debugger.

That variable may also be "numba", for all kernels, or "library", or a variant of the library,
such as "x86-64-v2": then nothing else runs.

A kernel is passed to another one inside a record, as those of games and evaluators are.
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
from gammon.compiled.library import Library, LibraryError, Native, NoLibraryError, library
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
def _library() -> Library | LibraryError:
    """Return the library of this package, or why it is not used.

    Raises:
        SettingError: `GAMMON_KERNELS` is none of the words above.
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
    """Return in a few words why kernels run slower, or begin slower, than they could; or ""."""
    found = _library()
    if isinstance(found, LibraryError):
        return str(found)
    changed = len(found.changed)
    return f"{changed} files have changed since the library was built" if changed else ""


def variant() -> str:
    """Return where kernels run: "x86-64-v3" or another variant, "numba", or "python"."""
    found = _library()
    return found.variant if isinstance(found, Library) else "python" if _PYTHON else "numba"


class Kernel:
    """A function that must be fast, in all forms that it has.

    Args:
        function: the function as it is written.
        by_kernels: only kernels call it, so the library has no door to it.
        inline: its callers have a copy of it.
        allocates: it asks for memory.
        wraps: its unsigned sums and products may wrap around.

    Attributes:
        py_func: the function as it is written.
    """

    def __init__(self, function: Any, by_kernels: bool, inline: bool, allocates: bool, wraps: bool) -> None:
        update_wrapper(self, function)
        self.py_func = np.errstate(over="ignore")(function) if wraps else function
        self._function = function
        self.by_kernels, self._allocates = by_kernels, allocates
        #: The ways to compile it that change the code of its callers, too.
        self.options = inline, allocates
        #: For numba, which looks here for what it may copy into callers.
        self.targetoptions = {"inline": "always" if inline else "never"}

    def __reduce__(self) -> str:
        """Tell pickle to look the kernel up by its name."""
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
        """The kernel of the library, if that has it and may be used."""
        found = _library()
        if self.by_kernels or isinstance(found, LibraryError):
            return None
        return found.kernel(self.name, self.signature, lambda: kernel_digest(self))

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
            raise MissingExtraError(f"{no_library() or 'no kernel of ours'}: {error}") from None
        return _compiled_by(Kernel)(self._function, self.signature, self._allocates, self.by_kernels)

    @cached_property
    def reachable(self) -> int | None:
        """Where the library's kernels may call it, or None: they cannot.

        They can call what numba has compiled if it was numba of this version that wrote them.
        """
        if self.native:
            return self.native.address
        return self.compiled.address if _is_of_numba() else None

    @cached_property
    def address(self) -> int:
        """Where kernels call it that numba has compiled: in the library, if they can."""
        if self.native and _is_of_numba():
            return self.native.address
        return self.compiled.address

    def __call__(self, *values: Any) -> Any:
        """Call the kernel; its arguments are trusted, but for their kinds."""
        return self._run(*values)

    @cached_property
    def _run(self) -> Callable[..., Any]:
        if self.native:
            return self._with_natives(self.native.run)
        if self.by_kernels and not isinstance(_library(), LibraryError):
            try:
                return self.compiled.for_python
            except MissingExtraError:
                made: Callable[..., Any] = self.py_func
                return made
        return self.compiled.for_python

    def _with_natives(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """Return the library's kernel, but for calls that it cannot make, or that fail.

        Functions of a user's own may be such. Then numba compiles all that the call needs; and
        its code tells what has failed.
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
    """Return the version of numba, or "": it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # which take 25 ms to import

    try:
        return version("numba")
    except PackageNotFoundError:
        return ""


@cache
def _is_of_numba() -> bool:
    """Tell whether the library was written by the version of numba that is installed."""
    found = _library()
    return isinstance(found, Library) and found.is_of(_numba_version())


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
    """Return a record (a NamedTuple), after a look at the kernels in it.

    Raises:
        TypeError: one is not a kernel of the signature that its field asks for.
    """
    if _PYTHON:
        return record
    kind: Any = record.__class__
    for name, signature in _functions_of(kind):
        function = getattr(record, name)
        if not isinstance(function, Kernel):
            raise TypeError(f"{name}: expected a kernel of signature {signature}")
        if function.signature != signature:
            raise TypeError(f"{name}: a kernel of signature {function.signature}; expected {signature}")
        if not function.native:
            load(function)
    return record


def load(*kernels: Any) -> None:
    """Make kernels ready ahead of their first use."""
    for each in kernels:
        if not _PYTHON and not each.native:
            each.compiled.result  # noqa: B018


def kernel(
    *wrong: Any, inline: bool = False, inner: bool = False, allocates: bool = False, wraps: bool = False
) -> Callable[[F], F]:
    """Make a function a kernel.

    Args:
        wrong: a function, where somebody has forgotten the parentheses.
        inline: paste the body into its callers, which are all kernels.
        inner: only kernels call it. Python may call it all the same, as tests do: that
            compiles it once more.
        allocates: it asks for memory. Other kernels do not count references to arrays;
            whoever calls them holds the arrays.
        wraps: its unsigned sums and products may wrap around, of which plain Python is not
            to warn.

    Returns:
        A decorator. The decorated function trusts its input: checking is the
        public layer's work, done once.
    """
    if wrong:
        name = getattr(wrong[0], "__qualname__", "a kernel")
        raise TypeError(f"{name}: write @kernel(), with parentheses")

    def decorate(function: F) -> F:
        made: Any = Kernel(function, inner or inline, inline, allocates, wraps)
        return made.py_func if _PYTHON else made  # type: ignore[no-any-return]

    return decorate
