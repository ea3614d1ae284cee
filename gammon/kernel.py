"""The one numba decorator of the project, and where compiled code is kept.

Every hot function is an ordinary function under `@kernel(...)`. Its annotations are its
signature (`gammon.records`). It is compiled once, kept on disk and loaded by later
processes. With `NUMBA_DISABLE_JIT=1` the same functions run as plain Python.

numba notices an edit of the file that holds a function, but not an edit of a
constant or function that it imports: it would go on with stale code. The cache
therefore lives in a folder named by a hash of all sources that kernels are
made of (`COMPILED`), so any such edit starts a new cache.

A compiled function is passed to a kernel inside a record, as those of games and evaluators
are: `argument` puts a `gammon.pointer.Pointer` in its place.

Four things here are numba's own affairs, which another version may change: `_nrt`,
`get_call_template`, `global_compiler_lock`, and when `CACHE_DIR` is read.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core.compiler_lock import global_compiler_lock

from gammon.files import user_cache
from gammon.pointer import Pointer
from gammon.records import annotations_of, numba_type, signature_of

__all__ = ["COMPILED", "FAST", "argument", "cache_folder", "kernel", "load"]

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")

#: Files and folders that hold kernels, or the constants that kernels use.
COMPILED = (
    "kernel.py", "pointer.py", "records.py", "hashing.py", "rules", "search", "eval", "games",
    "match/luck.py", "train/selfplay.py", "train/strength.py", "bench/speed.py",
)  # fmt: skip

#: Floating-point freedoms for inference loops: sums may be reordered and fused,
#: which lets them use the full vector width. Not among them: `nnan` and `ninf`,
#: which would make comparisons with infinite window bounds undefined.
FAST = {"reassoc", "contract", "arcp", "nsz", "afn"}

_JIT_OFF = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]


def _source_hash() -> str:
    package = Path(__file__).parent
    digest = hashlib.sha256(numba.__version__.encode())
    for entry in COMPILED:
        path = package / entry
        for source in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(source.relative_to(package).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path:
    """Return the folder of the compiled code: `files.user_cache`, by a hash of the sources."""
    folder = user_cache() / f"numba-{_source_hash()}"
    folder.mkdir(exist_ok=True)
    return folder


@contextmanager
def _kept_in_our_folder() -> Iterator[None]:
    """Let numba keep the functions that it meets here in `cache_folder`.

    It reads the setting when a function is decorated; others find it as it was.
    """
    config: Any = numba.config
    before = config.CACHE_DIR
    if not os.environ.get("NUMBA_CACHE_DIR"):
        config.CACHE_DIR = str(cache_folder())
    try:
        yield
    finally:
        config.CACHE_DIR = before


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
    result: R = fields._replace(
        **{
            name: _pointer(getattr(record, name), signature, name)
            for name, signature in _functions_of(fields.__class__)
        }
    )
    return result


def _on_demand(compiled: Any, signature: Any) -> None:
    """Put off compiling, or loading, until a kernel that calls this one is compiled.

    numba would load the compiled code of every function of a module that is imported.
    But a kernel's code already holds that of all kernels it calls.
    """
    template = compiled.get_call_template
    compiled.gammon_signature = signature

    def get_call_template(args: Any, kws: Any) -> Any:
        load(compiled)
        return template(args, kws)

    compiled.get_call_template = get_call_template


def load(*kernels: Any) -> None:
    """Make inner kernels ready to be called from Python, by one thread at a time."""
    for each in kernels:
        if not _JIT_OFF and not each.signatures:
            with global_compiler_lock:
                if not each.signatures:
                    each.compile(each.gammon_signature)
                    each.disable_compile()


def kernel(
    signature: Any = None,
    *,
    fast: bool = False,
    inline: bool = False,
    inner: bool = False,
    allocates: bool = False,
    wraps: bool = False,
) -> Callable[[F], F]:
    """Compile a function for exactly one signature, and keep the result on disk.

    Args:
        signature: a numba signature, such as `int64(int8[::1])`; unless given, it is that
            of the annotations.
        fast: allow the reorderings of `FAST`; for inference, not for search.
        inline: paste the body into its callers, which are all kernels.
        inner: compile it, or load it from disk, when it is first used, not when its module
            is imported; for kernels that mostly other kernels call.
        allocates: it asks for memory. Other kernels do not count references to arrays,
            which costs a locked instruction, some 5 ns, for each array that is passed or
            sliced; whoever calls them holds the arrays.
        wraps: its unsigned sums and products may wrap around, of which plain Python is not
            to warn.

    Returns:
        A decorator. The decorated function trusts its input: checking is the
        public layer's work, done once.
    """

    def decorate(function: F) -> F:
        if _JIT_OFF:
            return np.errstate(over="ignore")(function) if wraps else function
        exact = signature_of(function) if signature is None else signature
        options: dict[str, Any] = {
            "cache": True,
            "nogil": True,
            "error_model": "numpy",
            "fastmath": FAST if fast else False,
            "inline": "always" if inline else "never",
            "_nrt": allocates,
        }
        with _kept_in_our_folder():
            later = inner or inline
            compiled: Any = numba.njit(None if later else exact, **options)(function)
        if later:
            _on_demand(compiled, exact)
        result: F = compiled
        return result

    return decorate
