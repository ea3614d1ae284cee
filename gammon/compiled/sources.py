"""What compiled code is made of, so that an edit is compiled and nothing else is.

A kernel's code holds that of the kernels it calls and the constants that they read, and knows
the layouts of the records that they take. `kernel_digest` stands for all of it: for the code of
the function and of all that it reaches by its globals, as Python has loaded them. So an edit
of a helper, of a constant or of a record's fields changes the digests of the kernels that reach
it, and those of no others; a comment or a docstring changes none.

Two things are taken whole. The compiler itself and its dialect, in `gammon.compiled`, are a
part of every digest: all their files. And where a function reaches something of which this
module does not know what code it makes, such as a plain function or a class, the files of both
count, with all of gammon. To take too much does no harm.

Whether files have changed at all is asked first (`file_digest`), since that takes less time.
"""

import dis
import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache
from inspect import unwrap
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from gammon.compiled import kinds

_TOP = Path(__file__).parents[2]
#: The constants that kernels may read; tuples of them, too.
_VALUES = int, float, complex, str, bytes, np.generic, np.ndarray
#: What is reached in these packages is known by its name.
_KNOWN = {"numpy", "numba", *sys.stdlib_module_names}


def _digest(*parts: str | bytes) -> str:
    """Return 16 characters that stand for a sequence of texts."""
    made = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        made.update(len(data).to_bytes(8, "little") + data)
    return made.hexdigest()[:16]


def file_digest(module: str) -> str:
    """Return a digest of the file of a module of gammon; of a missing one, nothing."""
    path = _TOP.joinpath(*module.split("."))
    try:
        text = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_bytes()
    except OSError:
        return ""
    return hashlib.sha256(text).hexdigest()[:16]


@cache
def _files(pattern: str) -> str:
    """Return what stands for some files of gammon and of the packages beside it."""
    return _digest(*(path.read_bytes() for path in sorted(_TOP.glob(pattern))))


def _file(module: str) -> bytes:
    """Return the text of a module's file. One that was typed in is never known again."""
    try:
        return Path(str(getattr(sys.modules.get(module), "__file__", ""))).read_bytes()
    except OSError:
        return os.urandom(8)


@cache
def layout(kind: Any) -> str:
    """Return what stands for a kind of values: its types, and the names of its fields."""
    if isinstance(kind, kinds.Record):
        made = kind.made
        names = [made.__module__, made.__qualname__, *made._fields] if made else []
        return _digest("record", *names, *map(layout, kind.parts))
    if isinstance(kind, kinds.Function):
        return _digest("function", layout(kind.signature))
    if isinstance(kind, kinds.Place):
        return _digest("place", layout(kind.record))
    if isinstance(kind, kinds.Signature):
        return _digest("signature", layout(kind.result), *map(layout, kind.arguments))
    return str(kind)


def _inside(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function, and that of functions and comprehensions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _inside(constant)


def _literals(code: CodeType) -> Iterator[str]:
    """Yield the constants in the code of a function, without its docstring.

    A docstring is the first one, and nothing reads it.
    """
    read = {each.arg for each in dis.get_instructions(code) if "CONST" in each.opname}
    for place, value in enumerate(code.co_consts):
        if isinstance(value, frozenset):
            yield repr(sorted(map(repr, value)))
        elif not isinstance(value, CodeType) and (place > 0 or 0 in read):
            yield f"{place} {type(value).__name__} {value!r}"


@cache
def _own_code(function: FunctionType) -> str:
    """Return what stands for the code of a function, without what it reaches."""
    parts = [function.__module__, function.__qualname__]
    for code in _inside(function.__code__):
        counts = code.co_argcount, code.co_kwonlyargcount, code.co_flags
        names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
        parts += [code.co_code.hex(), code.co_exceptiontable.hex(), repr((counts, names))]
        parts += _literals(code)
    return _digest(*parts)


def _reachable(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the names by which a function may reach values, and these.

    They are its globals, those of modules among them, what it takes from the function around
    it, and the defaults of its parameters. Names of attributes count as well: that some of them
    are globals by chance does no harm.
    """
    code = function.__code__
    names = sorted({name for each in _inside(code) for name in each.co_names})
    scopes = [("", function.__globals__)]
    for prefix, scope in scopes:
        for name in (each for each in names if each in scope):
            value = scope[name]
            yield prefix + name, value
            own = isinstance(value, ModuleType) and value.__name__.split(".")[0] not in _KNOWN
            if own and all(vars(value) is not other for _, other in scopes):
                scopes.append((f"{prefix}{name}.", vars(value)))
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        yield f"free {name}", cell.cell_contents
    for place, value in enumerate(function.__defaults__ or ()):
        yield f"default {place}", value
    for name, value in (function.__kwdefaults__ or {}).items():
        yield f"default {name}", value


class Reader:
    """Reads one function: what it is made of by itself, and the kernels that it reaches.

    Attributes:
        parts: texts that stand for all but these kernels.
        kernels: by the name that the function has for each.
    """

    def __init__(self, function: FunctionType) -> None:
        self._home = function.__module__
        self.parts = [_own_code(function)]
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
            self.parts.append(f"{name} {type(value).__qualname__} {value!r}")
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
    """Return the function that somebody has written under a decorator."""
    function: FunctionType = unwrap(kernel.py_func)
    return function


def _form(kernel: Any) -> str:
    """Return what stands for the signature of a kernel, and for the ways to compile it."""
    signature = getattr(kernel, "signature", None)
    known = layout(signature) if isinstance(signature, kinds.Signature) else ""
    ways = getattr(kernel, "options", None), getattr(kernel, "targetoptions", None)
    return _digest(known, repr(ways))


def reached(function: FunctionType) -> dict[FunctionType, str]:
    """Return the functions that compiled code is made of, and what stands for each by itself.

    Args:
        function: a plain function, whose globals may hold kernels. It is the first one.
    """
    readers: dict[FunctionType, Reader] = {}
    waiting = [function]
    while waiting:
        each = waiting.pop()
        if each not in readers:
            readers[each] = Reader(each)
            waiting += map(plain, readers[each].kernels.values())
    return {
        each: _digest(
            *reader.parts,
            *(
                part
                for name, kernel in sorted(reader.kernels.items())
                for part in (name, *readers[plain(kernel)].parts, _form(kernel))
            ),
        )
        for each, reader in readers.items()
    }


def code_digest(function: FunctionType, form: str = "") -> str:
    """Return 16 characters that stand for all that a function's compiled code is made of.

    Args:
        function: a plain function, whose globals may hold kernels.
        form: what else the code depends on.
    """
    first, *others = reached(function).values()
    python = sys.implementation.cache_tag or ""
    return _digest(python, _files("gammon/compiled/**/*.py"), form, first, *sorted(others))


def kernel_digest(kernel: Any) -> str:
    """Return the digest of a kernel: of its code, its signature and the ways to compile it."""
    return code_digest(plain(kernel), _form(kernel))
