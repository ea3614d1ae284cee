"""The sources that compiled code is made of: a file, and all of gammon that it imports.

A kernel's code holds that of the kernels it calls and the constants it reads. All of these come
from its own file, or by its imports from others. So a digest of these files names the code: an
edit of any of them, and of nothing else, means that the kernel is compiled again.
"""

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

#: The package, and those beside it that have kernels too.
_PACKAGE = Path(__file__).parents[1]
_PACKAGES = (_PACKAGE, *sorted(_PACKAGE.parent.glob("gammon_*")))
#: An import at the beginning of a line, also inside a function. A test compares it with what
#: Python's grammar finds; to find one too many does no harm.
_IMPORT = re.compile(
    rb"^[ \t]*(?:from +(gammon[\w.]*) +import +(\([^)]*\)|[^\n#]*)|import +([^\n#]*))",
    re.MULTILINE,
)


@cache
def _files() -> dict[str, Path]:
    """Return the file of each module of gammon and of the packages beside it."""
    found = {}
    for path in (path for package in _PACKAGES for path in package.rglob("*.py")):
        parts = path.relative_to(_PACKAGE.parent).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


def _imported(text: bytes) -> Iterator[str]:
    """Yield the modules of gammon that a source file imports."""
    for home, names, plain in _IMPORT.findall(text):
        wanted = re.findall(r"gammon[\w.]*", plain.decode())
        if home:
            inside = [f"{home.decode()}.{name}" for name in re.findall(r"\w+", names.decode())]
            wanted = [each if each in _files() else home.decode() for each in inside]
        yield from (each for each in wanted if each in _files())


@cache
def _read(module: str) -> tuple[bytes, frozenset[str]]:
    """Return a digest of the file of a module of gammon, and the modules that it imports."""
    text = _files()[module].read_bytes()
    return hashlib.sha256(text).digest(), frozenset(_imported(text))


def modules_behind(text: bytes) -> set[str]:
    """Return the modules of gammon that a source file imports, and those that they import."""
    found: set[str] = set()
    waiting = set(_imported(text))
    while waiting:
        found |= waiting
        waiting = {other for module in waiting for other in _read(module)[1]} - found
    return found


@cache
def source_digest(text: bytes) -> str:
    """Return 16 characters that stand for a source file and all of gammon behind it."""
    digest = hashlib.sha256(text)
    for module in sorted(modules_behind(text)):
        digest.update(module.encode() + _read(module)[0])
    return digest.hexdigest()[:16]


def behind(module: str) -> set[str]:
    """Return the modules of gammon behind one of them, such as "gammon.search.star"."""
    return modules_behind(_files()[module].read_bytes())


def file_digest(module: str) -> str:
    """Return a digest of the file of a module of gammon; of a missing one, nothing."""
    path = _PACKAGE.parent.joinpath(*module.split("."))
    try:
        text = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_bytes()
    except OSError:
        return ""
    return hashlib.sha256(text).hexdigest()[:16]
