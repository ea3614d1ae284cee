"""The library: the kernels of gammon, compiled ahead of time.

`scripts/build_library.py` makes it, when a wheel is made or a checkout is installed, and writes
`library.json` beside it. That file says what the library must be: its digest, the system and
the processor that it is for, the version of numba that wrote it, and digests of the sources
that it was built of. So nothing of a library that is damaged, or for another machine, is ever
run; and where what a kernel is made of has changed since, the one of the library is not used.

It is loaded from this package alone. It has each kernel in several variants, for processors
with more or fewer instructions; the best one that the processor can run is taken.
"""

import ctypes
import hashlib
import json
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from gammon.base.errors import GammonError
from gammon.compiled import kinds
from gammon.compiled.flat import entry
from gammon.compiled.sources import file_digest

#: Where the library lies, and the file beside it.
FOLDER = Path(__file__).parents[1] / "library"
MANIFEST = "library.json"
#: Where the modules of WebAssembly lie, each in a folder of its system's name.
MODULES = FOLDER.with_name("wasm")


#: The facts in that file.
_FACTS = {"build", "digests", "kernels", "numba", "sources", "system", "variants"}


class LibraryError(GammonError):
    """The library cannot be used: it is missing, damaged, or for another machine."""


class NoLibraryError(LibraryError):
    """There is no library, as in a checkout that was not installed."""


@dataclass(frozen=True)
class Native:
    """A kernel of the library.

    Attributes:
        address: where its code is, as other kernels call it.
        run: the kernel as a function of Python, which looks at the kinds of its arguments.
    """

    address: int
    run: Callable[..., Any]


def seal(facts: dict[str, Any], code: bytes) -> str:
    """Return the digest of a library and of what its manifest says of it."""
    said = json.dumps({key: facts[key] for key in sorted(facts) if key != "digest"})
    return hashlib.sha256(said.encode() + code).hexdigest()


def _read_manifest(folder: Path, system: str) -> dict[str, Any]:
    """Return what the file beside a library says, if the library is the one it is about.

    Args:
        folder: where both lie.
        system: that it must be for.

    Raises:
        LibraryError: it is not, in one line.
    """
    try:
        found: dict[str, Any] = json.loads((folder / MANIFEST).read_bytes())
        code = (folder / str(found["file"])).read_bytes()
        whole = found["digest"] == seal(found, code)
    except FileNotFoundError:
        raise NoLibraryError("the library of compiled kernels is missing") from None
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        whole = False
    if not whole:
        raise LibraryError("the library of compiled kernels is damaged, install gammon again")
    if not found.keys() >= _FACTS:
        raise LibraryError("the library of compiled kernels is that of another version")
    if found["system"] != system:
        raise LibraryError(f"the library is for {found['system']}; this is {system}")
    return found


class Built:
    """Kernels compiled for a system, as a file in a folder; nothing of it is loaded.

    Args:
        folder: where it and its manifest lie.
        system: that it must be for; see `scripts/build_library.py`.

    Attributes:
        build: 32 letters, which stand for all that it was built of.
        path: of its file.

    Raises:
        LibraryError: it is missing, damaged, or for another system.
    """

    def __init__(self, folder: Path, system: str) -> None:
        manifest = _read_manifest(folder, system)
        self._numbers: dict[str, int] = manifest["kernels"]
        self._sources: dict[str, str] = manifest["sources"]
        self._digests: dict[str, str] = manifest["digests"]
        self._numba: str = manifest["numba"]
        self._variants: list[str] = manifest["variants"]
        self.build: str = manifest["build"]
        self.path = folder / manifest["file"]

    def number(self, kernel: str) -> int:
        """Return the number of a kernel in the library's C code.

        Args:
            kernel: its module and qualified name.

        Raises:
            LibraryError: there is none that was built of its present sources.
        """
        found = self._numbers.get(kernel)
        if found is None or self.changed:
            raise LibraryError(
                "the library of compiled kernels is not of these sources: install gammon again"
            )
        return found

    @cached_property
    def changed(self) -> frozenset[str]:
        """The modules that have changed since the library was built of them."""
        return frozenset(module for module, digest in self._sources.items() if file_digest(module) != digest)


class Library(Built):
    """The library in a folder.

    Args:
        folder: where it and its manifest lie.
        variant: such as "x86-64-v3", or None for the best one that the processor can run.

    Attributes:
        variant: which one it is.
        variants: all that this processor can run, the best first.

    Raises:
        LibraryError: it is missing, damaged, or of no use here.
    """

    def __init__(self, folder: Path, variant: str | None = None) -> None:
        super().__init__(folder, system_of())
        try:
            code = ctypes.CDLL(str(self.path))
        except OSError as error:  # such as a C library that is too old
            raise LibraryError(f"the library of compiled kernels: {error}") from None
        level = code.gammon_level()
        self.variants = [each for k, each in enumerate(self._variants) if k <= level][::-1]
        if not self.variants:
            raise LibraryError(f"the library needs a processor of {self._variants[0]}")
        if variant is not None and variant not in self.variants:
            names = ", ".join(self.variants)
            raise LibraryError(f"{variant} is no variant that runs here: expected {names}")
        self.variant = variant or self.variants[0]
        self._code = code
        self._number = self._variants.index(self.variant)

    def is_of(self, numba: str) -> bool:
        """Tell whether it was a version of numba that wrote the kernels."""
        return numba == self._numba

    def kernel(self, name: str, signature: kinds.Signature, digest: Callable[[], str]) -> Native | None:
        """Return a kernel, or None: there is none that is made of what it is made of now.

        Args:
            name: its module and qualified name.
            signature: of it.
            digest: returns that of the kernel as it is now; see `sources.kernel_digest`. It is
                asked only where files have changed.
        """
        number = self._numbers.get(name)
        if number is None or (self.changed and self._digests[name] != digest()):
            return None
        exported = f"gammon_{number}_{self._number}"
        address = getattr(self._code, f"{exported}_code")
        address.restype = ctypes.c_void_p
        return Native(address(), entry(getattr(self._code, f"{exported}_call"), signature))


@cache
def library(variant: str | None = None) -> Library:
    """Return the library of this package.

    Args:
        variant: see `Library`.

    Raises:
        LibraryError: there is none that can be used.
    """
    return Library(FOLDER, variant)


def system_of() -> str:
    """Return the system and the processor's family, such as "linux-x86_64"."""
    family = {"amd64": "x86_64", "arm64": "aarch64"}
    machine = platform.machine().lower()
    return f"{sys.platform}-{family.get(machine, machine)}"
