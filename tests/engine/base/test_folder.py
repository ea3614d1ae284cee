"""Folders of runs: of one run, and of one process at a time."""

import json
import os
import signal
from pathlib import Path

import pytest

import gammon
from gammon.base.errors import GammonError, SettingError
from gammon.base.files import PARTS, written_whole
from gammon.base.folder import run_folder
from gammon.match.match import MatchSettings, run_match
from gammon.match.player import parse_player
from tests.processes import comes_true, started

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


def test_another_version_is_another_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        "from tests.engine.base.test_folder import *\n"
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
