"""The library: the kernels of gammon, compiled ahead of time.

`scripts/build_library.py` builds it when a wheel is built or a checkout is installed, and writes
the manifest `library.json` beside it. The manifest has the digest of the library, its system and
processor, the version of numba, and digests of the sources. So a library that is damaged, or
for another machine, is never run, and a kernel whose sources have changed is not taken from it.

It is loaded only from this package. It has several variants of each kernel, for processors with
different instruction sets; the best variant that the processor can run is used.
"""

import ctypes
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from gammon.base.errors import GammonError
from gammon.compiled import kinds
from gammon.compiled.flat import entry
from gammon.compiled.sources import file_digest
from gammon.compiled.system import system_of

#: The folder of the library, and the name of its manifest there.
FOLDER = Path(__file__).parents[1] / "library"
MANIFEST = "library.json"
#: The folder of the WebAssembly modules, each in a folder named after its system.
MODULES = FOLDER.with_name("wasm")


#: The keys of the manifest.
_KEYS = {"build", "digests", "kernels", "levels", "numba", "sources", "system", "variants"}


class LibraryError(GammonError):
    """The library cannot be used: it is missing, damaged, or for another machine."""


class NoLibraryError(LibraryError):
    """There is no library, as in a checkout that was not installed."""


@dataclass(frozen=True)
class Native:
    """A kernel of the library.

    Attributes:
        address: the address of its code, for calls by other kernels.
        run: the kernel as a Python function, which checks the kinds of its arguments.
    """

    address: int
    run: Callable[..., Any]


def seal(facts: dict[str, Any], code: bytes) -> str:
    """Return the digest of a library's code and of the facts in its manifest."""
    text = json.dumps({key: facts[key] for key in sorted(facts) if key != "digest"})
    return hashlib.sha256(text.encode() + code).hexdigest()


def _read_manifest(folder: Path, system: str) -> dict[str, Any]:
    """Return the manifest of a library, after a check that the two belong together.

    Args:
        folder: the folder of both.
        system: the system that the library must be for.

    Raises:
        LibraryError: the library is missing, damaged, of another version or for another
            system.
    """
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_bytes())
        code = (folder / str(manifest["file"])).read_bytes()
        intact = manifest["digest"] == seal(manifest, code)
    except FileNotFoundError:
        raise NoLibraryError("the library of compiled kernels is missing") from None
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        intact = False
    if not intact:
        raise LibraryError("the library of compiled kernels is damaged, install gammon again")
    if not manifest.keys() >= _KEYS:
        raise LibraryError("the library of compiled kernels is of another version")
    if manifest["system"] != system:
        raise LibraryError(f"the library is for {manifest['system']}; this is {system}")
    return manifest


class Built:
    """Kernels compiled for a system, as a file in a folder. The file is not loaded.

    Args:
        folder: the folder of the file and its manifest.
        system: the system that it must be for; see `scripts/build_library.py`.

    Attributes:
        build: 32 letters that identify all that it was built from.
        path: the path of the file.

    Raises:
        LibraryError: the file is missing, damaged, or for another system.
    """

    def __init__(self, folder: Path, system: str) -> None:
        manifest = _read_manifest(folder, system)
        self._numbers: dict[str, int] = manifest["kernels"]
        self._sources: dict[str, str] = manifest["sources"]
        self._digests: dict[str, str] = manifest["digests"]
        self._numba: str = manifest["numba"]
        self._variants: list[str] = manifest["variants"]
        self._levels: list[int] = manifest["levels"]
        self.build: str = manifest["build"]
        self.path = folder / manifest["file"]

    def number(self, kernel: str) -> int:
        """Return the number of a kernel in the library's C code.

        Args:
            kernel: its module and qualified name.

        Raises:
            LibraryError: the library has no such kernel, or was built from other sources.
        """
        number = self._numbers.get(kernel)
        if number is None or self.changed:
            raise LibraryError(
                "the library of compiled kernels is not of these sources: install gammon again"
            )
        return number

    @cached_property
    def changed(self) -> frozenset[str]:
        """The modules that have changed since the library was built from them."""
        return frozenset(module for module, digest in self._sources.items() if file_digest(module) != digest)


class KernelLibrary(Built):
    """The library in a folder.

    Args:
        folder: the folder of the library and its manifest.
        variant: such as "x86-64-v3", or None for the best one that the processor can run.

    Attributes:
        variant: the variant in use.
        variants: all variants that this processor can run, the best first.

    Raises:
        LibraryError: the library is missing, damaged, or does not run here.
    """

    def __init__(self, folder: Path, variant: str | None = None) -> None:
        super().__init__(folder, system_of())
        try:
            code = ctypes.CDLL(str(self.path))
        except OSError as error:  # such as a C library that is too old
            raise LibraryError(f"the library of compiled kernels: {error}") from None
        level = code.gammon_level()
        needed = zip(self._variants, self._levels, strict=True)
        self.variants = [name for name, least in needed if least <= level][::-1]
        if not self.variants:
            raise LibraryError(
                f"the library is for processors of {self._variants[0]}: install gammon again on this one"
            )
        if variant is not None and variant not in self.variants:
            names = ", ".join(self.variants)
            raise LibraryError(f"{variant} is no variant that runs here: expected {names}")
        self.variant = variant or self.variants[0]
        self._code = code
        self._number = self._variants.index(self.variant)

    def is_of(self, numba: str) -> bool:
        """Return whether the kernels were compiled by this version of numba."""
        return numba == self._numba

    def kernel(self, name: str, signature: kinds.Signature, digest: Callable[[], str]) -> Native | None:
        """Return a kernel, or None if the library has it not, or only from other sources.

        Args:
            name: its module and qualified name.
            signature: its signature.
            digest: returns the present digest of the kernel; see `sources.kernel_digest`. It
                is called only if files have changed.
        """
        number = self._numbers.get(name)
        if number is None or (self.changed and self._digests[name] != digest()):
            return None
        exported = f"gammon_{number}_{self._number}"
        address = getattr(self._code, f"{exported}_code")
        address.restype = ctypes.c_void_p
        return Native(address(), entry(getattr(self._code, f"{exported}_call"), signature))


@cache
def library(variant: str | None = None) -> KernelLibrary:
    """Return the library of this package.

    Args:
        variant: see `KernelLibrary`.

    Raises:
        LibraryError: it cannot be used.
    """
    return KernelLibrary(FOLDER, variant)
