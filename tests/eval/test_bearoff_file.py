"""The file of the bearoff tables against damage, other processes and a full disk."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from gammon.base.errors import GammonError
from gammon.eval import kept
from gammon.eval.bearoff_build import build_with_cube
from gammon.eval.bearoff_file import CHANCES, WITH_CUBE, TableFile
from tests.eval import bearoff_tables

SIZE = 2_000_000
#: Tables of drawn numbers; a number is noted for each build.
builds: list[int] = []


def drawn() -> np.ndarray:
    builds.append(len(builds))
    return np.random.default_rng(1).random(SIZE, np.float32)


DRAWN = TableFile("drawn.tables", SIZE, drawn)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the tables of this test are kept; nothing is there."""
    monkeypatch.setattr(kept, "_folder", lambda: tmp_path / "deep")
    builds.clear()
    return DRAWN.path()


def sealed(numbers: bytes) -> bytes:
    return numbers + hashlib.sha256(numbers).digest()


@pytest.mark.parametrize("file", [CHANCES, WITH_CUBE], ids=lambda file: file.name)
def test_a_file_has_its_tables(file: TableFile, path: Path) -> None:
    assert file.build(path) == path
    flat = file.load(path)
    one_by_one = bearoff_tables.tables() if file is CHANCES else [build_with_cube()]
    assert np.array_equal(flat, np.concatenate([table.ravel() for table in one_by_one]))
    assert path.read_bytes() == sealed(flat.tobytes())
    flat[0] = 2.0  # as kernels may take only what can be written
    assert file.load(path)[0] == one_by_one[0].flat[0], "it is no more than this process's"


def test_a_damaged_file_is_built_anew(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(GammonError, match=r"cannot be read.*No such file"):
        DRAWN.load(path)
    expected = DRAWN.tables().copy()
    assert len(builds) == 1
    assert caplog.messages == []
    with path.open("r+b") as file:
        file.seek(5_000_000)
        file.write(b"\x00\x01")
    with pytest.raises(GammonError, match="damaged"):
        DRAWN.load(path)
    for _ in range(2):  # the second time the file is sound
        assert np.array_equal(DRAWN.tables(), expected)
        assert len(builds) == 2
        assert caplog.messages == [f"{str(path)!r} is damaged: left out, and made again"]


@pytest.mark.parametrize(
    "change",
    [
        lambda numbers: numbers[:-4],
        lambda numbers: numbers + bytes(4),
        lambda numbers: numbers[: len(numbers) // 2],
        lambda numbers: b"",
        lambda numbers: np.frombuffer(numbers, np.float32).astype(float).tobytes(),
    ],
)
def test_another_size_is_refused_though_the_checksum_is_right(
    path: Path, change: Callable[[bytes], bytes]
) -> None:
    DRAWN.build(path)
    numbers = path.read_bytes()[:-32]
    path.write_bytes(sealed(change(numbers)))
    with pytest.raises(GammonError, match=r"damaged.*expected") as caught:
        DRAWN.load(path)
    assert "\n" not in str(caught.value)
    assert DRAWN.tables().tobytes() == numbers


FIRST_USE = """
import sys, time
from pathlib import Path
import numpy as np
from gammon.eval import bearoff_file, kept

SIZE = 2_000_000
folder = Path(sys.argv[1])

def build():
    (folder / "builds" / sys.argv[2]).touch()
    if sys.argv[2] == "dies":
        import os
        os._exit(9)
    time.sleep(0.5)
    return np.random.default_rng(1).random(SIZE, np.float32)

kept._folder = lambda: folder / "cache"
drawn = bearoff_file.TableFile("tables", SIZE, build)
(folder / "ready" / sys.argv[2]).touch()
while len(list((folder / "ready").iterdir())) < int(sys.argv[3]):
    time.sleep(0.01)
print(float(drawn.tables().sum(dtype=float)))
"""


def test_processes_that_start_at_once_build_one_file(tmp_path: Path) -> None:
    for name in ("builds", "ready", "cache"):
        (tmp_path / name).mkdir()

    def start(*names: str) -> list[str]:
        total = str(len(names) + len(list((tmp_path / "ready").iterdir())))
        begun = [
            subprocess.Popen(
                [sys.executable, "-c", FIRST_USE, tmp_path, name, total],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            for name in names
        ]  # fmt: skip
        said = [process.communicate() for process in begun]
        assert all(errors == "" for _, errors in said)
        return [output for output, _ in said]

    # A process that dies while it builds is in nobody's way.
    assert start("dies") == [""]
    said = start("a", "b", "c")
    assert len(set(said)) == 1
    assert float(said[0]) > 0
    assert len(list((tmp_path / "builds").iterdir())) == 2
    left = {file.name.split("-")[1] for file in (tmp_path / "cache").iterdir()}
    assert left == {"tables", "tables.lock"}


@pytest.mark.parametrize("place", ["below a file", "a folder"])
def test_tables_are_there_where_nothing_can_be_kept(path: Path, place: str) -> None:
    if place == "a folder":
        path.mkdir(parents=True)
    else:
        path.parent.write_text("in the way")
    assert DRAWN.tables().size == SIZE
    assert len(builds) == 1
    with pytest.raises(GammonError, match="cannot be written"):
        DRAWN.build(path)


def test_a_full_disk_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(kept, "hashlib", SimpleNamespace(sha256=full))
    assert DRAWN.tables().size == SIZE
    assert [file.name for file in path.parent.iterdir()] == [f"{path.name}.lock"]


def test_too_little_memory_is_said_and_sound_tables_stay(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    DRAWN.build(path)
    before = path.stat().st_ino

    def short(*_: object, **__: object) -> None:
        raise OSError(12, os.strerror(12))

    monkeypatch.setattr(kept, "mmap", short)
    with pytest.raises(GammonError, match="memory"):
        DRAWN.tables()
    assert len(builds) == 1
    assert path.stat().st_ino == before
