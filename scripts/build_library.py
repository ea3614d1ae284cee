"""Build the library of kernels: `python scripts/build_library.py [--system wasm32 ...]`.

numba types the kernels and writes them in the language of LLVM; nothing is run, and nothing is
optimized yet. LLVM then optimizes all of them together and makes an object for each variant of
a processor. A linker puts these into one file. See `gammon.compiled.library`, which loads it.

numba, llvmlite and ziglang, for its linker, are needed to build, not to run.
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
#: Where numba's call of a function that it has no address of goes on in Python. All functions
#: have one, so that is never reached.
_NEVER_CALLED = "numba_gil_ensure"
#: Imports modules, and prints which ones of gammon's that brings.
_IMPORTED = """
import importlib, sys
for module in sys.argv[1:]:
    importlib.import_module(module)
print(*sorted(module for module in sys.modules if module.startswith("gammon")))
"""
#: What brings all that is needed to build.
_INSTALL = f'{sys.executable} -m pip install -e ".[jit]" ziglang'
#: Of the instructions of a root that takes its arguments from words.
_NARROW = {"i1", "i8", "i16", "i32"}


class System(NamedTuple):
    """A system that the library can be built for.

    Attributes:
        triple: its name in LLVM.
        processors: the variants: their names, and those of LLVM with what else they have, the
            plainest first.
        tag: its name in wheels; the oldest that has all that the library asks for. A module
            for browsers is in all wheels.
        file: of the library.
        zig: its name in zig, which links for it and knows its C library.
    """

    triple: str
    processors: dict[str, str]
    tag: str
    file: str
    zig: str

    @property
    def is_module(self) -> bool:
        """Whether it is a module of WebAssembly."""
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
    # A module is refused as a whole where an instruction of it is unknown, so each is alone.
    "wasm32": System(
        "wasm32-unknown-unknown", {"wasm32-simd128": "generic+simd128"}, "any", "gammon.wasm", "wasm32-wasi"
    ),
    "wasm32-plain": System(
        "wasm32-unknown-unknown", {"wasm32": "generic"}, "any", "gammon-plain.wasm", "wasm32-wasi"
    ),
}
#: The functions of the C interface that a program in JavaScript calls.
_EXPORTS = (
    "malloc", "free", "gammon_read_light", "gammon_fill", "gammon_sit", "gammon_leave",
    "gammon_plays", "gammon_analyze", "gammon_decide", "gammon_evaluate", "gammon_games",
    "gammon_explain_play", "gammon_explain_cube", "gammon_judge", "gammon_misjudge",
    "gammon_words",
)  # fmt: skip


class Captured(NamedTuple):
    """The kernels as LLVM has them.

    Attributes:
        bitcode: one module of all of them, for no processor yet.
        symbols: by the name of each root, that of its function.
        digests: by the name of each root, what it is made of; see `gammon.compiled.sources`.
    """

    bitcode: bytes
    symbols: dict[str, str]
    digests: dict[str, str]


def _stop_at_llvm() -> None:
    """Let numba write code, and neither optimize it nor make it ready to run."""
    from numba.core import codegen, cpu

    from gammon.compiled.jit.disk import OnDisk

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
    # numba tells functions apart by these, which must be functions of C.
    context.get_executable = lambda self, library, fndesc, env: [].append
    disk: Any = OnDisk
    disk.load_overload = lambda self, sig, target: None
    disk.save_overload = lambda self, sig, data: None


def _modules() -> Iterator[str]:
    """Yield the modules of all packages that have kernels, but for those of training."""
    for path in sorted(TOP.glob("gammon*/**/*.py")):
        if re.search(r"^@kernel\(", path.read_text(encoding="utf-8"), re.MULTILINE):
            name = ".".join(path.relative_to(TOP).with_suffix("").parts)
            if not name.startswith("gammon.train."):
                yield name


def capture() -> Captured:
    """Return all kernels that Python or a pointer reaches, and those that they call."""
    os.environ["GAMMON_KERNELS"] = "numba"
    import llvmlite.binding as llvm
    from numba.core.compiler_lock import global_compiler_lock

    from gammon.compiled.kernel import Kernel
    from gammon.compiled.sources import kernel_digest

    _stop_at_llvm()
    modules = list(_modules())
    roots = {
        each.name: each
        for module in modules
        for each in vars(importlib.import_module(module)).values()
        if isinstance(each, Kernel) and not each.by_kernels
    }
    for each in roots.values():
        each.by_kernels = True  # no code that takes arguments from Python
    digests = {name: kernel_digest(each) for name, each in roots.items()}
    linked, symbols = llvm.parse_assembly(""), {}
    for name, each in roots.items():
        result = each.compiled.result
        with global_compiler_lock:
            code = llvm.parse_bitcode(result.library._get_module_for_linking().as_bitcode())
        symbols[name] = result.fndesc.llvm_func_name
        code.get_function(symbols[name]).linkage = "external"
        linked.link_in(code)
    return Captured(linked.as_bitcode(), symbols, digests)


def _door(number: int, variant: int, symbol: str, arguments: list[str]) -> str:
    """Return a function in LLVM's language that takes a root's arguments from words.

    The first two arguments of a root are numba's: where its result goes, and room for an
    error, which stays empty.
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
    return "\n".join(
        [
            f'declare i32 @"{symbol}"({", ".join(arguments)})',
            f"define i32 @{exported}_call(ptr %words, ptr %result) {{",
            "  %error = alloca ptr",
            *body,
            f'  %status = call i32 @"{symbol}"({", ".join(call)})',
            "  ret i32 %status",
            "}",
            f'define ptr @{exported}_code() {{\n  ret ptr @"{symbol}"\n}}',
        ]
    )


def emit(captured: Captured, system: System, number: int) -> bytes:
    """Return the object of one variant.

    Args:
        captured: the kernels.
        system: what it is for.
        number: of the variant.
    """
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()  # for the instructions that ask for the level
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
        arguments = [str(each.type) for each in module.get_function(symbol).arguments]
        text.append(_door(k, number, symbol, arguments))
    python = module.get_function(_NEVER_CALLED)
    taken = ", ".join(str(each.type) for each in python.arguments)
    text.append(f"define linkonce_odr void @{_NEVER_CALLED}({taken}) alwaysinline {{\n  unreachable\n}}")
    module.link_in(llvm.parse_assembly("\n".join(text)))
    for each in [*module.functions, *module.global_variables]:
        if not each.is_declaration and not _is_exported(each.name):
            each.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)
    module.verify()
    made: bytes = machine.emit_object(module)
    return made


def _is_exported(name: str) -> bool:
    return re.fullmatch(r"gammon_(level|\d+_\d+_(call|code))", name) is not None


def _table(captured: Captured, system: System, build: str) -> str:
    """Return `table.h`, which tells the C interface of the kernels and their variants."""
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
        objects: of the variants; in the folder of the first one are the headers.
        system: see `System`.
        path: of the library.
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
    if system.file.endswith(".so"):  # else a program looks for it where its linker found it
        command.append(f"-Wl,-soname,{system.file}")
    if system.file.endswith(".dylib"):  # else it carries where it was linked
        command.append(f"-Wl,-install_name,@rpath/{system.file}")
    source = _RUNTIME / "gammon.c"
    subprocess.run([*command, "-o", path, source, *objects, "-lm"], check=True)


def _header() -> str:
    from gammon_adapters.embed.header import header

    return header()


def _runtime() -> str:
    """Return the digest of what is in the library beside the kernels."""
    import gammon

    embed = TOP / "gammon_adapters" / "embed"
    files = [*sorted(_RUNTIME.iterdir()), embed / "header.py", embed / "gammon.h.in"]
    parts = [path.read_bytes() for path in files]
    return hashlib.sha256(b"".join([*parts, gammon.__version__.encode()])).hexdigest()


def _sources() -> dict[str, str]:
    """Return the digests of all modules that the kernels are made of."""
    from gammon.compiled.sources import file_digest

    # A process of its own has imported nothing else.
    done = subprocess.run(
        [sys.executable, "-c", _IMPORTED, *_modules()],
        cwd=TOP,
        check=True,
        text=True,
        env=os.environ | {"GAMMON_KERNELS": "python"},
        stdout=subprocess.PIPE,
    )
    return {module: file_digest(module) for module in done.stdout.split()}


def _is_built(folder: Path, manifest: dict[str, Any]) -> bool:
    """Tell whether the library in a folder is what would be built."""
    from gammon.compiled.library import MANIFEST, seal

    try:
        found = json.loads((folder / MANIFEST).read_bytes())
        code = (folder / manifest["file"]).read_bytes()
        same = all(found[key] == value for key, value in manifest.items())
        return same and found["digest"] == seal(found, code)
    except (OSError, ValueError, TypeError, LookupError):
        return False


def _manifest(name: str) -> dict[str, Any]:
    """Return what is known of a system's library before it is built."""
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
        # The linker may write more beside it, such as the `.lib` of a `.dll`.
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
    """Build the libraries of systems, but for those whose folder has theirs already.

    Args:
        folders: by the name of the system, one of `SYSTEMS`, where its library and its manifest
            go; nothing else stays there.
    """
    manifests = [_manifest(name) for name in folders]
    missing = [each for each in manifests if not _is_built(folders[each["system"]], each)]
    if not missing:
        return
    if importlib.util.find_spec("ziglang") is None:
        sys.exit(f"ziglang is missing, which links: {_INSTALL}")  # before minutes of work
    captured = capture()
    # Each variant has a process of its own, so that all processors of this machine are used.
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        made = [
            [pool.submit(emit, captured, system, k) for k in range(len(system.processors))]
            for system in (SYSTEMS[each["system"]] for each in missing)
        ]
        for manifest, objects in zip(missing, made, strict=True):
            folder = folders[manifest["system"]]
            _finish([each.result() for each in objects], captured, manifest, folder)


def main() -> None:
    """Read the arguments, and build."""
    from gammon.compiled.library import system_of

    here = system_of()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", nargs="+", choices=SYSTEMS, default=[here])
    parser.add_argument(
        "--folder",
        type=Path,
        help="each system has a folder of its name there; default: where the package looks",
    )
    arguments = parser.parse_args()
    if arguments.system == [here] and here not in SYSTEMS:
        sys.exit(f"no library can be built for {here}: expected {', '.join(SYSTEMS)}")
    if importlib.util.find_spec("numba") is None:
        sys.exit(f"numba is missing, which types the kernels: {_INSTALL}")
    from gammon.compiled.library import FOLDER, MODULES

    folders = {name: MODULES / name if SYSTEMS[name].is_module else FOLDER for name in arguments.system}
    if arguments.folder:
        folders = {name: arguments.folder / name for name in arguments.system}
    build(folders)


if __name__ == "__main__":
    sys.path.insert(0, str(TOP))
    main()
