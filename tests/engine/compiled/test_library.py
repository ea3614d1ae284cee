"""The library of kernels: what it is made of, what is refused, the same numbers everywhere."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gammon.compiled import kinds, library
from gammon.compiled.flat import ForeignError, entry, words_of
from gammon.compiled.kernel import kernel, no_library
from gammon.compiled.library import FOLDER, MANIFEST, KernelLibrary, LibraryError, seal
from gammon.compiled.sources import kernel_digest
from gammon.compiled.system import system_of
from gammon.rules.plays import successors
from tests.processes import ROOT, printed

# The library of kernels: what it is made of, and all that is refused.

built = pytest.mark.skipif(not (FOLDER / MANIFEST).exists(), reason="no library is built: pip install -e .")


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / MANIFEST).read_text())
    return found


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A library of our own."""
    return Path(shutil.copytree(FOLDER, tmp_path / "library"))


def changed(folder: Path, **facts: object) -> Path:
    """Let a manifest say something else, and seal it."""
    found = manifest()
    said = found | facts
    said["digest"] = facts.get("digest") or seal(said, (folder / found["file"]).read_bytes())
    (folder / MANIFEST).write_text(json.dumps(said))
    return folder


@built
def test_it_has_each_variant_and_says_which_run_here() -> None:
    names = manifest()["variants"]
    found = KernelLibrary(FOLDER)
    assert found.variant == found.variants[0]
    assert set(found.variants) <= set(names)
    assert KernelLibrary(FOLDER, names[0]).variant == names[0], "the plainest runs anywhere"


@built
def test_it_needs_nothing_of_python_or_numba(copy: Path) -> None:
    code = (copy / manifest()["file"]).read_bytes()
    for word in (b"Py_", b"PyErr", b"numba_unpickle", b"NRT_"):
        assert word not in code


@built
@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"system": "linux-sparc"}, "the library is for linux-sparc; this is"),
        ({"digest": "0" * 64}, "is damaged, install gammon again"),
        ({"file": "other.so"}, "the library of compiled kernels is missing"),
        ({"system": None}, "the library is for None"),
    ],
)
def test_a_library_that_is_another_one_is_refused(copy: Path, facts: dict[str, object], message: str) -> None:
    with pytest.raises(LibraryError, match=message):
        KernelLibrary(changed(copy, **facts))


@built
def test_a_damaged_library_is_never_loaded(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each flip of a bit, and each cut, is noticed before anything of it could run."""
    monkeypatch.setattr(library.ctypes, "CDLL", lambda path: pytest.fail("it was loaded"))
    path = copy / manifest()["file"]
    whole, rng = path.read_bytes(), random.Random(1)
    for _ in range(20):
        at = rng.randrange(len(whole))
        flipped = bytearray(whole)
        flipped[at] ^= 1 << rng.randrange(8)
        for damaged in (bytes(flipped), whole[:at]):
            path.write_bytes(damaged)
            with pytest.raises(LibraryError, match="damaged"):
                KernelLibrary(copy)


@built
def test_a_library_that_the_system_cannot_load_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_old(path: str) -> None:
        raise OSError("version `GLIBC_2.99' not found")

    monkeypatch.setattr(library.ctypes, "CDLL", too_old)
    with pytest.raises(LibraryError, match=r"GLIBC_2\.99"):
        KernelLibrary(FOLDER)


@built
def test_a_damaged_manifest_is_refused(copy: Path) -> None:
    path = copy / MANIFEST
    whole, rng = path.read_bytes(), random.Random(2)
    for _ in range(50):
        at = rng.randrange(len(whole))
        for damaged in (whole[:at], whole[:at] + b"#" + whole[at + 1 :]):
            path.write_bytes(damaged)
            if damaged != whole:
                with pytest.raises(LibraryError):
                    KernelLibrary(copy)


@built
def test_a_library_of_another_version_is_refused(copy: Path) -> None:
    facts = manifest()
    del facts["build"]
    facts["digest"] = library.seal(facts, (copy / facts["file"]).read_bytes())
    (copy / MANIFEST).write_text(json.dumps(facts))
    with pytest.raises(LibraryError, match="another version"):
        KernelLibrary(copy)


@built
def test_a_variant_that_does_not_run_here_is_refused() -> None:
    with pytest.raises(LibraryError, match="x86-64-v9 is no variant that runs here"):
        KernelLibrary(FOLDER, "x86-64-v9")


@built
def test_a_kernel_that_is_made_of_something_else_is_not_used(copy: Path) -> None:
    found = manifest()
    name, signature = successors.name, successors.signature
    right = found["digests"][name]
    if KernelLibrary(copy).changed:
        pytest.skip("the sources have changed since the library was built")
    fresh = KernelLibrary(copy)
    assert fresh.kernel(name, signature, lambda: pytest.fail("nothing has changed")) is not None
    assert fresh.kernel("gammon.rules.plays.other", signature, lambda: right) is None
    edited = KernelLibrary(changed(copy, sources=found["sources"] | {"gammon.rules.dice": "0" * 16}))
    assert edited.changed == {"gammon.rules.dice"}
    assert edited.kernel(name, signature, lambda: right) is not None, "it was a comment, say"
    assert edited.kernel(name, signature, lambda: "0" * 16) is None
    assert kernel_digest(successors) == right or sys.version_info[:2] != (3, 11)


#: Prints which of three kernels run in the library.
NATIVE = """
from gammon.rules.plays import successors
from gammon.search.algorithms import expectimax
from gammon.search.star import star
print(*(each.native is not None for each in (successors, expectimax, star)))
"""


SWAPPED = "    high: float\n    low: float"


@built
@pytest.mark.parametrize(
    ("file", "right", "wrong", "used"),
    [
        ("search/problem.py", "Options` change", "Options` alter", "True True True"),
        ("search/problem.py", "\n\nclass Opt", "\n\nSPARE = 5\n\n\nclass Opt", "True True True"),
        ("search/star.py", "SLACK = 1e-13", "SLACK = 1e-12", "True True False"),
        ("search/evaluation.py", "value += problem.s", "value -= problem.s", "True False False"),
        ("search/problem.py", "    low: float\n    high: float", SWAPPED, "True False False"),
        ("compiled/records.py", "# A vector has", "# Any vector has", "False False False"),
    ],
)
def test_an_edit_leaves_the_other_kernels_in_the_library(
    tmp_path: Path, file: str, right: str, wrong: str, used: str
) -> None:
    if no_library() != "":
        pytest.skip("the library is not used")
    package = FOLDER.parent
    shutil.copytree(package, tmp_path / "gammon", ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / "gammon" / file
    text = path.read_text()
    assert right in text
    path.write_text(text.replace(right, wrong, 1))
    assert printed(NATIVE, cwd=tmp_path, PYTHONPATH=str(tmp_path)) == used


def test_words_are_those_of_the_kind() -> None:
    matrix = np.zeros((2, 3), np.float64)
    words = words_of(kinds.Array(kinds.FLOAT64, 2))(matrix)
    address = matrix.__array_interface__["data"][0]
    assert np.frombuffer(words, np.int64).tolist() == [0, 0, 6, 8, address, 2, 3, 24, 8]
    both = kinds.Record((kinds.INT64, kinds.BOOLEAN, kinds.UINT32))
    assert np.frombuffer(words_of(both)((-3, True, 7)), np.int64).tolist() == [-3, 1, 7]
    assert np.frombuffer(words_of(kinds.FLOAT64)(0.5), np.float64)[0] == 0.5


@pytest.mark.parametrize(
    "array",
    [np.zeros(3, np.int16), np.zeros((3, 1), np.int8), np.zeros(6, np.int8)[::2]],
    ids=["dtype", "axes", "steps"],
)
def test_an_array_of_another_kind_is_refused(array: Any) -> None:
    with pytest.raises(TypeError, match=r"expected int8\[::1\], contiguous"):
        words_of(kinds.Array(kinds.INT8, 1))(array)


def test_a_function_that_the_library_does_not_have_is_told() -> None:
    class Own:
        reachable = None

    signature = kinds.Signature(kinds.INT64, ())
    with pytest.raises(ForeignError):
        words_of(kinds.Function(signature))(Own())


def test_a_call_that_fails_is_told() -> None:
    class Call:
        def __call__(self, words: bytes, room: object) -> int:
            return 1

    with pytest.raises(ForeignError):
        entry(Call(), kinds.Signature(kinds.INT64, (kinds.INT64,)))(3)


@pytest.mark.parametrize("cause", [KeyError("mine"), None])
def test_an_error_of_python_comes_out_of_a_call(cause: Exception | None) -> None:
    class Call:
        def __call__(self, words: bytes, room: object) -> int:
            raise SystemError("a result with an exception set") from cause

    with pytest.raises(SystemError if cause is None else KeyError) as caught:
        entry(Call(), kinds.Signature(kinds.INT64, (kinds.INT64,)))(3)
    assert caught.value is cause or cause is None


@built
@pytest.mark.skipif(no_library() != "", reason="the library is not used")
def test_what_numba_compiles_calls_the_library_and_is_called_by_it() -> None:
    pytest.importorskip("numba")

    def twice(x: int) -> int:
        return 2 * x

    own: Any = kernel()(twice)
    assert own.native is None
    assert own.reachable == own.address > 0
    assert successors.address == successors.reachable == successors.native.address


WITHOUT_NUMBA = """
import sys
import gammon
position = gammon.Position.opening()
gammon.Engine(5).analyze(position, (3, 1))
gammon.Engine(3).cube(position)
gammon.rollout(position, (3, 1), ["8/5 6/5"], trials=36, truncate=1)
print("numba" in sys.modules)
"""


@built
@pytest.mark.skipif(no_library() != "", reason="the library is not used")
def test_no_kernel_that_python_calls_is_left_to_numba() -> None:
    assert printed(WITHOUT_NUMBA) == "False"


def test_a_wish_that_cannot_be_is_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gammon", "analyze", "4HPwATDgc/ABMA"],
        env=os.environ | {"GAMMON_KERNELS": "x86-64-v9"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Error: GAMMON_KERNELS=x86-64-v9: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_family_has_one_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for machine, family in (("AMD64", "x86_64"), ("arm64", "aarch64"), ("riscv64", "riscv64")):
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        assert system_of() == f"{sys.platform}-{family}"


def build_without(missing: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the script that builds, as if no kernels were kept, and a package or a system not there."""
    program = f"""
import importlib.util, platform, runpy, sys
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *a: None if name == {missing!r} else real(name, *a)
if {missing!r} == "system":
    platform.machine = lambda: "i686"
sys.path[:0] = {str(ROOT)!r}, {str(ROOT / "scripts")!r}
import capture_kernels, pathlib
capture_kernels.KEPT = pathlib.Path("/nowhere")
sys.argv = ["build_library.py", *{arguments!r}]
runpy.run_path({str(ROOT / "scripts/build_library.py")!r}, run_name="__main__")
"""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("missing", ["numba", "ziglang"])
def test_what_is_missing_to_build_is_named_in_one_line(missing: str, tmp_path: Path) -> None:
    if missing == "numba":
        pytest.importorskip("ziglang")
    done = build_without(missing, "--system", "wasm32", "--folder", str(tmp_path))
    assert done.returncode == 1
    assert f"{missing}, which " in done.stderr
    assert "is missing: " in done.stderr
    assert " -m pip install " in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_system_that_no_library_is_built_for_is_told_in_one_line() -> None:
    done = build_without("system")
    assert done.returncode == 1
    assert re.fullmatch(r"no library can be built for \w+-i686: expected linux.*\n", done.stderr)


# The answers are the same numbers on all processors, and in all forms of a kernel.

SCRIPT = Path(__file__).parents[3] / "scripts" / "same_everywhere.py"
needs_same_everywhere = pytest.mark.skipif(no_library() != "", reason="the library is not used")


def answers(kernels: str, each: int, **variables: str) -> None:
    """Ask, and see that the answers are those that are recorded."""
    done = subprocess.run(
        [sys.executable, SCRIPT, "--each", str(each)],
        capture_output=True,
        text=True,
        env=os.environ | {"GAMMON_KERNELS": kernels} | variables,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{kernels}: ")


@needs_same_everywhere
def test_of_each_variant_and_of_arithmetic_for_an_older_processor() -> None:
    """numpy's BLAS has code of its own for each processor, so no answer may come from it."""
    for kernels in KernelLibrary(FOLDER).variants:
        answers(kernels, 3, OPENBLAS_CORETYPE="Nehalem")


@needs_same_everywhere
@pytest.mark.nightly
def test_of_tables_that_each_variant_builds(tmp_path: Path) -> None:
    for kernels in KernelLibrary(FOLDER).variants:
        answers(kernels, 1, GAMMON_CACHE=str(tmp_path / kernels))


@needs_same_everywhere
@pytest.mark.nightly
@pytest.mark.parametrize(("kernels", "each"), [("numba", 1), ("python", 40)])
def test_of_other_forms(kernels: str, each: int) -> None:
    answers(kernels, each)
