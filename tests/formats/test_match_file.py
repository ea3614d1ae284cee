"""Match files by what they begin with; what is written, GNU Backgammon imports."""

import json
import subprocess
from pathlib import Path

import pytest

from gammon.base.errors import FormatError, GammonError, SettingError
from gammon.formats.match_file import parse_transcript, read_transcript, write_transcript
from gammon.formats.transcript import ActionKind
from gammon.peers.gnubg import find_program
from tests.matches import HAND, MATCH5, random_match


def test_encodings_and_ends_of_lines() -> None:
    text = MATCH5.read_text().replace("root", "Zoë")
    match = parse_transcript(text.encode())
    assert match.players == ("gnubg", "Zoë")
    for other in (
        text.encode("latin-1"), text.encode("utf-8-sig"), text.replace("\n", "\r\n").encode(),
    ):  # fmt: skip
        assert parse_transcript(other) == match


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(GammonError, match="cannot be read"):
        read_transcript(tmp_path / "none.mat")
    with pytest.raises(SettingError, match="expected a path"):
        read_transcript(3)  # type: ignore[arg-type]
    path = tmp_path / "a.xg"
    path.write_bytes(b"RGMH" + bytes(range(256)))
    with pytest.raises(FormatError, match="a file of eXtreme Gammon that cannot be read"):
        read_transcript(path)
    path.write_bytes(bytes(range(256)))
    with pytest.raises(FormatError, match=r"a\.xg"):
        read_transcript(path)


def test_the_name_says_the_format(tmp_path: Path) -> None:
    match = read_transcript(HAND)
    for name in ("a.mat", "b.SGF"):
        write_transcript(match, tmp_path / name)
        assert read_transcript(str(tmp_path / name)) == match
    with pytest.raises(SettingError, match=r"expected a name in \.mat or \.sgf"):
        write_transcript(match, tmp_path / "a.txt")


IMPORT = """
import json, gnubg
gnubg.command("set jacoby off")
found = []
for name in NAMES:
    gnubg.command(("load match " if name.endswith("sgf") else "import mat ") + name)
    found.append([[g["info"]["winner"], g["info"]["points-won"],
                   [[e["player"], e["action"], e.get("dice"),
                     e["action"] == "move" and e["board"]] for e in g["game"]]]
                  for g in gnubg.match()["games"]])
print("FOUND", json.dumps(found))
"""
WORDS = {"roll": "move", "pass": "drop"}


@pytest.mark.skipif(find_program() is None, reason="GNU Backgammon is not installed")
def test_gnu_backgammon_imports_what_is_written(tmp_path: Path) -> None:
    matches = [
        read_transcript(HAND), read_transcript(MATCH5), random_match(5, 1), random_match(3, 2),
    ]  # fmt: skip
    names = []
    for number, match in enumerate(matches):
        for kind in ("mat", "sgf"):
            names.append(f"{number}.{kind}")
            write_transcript(match, tmp_path / names[-1])
    (tmp_path / "import.py").write_text(IMPORT.replace("NAMES", str(names)))
    done = subprocess.run(
        [find_program(), "-t", "-q", "-r", "-p", "import.py"],
        cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = json.loads(done.stdout.partition("FOUND ")[2].splitlines()[0])
    for name, games in zip(names, found, strict=True):
        match = matches[int(name[0])]
        assert len(games) == len(match.games)
        for (winner, points, actions), game in zip(games, match.games, strict=True):
            assert (winner, points) == ("XO"[game.winner], game.points)
            expected = []
            for action, position, _ in game.moments():
                if action.kind is not ActionKind.RESIGN:
                    rolled = action.kind is ActionKind.ROLL
                    word = WORDS.get(action.kind.value, action.kind.value)
                    dice = list(action.dice) if rolled else None
                    board = rolled and position.position_id
                    expected.append(["XO"[action.side], word, dice, board])
            assert [each for each in actions if each[1] != "resign"] == expected
