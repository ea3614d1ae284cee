"""Games as text: GNU Backgammon reads what happened."""

import json
import subprocess

import pytest

from gammon.formats.mat import format_mat, parse_mat
from gammon.formats.transcript import GameReplay
from gammon.match import MatchSettings, parse_player, run_match
from gammon.match.transcribe import transcribe
from gammon.peers.gnubg import find_program

QUICK, PROBE, NOISY = (parse_player(text) for text in ("depth=1", "model=probe", "noise=0.1"))


IMPORT = """
import json, gnubg
gnubg.command("set jacoby off")
gnubg.command("import mat games.mat")
games = gnubg.match()["games"]
print("FOUND", json.dumps([[g["info"]["winner"], g["info"]["points-won"], len(g["game"])]
                           for g in games]))
"""


@pytest.mark.skipif(find_program() is None, reason="GNU Backgammon is not installed")
def test_gnu_backgammon_imports_the_games(tmp_path):
    run_match(MatchSettings(QUICK, PROBE, 40, tmp_path, mat=True))
    games = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    (tmp_path / "import.py").write_text(IMPORT)
    done = subprocess.run(
        [find_program(), "-t", "-q", "-r", "-p", "import.py"],
        cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = json.loads(done.stdout.partition("FOUND ")[2].splitlines()[0])
    assert found == [
        ["X" if game["points"] > 0 else "O", abs(game["points"]), len(game["positions"])]
        for game in games
    ]
    assert {abs(game["points"]) for game in games} >= {1, 2}


def test_doubles_takes_and_drops():
    """Each side doubles before its first turn, and the other one drops."""
    game = {
        "match": 0, "game": 0, "score": [0, 0], "crawford": False, "first": 0, "rolls": "",
        "positions": [], "doubles": [0], "cube": 1, "points": 1, "luck": 0.0,
    }  # fmt: skip
    other = game | {"game": 1, "score": [1, 0], "first": 1, "points": -1}
    text = format_mat(transcribe("Ann", "Bob", [game, other], 5))
    assert [line.rstrip() for line in text.splitlines()] == [
        " 5 point match",
        "",
        " Game 1",
        " Ann : 0                           Bob : 0",
        "  1)  Doubles => 2                  Drops",
        "      Wins 1 point",
        "",
        " Game 2",
        " Ann : 1                           Bob : 0",
        "  1)                                Doubles => 2",
        "  2)  Drops                         Wins 1 point",
    ]


CUBES = """
import json, gnubg
gnubg.command("set jacoby off")
found = []
for name in NAMES:
    gnubg.command("import mat " + name)
    match = gnubg.match()
    games = match["games"]
    found.append([match["match-info"]["match-length"]] + [
        [g["info"]["score-X"], g["info"]["score-O"], g["info"]["winner"],
         g["info"]["points-won"], [each["action"] for each in g["game"]]]
        for g in games])
print("FOUND", json.dumps(found))
"""


@pytest.mark.skipif(find_program() is None, reason="GNU Backgammon is not installed")
def test_gnu_backgammon_imports_matches(tmp_path):
    run_match(MatchSettings(QUICK, PROBE, 8, tmp_path, mat=True, length=5))
    records = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    names = sorted(path.name for path in (tmp_path / "matches").iterdir())
    assert names == [f"{number:06}.mat" for number in range(8)]
    (tmp_path / "import.py").write_text(
        CUBES.replace("NAMES", str([f"matches/{name}" for name in names]))
    )
    done = subprocess.run(
        [find_program(), "-t", "-q", "-r", "-p", "import.py"],
        cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = json.loads(done.stdout.partition("FOUND ")[2].splitlines()[0])
    seen = set()
    for number, (length, *games) in enumerate(found):
        expected = [game for game in records if game["match"] == number]
        assert length == 5
        assert len(games) == len(expected)
        for (a, b, winner, points, actions), game in zip(games, expected, strict=True):
            wanted = []
            for turn in range(len(game["positions"]) + 1):
                last = turn == len(game["positions"])
                if turn in game["doubles"]:
                    wanted += ["double", "drop" if last else "take"]
                wanted += [] if last else ["move"]
            assert [a, b] == game["score"]
            assert (winner, points) == ("X" if game["points"] > 0 else "O", abs(game["points"]))
            assert actions == wanted
            seen |= set(wanted)
    assert seen == {"double", "take", "drop", "move"}


def test_games_follow_the_rules(tmp_path):
    """The games of a match, read as transcripts, end as their records say."""
    run_match(MatchSettings(QUICK, PROBE, 4, tmp_path, length=3))
    records = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    first = [game for game in records if game["match"] == 0]
    match = transcribe("Ann", "Bob", first, 3)
    for game, record in zip(match.games, first, strict=True):
        assert list(game.score.points) == record["score"]
        assert game.score.crawford == record["crawford"]
        replay = GameReplay(game.score)
        for action in game.actions:
            replay.do(action)
        assert replay.result == (game.winner, abs(record["points"]))
    assert parse_mat(format_mat(match)) == match
