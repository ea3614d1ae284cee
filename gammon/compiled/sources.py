"""Digests of kernels' sources, so that after an edit only the affected kernels are recompiled.

Compiled code contains the code of the kernels that it calls and the constants that they read,
and depends on the layouts of their records. `kernel_digest` covers all of it: the code of the
function and of everything that it reaches through its globals, as loaded by Python. An edit of
a helper, of a constant or of a record's fields changes the digests of the kernels that reach it
and of no others. A comment or a docstring changes no digest.

There are two exceptions. All files of `gammon.compiled`, the compiler and its dialect, are a
part of every digest. And if a function reaches something else, such as a plain function or a
class, this module does not know the resulting code: then the digest covers the files of both,
and all of gammon. Covering too much does no harm.

Whether any file has changed is checked first (`file_digest`), since that is faster.
"""

import dis
import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from inspect import unwrap
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from gammon.compiled import kinds

_TOP = Path(__file__).parents[2]
#: The types of constants that kernels may read, also in tuples.
_VALUES = int, float, complex, str, bytes, np.generic, np.ndarray
#: Packages whose functions are identified by their names.
_KNOWN = {"numpy", "numba", *sys.stdlib_module_names}


def _digest(*parts: str | bytes) -> str:
    """Return the digest of a sequence of texts, 16 characters."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:16]


def file_digest(module: str) -> str:
    """Return the digest of a gammon module's file, or "" if it is missing."""
    path = _TOP.joinpath(*module.split("."))
    try:
        text = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_bytes()
    except OSError:
        return ""
    return hashlib.sha256(text).hexdigest()[:16]


@cache
def _files(pattern: str) -> str:
    """Return the digest of the files that match a pattern, in gammon and the packages beside it."""
    return _digest(*(path.read_bytes() for path in sorted(_TOP.glob(pattern))))


def _file(module: str) -> bytes:
    """Return the text of a module's file; random bytes for code that was typed in."""
    try:
        return Path(str(getattr(sys.modules.get(module), "__file__", ""))).read_bytes()
    except OSError:
        return os.urandom(8)


@cache
def layout(kind: Any) -> str:
    """Return the digest of a kind: its types, and the names of its fields."""
    if isinstance(kind, kinds.Record):
        record = kind.made
        names = [record.__module__, record.__qualname__, *record._fields] if record else []
        return _digest("record", *names, *map(layout, kind.parts))
    if isinstance(kind, kinds.Function):
        return _digest("function", layout(kind.signature))
    if isinstance(kind, kinds.Signature):
        return _digest("signature", layout(kind.result), *map(layout, kind.arguments))
    return str(kind)


def _inside(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function, then the code of functions and comprehensions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _inside(constant)


def _literals(code: CodeType) -> Iterator[str]:
    """Yield the constants in the code of a function, without its docstring.

    A docstring is the first constant, and no instruction reads it.
    """
    read = {instruction.arg for instruction in dis.get_instructions(code) if "CONST" in instruction.opname}
    for index, value in enumerate(code.co_consts):
        if isinstance(value, frozenset):
            yield repr(sorted(map(repr, value)))
        elif not isinstance(value, CodeType) and (index > 0 or 0 in read):
            yield f"{index} {type(value).__name__} {value!r}"


@cache
def _own_code(function: FunctionType) -> str:
    """Return the digest of a function's own code, without anything that it reaches."""
    parts = [function.__module__, function.__qualname__]
    for code in _inside(function.__code__):
        counts = code.co_argcount, code.co_kwonlyargcount, code.co_flags
        names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
        parts += [code.co_code.hex(), code.co_exceptiontable.hex(), repr((counts, names))]
        parts += _literals(code)
    return _digest(*parts)


def _reachable(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the values that a function can reach, each with its name.

    They are its globals, the globals of modules among these, the variables of an enclosing
    function, and the defaults of its parameters. Names of attributes count as well: it does no
    harm that some of them may be globals, too.
    """
    code = function.__code__
    names = sorted({name for inner in _inside(code) for name in inner.co_names})
    scopes = [("", function.__globals__)]
    for prefix, scope in scopes:
        for name in names:
            if name not in scope:
                continue
            value = scope[name]
            yield prefix + name, value
            searched = isinstance(value, ModuleType) and value.__name__.split(".")[0] not in _KNOWN
            if searched and all(vars(value) is not other for _, other in scopes):
                scopes.append((f"{prefix}{name}.", vars(value)))
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        yield f"free {name}", cell.cell_contents
    for index, value in enumerate(function.__defaults__ or ()):
        yield f"default {index}", value
    for name, value in (function.__kwdefaults__ or {}).items():
        yield f"default {name}", value


class Reader:
    """The parts of one function's digest, and the kernels that the function reaches.

    Args:
        function: the function.
        own_code: returns the digest of its own code.

    Attributes:
        parts: texts that identify everything but these kernels.
        kernels: the kernels, by their names in the function.
    """

    def __init__(self, function: FunctionType, own_code: Callable[[FunctionType], str]) -> None:
        self._home = function.__module__
        self.parts = [own_code(function)]
        self.kernels: dict[str, Any] = {}
        for name, value in _reachable(function):
            self._read(name, value)

    def _read(self, name: str, value: Any) -> None:
        home = str(getattr(value, "__module__", None) or type(value).__module__)
        known = (type, np.ufunc, BuiltinFunctionType, FunctionType)
        if hasattr(value, "py_func"):
            self.kernels[name] = value
        elif isinstance(value, np.ndarray):
            self.parts.append(f"{name} {value.dtype}{value.shape} {value.tobytes().hex()}")
        elif isinstance(value, _VALUES) and not hasattr(value, "_value_"):  # an enum has that
            number = value.item() if isinstance(value, np.generic) else value  # numpy's texts change
            self.parts.append(f"{name} {type(value).__qualname__} {number!r}")
        elif isinstance(value, tuple):
            self._read_fields(name, type(value), enumerate(value))
        elif isinstance(value, type) and issubclass(value, tuple):
            self._read_fields(name, value, getattr(value, "_field_defaults", {}).items())
        elif isinstance(value, ModuleType):
            self.parts.append(f"{name} module {value.__name__}")
        elif home.split(".", maxsplit=1)[0] in _KNOWN and isinstance(value, known):
            self.parts.append(f"{name} {home} {getattr(value, '__qualname__', value)}")
        elif isinstance(value, FunctionType) and home.startswith("gammon.compiled."):
            self.parts.append(f"{name} {home}.{value.__qualname__}")
        else:
            whole = _digest(_file(self._home), _file(home), _files("gammon*/**/*.py"))
            self.parts.append(f"{name} {whole}")

    def _read_fields(self, name: str, kind: type, values: Any) -> None:
        fields = getattr(kind, "_fields", ())
        self.parts.append(f"{name} {kind.__module__}.{kind.__qualname__} {fields}")
        for field, value in values:
            self._read(f"{name}[{field}]", value)


def plain(kernel: Any) -> FunctionType:
    """Return the plain function under a kernel's decorators."""
    function: FunctionType = unwrap(kernel.py_func)
    return function


def form_of(kernel: Any) -> str:
    """Return the digest of a kernel's signature and of its options for the compiler."""
    signature = getattr(kernel, "signature", None)
    known = layout(signature) if isinstance(signature, kinds.Signature) else ""
    options = getattr(kernel, "options", None), getattr(kernel, "targetoptions", None)
    return _digest(known, repr(options))


def reached(
    function: FunctionType, own_code: Callable[[FunctionType], str] = _own_code
) -> dict[FunctionType, str]:
    """Return the functions that a function's compiled code contains, each with its own digest.

    Args:
        function: a plain function, whose globals may hold kernels. It is the first key.
        own_code: returns the digest of a function's own code, without what it reaches.
    """
    readers: dict[FunctionType, Reader] = {}
    waiting = [function]
    while waiting:
        reached_function = waiting.pop()
        if reached_function not in readers:
            reader = readers[reached_function] = Reader(reached_function, own_code)
            waiting += map(plain, reader.kernels.values())
    return {
        reached_function: _digest(
            *reader.parts,
            *(
                part
                for name, kernel in sorted(reader.kernels.items())
                for part in (name, *readers[plain(kernel)].parts, form_of(kernel))
            ),
        )
        for reached_function, reader in readers.items()
    }


def code_digest(function: FunctionType, form: str = "") -> str:
    """Return the digest, 16 characters, of everything that a function's compiled code depends on.

    Args:
        function: a plain function, whose globals may hold kernels.
        form: other things that the code depends on.
    """
    first, *others = reached(function).values()
    python = sys.implementation.cache_tag or ""
    return _digest(python, _files("gammon/compiled/**/*.py"), form, first, *sorted(others))


def kernel_digest(kernel: Any) -> str:
    """Return the digest of a kernel: of its code, its signature and its compiler options."""
    return code_digest(plain(kernel), form_of(kernel))
