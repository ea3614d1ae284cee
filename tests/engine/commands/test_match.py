"""`gammon match`."""

import json
from pathlib import Path
from typing import Any

from tests.engine.commands.program import run
from tests.tables import FLAT, written

PLAYERS = ["match", "depth=1", "depth=1,model=probe", "--games", "4", "--luck", "none"]


def matched(folder: Path, *options: str) -> tuple[str, dict[str, Any]]:
    """The program's words about matches on one line, and what their folder has of them."""
    done = run(*PLAYERS, "--out", str(folder), *options)
    assert done.exit_code == 0
    return " ".join(done.stdout.split()), json.loads((folder / "result.json").read_text())


def test_the_command_shows_what_was_won(tmp_path: Path) -> None:
    said, kept = matched(tmp_path, "--stakes", "gammon-go")
    assert "games won" in said
    assert "luck" not in said
    assert kept["luck"] is None
    assert "B: depth=1,model=probe" in said
    assert kept["stakes"] == "gammon-go"


def test_matches_with_the_cube(tmp_path: Path) -> None:
    said, kept = matched(tmp_path / "a", "--length", "3", "--mat")
    assert "4 matches to 3" in said
    assert "matches won, as played" in said
    assert kept["length"] == 3
    assert len(list((tmp_path / "a" / "matches").iterdir())) == 4
    said, _ = matched(tmp_path / "c", "--length", "3", "--met", str(written(FLAT, tmp_path)))
    assert "By the match equity table flat" in said
    said, kept = matched(tmp_path / "b", "--length", "0", "--cubeful", "--jacoby")
    assert "doubles" in said
    assert kept["jacoby"] is True
