"""Files are whole or absent; folders of runs are of one run, and of one process at a time."""

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

import gammon
from gammon.base.errors import GammonError, SettingError
from gammon.base.files import (
    PARTS,
    find_file,
    regular,
    shipped_files,
    user_cache,
    without_links,
    write_text,
    written_whole,
)
from gammon.base.folder import run_folder
from gammon.base.parallel import run_units
from gammon.base.store import Store
from gammon.eval.model_file import load_model
from gammon.formats.met_file import read_met
from gammon.match.match import MatchSettings, run_match
from gammon.match.player import parse_player
from gammon_study.library.judged_decisions import judged_decisions
from gammon_study.match_files.match_file import read_transcript
from tests.processes import comes_true, started

# Files are whole or absent, and the cache folder can be written.


def test_a_file_appears_whole_in_a_folder_that_is_made(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "model.tar.gz"
    with written_whole(path) as beside:
        beside.write_text("all of it")
        assert beside.parent == path.parent
        assert not path.exists()
    assert path.read_text() == "all of it"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), OSError("full")])
def test_a_failure_leaves_the_old_file_and_nothing_beside(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "file"
    write_text(path, "old")
    wanted = GammonError if isinstance(error, OSError) else type(error)
    with pytest.raises(wanted), written_whole(path) as beside:
        beside.write_text("half")
        raise error
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(GammonError, match=r"^file .*a\\x00b'\): expected a path$"):
        write_text(Path("a\0b"), "text")
    for path in (tmp_path / "file" / "below", tmp_path):
        with pytest.raises(GammonError, match="cannot be written") as caught:
            write_text(path, "text")
        assert repr(str(path)) in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_link_leads_to_the_file_that_is_written(tmp_path: Path) -> None:
    file, link = tmp_path / "folder" / "file", tmp_path / "link"
    link.symlink_to(file)
    for text in ("new", "newer"):
        write_text(link, text)
        assert (link.is_symlink(), file.read_text()) == (True, text)
    assert list(file.parent.iterdir()) == [file]


def test_a_pipe_stays_a_pipe_and_gets_all(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(pipe, "all of it")
    assert (os.read(reader, 100), pipe.is_fifo()) == (b"all of it", True)
    os.close(reader)
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.parametrize("name", ["x" * 255, "ä" * 127, "x" * 241])
def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with written_whole(path) as beside:
        beside.write_text("all of it")
        assert list(tmp_path.glob(PARTS)) == [beside]
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_text(path, "old")
    path.chmod(0o640)
    write_text(path, "new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o640)


def test_what_a_killed_process_left_of_a_file_is_removed(tmp_path: Path) -> None:
    """But for what belongs to another file, or to a process that may be at work."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    ours, old = os.getpid(), 1e9
    kept = {
        "other.txt.{dead}-01234567.part": old,
        "x.txt.{ours}-01234567.part": old,
        "x.txt.{dead}-01234568.part": None,
        "x.txt.old.{dead}-01234567.part": old,
        "x.txt.part": old,
        "x.txt.{dead}-0123456.part": old,
        "x.txt.1-a-01234567.part": old,
    }
    gone = {"x.txt.{dead}-01234567.part": old, "x.txt.99999999999-01234567.part": old}
    for name, time in (kept | gone).items():
        path = tmp_path / name.format(dead=dead.pid, ours=ours)
        path.touch()
        if time is not None:
            os.utime(path, (time, time))
    write_text(tmp_path / "x.txt", "text")
    left = {name.format(dead=dead.pid, ours=ours) for name in kept} | {"x.txt"}
    assert {path.name for path in tmp_path.iterdir()} == left


def test_links_in_the_folder_of_a_run_are_not_followed(tmp_path: Path) -> None:
    precious, run, home = tmp_path / "precious", tmp_path / "run", tmp_path / "home"
    precious.write_text("mine")
    home.mkdir()
    run.mkdir()
    (run / "games.jsonl").symlink_to(precious)
    (run / "new.txt").symlink_to(tmp_path / "new.txt")
    (run / "mat").symlink_to(home)
    with without_links(run):
        for name in ("games.jsonl", "new.txt", "mat/1.mat", "mat/deep/1.mat"):
            with pytest.raises(GammonError, match="is a link, which is not followed"):
                write_text(run / name, "theirs")
            with pytest.raises(GammonError, match="is a link, which is not followed"):
                Store(run / name, [], lambda unit, result: True)
        write_text(run / "own.txt", "text")
        write_text(tmp_path / "elsewhere.txt", "text")
    assert precious.read_text() == "mine"
    assert list(home.iterdir()) == []
    assert not (tmp_path / "new.txt").exists()


@pytest.mark.parametrize("path", [".", "/"])
def test_a_path_without_a_name_is_no_file(path: str) -> None:
    with pytest.raises(GammonError, match="expected the name of a file"):
        write_text(Path(path), "text")


def test_the_cache_has_the_name_that_the_user_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMMON_CACHE", str(tmp_path / "mine"))
    assert user_cache() == tmp_path / "mine"
    assert user_cache().is_dir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GAMMON_CACHE", "~/home")
    assert user_cache() == tmp_path / "home"


def test_the_cache_is_the_systems_place_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GAMMON_CACHE", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert user_cache() == tmp_path / "xdg" / "gammon"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_cache() == tmp_path / ".cache" / "gammon"
    monkeypatch.setattr("sys.platform", "darwin")
    assert user_cache() == tmp_path / "Library" / "Caches" / "gammon"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert user_cache() == tmp_path / "local" / "gammon" / "Cache"


def test_a_private_folder_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    for name in ("GAMMON_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "file" / name))
    private = user_cache()
    assert private.parent == temporary
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert user_cache() == private
    # As where there is no home.
    monkeypatch.setenv("GAMMON_CACHE", "~no-such-user/cache")
    assert user_cache() == private
    # Others could put code there.
    for mode in (0o777, 0o770, 0o702):
        private.chmod(mode)
        other = user_cache()
        assert other != private
        assert stat.S_IMODE(other.stat().st_mode) == 0o700


def test_two_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with written_whole(path) as first, written_whole(path) as second:
        first.write_text("first")
        second.write_text("second")
    assert path.read_text() == "first"
    assert list(tmp_path.iterdir()) == [path]


def test_what_comes_with_gammon_is_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for suffix in (".safetensors", ".toml"):
        assert {"large", "leaf", "probe"} <= {path.stem for path in shipped_files(suffix)}
        found = find_file("leaf", suffix)
        assert found in shipped_files(suffix)
        assert find_file("no-such", suffix) is None
        assert find_file("x" * 5000, suffix) is None
    monkeypatch.chdir(tmp_path)
    write_text(Path("leaf"), "a file comes first")
    assert find_file("leaf", ".toml") == Path("leaf")


def test_what_is_read_has_an_end(tmp_path: Path) -> None:
    file, pipe = tmp_path / "file", tmp_path / "pipe"
    file.write_text("all of it")
    os.mkfifo(pipe)
    assert regular(file) == file
    assert regular(tmp_path / "missing") == tmp_path / "missing"
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(OSError, match="a pipe or a device, not a file"):
            regular(path)


def read_recipe(path: Path) -> None:
    pytest.importorskip("pydantic")
    from gammon_lab.train import recipe

    recipe.read_recipe(path)


def read_card(path: Path) -> None:
    path.rename(path.with_name("run.json"))
    with run_folder(path.parent, "a run", {}):
        pass


def read_samples(path: Path) -> None:
    pytest.importorskip("pydantic")
    from gammon_lab.train.sample_folder import open_piece

    open_piece(path.parent, 0, 0)


def read_checkpoint(path: Path) -> None:
    pytest.importorskip("torch")
    from gammon_lab.train.learner import load_checkpoint

    load_checkpoint(path)


READERS: dict[str, Callable[[Path], object]] = {
    "match": read_transcript,
    "table": read_met,
    "model": load_model,
    "recipe": read_recipe,
    "decisions": judged_decisions,
    "checkpoint": read_checkpoint,
    "results": lambda path: run_units(len, [], path),
    "card": read_card,
    "samples": read_samples,
}


@pytest.mark.parametrize("name", READERS)
def test_no_reader_waits_for_a_pipe(name: str, tmp_path: Path) -> None:
    """A pipe that nobody writes to would hold a reader for ever."""
    pipe = tmp_path / ("samples-1-0000.npy" if name == "samples" else "pipe")
    os.mkfifo(pipe)
    with pytest.raises(GammonError) as caught:
        READERS[name](pipe)
    assert "\n" not in str(caught.value)


# Folders of runs: of one run, and of one process at a time.

TITLE, SETTINGS = "a match of A and B, seed 1", {"a": "A", "seed": 1, "depths": (1, 3)}


def held(folder: Path, title: str = TITLE, **other: object) -> None:
    with run_folder(folder, title, SETTINGS | other):
        pass


def refusal(folder: Path, title: str = TITLE, **other: object) -> str:
    with pytest.raises(GammonError) as caught:
        held(folder, title, **other)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 600
    assert message.startswith(repr(str(folder))[:-1])
    assert message.endswith("choose another folder")
    return message


@pytest.mark.smoke
def test_a_run_goes_on_and_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "run"
    held(folder)
    card = (folder / "run.json").read_bytes()
    held(folder)
    assert f"holds {TITLE}, not a noise study: choose" in refusal(folder, "a noise study")
    assert f"holds {TITLE} with seed 1, not 2: choose" in refusal(folder, seed=2)
    assert "with luck missing, not leaf" in refusal(folder, luck="leaf")
    assert "with seed 1, not none" in refusal(folder, seed=None)
    assert (folder / "run.json").read_bytes() == card


def test_what_is_no_path_is_no_folder() -> None:
    with pytest.raises(SettingError, match=r"^out .*a\\x00b'\): expected a path$"):
        held(Path("a\0b"))


def test_another_version_is_another_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held(tmp_path)
    monkeypatch.setattr(gammon, "__version__", "99.0")
    assert ", and this is 99.0: choose" in refusal(tmp_path)


@pytest.mark.parametrize("name", ["units.jsonl", "checkpoint.pt", "ballard.jsonl"])
def test_what_a_version_without_cards_left_is_another_run(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("")
    assert f"holds {name} but no run.json" in refusal(tmp_path)


@pytest.mark.parametrize(
    "text",
    ["", "x", "[]", "5", "{}", "[" * 100_000, '{"run": 1, "settings": 2}', "\0", "1" * 5000],
    ids=lambda text: repr(text[:10]),
)
def test_a_damaged_card(tmp_path: Path, text: str) -> None:
    held(tmp_path)
    (tmp_path / "run.json").write_text(text)
    assert "run.json' cannot be read" in refusal(tmp_path)


def test_what_a_foreign_card_says_is_shortened(tmp_path: Path) -> None:
    card = {"run": "x\n\x1b[2J" * 1000, "settings": {"y\n" * 1000: "z" * 9000}, "gammon": "1"}
    (tmp_path / "run.json").write_text(json.dumps(card))
    assert "\x1b" not in refusal(tmp_path)
    (tmp_path / "run.json").write_text(json.dumps(card | {"run": TITLE}))
    refusal(tmp_path)


def test_a_second_process_is_told_at_once(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path\n"
        "from tests.engine.base.test_files import *\n"
        "with run_folder(Path(sys.argv[1]), TITLE, SETTINGS):\n"
        "    print('held', flush=True); time.sleep(60)"
    )
    with started(code, str(tmp_path)) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "held\n"
            assert "is in use by another process" in refusal(tmp_path)
        finally:
            os.kill(other.pid, signal.SIGKILL)
    assert comes_true(lambda: other.poll() is not None, 40)
    held(tmp_path)  # a killed process holds nothing


def test_the_folder_is_free_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), run_folder(tmp_path, TITLE, SETTINGS):
        _ = 1 / 0
    held(tmp_path)


def test_parts_of_files_that_a_killed_process_left_are_removed(tmp_path: Path) -> None:
    held(tmp_path)
    for name in ("checkpoint.safetensors.4711-0f9a3c1d.part", "film.mp4.part", "a.part"):
        (tmp_path / name).write_text("half")
    held(tmp_path)
    assert sorted(path.name for path in tmp_path.glob("*.part")) == ["a.part", "film.mp4.part"]
    with pytest.raises(KeyError), written_whole(tmp_path / "file") as beside:
        assert list(tmp_path.glob(PARTS)) == []
        beside.write_text("half")
        assert list(tmp_path.glob(PARTS)) == [beside], "the names that are looked for"
        raise KeyError


def test_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(GammonError, match="cannot be written"):
            held(folder)


@pytest.mark.parametrize("name", ["run.json", "units.jsonl", "games.jsonl", "result.json"])
@pytest.mark.parametrize("there", [True, False])
def test_a_link_in_the_folder_of_a_run_of_a_stranger_is_not_followed(
    tmp_path: Path, name: str, there: bool
) -> None:
    """An archive keeps links: its run would write where its maker likes."""
    settings = MatchSettings(*[parse_player("depth=1")] * 2, 4, tmp_path / "run")
    run_match(settings)
    precious = tmp_path / "precious"
    if there:
        precious.write_text("mine")
    (settings.out / name).unlink()
    (settings.out / name).symlink_to(precious)
    with pytest.raises(GammonError, match=f"/{name}' .*is a link, which is not followed"):
        run_match(settings)
    assert precious.exists() == there
    if there:
        assert precious.read_text() == "mine"
