"""Games as text: GNU Backgammon reads what happened."""

import json
import subprocess

import pytest

from gammon.match import MatchSettings, parse_player, run_match
from gammon.peers.gnubg import GnuBackgammon, find_program

QUICK, PROBE, NOISY = (parse_player(text) for text in ("depth=1", "model=probe", "noise=0.1"))


IMPORT = """
import json, gnubg
gnubg.command("set jacoby off")
gnubg.command("import mat games.mat")
games = gnubg.match()["games"]
print("FOUND", json.dumps([[g["info"]["winner"], g["info"]["points-won"], len(g["game"])]
                           for g in games]))
"""


@pytest.mark.skipif(not GnuBackgammon.available(), reason="GNU Backgammon is not installed")
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
