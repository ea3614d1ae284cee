"""Build the library of kernels: `python scripts/build_library.py [--system wasm32 ...]`.

Unless `--system` says otherwise, this builds the library for the processor of this machine, and
the WebAssembly module for browsers. For a system that `--system` names, the library has a variant
for each kind of processor.

`scripts/capture_kernels.py` has written the kernels in LLVM's language, as bitcode that is kept in
`scripts/captured`. zig's compiler optimizes them together, makes object files for each variant of a
processor, and links these into one library. `gammon.compiled.library` loads it. ziglang is needed to
build, not to run. The WebAssembly module, which is for no processor either, is kept as it is.

Where the kernels have changed since, numba captures them again, which takes a minute; numba is
needed for this alone. `--refresh` brings `scripts/captured` up to date. `--check` tells whether its
kernels are of the present sources. `--check code` also asks that no other code has changed, such as
the version: if it has, an installation downloads numba, because only numba could compare the kernels.
"""

import argparse
import ctypes
import hashlib
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Semaphore
from typing import Any, NamedTuple

TOP = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TOP), str(TOP / "scripts")]

from capture_kernels import (  # noqa: E402
    KEPT,
    MOST_PARAMETERS,
    NEVER_CALLED,
    Captured,
    code_digest_of,
    imported_modules,
    is_of_these_sources,
    is_same_code,
    keep,
    kept,
    roots,
    run_capture,
)

from gammon.compiled.system import system_of  # noqa: E402

_RUNTIME = Path(__file__).with_name("library")
#: What must be installed to build, and to capture the kernels again.
ZIG = "ziglang>=0.17,<0.18"  # whose LLVM has at least the version of numba's
NUMBA = "numba>=0.68,<0.69"
#: The command that installs all that is needed to build.
_INSTALL = f'{sys.executable} -m pip install "{ZIG}" "{NUMBA}"'
#: The types of arguments that are narrower than a word.
_NARROW = {"i1", "i8", "i16", "i32"}


class System(NamedTuple):
    """A system that the library can be built for.

    Attributes:
        processors: by the name of each variant, zig's name of the processor, with `+` and further
            features; the plainest variant first.
        tag: its platform tag in wheels: the oldest one that has all that the library needs. A
            module for browsers is in all wheels.
        file: the name of the library's file.
        zig: its name in zig, which links for it and knows its C library.
    """

    processors: dict[str, str]
    tag: str
    file: str
    zig: str

    @property
    def is_module(self) -> bool:
        """Whether the library is a WebAssembly module."""
        return self.file.endswith(".wasm")


_X86 = {f"x86-64-{level}": f"x86_64_{level}" for level in ("v2", "v3", "v4")}
_ARM = {"aarch64": "generic"}
SYSTEMS = {
    "linux-x86_64": System(_X86, "manylinux_2_28_x86_64", "libgammon.so", "x86_64-linux-gnu.2.28"),
    "linux-aarch64": System(_ARM, "manylinux_2_28_aarch64", "libgammon.so", "aarch64-linux-gnu.2.28"),
    "darwin-x86_64": System(_X86, "macosx_11_0_x86_64", "libgammon.dylib", "x86_64-macos.11.0"),
    "darwin-aarch64": System(
        {"aarch64": "apple_m1"}, "macosx_11_0_arm64", "libgammon.dylib", "aarch64-macos.11.0"
    ),
    "win32-x86_64": System(_X86, "win_amd64", "gammon.dll", "x86_64-windows-gnu"),
    # All browsers from Chrome 91, Firefox 89 and Safari 16.4 (2023) on have SIMD.
    "wasm32": System({"wasm32-simd128": "generic+simd128"}, "any", "gammon.wasm", "wasm32-wasi"),
}
#: The kernels that are compiled apart, each with a search of its own: the calls of the C interface.
#: Processors share the work, and all of it is less than in one part, where the calls would pass their
#: large state to functions that they share.
_APART = "gammon_adapters."
#: The functions of the C interface that programs in JavaScript call.
_EXPORTS = (
    "malloc", "free", "gammon_read_light", "gammon_fill", "gammon_open_searcher", "gammon_close_searcher",
    "gammon_plays", "gammon_analyze", "gammon_decide", "gammon_evaluate", "gammon_luck",
    "gammon_games", "gammon_explain_play", "gammon_explain_cube", "gammon_judge", "gammon_misjudge",
    "gammon_fault_text",
)  # fmt: skip


def _entry(number: int, variant: int, arguments: list[str]) -> str:
    """Return a function in LLVM's language that takes a root's arguments from words.

    The first two arguments of a root are numba's: the places of its result and of its error,
    which stays empty. A root of more than `MOST_PARAMETERS` is copied into that function, and has
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
    address = "null" if len(arguments) > MOST_PARAMETERS else f"@kernel_{number}"
    return "\n".join(
        [
            f"declare i32 @kernel_{number}({', '.join(arguments)})",
            f"define i32 @{exported}_call(ptr %words, ptr %result) {{",
            "  %error = alloca ptr",
            *body,
            f"  %status = call i32 @kernel_{number}({', '.join(call)})",
            "  ret i32 %status",
            "}",
            f"define ptr @{exported}_code() {{\n  ret ptr {address}\n}}",
        ]
    )


#: No more compilers run at a time than there are processors.
_SLOTS = Semaphore(os.cpu_count() or 1)


def _compiler() -> list[str]:
    """Return the command that runs zig, as a package of Python or as a program, or an empty list."""
    if importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang"]
    program = shutil.which("zig")
    return [program] if program else []


def _zig(*arguments: str | Path) -> None:
    """Run zig's compiler.

    Raises:
        SystemExit: it failed, and has said why.
    """
    with _SLOTS:
        process = subprocess.run([*_compiler(), "cc", *arguments], check=False)
    if process.returncode:
        sys.exit(f"zig's compiler failed: {' '.join(map(str, arguments))}")


def _parts(system: System, kernels: Iterable[str]) -> list[list[str]]:
    """Return the names of the kernels in each part of a variant, with its own object file."""
    if system.is_module:
        return [[*kernels]]  # a browser fetches a small module sooner
    apart = [[name] for name in kernels if name.startswith(_APART)]
    return [[name for name in kernels if not name.startswith(_APART)], *apart]


def _part_text(facts: dict[str, Any], system: System, variants: list[str], number: int, part: int) -> str:
    """Return what a part of a variant has beside the kernels, in LLVM's language."""
    processor, _, more = system.processors[variants[number]].partition("+")
    family = "x86_64" if system.processors is _X86 else "other"
    # By its name all objects would differ that are made in other folders.
    text = ['source_filename = "kernels"']
    text.append(f"@gammon_wide = linkonce_odr hidden constant i8 {int(processor.endswith('_v4'))}")
    is_first = number == part == 0
    files = ["runtime", *([family] if is_first else []), *([more] if more else [])]
    text += [(_RUNTIME / f"{file}.ll").read_text(encoding="utf-8") for file in files]
    kernels = facts["kernels"]
    here = _parts(system, kernels)[part]
    for k, (name, kernel) in enumerate(kernels.items()):
        if name in here:
            text.append(_entry(k, number, kernel["arguments"].split()))
    never = f"@{NEVER_CALLED}({', '.join(facts['never'].split())})"
    text.append(f"define linkonce_odr hidden void {never} alwaysinline {{\n  unreachable\n}}")
    return "\n".join(text) + "\n"


def emit(
    facts: dict[str, Any], system: System, variants: list[str], number: int, part: int, folder: Path
) -> Path:
    """Make the object file of a part of one variant, and return its path.

    Args:
        facts: what is known of the kernels; see `Captured`.
        system: the system that the object file is for.
        variants: the names of the variants that the library has.
        number: the number of the variant among these.
        part: the number of the part, see `_parts`.
        folder: a folder for the file. The folder above has the bitcode, `kernels.bc`.
    """
    text = folder / f"{number}_{part}.ll"
    made = text.with_suffix(".o")
    text.write_text(_part_text(facts, system, variants, number, part), encoding="utf-8")
    # The kernels are linked in before anything is optimized, and none is seen from outside.
    linked: list[str | Path] = ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", folder.parent / "kernels.bc"]
    processor = system.processors[variants[number]]
    code = [] if system.is_module else ["-fPIC"]
    _zig(
        "-target", system.zig, f"-mcpu={processor}", "-O3", "-Wno-override-module", *code, *linked,
        "-c", text, "-o", made,
    )  # fmt: skip
    return made


def _table(manifest: dict[str, Any]) -> str:
    """Return `table.h`, which lists the kernels and their variants for the C interface."""
    from gammon.core.estimate import judge
    from gammon.engine.misjudge import misjudge
    from gammon.eval.bearoff_build import fill_tables
    from gammon.eval.race_cube import N_TABLES
    from gammon_adapters.embed.calls import CALLS
    from gammon_adapters.embed.layout import FAULTS

    numbers: dict[str, int] = manifest["kernels"]
    kernels, variants = range(len(numbers)), range(len(manifest["variants"]))
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
    levels = ",".join(map(str, manifest["levels"]))
    lines.append(f"static const int LEVELS[] = {{{levels}}};")
    for name, texts in (("NAMES", manifest["variants"]), ("WORDS", FAULTS.values())):
        quoted = ",".join(json.dumps(text) for text in texts)
        lines.append(f"static const char *const {name}[] = {{{quoted}}};")
    lines.append(f'#define BUILD "{manifest["build"]}"')
    return "\n".join(lines) + "\n"


def link(objects: list[Path], system: System, path: Path) -> None:
    """Link the objects of all variants into one library, with the C interface.

    Args:
        objects: the object files of the variants; the headers are in the folder of the first one.
        system: see `System`.
        path: the path of the library.
    """
    command: list[str | Path] = ["-target", system.zig, "-s"]
    command += ["-O2", "-Wall", "-Werror", "-I", objects[0].parent]
    if system.is_module:
        command.append("-mexec-model=reactor")
        command += [f"-Wl,--export={name}" for name in _EXPORTS]
    else:
        command.append("-shared")
    if system.zig.startswith("x86_64-linux-gnu"):
        # The C library has all that is needed: zig would compile its runtime for seconds.
        command += ["-nostdlib", "-lc", "-Wl,-z,defs"]
    if system.file.endswith(".dll"):
        command.append("-Wl,--export-all-symbols")
    if system.file.endswith(".so"):  # otherwise programs look for it at the path at link time
        command.append(f"-Wl,-soname,{system.file}")
    if system.file.endswith(".dylib"):  # otherwise it records the path at link time
        command.append(f"-Wl,-install_name,@rpath/{system.file}")
    source = _RUNTIME / "gammon.c"
    _zig(*command, "-o", path, source, *objects, "-lm")


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
    """Return the digests of the files of all modules from which the kernels are made."""
    from gammon.compiled.sources import file_digest

    return {module: file_digest(module) for module in imported_modules()}


def _is_built(folder: Path, manifest: dict[str, Any], for_here: bool) -> bool:
    """Return whether a folder has a library of these sources.

    Args:
        folder: the folder.
        manifest: the facts of the library that would be built.
        for_here: it is enough that it runs here; else it must have all variants.
    """
    from gammon.compiled.library import MANIFEST, KernelLibrary, LibraryError, seal

    try:
        built = json.loads((folder / MANIFEST).read_bytes())
        code = (folder / manifest["file"]).read_bytes()
        alike = manifest.keys() - {"build"} - ({"levels", "variants"} if for_here else set())
        if any(built[key] != manifest[key] for key in alike) or built["digest"] != seal(built, code):
            return False
        if for_here:
            KernelLibrary(folder)
    except (OSError, ValueError, TypeError, LookupError, LibraryError):
        return False
    return True


def _manifest(name: str, made_of: dict[str, Any]) -> dict[str, Any]:
    """Return the manifest entries that are known before a system's library is built."""
    build = hashlib.sha256(json.dumps(made_of).encode()).hexdigest()[:32]
    manifest = made_of | {"file": SYSTEMS[name].file, "system": name, "build": build}
    _choose(manifest, [*SYSTEMS[name].processors])
    return manifest


def _choose(manifest: dict[str, Any], variants: list[str]) -> None:
    """Set the variants of a library, and the levels of processors that they need."""
    known = [*SYSTEMS[manifest["system"]].processors]
    manifest["variants"], manifest["levels"] = variants, [known.index(variant) for variant in variants]


def _digests(kernels: list[str]) -> dict[str, str]:
    """Return the digests of kernels as this version of Python has them; see `gammon.compiled.sources`."""
    from gammon.compiled.sources import kernel_digest

    found = roots()
    return {name: kernel_digest(found[name]) for name in kernels}


def _made(manifest: dict[str, Any], facts: dict[str, Any], scratch: Path) -> Path:
    """Make the objects of a system, link them, and return the path of the library."""
    system = _here(manifest["system"])
    place: Path = scratch / manifest["system"]
    place.mkdir()
    variants = manifest["variants"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # so that the longest begin first
        jobs = [
            pool.submit(emit, facts, system, variants, number, part, place)
            for number in range(len(variants))
            for part in range(len(_parts(system, facts["kernels"])))
        ]
        objects = [job.result() for job in jobs]
    (place / "table.h").write_text(_table(manifest), encoding="utf-8")
    (place / "gammon.h").write_text(_header(), encoding="utf-8")
    # The linker may write other files beside the library, such as the `.lib` of a `.dll`.
    library = place / system.file
    link(objects, system, library)
    return library


def _finish(manifest: dict[str, Any], captured: Captured, scratch: Path, folder: Path) -> None:
    """Put the library of a system and its manifest into a folder."""
    from gammon.compiled.library import MANIFEST, seal

    facts = captured.facts
    code = b""
    if SYSTEMS[manifest["system"]].is_module and facts.get("runtime") == manifest["runtime"]:
        # The module contains its identity, which stays if the sources change and the kernels do not.
        code, manifest["build"] = captured.module, facts["build"]
    code = code or _made(manifest, facts, scratch).read_bytes()
    manifest["digest"] = seal(manifest, code)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / manifest["file"]).write_bytes(code)
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def refresh() -> None:
    """Keep the kernels of the present sources, and the module made of them.

    Kernels that are as they were stay as they are: numba captures them only if one has changed.
    """
    _run_plainly()
    captured = kept(KEPT)
    with TemporaryDirectory() as scratch:
        module = Path(scratch) / "module"
        if captured and is_of_these_sources(captured.facts):
            sources = {name: code_digest_of(name) for name in imported_modules()}
            new = captured._replace(facts=captured.facts | {"sources": sources})
        else:
            new = run_capture(Path(scratch) / "captured")
        keep(new, KEPT)
        build({"wasm32": module})
        built = json.loads((module / "library.json").read_bytes())
        code = (module / built["file"]).read_bytes()
        keep(Captured(new.bitcode, new.facts | {key: built[key] for key in ("runtime", "build")}, code), KEPT)


def _here(name: str) -> System:
    """Return a system, with the C library of this machine if it is the system of this machine."""
    system = SYSTEMS[name]
    if name.startswith(sys.platform) and name.startswith("linux") and not platform.libc_ver()[0]:
        return system._replace(zig=system.zig.partition("-gnu")[0] + "-musl")  # such as Alpine Linux
    return system


def best_variant(name: str) -> str:
    """Return the best variant that this machine can run, of the system that it has.

    Raises:
        SystemExit: the processor cannot run any.
    """
    system = _here(name)
    if system.processors is not _X86:
        return next(iter(system.processors))
    with TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        asked = Path(scratch) / "level"
        quiet = "-Wno-override-module"
        _zig("-target", system.zig, quiet, "-shared", "-nostdlib", _RUNTIME / "x86_64.ll", "-o", asked)
        level = ctypes.CDLL(str(asked)).gammon_level()
    if level < 0:
        sys.exit(f"gammon needs a processor of {next(iter(_X86))}, with SSE4.2, from 2009 on")
    best: str = [*_X86][level]
    return best


def _run_plainly() -> None:
    """Let modules that call kernels when they are imported run these as plain Python."""
    from gammon.compiled import kernel

    module: Any = kernel
    module.load = lambda *kernels: None
    module.Kernel._run = property(lambda found: found.py_func)


def captured(scratch: Path) -> Captured:
    """Return the captured kernels of the present sources: those that are kept, or new ones.

    Args:
        scratch: a folder for new ones.

    Raises:
        SystemExit: the kernels must be captured, and numba is missing.
    """
    found = kept(KEPT)
    if found and is_of_these_sources(found.facts):
        return found
    what = f"the kernels are not those of {KEPT}" if found else f"there are no kernels in {KEPT}"
    if importlib.util.find_spec("numba") is None:
        sys.exit(f"{what}, and numba, which captures them, is missing: {_INSTALL}")
    print(f"{what}: numba captures them, which takes a minute or two", file=sys.stderr, flush=True)
    return run_capture(scratch)


def build(folders: dict[str, Path], for_here: str | None = None) -> None:
    """Build the libraries of systems, except where a folder already has its library.

    Args:
        folders: the folder for the library and its manifest, by the name of the system, one of
            `SYSTEMS`; other files in the folder are deleted.
        for_here: the system whose library is only for the processor of this machine. The libraries
            of the others have all variants.

    Raises:
        SystemExit: ziglang or numba is missing, or has failed.
    """
    _run_plainly()
    made_of = {"runtime": _runtime(), "sources": _sources()}
    missing = []
    for name, folder in folders.items():
        manifest = _manifest(name, made_of)
        if not _is_built(folder, manifest, name == for_here):
            missing.append(manifest)
    if not missing:
        return
    if not _compiler():
        sys.exit(f"ziglang, which compiles, is missing: {_INSTALL}")  # before minutes of work
    with TemporaryDirectory() as folder_name:
        scratch = Path(folder_name)
        # zig keeps what it makes of the C library: not in the home of the user.
        os.environ.setdefault("ZIG_GLOBAL_CACHE_DIR", str(scratch / "zig"))
        os.environ.setdefault("ZIG_LOCAL_CACHE_DIR", os.environ["ZIG_GLOBAL_CACHE_DIR"])
        found = captured(scratch / "captured")
        facts = found.facts
        (scratch / "kernels.bc").write_bytes(found.bitcode)
        digests = _digests(list(facts["kernels"]))
        with ThreadPoolExecutor() as pool:
            jobs = []
            for manifest in missing:
                name = manifest["system"]
                manifest["numba"], manifest["digests"] = facts["numba"], digests
                manifest["kernels"] = {kernel: k for k, kernel in enumerate(facts["kernels"])}
                if name == for_here:
                    _choose(manifest, [best_variant(name)])
                jobs.append(pool.submit(_finish, manifest, found, scratch, folders[name]))
            for job in jobs:
                job.result()


def is_kept_code() -> bool:
    """Return whether the kernels that are kept are of the present code; see `is_same_code`."""
    found = kept(KEPT)
    return found is not None and is_same_code(found.facts)


def reason_against(system: str) -> str:
    """Return why no library can be built for a system, in one line, or ""."""
    return "" if system in SYSTEMS else f"no library can be built for {system}: expected {', '.join(SYSTEMS)}"


def main() -> None:
    """Read the arguments, and build."""
    from gammon.compiled.library import FOLDER, MODULES

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--system", nargs="+", choices=SYSTEMS, help="with all variants of each")
    parser.add_argument(
        "--folder", type=Path, help="a folder with one folder per system; by default where the package looks"
    )
    parser.add_argument("--refresh", action="store_true", help=f"bring {KEPT.name} up to date")
    parser.add_argument(
        "--check", nargs="?", const="kernels", choices=("kernels", "code"), help="whether it is up to date"
    )
    arguments = parser.parse_args()
    if arguments.check:
        _run_plainly()
        found = kept(KEPT)
        is_current = is_same_code if arguments.check == "code" else is_of_these_sources
        if not found or not is_current(found.facts):
            sys.exit(f"{KEPT} is not of these sources: python scripts/build_library.py --refresh")
        return
    if arguments.refresh:
        refresh()
        size = sum(path.stat().st_size for path in KEPT.iterdir())
        print(f"{KEPT.relative_to(TOP)}: {size:,} bytes")
        return
    for_here = None if arguments.system else system_of()
    if for_here and reason_against(for_here):
        sys.exit(reason_against(for_here))
    systems = arguments.system or [for_here, "wasm32"]
    folders = {name: MODULES / name if SYSTEMS[name].is_module else FOLDER for name in systems}
    if arguments.folder:
        folders = {name: arguments.folder / name for name in systems}
    build(folders, for_here)


if __name__ == "__main__":
    main()
