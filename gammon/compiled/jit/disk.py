"""Compiled code on disk: one file for each function, and a checksum in each.

The files lie in a folder named by the versions of the compiler. The name of a file has a digest
of all that its function is made of (`gammon.compiled.sources`). So an edit of any of it leads
to another file, and stale code is never met. The values of constants count, which may come
from an argument of the command. Files of old sources stay, and can be deleted at any time.
Nobody but the user may write there (`files.user_folder`), because code that is loaded runs. A
file that is damaged counts as none: a warning is logged, and its function is compiled again.

Its interface to numba is that of the caches in `numba.core.caching`.
"""

import hashlib
import logging
import pickle
import platform
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from gammon.base.errors import GammonError
from gammon.base.files import user_folder, write_bytes
from gammon.compiled.sources import code_digest

_LOG = logging.getLogger(__name__)
_DIGEST_SIZE = hashlib.sha256().digest_size


@cache
def cache_folder() -> Path:
    """Return the folder of the compiled code: in the user's cache, by the versions."""
    versions = platform.python_version(), numba.__version__, llvmlite.__version__
    return user_folder(f"compiled-{hashlib.sha256(repr(versions).encode()).hexdigest()[:16]}")


class OnDisk(NullCache):
    """Where numba looks for the compiled code of one function, and leaves it.

    Args:
        function: a plain function. One that was typed in, or made inside another one from its
            variables, is compiled again in each process.
        variant: tells apart what is compiled of one function with other options or signatures.
    """

    def __init__(self, function: Any, variant: str = "") -> None:
        self._function, self._variant = function, variant
        self._name = f"{function.__module__}.{function.__name__}"
        code = function.__code__
        self._kept = not code.co_freevars and Path(code.co_filename).is_file()

    def _path(self, signature: Any, codegen: Any) -> Path:
        form = repr((self._variant, str(signature), codegen.magic_tuple()))
        return cache_folder() / f"{self._name}-{code_digest(self._function, form)}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the function compiled for a signature on this processor, or None."""
        if not self._kept:
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
        if not self._kept or data.library.has_dynamic_globals:
            return
        payload = dumps(data._reduce())
        with suppress(GammonError):
            digest = hashlib.sha256(payload).digest()
            write_bytes(self._path(sig, data.codegen), digest + payload)
