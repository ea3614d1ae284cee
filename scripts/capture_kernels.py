"""Capture the kernels: numba types them and writes them as LLVM bitcode.

Nothing is run or optimized here, so the bitcode is for no processor and no version of Python.
`scripts/captured` keeps it (`python scripts/build_library.py --refresh`), and an installation then
needs neither numba nor llvmlite. `kernels.json` beside it has digests of all that it was made of.
"""

import ast
import hashlib
import importlib
import json
import lzma
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

TOP = Path(__file__).resolve().parents[1]
#: The folder of the bitcode that is kept, and the names of its files.
KEPT = Path(__file__).with_name("captured")
BITCODE, MODULE, FACTS = "kernels.bc.xz", "gammon.wasm.xz", "kernels.json"
#: The function with which numba would continue in Python where a function has no address. All
#: functions here have an address, so it is never reached.
NEVER_CALLED = "numba_gil_ensure"
#: The most parameters that JavaScript engines allow a function of WebAssembly.
MOST_PARAMETERS = 1000
#: Prints the modules of gammon that are loaded with those that have kernels.
_IMPORTED = """
import importlib, sys
for module in sys.argv[1:]:
    importlib.import_module(module)
print(*sorted(module for module in sys.modules if module.startswith("gammon")))
"""
#: The modules whose kernels numba compiles at their first use, so that the library stays small.
ON_DEMAND = (
    "gammon_lab.train.",
    "gammon_lab.hypergammon.",
    "gammon_lab.games.hypergammon",
    "gammon_lab.searches.",
)
#: What a syntax tree has in addition in some versions of Python, or only in some places.
_UNUSED = {"ctx", "kind", "type_comment", "type_params"}


class Captured(NamedTuple):
    """The kernels in LLVM's form, and as a module for browsers.

    Attributes:
        bitcode: one module of all kernels, not for any processor. `kernel_0` is the first root.
        facts: what is known of them, as `kernels.json` has it: "kernels" has for each root the digest
            of its sources, and LLVM's types of its arguments; "never" the types of the arguments of
            `NEVER_CALLED`; "numba" its version; "sources" the digests of the modules that the kernels
            come from; "dialect" the digest of the compiler. If there is a module, "build" is its
            identity, and "runtime" the digest of what it has beside the kernels.
        module: the WebAssembly module of the kernels, or nothing.
    """

    bitcode: bytes
    facts: dict[str, Any]
    module: bytes = b""


def kernel_modules() -> Iterator[str]:
    """Yield the modules with kernels of all packages, except those of `ON_DEMAND`."""
    for path in sorted(TOP.glob("gammon*/**/*.py")):
        if re.search(r"^@kernel\(", path.read_text(encoding="utf-8"), re.MULTILINE):
            name = ".".join(path.relative_to(TOP).with_suffix("").parts)
            if not name.startswith(ON_DEMAND):
                yield name


def imported_modules() -> list[str]:
    """Return all modules of gammon from which the kernels are made, imported by a fresh process."""
    process = subprocess.run(
        [sys.executable, "-c", _IMPORTED, *kernel_modules()],
        cwd=TOP,
        check=True,
        text=True,
        env=os.environ | {"GAMMON_KERNELS": "python"},
        stdout=subprocess.PIPE,
    )
    return process.stdout.split()


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _text_of(tree: Any) -> str:
    """Return a syntax tree as a text, the same for all versions of Python, without docstrings."""
    if isinstance(tree, list):
        return f"[{' '.join(map(_text_of, tree))}]"
    if not isinstance(tree, ast.AST):
        return repr(tree)
    if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Constant):
        return ""
    fields = ((name, value) for name, value in ast.iter_fields(tree) if name not in _UNUSED)
    parts = (f"{name}={_text_of(value)}" for name, value in fields if value is not None and value != [])
    return f"{type(tree).__name__}({' '.join(parts)})"


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes())


def code_digest_of(module: str) -> str:
    """Return the digest of the code of a module, without comments, or "" if it is missing."""
    path = TOP.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    try:
        return _digest(_text_of(_tree(path)))
    except OSError:
        return ""


@cache
def _functions(path: Path) -> dict[int, str]:
    """Return the digests of all functions of a file, by the lines on which they begin."""
    kinds = ast.FunctionDef, ast.AsyncFunctionDef
    return {
        min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]): _digest(_text_of(node))
        for node in ast.walk(_tree(path))
        if isinstance(node, kinds)
    }


def _own_code(function: FunctionType) -> str:
    """Return the digest of a function's own code, the same for all versions of Python."""
    path, line = Path(function.__code__.co_filename), function.__code__.co_firstlineno
    return _functions(path)[line]


def portable_digest(kernel: Any) -> str:
    """Return the digest of all that a kernel is made of, the same for all versions of Python."""
    from gammon.compiled.sources import form_of, plain, reached

    first, *others = reached(plain(kernel), _own_code).values()
    return _digest(form_of(kernel), first, *sorted(others))


def _dialect() -> str:
    """Return the digest of the compiler of kernels, and of this module."""
    paths = [Path(__file__), *sorted((TOP / "gammon" / "compiled").rglob("*.py"))]
    return _digest(*(_text_of(_tree(path)) for path in paths))


def roots() -> dict[str, Any]:
    """Import and return the kernels that Python calls, or that are called by a pointer, by name."""
    from gammon.compiled.kernel import Kernel

    return {
        kernel.name: kernel
        for module in kernel_modules()
        for kernel in vars(importlib.import_module(module)).values()
        if isinstance(kernel, Kernel) and not kernel.inner
    }


def kept(folder: Path) -> Captured | None:
    """Return the captured kernels that a folder keeps, or None if there are none.

    Raises:
        SystemExit: they are damaged.
    """
    try:
        facts = json.loads((folder / FACTS).read_bytes())
        packed = [(folder / name).read_bytes() for name in (BITCODE, MODULE)]
        if facts["digests"] != [hashlib.sha256(data).hexdigest() for data in packed]:
            raise ValueError(folder)
        bitcode, module = map(lzma.decompress, packed)
        return Captured(bitcode, facts, module)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, LookupError, lzma.LZMAError):
        sys.exit(f"{folder} is damaged: unpack the archive again, or git checkout {folder}")


def keep(captured: Captured, folder: Path) -> None:
    """Write captured kernels into a folder, where `kept` finds them."""
    folder.mkdir(parents=True, exist_ok=True)
    packed = [lzma.compress(data, preset=9) for data in (captured.bitcode, captured.module)]
    for name, data in zip((BITCODE, MODULE), packed, strict=True):
        (folder / name).write_bytes(data)
    facts = captured.facts | {"digests": [hashlib.sha256(data).hexdigest() for data in packed]}
    (folder / FACTS).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def run_capture(folder: Path) -> Captured:
    """Capture the kernels in a process of its own, keep them in a folder, and return them.

    Raises:
        SystemExit: the process failed, and has said why.
    """
    # numba goes through sets here and there: with this their order is always the same.
    env = os.environ | {"GAMMON_KERNELS": "numba", "PYTHONHASHSEED": "0"}
    if subprocess.run([sys.executable, __file__, folder], env=env, check=False).returncode:
        sys.exit("the kernels were not captured")
    captured = kept(folder)
    assert captured
    return captured


def is_same_code(facts: dict[str, Any]) -> bool:
    """Return whether the code of all modules is as it was at the capture; comments do not count.

    This imports nothing of gammon, so it works before anything is installed.
    """
    sources = facts["sources"]
    known = facts["dialect"] == _dialect() and set(kernel_modules()) <= sources.keys()
    return known and all(code_digest_of(module) == digest for module, digest in sources.items())


def is_of_these_sources(facts: dict[str, Any]) -> bool:
    """Return whether the kernels are as they were at the capture, whatever else has changed."""
    if is_same_code(facts):
        return True
    if facts["dialect"] != _dialect():
        return False
    digests = {name: portable_digest(kernel) for name, kernel in roots().items()}
    return digests == {name: kernel["digest"] for name, kernel in facts["kernels"].items()}


def _stop_at_llvm() -> None:
    """Make numba stop after it has written LLVM code, before it optimizes or finalizes it."""
    from numba.core import cgutils, codegen, cpu, pythonapi

    from gammon.compiled.jit.compiler import OnDisk

    def keep_layout(library: Any, module: Any) -> None:
        module.data_layout = library._codegen._data_layout

    code: Any = codegen.CPUCodeLibrary
    code._optimize_functions = keep_layout
    code._optimize_final_module = lambda library: None
    jit: Any = codegen.JITCodeLibrary
    jit._finalize_specific = lambda library: None
    jit.get_pointer_to_function = lambda library, name: 0
    engine: Any = codegen.JITCPUCodegen
    engine._add_module = lambda self, module: None
    engine.set_env = lambda self, name, env: None
    context: Any = cpu.CPUContext
    # numba identifies functions by these objects, which must be C functions.
    context.get_executable = lambda self, library, fndesc, env: [].append
    disk: Any = OnDisk
    disk.load_overload = lambda self, sig, target: None
    disk.save_overload = lambda self, sig, data: None
    # No kernel raises errors, or reaches objects of Python. numba's would come with the paths and
    # the addresses of this process.
    python: Any = pythonapi.PythonAPI
    serialized = python._serialize_data
    python._serialize_data = lambda self, data: serialized(self, b"")
    context.add_dynamic_addr = lambda self, builder, intaddr, info: cgutils.get_null_value(cgutils.voidptr_t)


def _types(function: Any) -> str:
    return " ".join(str(argument.type) for argument in function.arguments)


def capture() -> Captured:
    """Return all kernels that are called from Python or by a pointer, and the kernels that they call."""
    import llvmlite.binding as llvm
    import numba
    from numba.core.compiler_lock import global_compiler_lock

    _stop_at_llvm()
    kernels = roots()
    for kernel in kernels.values():
        kernel.for_python = False
    found = {name: {"digest": portable_digest(kernel)} for name, kernel in kernels.items()}
    linked, symbols = llvm.parse_assembly(""), []
    for kernel in kernels.values():
        result = kernel.compiled.result
        with global_compiler_lock:
            code = llvm.parse_bitcode(result.library._get_module_for_linking().as_bitcode())
        symbol = result.fndesc.llvm_func_name
        code.get_function(symbol).linkage = "external"
        symbols.append(symbol)
        linked.link_in(code)
    for k, (name, symbol) in enumerate(zip(kernels, symbols, strict=True)):
        function = linked.get_function(symbol)
        found[name]["arguments"] = _types(function)
        function.name = f"kernel_{k}"
        if len(found[name]["arguments"].split()) > MOST_PARAMETERS:
            function.add_function_attribute("alwaysinline")
    linked.triple = ""
    never = _types(linked.get_function(NEVER_CALLED))
    sources = {module: code_digest_of(module) for module in imported_modules()}
    facts = {"numba": numba.__version__, "never": never, "dialect": _dialect()}
    return Captured(linked.as_bitcode(), facts | {"sources": sources, "kernels": found})


if __name__ == "__main__":
    sys.path.insert(0, str(TOP))
    keep(capture(), Path(sys.argv[1]))
