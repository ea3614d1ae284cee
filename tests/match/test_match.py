"""Matches: what is recorded happened, luck is fair, and files do not depend on the workers."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from gammon.commands.main import main
from gammon.errors import SettingError
from gammon.eval.baseline import BASELINE
from gammon.eval.weights import find_model
from gammon.formats.position import Position
from gammon.formats.position_id import format_position_id
from gammon.gnubg import GnuBackgammon, find_program
from gammon.match import MatchSettings, parse_player, run_match
from gammon.match.luck import luck_of
from gammon.match.match import Effort
from gammon.match.played import play_pairs, roll_of
from gammon.match.player import mind_of
from gammon.match.result import result_of
from gammon.parallel import Pool
from gammon.play import legal_plays
from gammon.rules.board import OPENING, flipped
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.outcome import payoff

QUICK, PROBE, NOISY = (parse_player(text) for text in ("depth=1", "model=probe", "noise=0.1"))


def played(a, b, games, out, **more):
    return run_match(MatchSettings(a, b, games, out, **more))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("depth=3", "depth=3"),
        ("noise=0.03, depth=5", "depth=5,noise=0.03"),
        ("noise=0.123456789", "depth=1,noise=0.123456789"),
        ("algorithm=star1,filter=tiny", "depth=1,algorithm=star1,filter=tiny"),
        ("gnubg=2", "gnubg=2"),
    ],
)  # fmt: skip
def test_players_are_read_and_written(text, written):
    player = parse_player(text)
    assert str(player) == written
    assert parse_player(written) == player


@pytest.mark.parametrize(
    "text",
    ["", "depth", "depth=2", "depth=x", "depth=1,depth=3", "colour=red", "noise=-1",
     "model=no-such", "gnubg=9", "gnubg=0,depth=1", "filter=wide"],
)  # fmt: skip
def test_players_that_cannot_be(text):
    done = CliRunner().invoke(main, ["match", text, "depth=1", "--out", "x"])
    assert done.exit_code == 1
    assert done.stderr.count("\n") == 1
    assert not Path("x").exists()


def test_dice():
    firsts = [roll_of(1, pair, 0) for pair in range(600)]
    assert all(ROLLS[outcome][0] != ROLLS[outcome][1] for outcome in firsts)
    assert len(set(firsts)) == 15
    assert [roll_of(1, 3, turn) for turn in range(9)] != [
        roll_of(2, 3, turn) for turn in range(9)
    ]


def test_games_are_legal_and_come_in_pairs():
    batch = play_pairs((mind_of(QUICK), mind_of(PROBE)), range(7, 11), 3, BASELINE)
    assert [game["game"] for game in batch.games] == list(range(14, 22))
    for game in batch.games:
        points, turns = OPENING, len(game["positions"])
        for turn, name in enumerate(game["positions"]):
            outcome = roll_of(3, game["game"] // 2, turn)
            assert game["rolls"][2 * turn : 2 * turn + 2] == "{}{}".format(*ROLLS[outcome])
            after = {
                format_position_id(play.position.points): play.position.points
                for play in legal_plays(Position(points), ROLLS[outcome])
            }
            points = after[name]
        last_was_a = (game["first"] + turns - 1) % 2 == 0
        won = -payoff(np.array(points, np.int8))
        assert game["points"] == (won if last_was_a else -won) != 0
    assert sum(batch.decisions) == sum(len(game["positions"]) for game in batch.games)


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
    played(QUICK, PROBE, 40, tmp_path, mat=True)
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


def test_luck_is_0_on_the_mean():
    states = [OPENING, flipped(OPENING), (*OPENING[:24], 0, 2)]
    rolls = range(21)
    for state in states:
        lucks = luck_of(BASELINE, [state] * 21, rolls, first=False)
        assert PROBABILITIES @ lucks == pytest.approx(0.0, abs=1e-12)
        assert np.ptp(lucks) > 0.1
        first = luck_of(BASELINE, [state] * 21, rolls, first=True)
        others = [high != low for high, low in ROLLS]
        assert first[others].mean() == pytest.approx(0.0, abs=1e-12)


def test_the_adjustment_is_unbiased_and_helps(tmp_path):
    """Two players of the same strength, whose errors are independent, over 20 seeds."""
    raw, adjusted = [], []
    for seed in range(20):
        result, _ = played(NOISY, NOISY, 30, tmp_path / str(seed), seed=seed)
        raw.append(result.points)
        adjusted.append(result.adjusted)
    means = np.array([each.mean for each in adjusted])
    error = means.std(ddof=1) / np.sqrt(len(means))
    assert abs(means.mean()) < 3 * error
    claimed = np.sqrt(np.mean([each.error**2 for each in adjusted]))
    assert 0.6 < means.std(ddof=1) / claimed < 1.6
    assert claimed < 0.5 * np.sqrt(np.mean([each.error**2 for each in raw]))


def test_a_player_equals_itself(tmp_path):
    result, _ = played(QUICK, QUICK, 20, tmp_path)
    assert result.points.mean == result.points.error == 0
    assert result.adjusted.mean == pytest.approx(0)


def test_files_do_not_depend_on_workers_or_interruptions(tmp_path):
    files = []
    for name, workers in (("one", 1), ("two", 2), ("three", 3)):
        out = tmp_path / name
        result, work = played(NOISY, PROBE, 220, out, pool=Pool(workers))
        assert isinstance(work, Effort)
        files.append([(out / f).read_bytes() for f in ("games.jsonl", "result.json")])
    assert files[0] == files[1] == files[2]

    out = tmp_path / "cut"
    out.mkdir()
    units = (tmp_path / "one" / "units.jsonl").read_bytes()
    (out / "units.jsonl").write_bytes(units[: len(units) // 3])
    assert played(NOISY, PROBE, 220, out)[0] == result
    assert [(out / f).read_bytes() for f in ("games.jsonl", "result.json")] == files[0]

    games = [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]
    assert result_of(games) == result
    assert json.loads((out / "result.json").read_text())["games"] == 220


def test_another_network_of_the_same_name_plays_anew(tmp_path):
    file = tmp_path / "mine.safetensors"
    results = []
    for name in ("probe", "leaf", "probe"):
        file.write_bytes(find_model(name).read_bytes())
        mind_of.cache_clear()  # as in another session
        mine = QUICK._replace(model=str(file))
        results.append(played(mine, PROBE, 8, tmp_path, luck=None)[0])
    assert results[0] == results[2] != results[1]


def test_enough_is_enough(tmp_path):
    seen = []
    result, _ = played(
        QUICK, PROBE, 2000, tmp_path / "a", until_se=0.03,
        on_result=lambda result: seen.append(result.games),
    )  # fmt: skip
    assert seen == [100 * k for k in range(1, len(seen) + 1)]
    assert result.games == seen[-1] < 2000
    assert result.adjusted.error <= 0.03
    again, _ = played(QUICK, PROBE, 2000, tmp_path / "b", until_se=0.03, pool=Pool(2))
    assert again == result


def test_an_unknown_judge_is_refused(tmp_path):
    arguments = [
        "match",
        "depth=1",
        "depth=1",
        "--luck",
        "no-such",
        "--out",
        str(tmp_path / "x"),
    ]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 1
    assert "'no-such'" in done.stderr
    assert not (tmp_path / "x").exists()


def test_the_command_shows_what_was_won(tmp_path):
    arguments = ["match", "depth=1", "depth=1,noise=0.2", "--games", "20", "--luck", "none"]
    done = CliRunner().invoke(main, [*arguments, "--out", str(tmp_path)])
    assert done.exit_code == 0
    assert "games won" in done.stdout
    assert "depth=1,noise=0.2" in done.stdout


@pytest.mark.parametrize("change", [{"games": 7}, {"until_se": 0.0}, {"seed": -1}])
def test_bad_settings_are_refused(tmp_path, change):
    with pytest.raises(SettingError, match="expected"):
        run_match(
            MatchSettings(**{"a": QUICK, "b": QUICK, "games": 20, "out": tmp_path} | change)
        )
