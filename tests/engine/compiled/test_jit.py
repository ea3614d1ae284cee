"""Kernels under numba: who compiles them, their types, and compiled code on disk."""

import os
import shutil
import subprocess
import sys
from inspect import isfunction
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from llvmlite import ir
from numba.core import types
from numba.core.datamodel import default_manager
from numba.core.registry import cpu_target

import gammon
import gammon.compiled.jit.compiler
from gammon.compiled import kinds, memory, vector
from gammon.compiled.jit import memory as jit_memory
from gammon.compiled.jit import vector as jit_vector
from gammon.compiled.jit.compiler import (
    VECTORS,
    Compiled,
    OnDisk,
    PointerType,
    inner_signature,
    numba_signature,
    numba_type,
)
from gammon.compiled.jit.memory import Ref
from gammon.compiled.jit.vector import VectorType
from gammon.compiled.kernel import checked, kernel
from gammon.compiled.records import Float32Matrix, Int8Stack, Int8Vector, kind_of, signature_of, trusted
from gammon.compiled.vector import load, store
from gammon.search.problem import Problem
from tests.engine.compiled.test_records import Alike, Holder, Judge, Pair
from tests.engine.compiled.test_vector import compiled_only, taking
from tests.processes import ROOT

# Kernels under numba: who compiles them, and what stands in for their vectors.

TWINS = {jit_memory: memory, jit_vector: vector}


@pytest.mark.parametrize("module", TWINS.values(), ids=lambda module: module.__name__)
def test_numba_knows_each_function_of_vectors(module: ModuleType) -> None:
    assert set(VECTORS) == set(TWINS)
    cpu_target.typing_context.refresh()
    public = [each for name, each in vars(module).items() if not name.startswith("_")]
    functions = [each for each in public if getattr(each, "__module__", "") == module.__name__]
    assert functions
    known = set(filter(isfunction, functions)) - {memory.aligned_zeros}  # Python's alone
    for each in known:
        assert cpu_target.typing_context._lookup_global(each) is not None, each.__name__


def thrice(x: int) -> int:
    return 3 * x


def test_a_function_is_compiled_once() -> None:
    signature = kinds.Signature(kinds.INT64, (kinds.INT64,))
    made = Compiled(thrice, signature, allocates=False, inner=False)
    assert made.for_python(14) == 42
    assert made.for_python is made.dispatcher
    assert made.result is made.result
    assert made.address > 0
    with pytest.raises(TypeError):
        made.for_python("14")


@kernel(inner=True)
def _step(x: int) -> int:
    return x + 1


@kernel()
def steps(x: int, n: int) -> int:
    """Add 1 a number of times."""
    for _ in range(n):
        x = _step(x)
    return x


@compiled_only
def test_kernels_call_kernels() -> None:
    assert steps(2, 40) == 42


#: Kernels that take a while, since the patience is none, and a program that listens.
LISTENING = """
import time
from gammon.commands.group import _report_compiling
from gammon.compiled import compiling
from tests.engine.compiled.test_jit import steps, thrice
from gammon.compiled.kernel import kernel

compiling.PATIENCE = 0.0
if {listens}:
    compiling.listeners.append(_report_compiling)
print(steps(2, 40), kernel()(thrice)(2))
"""


@compiled_only
@pytest.mark.parametrize("listens", [True, False])
def test_a_program_says_once_that_it_compiles(tmp_path: Path, listens: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LISTENING.format(listens=listens)],
        cwd=ROOT,
        check=True,
        env=os.environ | {"GAMMON_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "42 6\n"
    said = done.stderr.splitlines()
    assert len(said) == int(listens)
    assert all(line.startswith("compiling 2 kernels, which may take minutes") for line in said)


# Kernels as arguments of kernels, and the types that numba has for kinds.

JUDGE = types.float64(types.int8[::1], types.int64)


@trusted
class Sure(NamedTuple):
    """Its values are what it says."""

    pair: Pair
    counts: Alike


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (int, types.int64),
        (float, types.float64),
        (bool, types.boolean),
        (None.__class__, types.void),
        (np.uint64, types.uint64),
        (np.uint32, types.uint32),
        (np.float32, types.float32),
        (Int8Vector, types.int8[::1]),
        (Int8Stack, types.int8[:, :, ::1]),
        (Float32Matrix, types.float32[:, ::1]),
        (tuple[int, float], types.Tuple([types.int64, types.float64])),
        (Pair, types.NamedTuple([types.int8[::1], types.float64], Pair)),
        (Alike, types.NamedUniTuple(types.int64, 2, Alike)),
        (Judge, PointerType(JUDGE)),
    ],
    ids=str,
)
def test_types(annotation: object, expected: object) -> None:
    assert numba_type(kind_of(annotation)) == expected


def test_signatures() -> None:
    signature = signature_of(Judge.__call__)
    assert numba_signature(signature) == JUDGE


def test_numba_sees_a_record_as_its_type_says() -> None:
    value = Sure(Pair(np.zeros(3, np.int8), 0.5), Alike(1, 2))
    assert numba.typeof(value) == numba_type(kind_of(Sure))


@kernel()
def product(row: Int8Vector, stake: int) -> float:
    """Return a number times the stake."""
    return float(row[0] * stake)


@kernel()
def total(row: Int8Vector, stake: int) -> float:
    """Return a number and the stake together."""
    return float(row[0] + stake)


@kernel()
def asked(holder: Holder, row: Int8Vector) -> float:
    """Return what a judge finds."""
    return holder.judge(row, 3) + 1.0


@compiled_only
@pytest.mark.smoke
def test_compiled_code_calls_the_kernel_that_a_record_holds() -> None:
    row = np.array([5], np.int8)
    for judge, expected in ((product, 16.0), (total, 9.0)):
        assert asked(checked(Holder(judge, np.uint64(1))), row) == expected
        assert judge.address > 0


def numbers(argument) -> int:
    """How many numbers a call passes for an argument."""
    return sum(map(numbers, argument)) if isinstance(argument, tuple | list) else 1


def test_inner_kernels_take_large_records_by_reference() -> None:
    problem, number = kind_of(Problem), kinds.INT64
    small = kinds.Record((number,) * 24)
    record = numba_type(problem)
    taken = inner_signature(kinds.Signature(number, (problem, small, number)))
    assert taken == types.int64(Ref(record), numba_type(small), types.int64)
    reference = taken.args[0]
    assert numbers(default_manager[record].get_argument_type()) > 80
    passed = default_manager[reference].get_argument_type()
    assert isinstance(passed, ir.PointerType)
    assert passed.pointee == default_manager[record].get_value_type()


def test_vectors_are_of_a_type() -> None:
    assert VectorType(types.int8, 16) == VectorType(types.int8, 16)
    assert len({VectorType(*kind) for kind in ((types.int8, 16), (types.int8, 32))}) == 2


@compiled_only
@pytest.mark.parametrize(("lane", "other"), [(kinds.INT8, kinds.INT16), (kinds.INT16, kinds.INT8)], ids=str)
def test_vectors_of_two_types_are_refused(lane: Any, other: Any) -> None:
    def mixed(a: Any, b: Any) -> None:
        store(a, 0, load(a, 0, 16) + load(b, 0, 16))

    with pytest.raises(Exception, match="No implementation of function"):
        taking(mixed, kinds.Array(lane, 1), kinds.Array(other, 1)).compiled.result  # noqa: B018


@compiled_only
@pytest.mark.parametrize("array", [kinds.Array(kinds.INT8, 2)], ids=str)
def test_only_the_numbers_of_a_row_lie_side_by_side(array: Any) -> None:
    def reading(a: Any, b: Any) -> None:
        store(b, 0, load(a, 0, 16))

    def writing(a: Any, b: Any) -> None:
        store(a, 0, load(b, 0, 16))

    for function in (reading, writing):
        with pytest.raises(Exception, match="No implementation of function"):
            taking(function, array, kinds.Array(kinds.INT8, 1)).compiled.result  # noqa: B018


@compiled_only
def test_a_mask_has_no_numbers() -> None:
    def mixed(a: Any) -> None:
        store(a, 0, load(a, 0, 16) + ((load(a, 0, 16) > 0) & 1))

    with pytest.raises(Exception, match="No implementation of function"):
        taking(mixed, kinds.Array(kinds.INT8, 1)).compiled.result  # noqa: B018


# Compiled code on disk is whole, of these sources and of this user, or it is made again.

PACKAGE = Path(gammon.__file__).parent

MODULE = """
import os
from gammon.compiled.kernel import kernel

ADDED = int(os.environ.get("ADDED", "1"))

@kernel()
def twice(x: int) -> int:
    return {factor} * x

@kernel(inner=True)
def inner(x: int) -> int:
    return x + ADDED

@kernel()
def late(x: int) -> int:
    return inner(x)
"""
PROGRAM = """
import mine
values = mine.twice(4), mine.late(4), mine.inner(4)
made = [each.compiled.dispatcher for each in (mine.twice, mine.late)]
print(values, *(sum(each.stats.cache_misses.values()) for each in made))
"""

needs_disk = pytest.mark.skipif(os.environ.get("GAMMON_KERNELS") == "python", reason="nothing is compiled")


class DiskPlace:
    """A module with three kernels and a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder, folder / "cache"
        self.write(2)

    def copied(self, folder: Path) -> "DiskPlace":
        """Return one that has the same code."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        return DiskPlace(folder)

    def write(self, factor: int) -> None:
        (self.folder / "mine.py").write_text(MODULE.format(factor=factor))

    def printed(self, notices: int = 0, **more: str) -> str:
        """Run the program; return its values, and what it had to compile.

        It says nothing but a number of notices of damaged files, a line each.
        """
        path = os.pathsep.join([str(self.folder), *sys.path])
        # Bytecode of a file that was edited within the same second would be stale.
        environment = {
            "GAMMON_CACHE": str(self.cache),
            "PYTHONPATH": path,
            "PYTHONDONTWRITEBYTECODE": "1",
        } | more
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=os.environ | environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        said = done.stderr.splitlines()
        assert len(said) == notices, said
        assert all("is damaged: left out, and compiled again" in line for line in said), said
        return done.stdout.strip()

    def code(self) -> list[Path]:
        return sorted(self.cache.glob("compiled-*/mine.*"))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> DiskPlace:
    made = DiskPlace(tmp_path_factory.mktemp("place"))
    assert made.printed() == "(8, 5, 5) 1 1"
    return made


@needs_disk
def test_a_second_process_compiles_nothing(place: DiskPlace, tmp_path: Path) -> None:
    names = [path.name.split("-")[0] for path in place.code()]
    assert names == ["mine.inner", "mine.late", "mine.twice"]
    assert place.copied(tmp_path).printed() == "(8, 5, 5) 0 0", "wherever the module lies"


@needs_disk
@pytest.mark.parametrize(
    "damage",
    ["flipped", *(pytest.param(each, marks=pytest.mark.nightly) for each in ("empty", "cut", "long"))],
)
def test_a_damaged_file_is_made_anew(place: DiskPlace, damage: str) -> None:
    (path,) = place.cache.glob("compiled-*/mine.twice-*")
    whole = path.read_bytes()
    middle = len(whole) // 2
    damaged = {
        "empty": b"",
        "cut": whole[:middle],
        "long": whole + b"x",
        "flipped": whole[:middle] + bytes([whole[middle] ^ 4]) + whole[middle + 1 :],
    }[damage]
    path.write_bytes(damaged)
    assert place.printed(notices=1) == "(8, 5, 5) 1 0"
    assert path.read_bytes() != damaged
    if damage == "flipped":  # what is made is the same whatever the damage was
        assert place.printed() == "(8, 5, 5) 0 0"


@needs_disk
def test_an_edit_is_compiled(place: DiskPlace, tmp_path: Path) -> None:
    edited = place.copied(tmp_path)
    edited.write(3)
    assert edited.printed() == "(12, 5, 5) 1 0", "the function is the unit"


@needs_disk
def test_a_constant_may_come_from_anywhere(place: DiskPlace, tmp_path: Path) -> None:
    other = place.copied(tmp_path)
    assert other.printed(ADDED="3") == "(8, 7, 7) 0 1", "late calls inner, which adds it"
    assert other.printed() == "(8, 5, 5) 0 0"


@needs_disk
def test_code_that_others_may_write_is_not_loaded(place: DiskPlace, tmp_path: Path) -> None:
    place = place.copied(tmp_path)
    (folder,) = place.cache.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    folder.chmod(0o777)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    for compiled in (1, 0):
        expected = f"(8, 5, 5) {compiled} {compiled}"
        assert place.printed(TMPDIR=str(temporary)) == expected


@needs_disk
def test_code_without_a_file_is_not_kept() -> None:
    scope: dict[str, object] = {"__name__": "typed"}
    exec("def f(x): return x", scope)
    assert OnDisk(scope["f"]).load_overload("(int64,)", None) is None

    def made(x: int) -> int:
        return x + len(scope)

    assert OnDisk(made).load_overload("(int64,)", None) is None


@needs_disk
def test_the_folder_has_a_name_of_the_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammon.compiled.jit.compiler.user_folder", Path)
    folder = gammon.compiled.jit.compiler.cache_folder.__wrapped__
    before = folder()
    assert folder() == before
    monkeypatch.setattr("numba.__version__", "0.0")
    assert folder() != before


USER = """
from gammon.{imports}
from gammon.compiled.kernel import kernel

@kernel()
def twice(x: int) -> int:
    return 2 * x + {used}

inner = late = twice
"""


@needs_disk
def test_an_edit_elsewhere_compiles_nothing(tmp_path: Path) -> None:
    """A kernel is compiled again if a constant of gammon changes that it reads, else not."""
    copy = tmp_path / "copy"
    shutil.copytree(PACKAGE, copy / "gammon", ignore=shutil.ignore_patterns("__pycache__"))
    place = DiskPlace(tmp_path)
    source = USER.format(imports="rules.board import SIZE", used="SIZE")
    (tmp_path / "mine.py").write_text(source)

    def misses() -> str:
        return place.printed(PYTHONPATH=os.pathsep.join([str(copy), str(tmp_path)])).split()[-1]

    assert misses() == "1"
    board = copy / "gammon" / "rules" / "board.py"
    text = board.read_text()
    for edit, expected in (("SPARE = 5  # edited", "0"), ("SIZE = 27", "1")):
        board.write_text(f"{text}\n{edit}\n")
        assert misses() == expected, edit
