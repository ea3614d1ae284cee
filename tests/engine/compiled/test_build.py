"""How the library is built: from bitcode that is kept, as long as it is of the present sources."""

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import build_library
import capture_kernels
import pytest
from build_library import SYSTEMS, is_kept_code, link
from capture_kernels import FACTS, KEPT, MODULE, Captured, _text_of, is_same_code, keep, kept

from gammon.compiled.library import FOLDER, MANIFEST, KernelLibrary, LibraryError, seal
from gammon.compiled.system import system_of
from tests.processes import ROOT

has_zig = pytest.mark.skipif(find_spec("ziglang") is None, reason="ziglang is not installed")
has_library = pytest.mark.skipif(not (FOLDER / MANIFEST).exists(), reason="no library is built")


@pytest.fixture(autouse=True, scope="module")
def _once() -> Iterator[None]:
    """Compute the digests of the present sources once: no test changes a source."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("code_digest_of", "portable_digest", "_dialect"):
            patch.setattr(capture_kernels, name, cache(getattr(capture_kernels, name)))
        patch.setattr(build_library, "code_digest_of", capture_kernels.code_digest_of)
        yield


@pytest.fixture(scope="module")
def kept_code() -> None:
    if not is_kept_code():  # which takes seconds
        pytest.skip("scripts/captured is not of these sources")


@pytest.fixture(scope="module")
def captured() -> Captured:
    """The captured kernels that are kept, if they are of these sources."""
    found = kept(KEPT)
    if not found or not capture_kernels.is_of_these_sources(found.facts):
        pytest.skip("scripts/captured is not of these sources")
    return found


def text_of(code: str) -> str:
    return _text_of(ast.parse(code))


FUNCTION = 'def f(x: int) -> int:\n    """Return it."""\n    return x + 1\n'


@pytest.mark.parametrize(
    ("change", "same"),
    [
        (("Return it.", "Give it."), True),
        (("    return x + 1", "    # a comment\n    return (\n        x + 1\n    )"), True),
        (("+ 1", "+ 2"), False),
        (("+ 1", "+ 1.0"), False),
        (("x: int", "x: float"), False),
        (("+ 1", "- 1"), False),
    ],
)
def test_only_code_counts(change: tuple[str, str], same: bool) -> None:
    assert (text_of(FUNCTION) == text_of(FUNCTION.replace(*change))) is same


def test_the_text_of_code_is_that_of_other_versions_of_python() -> None:
    """Written down with Python 3.11; 3.12 and 3.13 have more fields."""
    assert text_of("def f(x):\n    return f'{x}!'") == (
        "Module(body=[FunctionDef(name='f' args=arguments(args=[arg(arg='x')]) "
        "body=[Return(value=JoinedStr(values=[FormattedValue(value=Name(id='x') conversion=-1) "
        "Constant(value='!')]))])])"
    )


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Captured kernels that are kept in a folder of our own: a few bytes."""
    keep(Captured(b"bitcode", {"numba": "0", "sources": {}}, b"module"), tmp_path)
    return tmp_path


def test_what_is_kept_is_found_again(own: Path) -> None:
    found = kept(own)
    assert found
    assert (found.bitcode, found.module, found.facts["numba"]) == (b"bitcode", b"module", "0")
    assert kept(own / "nothing") is None


@pytest.mark.parametrize("name", ["kernels.bc.xz", MODULE, FACTS])
def test_what_is_damaged_is_refused(own: Path, name: str) -> None:
    whole = (own / name).read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 64
    for damaged in (bytes(flipped), whole[:-1] if name != FACTS else whole[:-3], b""):
        (own / name).write_bytes(damaged)
        with pytest.raises(SystemExit, match="is damaged"):
            kept(own)


@pytest.mark.usefixtures("kept_code")
def test_another_source_or_compiler_is_noticed(captured: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    facts, module = captured.facts, "gammon.search.star"
    assert module in facts["sources"]
    for changed in ({module: "0" * 16}, {"gammon.rules.no_such": "0" * 16}):
        assert not is_same_code(facts | {"sources": facts["sources"] | changed})
    assert not is_same_code(facts | {"dialect": "0" * 16})
    monkeypatch.setattr(capture_kernels, "kernel_modules", lambda: iter(["gammon.new"]))
    assert not is_same_code(facts)


def test_code_that_no_kernel_reaches_may_change(captured: Captured) -> None:
    """The digests of modules differ, and the kernels are the same."""
    facts = captured.facts | {"sources": captured.facts["sources"] | {"gammon.base.files": "0" * 16}}
    assert not is_same_code(facts)
    assert capture_kernels.is_of_these_sources(facts)
    name = next(iter(facts["kernels"]))
    other = facts["kernels"] | {name: facts["kernels"][name] | {"digest": "0" * 16}}
    assert not capture_kernels.is_of_these_sources(facts | {"kernels": other})


def test_a_refresh_leaves_kernels_that_have_not_changed(
    captured: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version: its digest is written again, numba is not asked, and the check of code passes."""
    facts = captured.facts | {"sources": captured.facts["sources"] | {"gammon": "0" * 16}}
    keep(Captured(b"bitcode", facts, b"module"), tmp_path)
    monkeypatch.setattr(build_library, "KEPT", tmp_path)
    monkeypatch.setattr(build_library, "_run_plainly", lambda: None)
    monkeypatch.setattr(build_library, "_compiler", lambda: "which is not called")
    monkeypatch.setattr(build_library, "_made", lambda *arguments: pytest.fail("the module is compiled"))
    monkeypatch.setattr(build_library, "run_capture", lambda folder: pytest.fail("numba captures"))
    monkeypatch.setattr(build_library, "_runtime", lambda: captured.facts["runtime"])
    monkeypatch.setattr(sys, "argv", ["build_library.py", "--check", "code"])
    with pytest.raises(SystemExit, match=r"is not of these sources: python .* --refresh"):
        build_library.main()
    build_library.refresh()
    build_library.main()
    again = kept(tmp_path)
    assert again
    assert (again.bitcode, again.module) == (b"bitcode", b"module")
    assert is_same_code(again.facts)


def hook() -> Any:
    """The build hook, as hatchling calls it."""
    pytest.importorskip("hatchling")
    sys.path.insert(0, str(ROOT))
    try:
        from hatch_build import Made
    finally:
        sys.path.remove(str(ROOT))
    hook: Any = Made
    return hook(str(ROOT), {}, None, None, "", "wheel")


@pytest.mark.usefixtures("kept_code")
def test_an_installation_needs_neither_numba_nor_llvmlite(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = " ".join(hook().dependencies())
    assert "ziglang" in needed
    assert "numba" not in needed
    monkeypatch.setattr(capture_kernels, "KEPT", ROOT / "nowhere")
    assert "numba" in " ".join(hook().dependencies())


def test_a_system_without_a_library_is_told_before_downloads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMMON_SYSTEM", "plan9-vax")
    with pytest.raises(SystemExit, match=r"^no library can be built for plan9-vax: expected linux[^\n]*$"):
        hook().dependencies()


@has_library
def test_a_library_for_better_processors_alone_is_refused(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(FOLDER, tmp_path / "library"))
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["levels"] = [9 + k for k in range(len(manifest["levels"]))]
    manifest["digest"] = seal(manifest, (folder / manifest["file"]).read_bytes())
    (folder / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(LibraryError, match=r"the library is for processors of .*: install gammon again"):
        KernelLibrary(folder)


@has_zig
@has_library
def test_the_best_variant_is_that_of_the_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("ZIG_LOCAL_CACHE_DIR", str(tmp_path))
    best, known = build_library.best_variant(system_of()), [*SYSTEMS[system_of()].processors]
    assert known.index(best) >= known.index(KernelLibrary(FOLDER).variants[0])


@has_zig
def test_an_error_of_the_compiler_ends_the_build(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="zig's compiler failed"):
        link([tmp_path / "missing.o"], SYSTEMS["wasm32"], tmp_path / "out.wasm")


@has_zig
@pytest.mark.nightly
def test_two_builds_are_the_same_bytes(captured: Captured, tmp_path: Path) -> None:
    """From folders of other names, one of them another checkout; the module is the one that is kept."""
    clone = tmp_path / "a clone"
    shutil.copytree(ROOT, clone, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    # Without the module that is kept, it is made anew.
    keep(captured._replace(module=b""), clone / "scripts" / "captured")
    made = []
    for top in (clone, ROOT):
        script, out = top / "scripts" / "build_library.py", tmp_path / f"out{len(made)}"
        subprocess.run([sys.executable, str(script), "--folder", str(out)], check=True)
        made.append(out)
    file = SYSTEMS[system_of()].file
    codes = [(out / system_of() / file).read_bytes() for out in made]
    assert codes[0] == codes[1]
    assert str(tmp_path).encode() not in codes[0]
    assert (made[0] / "wasm32" / "gammon.wasm").read_bytes() == captured.module
