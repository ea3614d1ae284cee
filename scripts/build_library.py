"""Build the library of kernels: `python scripts/build_library.py [--system wasm32 ...]`.

numba types the kernels and writes them in LLVM's language; at this stage nothing is run or
optimized. LLVM then optimizes all of them together and makes an object file for each variant of a
processor. A linker joins these into one library. `gammon.compiled.library` loads it.

numba, llvmlite and ziglang (for its linker) are needed to build, not to run.
"""

import argparse
import hashlib
import importlib
import importlib.util
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

TOP = Path(__file__).resolve().parents[1]
_RUNTIME = Path(__file__).with_name("library")
#: The function with which numba would continue in Python where a function has no address. All
#: functions here have an address, so it is never reached.
_NEVER_CALLED = "numba_gil_ensure"
#: Imports modules, and prints which modules of gammon are then loaded.
_IMPORTED = """
import importlib, sys
for module in sys.argv[1:]:
    importlib.import_module(module)
print(*sorted(module for module in sys.modules if module.startswith("gammon")))
"""
#: The command that installs all that is needed to build.
_INSTALL = f'{sys.executable} -m pip install -e ".[jit]" ziglang'
#: The most parameters that JavaScript engines allow a function of WebAssembly.
_MOST_PARAMETERS = 1000
#: The types of arguments that are narrower than a word.
_NARROW = {"i1", "i8", "i16", "i32"}


class System(NamedTuple):
    """A system that the library can be built for.

    Attributes:
        triple: its name in LLVM.
        processors: by the name of each variant, LLVM's processor, with `+` and further features;
            the plainest variant first.
        tag: its platform tag in wheels: the oldest one that has all that the library needs. A
            module for browsers is in all wheels.
        file: the name of the library's file.
        zig: its name in zig, which links for it and knows its C library.
    """

    triple: str
    processors: dict[str, str]
    tag: str
    file: str
    zig: str

    @property
    def is_module(self) -> bool:
        """Whether the library is a WebAssembly module."""
        return self.file.endswith(".wasm")


_X86 = {f"x86-64-{level}": f"x86-64-{level}" for level in ("v2", "v3", "v4")}
_ARM = {"aarch64": "generic"}
SYSTEMS = {
    "linux-x86_64": System(
        "x86_64-unknown-linux-gnu", _X86, "manylinux_2_28_x86_64", "libgammon.so", "x86_64-linux-gnu.2.28"
    ),
    "linux-aarch64": System(
        "aarch64-unknown-linux-gnu", _ARM, "manylinux_2_28_aarch64", "libgammon.so", "aarch64-linux-gnu.2.28"
    ),
    "darwin-x86_64": System(
        "x86_64-apple-macosx11.0", _X86, "macosx_11_0_x86_64", "libgammon.dylib", "x86_64-macos.11.0"
    ),
    "darwin-aarch64": System(
        "arm64-apple-macosx11.0",
        {"aarch64": "apple-m1"},
        "macosx_11_0_arm64",
        "libgammon.dylib",
        "aarch64-macos.11.0",
    ),
    "win32-x86_64": System("x86_64-pc-windows-gnu", _X86, "win_amd64", "gammon.dll", "x86_64-windows-gnu"),
    # A browser refuses a module with any unknown instruction, so each variant is a module.
    "wasm32": System(
        "wasm32-unknown-unknown", {"wasm32-simd128": "generic+simd128"}, "any", "gammon.wasm", "wasm32-wasi"
    ),
    "wasm32-plain": System(
        "wasm32-unknown-unknown", {"wasm32": "generic"}, "any", "gammon-plain.wasm", "wasm32-wasi"
    ),
}
#: The functions of the C interface that programs in JavaScript call.
_EXPORTS = (
    "malloc", "free", "gammon_read_light", "gammon_fill", "gammon_open_searcher", "gammon_close_searcher",
    "gammon_plays", "gammon_analyze", "gammon_decide", "gammon_evaluate", "gammon_games",
    "gammon_explain_play", "gammon_explain_cube", "gammon_judge", "gammon_misjudge",
    "gammon_fault_text",
)  # fmt: skip


class Captured(NamedTuple):
    """The kernels in LLVM's form.

    Attributes:
        bitcode: one module of all kernels, not yet for any processor.
        symbols: the name of the function, by the name of each root.
        digests: the digest of the sources, by the name of each root; see `gammon.compiled.sources`.
    """

    bitcode: bytes
    symbols: dict[str, str]
    digests: dict[str, str]


def _stop_at_llvm() -> None:
    """Make numba stop after it has written LLVM code, before it optimizes or finalizes it."""
    from numba.core import codegen, cpu

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


def _modules() -> Iterator[str]:
    """Yield the modules with kernels of all packages, without the modules of training."""
    for path in sorted(TOP.glob("gammon*/**/*.py")):
        if re.search(r"^@kernel\(", path.read_text(encoding="utf-8"), re.MULTILINE):
            name = ".".join(path.relative_to(TOP).with_suffix("").parts)
            if not name.startswith("gammon.train."):
                yield name


def capture() -> Captured:
    """Return all kernels that are called from Python or by a pointer, and the kernels that they call."""
    os.environ["GAMMON_KERNELS"] = "numba"
    import llvmlite.binding as llvm
    from numba.core.compiler_lock import global_compiler_lock

    from gammon.compiled.kernel import Kernel
    from gammon.compiled.sources import kernel_digest

    _stop_at_llvm()
    modules = list(_modules())
    roots = {
        kernel.name: kernel
        for module in modules
        for kernel in vars(importlib.import_module(module)).values()
        if isinstance(kernel, Kernel) and not kernel.inner
    }
    for kernel in roots.values():
        kernel.for_python = False
    digests = {name: kernel_digest(kernel) for name, kernel in roots.items()}
    linked, symbols = llvm.parse_assembly(""), {}
    for name, kernel in roots.items():
        result = kernel.compiled.result
        with global_compiler_lock:
            code = llvm.parse_bitcode(result.library._get_module_for_linking().as_bitcode())
        symbols[name] = result.fndesc.llvm_func_name
        code.get_function(symbols[name]).linkage = "external"
        linked.link_in(code)
    return Captured(linked.as_bitcode(), symbols, digests)


def _entry(number: int, variant: int, symbol: str, arguments: list[str]) -> str:
    """Return a function in LLVM's language that takes a root's arguments from words.

    The first two arguments of a root are numba's: the places of its result and of its error,
    which stays empty. A root of more than `_MOST_PARAMETERS` is copied into that function, and has
    no address.
    """
    body, call = [], [f"{arguments[0]} %result", f"{arguments[1]} %error"]
    for k, kind in enumerate(arguments[2:]):
        body.append(f"  %at{k} = getelementptr inbounds i64, ptr %words, i64 {k}")
        if kind in _NARROW or kind == "ptr":
            change = "inttoptr" if kind == "ptr" else "trunc"
            body.append(f"  %word{k} = load i64, ptr %at{k}")
            body.append(f"  %value{k} = {change} i64 %word{k} to {kind}")
        else:
            body.append(f"  %value{k} = load {kind}, ptr %at{k}")
        call.append(f"{kind} %value{k}")
    exported = f"gammon_{number}_{variant}"
    address = "null" if len(arguments) > _MOST_PARAMETERS else f'@"{symbol}"'
    return "\n".join(
        [
            f'declare i32 @"{symbol}"({", ".join(arguments)})',
            f"define i32 @{exported}_call(ptr %words, ptr %result) {{",
            "  %error = alloca ptr",
            *body,
            f'  %status = call i32 @"{symbol}"({", ".join(call)})',
            "  ret i32 %status",
            "}",
            f"define ptr @{exported}_code() {{\n  ret ptr {address}\n}}",
        ]
    )


def emit(captured: Captured, system: System, number: int) -> bytes:
    """Return the object file of one variant.

    Args:
        captured: the kernels.
        system: the system that the object file is for.
        number: the number of the variant.
    """
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()  # for the instructions that query the processor's level
    processor, _, more = list(system.processors.values())[number].partition("+")
    machine = llvm.Target.from_triple(system.triple).create_target_machine(
        cpu=processor,
        features=f"+{more}" if more else "",
        opt=3,
        codemodel="default",
        reloc="static" if system.is_module else "pic",
    )
    module = llvm.parse_bitcode(captured.bitcode)
    module.triple, module.data_layout = system.triple, str(machine.target_data)
    head = f'target triple = "{system.triple}"\ntarget datalayout = "{machine.target_data}"\n'
    wide = int(processor == "x86-64-v4")
    text = [head, f"@gammon_wide = constant i8 {wide}"]
    text.append((_RUNTIME / "runtime.ll").read_text(encoding="utf-8"))
    if number == 0:
        family = "x86_64" if "x86_64" in system.triple else "other"
        text.append((_RUNTIME / f"{family}.ll").read_text(encoding="utf-8"))
    if more:
        text.append((_RUNTIME / f"{more}.ll").read_text(encoding="utf-8"))
    for k, symbol in enumerate(captured.symbols.values()):
        arguments = [str(argument.type) for argument in module.get_function(symbol).arguments]
        text.append(_entry(k, number, symbol, arguments))
        if len(arguments) > _MOST_PARAMETERS:
            module.get_function(symbol).add_function_attribute("alwaysinline")
    python = module.get_function(_NEVER_CALLED)
    taken = ", ".join(str(argument.type) for argument in python.arguments)
    text.append(f"define linkonce_odr void @{_NEVER_CALLED}({taken}) alwaysinline {{\n  unreachable\n}}")
    module.link_in(llvm.parse_assembly("\n".join(text)))
    for symbol_value in [*module.functions, *module.global_variables]:
        if not symbol_value.is_declaration and not _is_exported(symbol_value.name):
            symbol_value.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)
    module.verify()
    object_file: bytes = machine.emit_object(module)
    return object_file


def _is_exported(name: str) -> bool:
    return re.fullmatch(r"gammon_(level|\d+_\d+_(call|code))", name) is not None


def _table(captured: Captured, system: System, build: str) -> str:
    """Return `table.h`, which lists the kernels and their variants for the C interface."""
    from gammon.core.estimate import judge
    from gammon.engine.misjudge import misjudge
    from gammon.eval.bearoff_build import fill_tables
    from gammon.eval.race_cube import N_TABLES
    from gammon_adapters.embed.calls import CALLS
    from gammon_adapters.embed.layout import FAULTS

    kernels, variants = range(len(captured.symbols)), range(len(system.processors))
    numbers = {name: k for k, name in enumerate(captured.symbols)}
    lines = ["int32_t gammon_level(void);"]
    for k in kernels:
        for v in variants:
            lines.append(f"int32_t gammon_{k}_{v}_call(const int64_t *, void *);")
            lines.append(f"void *gammon_{k}_{v}_code(void);")
    lines.append(f"enum {{ VARIANTS = {len(variants)}, FAULTS = {len(FAULTS)} }};")
    lines.append(f"enum {{ TABLES = {N_TABLES} }};")
    kernel: Any
    for kernel in (*CALLS, fill_tables, judge, misjudge):
        lines.append(f"enum {{ {kernel.__name__.upper()} = {numbers[kernel.name]} }};")
    for what, kind in (
        ("call", "int32_t (*const CALLS{})(const int64_t *, void *)"),
        ("code", "void *(*const CODES{})(void)"),
    ):
        rows = ",".join("{" + ",".join(f"gammon_{k}_{v}_{what}" for k in kernels) + "}" for v in variants)
        sizes = f"[{len(variants)}][{len(kernels)}]"
        lines.append(f"static {kind.format(sizes)} = {{{rows}}};")
    for name, texts in (("NAMES", system.processors), ("WORDS", FAULTS.values())):
        quoted = ",".join(json.dumps(text) for text in texts)
        lines.append(f"static const char *const {name}[] = {{{quoted}}};")
    lines.append(f'#define BUILD "{build}"')
    return "\n".join(lines) + "\n"


def link(objects: list[Path], system: System, path: Path) -> None:
    """Link the objects of all variants into one library, with the C interface.

    Args:
        objects: the object files of the variants; the headers are in the folder of the first one.
        system: see `System`.
        path: the path of the library.
    """
    command = [sys.executable, "-m", "ziglang", "cc", "-target", system.zig, "-s"]
    command += ["-O2", "-Wall", "-Werror", "-I", str(objects[0].parent)]
    if system.is_module:
        command.append("-mexec-model=reactor")
        command += [f"-Wl,--export={name}" for name in _EXPORTS]
    else:
        command.append("-shared")
    if system.file.endswith(".dll"):
        command.append("-Wl,--export-all-symbols")
    if system.file.endswith(".so"):  # otherwise programs look for it at the path at link time
        command.append(f"-Wl,-soname,{system.file}")
    if system.file.endswith(".dylib"):  # otherwise it records the path at link time
        command.append(f"-Wl,-install_name,@rpath/{system.file}")
    source = _RUNTIME / "gammon.c"
    subprocess.run([*command, "-o", path, source, *objects, "-lm"], check=True)


def _header() -> str:
    from gammon_adapters.embed.header import header

    return header()


def _runtime() -> str:
    """Return the digest of the library's contents beside the kernels."""
    import gammon

    embed = TOP / "gammon_adapters" / "embed"
    files = [*sorted(_RUNTIME.iterdir()), embed / "header.py", embed / "gammon.h.in"]
    parts = [path.read_bytes() for path in files]
    return hashlib.sha256(b"".join([*parts, gammon.__version__.encode()])).hexdigest()


def _sources() -> dict[str, str]:
    """Return the digests of all modules from which the kernels are built."""
    from gammon.compiled.sources import file_digest

    # A fresh process has imported nothing else.
    process = subprocess.run(
        [sys.executable, "-c", _IMPORTED, *_modules()],
        cwd=TOP,
        check=True,
        text=True,
        env=os.environ | {"GAMMON_KERNELS": "python"},
        stdout=subprocess.PIPE,
    )
    return {module: file_digest(module) for module in process.stdout.split()}


def _is_built(folder: Path, manifest: dict[str, Any]) -> bool:
    """Return whether the library in a folder is the one that would be built."""
    from gammon.compiled.library import MANIFEST, seal

    try:
        built = json.loads((folder / MANIFEST).read_bytes())
        code = (folder / manifest["file"]).read_bytes()
        same = all(built[key] == value for key, value in manifest.items())
        return same and built["digest"] == seal(built, code)
    except (OSError, ValueError, TypeError, LookupError):
        return False


def _manifest(name: str) -> dict[str, Any]:
    """Return the manifest entries that are known before a system's library is built."""
    import numba

    system = SYSTEMS[name]
    made_of = {"numba": numba.__version__, "runtime": _runtime(), "sources": _sources()}
    return made_of | {
        "file": system.file,
        "system": name,
        "variants": list(system.processors),
        "build": hashlib.sha256(json.dumps(made_of).encode()).hexdigest()[:32],
    }


def _finish(objects: list[bytes], captured: Captured, manifest: dict[str, Any], folder: Path) -> None:
    """Link the objects of a system, and put its library and its manifest into a folder."""
    from gammon.compiled.library import MANIFEST, seal

    system = SYSTEMS[manifest["system"]]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with TemporaryDirectory() as scratch:
        paths = [Path(scratch) / f"{number}.o" for number in range(len(objects))]
        for path, code in zip(paths, objects, strict=True):
            path.write_bytes(code)
        # The linker may write other files beside the library, such as the `.lib` of a `.dll`.
        linked = Path(scratch) / system.file
        table = _table(captured, system, manifest["build"])
        (Path(scratch) / "table.h").write_text(table, encoding="utf-8")
        (Path(scratch) / "gammon.h").write_text(_header(), encoding="utf-8")
        link(paths, system, linked)
        shutil.move(linked, folder / system.file)
    manifest["digests"] = captured.digests
    manifest["kernels"] = {kernel: k for k, kernel in enumerate(captured.symbols)}
    manifest["digest"] = seal(manifest, (folder / system.file).read_bytes())
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def build(folders: dict[str, Path]) -> None:
    """Build the libraries of systems, except where a folder already has its library.

    Args:
        folders: the folder for the library and its manifest, by the name of the system, one of
            `SYSTEMS`; other files in the folder are deleted.
    """
    manifests = [_manifest(name) for name in folders]
    missing = [manifest for manifest in manifests if not _is_built(folders[manifest["system"]], manifest)]
    if not missing:
        return
    if importlib.util.find_spec("ziglang") is None:
        sys.exit(f"ziglang, which links, is missing: {_INSTALL}")  # before minutes of work
    captured = capture()
    # Each variant is made in its own process, to use all processors of this machine.
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        pending = [
            [pool.submit(emit, captured, system, k) for k in range(len(system.processors))]
            for system in (SYSTEMS[manifest["system"]] for manifest in missing)
        ]
        for manifest, objects in zip(missing, pending, strict=True):
            folder = folders[manifest["system"]]
            _finish([result.result() for result in objects], captured, manifest, folder)


def main() -> None:
    """Read the arguments, and build."""
    from gammon.compiled.library import system_of

    own_system = system_of()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", nargs="+", choices=SYSTEMS, default=[own_system])
    parser.add_argument(
        "--folder", type=Path, help="a folder with one folder per system; by default where the package looks"
    )
    arguments = parser.parse_args()
    if arguments.system == [own_system] and own_system not in SYSTEMS:
        sys.exit(f"no library can be built for {own_system}: expected {', '.join(SYSTEMS)}")
    if importlib.util.find_spec("numba") is None:
        sys.exit(f"numba, which types the kernels, is missing: {_INSTALL}")
    from gammon.compiled.library import FOLDER, MODULES

    folders = {name: MODULES / name if SYSTEMS[name].is_module else FOLDER for name in arguments.system}
    if arguments.folder:
        folders = {name: arguments.folder / name for name in arguments.system}
    build(folders)


if __name__ == "__main__":
    sys.path.insert(0, str(TOP))
    main()
