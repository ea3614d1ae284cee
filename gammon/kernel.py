"""The one numba decorator of the project, and where compiled code is kept.

Every hot function is an ordinary typed Python function under `@kernel(...)`
with an explicit signature. It is compiled once, kept on disk and loaded by
later processes. With `NUMBA_DISABLE_JIT=1` the same functions run as plain
Python.

numba notices an edit of the file that holds a function, but not an edit of a
constant or function that it imports: it would go on with stale code. The cache
therefore lives in a folder named by a hash of all sources that kernels are
made of (`COMPILED`), so any such edit starts a new cache.

Three things here are numba's own affairs, which another version may change:
`_nrt`, `get_call_template` and `get_compile_result`.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba

__all__ = ["FAST", "cache_folder", "kernel"]

F = TypeVar("F", bound=Callable[..., Any])

#: Packages whose files hold kernels or the constants that kernels use.
COMPILED = ("kernel.py", "hashing.py", "rules", "search", "eval", "games", "train")

#: Floating-point freedoms for inference loops: sums may be reordered and fused,
#: which lets them use the full vector width. Not among them: `nnan` and `ninf`,
#: which would make comparisons with infinite window bounds undefined.
FAST = {"reassoc", "contract", "arcp", "nsz", "afn"}


def _source_hash() -> str:
    package = Path(__file__).parent
    digest = hashlib.sha256(numba.__version__.encode())
    for entry in COMPILED:
        path = package / entry
        for source in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(source.relative_to(package).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _user() -> int:
    """Return a number of the user's own: nobody else's compiled code may be loaded."""
    return os.getuid() if hasattr(os, "getuid") else 0


def cache_folder() -> Path:
    """Return the folder of the compiled code.

    `GAMMON_CACHE` names its parent; otherwise it is `gammon` in the user's
    cache folder (`XDG_CACHE_HOME`, or `~/.cache`), or in the temporary folder
    where that cannot be written.
    """
    named = os.environ.get("GAMMON_CACHE")
    user_cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    parents = [Path(user_cache, "gammon"), Path(tempfile.gettempdir(), f"gammon-{_user()}")]
    if named:
        parents.insert(0, Path(named))
    for parent in parents:
        folder = parent.expanduser() / f"numba-{_source_hash()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return Path(tempfile.mkdtemp(prefix="gammon-"))


if not os.environ.get("NUMBA_CACHE_DIR"):
    numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]


def _on_demand(compiled: Any, signature: Any) -> None:
    """Put off compiling, or loading, until a kernel that calls this one is compiled.

    numba would load the compiled code of every function of a module that is imported.
    But a kernel's code already holds that of all kernels it calls.
    """
    template = compiled.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        if not compiled.signatures:
            compiled.compile(signature)
            compiled.disable_compile()
        return template(args, kws)

    compiled.get_call_template = get_call_template


def _look_up_once(compiled: Any) -> None:
    """Keep where the compiled code is.

    numba would look it up each time that the function is passed to another one, as games
    and evaluators are: 30 microseconds each, the time of forty evaluations.
    """
    (result,) = compiled.overloads.values()
    result.library.get_pointer_to_function = cache(result.library.get_pointer_to_function)
    compiled.get_compile_result = lambda signature: result


def kernel(
    signature: Any,
    *,
    fast: bool = False,
    inline: bool = False,
    inner: bool = False,
    allocates: bool = False,
) -> Callable[[F], F]:
    """Compile a function for exactly `signature`, and keep the result on disk.

    Args:
        signature: a numba signature, such as `int64(int8[::1])`.
        fast: allow the reorderings of `FAST`; for inference, not for search.
        inline: paste the body into its callers, which are all kernels.
        inner: only other kernels call it.
        allocates: it asks for memory. Other kernels do not count references to arrays,
            which costs a locked instruction, some 5 ns, for each array that is passed or
            sliced; whoever calls them holds the arrays.

    Returns:
        A decorator. The decorated function trusts its input: checking is the
        public layer's work, done once.
    """

    def decorate(function: F) -> F:
        options: dict[str, Any] = {
            "cache": True,
            "nogil": True,
            "error_model": "numpy",
            "fastmath": FAST if fast else False,
            "inline": "always" if inline else "never",
            "_nrt": allocates,
        }
        compiled: Any = numba.njit(None if inner or inline else signature, **options)(function)
        if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
            return function
        if inner or inline:
            _on_demand(compiled, signature)
        else:
            _look_up_once(compiled)
        result: F = compiled
        return result

    return decorate
