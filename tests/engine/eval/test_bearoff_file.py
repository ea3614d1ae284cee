"""Files of arrays, as the bearoff tables, against damage, other processes and a full disk."""

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
from gammon.eval.bearoff_file import bearoff_tables, build_again, tables_path
from tests.engine.eval.bearoff_tables import built

SIZE = 2_000_000
#: Tables of drawn numbers; a number is noted for each build.
builds: list[int] = []


def drawn() -> np.ndarray:
    builds.append(len(builds))
    return np.random.default_rng(1).random(SIZE, np.float32)


def kept_tables(path: Path) -> np.ndarray:
    return kept.kept(path, "drawn tables", drawn, SIZE)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the tables of this test are kept; nothing is there."""
    monkeypatch.setattr(kept, "_folder", lambda: tmp_path / "deep")
    builds.clear()
    return kept.kept_path("drawn.tables")


def sealed(numbers: bytes) -> bytes:
    return numbers + hashlib.sha256(numbers).digest()


def test_a_file_has_all_tables(path: Path) -> None:
    flat = bearoff_tables()
    assert tables_path().parent == path.parent
    assert np.array_equal(flat, built())
    assert tables_path().read_bytes() == sealed(flat.tobytes())
    flat[0] = 2.0  # as kernels may take only what can be written
    assert bearoff_tables()[0] == built()[0], "it is no more than this process's"
    before = tables_path().stat().st_ino
    build_again()
    assert tables_path().stat().st_ino != before
    assert np.array_equal(bearoff_tables(), built())


def test_a_damaged_file_is_built_anew(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    expected = kept_tables(path).copy()
    assert len(builds) == 1
    assert caplog.messages == []
    with path.open("r+b") as file:
        file.seek(5_000_000)
        file.write(b"\x00\x01")
    assert kept.sound(path, SIZE) is None
    for _ in range(2):  # the second time the file is sound
        assert np.array_equal(kept_tables(path), expected)
        assert len(builds) == 2
        assert caplog.messages == [f"{str(path)!r} is damaged: left out, and made again"]


def test_damage_is_noticed_where_any_size_will_do(path: Path) -> None:
    whole = bytearray(sealed(bytes(range(100))))
    path.parent.mkdir()
    path.write_bytes(whole)
    assert kept.sound(path) is not None
    whole[50] ^= 1
    for left in (whole, whole[:-4], b"", bytes(64), b"of another program" * 100):
        path.write_bytes(left)
        assert kept.sound(path) is None


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
    numbers = kept_tables(path).tobytes()
    path.write_bytes(sealed(change(numbers)))
    assert kept.sound(path, SIZE) is None
    assert kept_tables(path).tobytes() == numbers
    assert len(builds) == 2


FIRST_USE = """
import sys, time
from pathlib import Path
import numpy as np
from gammon.eval import kept

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
(folder / "ready" / sys.argv[2]).touch()
while len(list((folder / "ready").iterdir())) < int(sys.argv[3]):
    time.sleep(0.01)
drawn = kept.kept(kept.kept_path("tables"), "drawn tables", build, SIZE)
print(float(drawn.sum(dtype=float)))
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
    assert kept_tables(path).size == SIZE
    assert len(builds) == 1
    with pytest.raises(GammonError, match="cannot be written"):
        kept.write(path, drawn())


def test_a_full_disk_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(kept, "hashlib", SimpleNamespace(sha256=full))
    assert kept_tables(path).size == SIZE
    assert [file.name for file in path.parent.iterdir()] == [f"{path.name}.lock"]


def test_too_little_memory_is_said_and_sound_tables_stay(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_tables(path)
    before = path.stat().st_ino

    def short(*_: object, **__: object) -> None:
        raise OSError(12, os.strerror(12))

    monkeypatch.setattr(kept, "mmap", short)
    with pytest.raises(GammonError, match="memory"):
        kept_tables(path)
    assert len(builds) == 1
    assert path.stat().st_ino == before
