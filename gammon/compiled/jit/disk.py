"""Compiled code on disk: one file for each function, and a checksum in each.

The files lie in a folder named by the versions of the compiler. The name of a file has a digest
of the sources that its function is made of (`gammon.compiled.sources`). So an edit of any of
them, of a constant or of a function that kernels import too, leads to another file, and stale
code is never met. Of other programs than gammon the digest takes in the sources of the kernels
that are called, and the values of constants, which may come from an argument of the command.
Files of old sources stay, and can be deleted at any time. Nobody but the user may write there
(`files.user_folder`), because code that is loaded runs. A file that is damaged counts as none:
a warning is logged, and its function is compiled again.

Its interface to numba is that of the caches in `numba.core.caching`.
"""

import hashlib
import logging
import pickle
import platform
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from inspect import unwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from gammon.base.errors import GammonError
from gammon.base.files import user_folder, write_bytes
from gammon.compiled.sources import source_digest

_LOG = logging.getLogger(__name__)
#: The constants that kernels may read.
_VALUES = int, float, complex, str, bytes, tuple, np.generic, np.ndarray
_DIGEST_SIZE = hashlib.sha256().digest_size


@cache
def cache_folder() -> Path:
    """Return the folder of the compiled code: in the user's cache, by the versions."""
    versions = platform.python_version(), numba.__version__, llvmlite.__version__
    return user_folder(f"compiled-{hashlib.sha256(repr(versions).encode()).hexdigest()[:16]}")


@cache
def _source(file: str) -> bytes | None:
    """Return the text of a source file, or None: code that was typed in has none."""
    with suppress(OSError):
        return Path(file).read_bytes()
    return None


def _behind(function: Any, seen: set[Any]) -> Iterator[bytes]:
    """Yield what a function of another program is made of, with the kernels that it calls.

    These are their sources, and the constants that they read.

    Args:
        function: a plain function.
        seen: functions that are not to be told again; added to.
    """
    if function in seen or str(function.__module__).startswith("gammon."):
        return
    seen.add(function)
    yield _source(function.__code__.co_filename) or b""
    names = sorted(function.__code__.co_names)
    places = [function.__globals__]
    places += [vars(each) for each in map(places[0].get, names) if isinstance(each, ModuleType)]
    for place in places:
        for name in names:
            value = place.get(name)
            if hasattr(value, "py_func"):
                yield from _behind(unwrap(value.py_func), seen)
            elif isinstance(value, _VALUES):
                yield name.encode() + _bytes_of(value)


def _bytes_of(value: Any) -> bytes:
    """Return bytes that tell a number, a text, an array, or a tuple of such from others.

    Other things in a tuple count by their type: their text may differ from run to run.
    """
    if not isinstance(value, _VALUES):
        return type(value).__name__.encode()
    if isinstance(value, tuple):
        return b"".join(map(_bytes_of, value)) + str(len(value)).encode()
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}".encode() + value.tobytes()
    return repr(value).encode()


class OnDisk(NullCache):
    """Where numba looks for the compiled code of one function, and leaves it.

    Args:
        function: a plain function. One that was typed in, or made inside another one from its
            variables, is compiled again in each process.
        variant: tells apart what is compiled of one function with other options.
    """

    def __init__(self, function: Any, variant: str = "") -> None:
        self._function, code = function, function.__code__
        self._name = f"{function.__module__}.{function.__name__}"
        self._source = None if code.co_freevars else _source(code.co_filename)
        self._place = variant, function.__qualname__, code.co_firstlineno, code.co_code.hex()

    def _path(self, signature: Any, codegen: Any) -> Path:
        variant = repr((self._place, str(signature), codegen.magic_tuple())).encode()
        constants = b"".join(_behind(self._function, set()))
        code = hashlib.sha256(variant + constants).hexdigest()
        return cache_folder() / f"{self._name}-{source_digest(self._source or b'')}-{code[:16]}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the function compiled for a signature on this processor, or None."""
        if self._source is None:
            return None
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        try:
            kept = path.read_bytes()
        except OSError:
            return None
        payload = memoryview(kept)[_DIGEST_SIZE:]
        if hashlib.sha256(payload).digest() != kept[:_DIGEST_SIZE]:
            _LOG.warning("%r is damaged: left out, and compiled again", str(path))
            return None
        return CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled; a disk that is full means that it will be compiled again."""
        if self._source is None or data.library.has_dynamic_globals:
            return
        payload = dumps(data._reduce())
        with suppress(GammonError):
            digest = hashlib.sha256(payload).digest()
            write_bytes(self._path(sig, data.codegen), digest + payload)
