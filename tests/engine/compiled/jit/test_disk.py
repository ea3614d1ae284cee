"""Compiled code on disk is whole, of these sources and of this user, or it is made again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gammon
import gammon.compiled.jit.disk
from gammon.compiled.jit.disk import OnDisk

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

pytestmark = pytest.mark.skipif(
    os.environ.get("GAMMON_KERNELS") == "python", reason="nothing is compiled"
)


class Place:
    """A module with three kernels and a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder, folder / "cache"
        self.write(2)

    def copied(self, folder: Path) -> "Place":
        """Return one that has the same code."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        return Place(folder)

    def write(self, factor: int) -> None:
        (self.folder / "mine.py").write_text(MODULE.format(factor=factor))

    def printed(self, notices: int = 0, **more: str) -> str:
        """Run the program; return its values, and what it had to compile.

        It says nothing but a number of notices of damaged files, a line each.
        """
        path = os.pathsep.join([str(self.folder), *sys.path])
        # Bytecode of a file that was edited within the same second would be stale.
        environment = {
            "GAMMON_CACHE": str(self.cache), "PYTHONPATH": path,
            "PYTHONDONTWRITEBYTECODE": "1",
        } | more  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=os.environ | environment, cwd=self.folder,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        said = done.stderr.splitlines()
        assert len(said) == notices, said
        assert all("is damaged: left out, and compiled again" in line for line in said), said
        return done.stdout.strip()

    def code(self) -> list[Path]:
        return sorted(self.cache.glob("compiled-*/mine.*"))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    made = Place(tmp_path_factory.mktemp("place"))
    assert made.printed() == "(8, 5, 5) 1 1"
    return made


def test_a_second_process_compiles_nothing(place: Place, tmp_path: Path) -> None:
    names = [path.name.split("-")[0] for path in place.code()]
    assert names == ["mine.inner", "mine.inner", "mine.late", "mine.twice"], "inner for both"
    assert place.copied(tmp_path).printed() == "(8, 5, 5) 0 0", "wherever the module lies"


@pytest.mark.parametrize(
    "damage",
    [
        "flipped",
        *(pytest.param(each, marks=pytest.mark.nightly) for each in ("empty", "cut", "long")),
    ],
)
def test_a_damaged_file_is_made_anew(place: Place, damage: str) -> None:
    (path,) = place.cache.glob("compiled-*/mine.twice-*")
    whole = path.read_bytes()
    middle = len(whole) // 2
    damaged = {
        "empty": b"", "cut": whole[:middle], "long": whole + b"x",
        "flipped": whole[:middle] + bytes([whole[middle] ^ 4]) + whole[middle + 1 :],
    }[damage]  # fmt: skip
    path.write_bytes(damaged)
    assert place.printed(notices=1) == "(8, 5, 5) 1 0"
    assert path.read_bytes() != damaged
    if damage == "flipped":  # what is made is the same whatever the damage was
        assert place.printed() == "(8, 5, 5) 0 0"


def test_an_edit_is_compiled(place: Place, tmp_path: Path) -> None:
    edited = place.copied(tmp_path)
    edited.write(3)
    assert edited.printed() == "(12, 5, 5) 1 0", "the function is the unit"


def test_a_constant_may_come_from_anywhere(place: Place, tmp_path: Path) -> None:
    other = place.copied(tmp_path)
    assert other.printed(ADDED="3") == "(8, 7, 7) 0 1", "late calls inner, which adds it"
    assert other.printed() == "(8, 5, 5) 0 0"


def test_code_that_others_may_write_is_not_loaded(place: Place, tmp_path: Path) -> None:
    place = place.copied(tmp_path)
    (folder,) = place.cache.iterdir()
    assert folder.stat().st_mode & 0o077 == 0
    folder.chmod(0o777)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    for compiled in (1, 0):
        expected = f"(8, 5, 5) {compiled} {compiled}"
        assert place.printed(TMPDIR=str(temporary)) == expected


def test_code_without_a_file_is_not_kept() -> None:
    scope: dict[str, object] = {"__name__": "typed"}
    exec("def f(x): return x", scope)
    assert OnDisk(scope["f"]).load_overload("(int64,)", None) is None

    def made(x: int) -> int:
        return x + len(scope)

    assert OnDisk(made).load_overload("(int64,)", None) is None


def test_the_folder_has_a_name_of_the_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammon.compiled.jit.disk.user_folder", Path)
    folder = gammon.compiled.jit.disk.cache_folder.__wrapped__
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


def test_an_edit_elsewhere_compiles_nothing(tmp_path: Path) -> None:
    """A kernel is compiled again if a constant of gammon changes that it reads, else not."""
    copy = tmp_path / "copy"
    shutil.copytree(PACKAGE, copy / "gammon", ignore=shutil.ignore_patterns("__pycache__"))
    place = Place(tmp_path)
    source = USER.format(imports="rules.board import SIZE", used="SIZE")
    (tmp_path / "mine.py").write_text(source)

    def misses() -> str:
        return place.printed(PYTHONPATH=os.pathsep.join([str(copy), str(tmp_path)])).split()[-1]

    assert [misses(), misses()] == ["1", "0"]
    board = copy / "gammon" / "rules" / "board.py"
    text = board.read_text()
    for edit, expected in (("# edited", "0"), ("SPARE = 5", "0"), ("SIZE = 27", "1")):
        board.write_text(f"{text}\n{edit}\n")
        assert misses() == expected, edit
