"""Matches: the adjustment is fair, files do not depend on the workers, figures by hand."""

import json
import math
import re
import zlib
from pathlib import Path

import numpy as np
import pytest

from gammon.base.errors import GammonError, IllegalPositionError, SettingError
from gammon.base.parallel import Pool
from gammon.base.store import Store
from gammon.engine.question import DEPTHS
from gammon.eval.model_file import find_model
from gammon.formats.position import Position
from gammon.match import MatchSettings, match, parse_player, run_match
from gammon.match.game import Effort
from gammon.match.player import Player, match_player_of
from gammon.match.result import (
    GameRecord,
    MatchResult,
    Numbers,
    are_matches,
    as_json,
    result_of,
    without_luck,
)
from gammon.rules.terms import CUBELESS, NAMED_STAKES, Payoffs, Score, Terms, cubeless_terms, parse_stakes
from gammon_lab.programs import players
from tests.boards import FLAT, written
from tests.lab.programs.stand_ins import bgsage_environment

# Matches: the adjustment is fair, and files do not depend on the workers.

GAMMON_GO = NAMED_STAKES["gammon-go"]

QUICK, PROBE, NOISY, ERRING = (
    parse_player(text) for text in ("depth=1", "model=probe", "noise=0.1", "strength=10")
)


#: A position in which a side has borne off all its checkers.
OVER = Position((0, 2, *[0] * 24)).position_id


def played(a, b, games, out, **more):
    return run_match(MatchSettings(a, b, games, out, **more))


@pytest.mark.parametrize(("length", "seeds", "games", "most"), [(0, 8, 8, 0.25), (2, 4, 16, 0.4)])
def test_the_adjustment_is_unbiased_and_helps(tmp_path, length, seeds, games, most):
    """Two players of the same strength, whose errors are independent, over some seeds."""
    raw, adjusted = [], []
    for seed in range(seeds):
        result, _ = played(NOISY, NOISY, games, tmp_path / str(seed), seed=seed, length=length)
        raw.append(result.wins if length else result.points)
        adjusted.append(result.adjusted)
    means = np.array([each.mean for each in adjusted])
    error = means.std(ddof=1) / np.sqrt(seeds)
    assert abs(means.mean() - (0.5 if length else 0.0)) < 3 * error
    claimed, plain = (np.mean([each.error**2 for each in found]) for found in (adjusted, raw))
    assert length or 0.6 < means.std(ddof=1) / np.sqrt(claimed) < 1.6
    assert claimed < most * plain


#: Games and figures of before one loop played all of them, one match a line; of the positions a
#: checksum.
GOLDEN = [
    json.loads(line) for line in (Path(__file__).parents[2] / "golden/played.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden["name"])
def test_games_and_figures_stay_what_they_were(golden, tmp_path):
    """The same seeds give the same games, so that published figures can be had again."""
    settings = golden["settings"]
    settings |= {side: parse_player(settings[side]) for side in "ab"}
    if "stakes" in settings:
        settings["stakes"] = parse_stakes(settings["stakes"])
    run_match(MatchSettings(out=tmp_path, **settings))
    found = json.loads((tmp_path / "result.json").read_text())
    assert found["networks"] == golden["networks"], "other networks play other games"
    lines = (tmp_path / "games.jsonl").read_text().splitlines()
    assert len(lines) == len(golden["games"])
    for line, (number, game, first, rolls, positions, doubles, cube, points, luck) in zip(
        lines, golden["games"], strict=True
    ):
        each = json.loads(line)
        assert (each["match"], each["game"], each["first"]) == (number, game, first)
        assert (each["rolls"], each["doubles"], each["cube"]) == (rolls, doubles, cube)
        assert zlib.crc32(" ".join(each["positions"]).encode()) == positions
        assert (each["points"], each["luck"]) == (points, pytest.approx(luck, abs=2e-6))
    for name, figure in golden["result"].items():
        assert found[name] == pytest.approx(figure, abs=1e-6), name


@pytest.mark.parametrize(("games", "length", "even"), [(20, 0, 0.0), (8, 3, 0.5)])
def test_a_player_equals_itself(tmp_path, games, length, even):
    result, _ = played(QUICK, QUICK, games, tmp_path, length=length)
    assert result.points.mean == result.points.error == 0
    assert result.wins[:2] == (0.5, 0.0)
    assert result.adjusted.mean == pytest.approx(even)


@pytest.mark.parametrize(
    ("player", "cube"),
    [pytest.param(NOISY, {}, marks=pytest.mark.nightly), (NOISY, {"length": 3}), (ERRING, {"length": 1})],
    ids=str,
)
def test_files_do_not_depend_on_workers_or_interruptions(tmp_path, player, cube, monkeypatch):
    """Nor on games that were asked for later: what a folder has is not played again."""
    monkeypatch.setattr(match, "_PAIRS", {1: 1})

    def files(out):
        return [(out / name).read_bytes() for name in ("games.jsonl", "result.json")]

    out, grown = tmp_path / "one", tmp_path / "grown"
    result, work = played(player, PROBE, 6, out, **cube)
    assert isinstance(work, Effort)
    played(player, PROBE, 4, grown, **cube)
    begun, more = (grown / "units.jsonl").read_bytes(), {"until_se": 1e-9, "mat": True}
    assert played(player, PROBE, 6, grown, pool=Pool(2), **more, **cube)[0] == result
    assert (grown / "units.jsonl").read_bytes().startswith(begun)
    assert files(out) == files(grown)

    expected, units = files(out), (out / "units.jsonl").read_bytes()
    assert units.count(b"\n") == 3
    (out / "units.jsonl").write_bytes(units[: len(units) // 2])
    for name in ("games.jsonl", "result.json"):
        (out / name).write_bytes(b"x")
    assert played(player, PROBE, 6, out, **cube)[0] == result
    assert files(out) == expected

    games = [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]
    start = Score(cube.get("length", 0), live=bool(cube))
    assert are_matches(games, range(6), start)
    assert result_of(Numbers.of(games), start) == result
    said = json.loads((out / "result.json").read_text())
    assert said["adjusted"]["mean"] == result.adjusted.mean
    assert (said["length"], said["matches"], said["games"]) == (start.length, 6, len(games))


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"a": PROBE}, "a match of depth=1 and depth=1,model=probe, seed 1, not a match of depth=1,"),
        ({"seed": 2}, "seed 1, not a match of depth=1 and depth=1,model=probe, seed 2: choose"),
        ({"luck": "probe"}, "seed 1 with luck none, not probe: choose another"),
        ({"stakes": GAMMON_GO}, "seed 1 with stakes money, not gammon-go: choose another"),
    ],
    ids=str,
)
def test_a_folder_holds_one_match(tmp_path, other, words):
    same = {"a": QUICK, "b": PROBE, "games": 4, "out": tmp_path, "luck": None}
    run_match(MatchSettings(**same))
    files = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(GammonError, match=words):
        run_match(MatchSettings(**same | other))
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == files


@pytest.mark.parametrize(
    ("cube", "facts"),
    [
        ({}, {"stakes": "money"}),
        ({"cubeful": True}, {"length": 0, "jacoby": False}),
        ({"length": 3}, {"length": 3, "jacoby": False}),
    ],
    ids=("money", "cube", "match"),
)
def test_a_folder_of_an_older_gammon_is_refused(tmp_path, cube, facts):
    """Its games have other lines. What it holds stays as it is."""
    played(QUICK, PROBE, 4, tmp_path, luck=None, **cube)
    card = json.loads((tmp_path / "run.json").read_text())
    kept = {name: card["settings"][name] for name in ("a", "b", "seed", "luck", "networks")}
    (tmp_path / "run.json").write_text(json.dumps({**card, "settings": kept | facts}))
    files = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(GammonError, match="format missing, not 3: choose another folder") as caught:
        played(QUICK, PROBE, 4, tmp_path, luck=None, **cube)
    assert "\n" not in str(caught.value)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == files


def test_another_network_of_the_same_name_is_another_match(tmp_path):
    file = tmp_path / "mine.safetensors"
    mine = QUICK._replace(model=str(file))
    for name in ("probe", "leaf"):
        file.write_bytes(find_model(name).read_bytes())
        match_player_of.cache_clear()  # as in another session
        if name == "probe":
            played(mine, PROBE, 4, tmp_path, luck=None)
        else:
            with pytest.raises(GammonError, match="with networks"):
                played(mine, PROBE, 4, tmp_path, luck=None)


@pytest.mark.parametrize(
    "change",
    [
        {"games": []},
        {"games": {}},
        {"games": [1, 2]},
        {"decisions": [1]},
        {"cpu_seconds": None},
        {"cpu_seconds": [10**400, 1.0]},
        {"cpu_seconds": [1.0, float("nan")]},
        {"cpu_seconds": [1.0]},
    ],
    ids=lambda change: str(change)[:30],
)
def test_a_result_that_is_no_batch_is_played_again(tmp_path, change, caplog):
    """Whatever a file of results says, with a checksum that is right."""
    expected, _ = played(QUICK, PROBE, 8, tmp_path, luck=None)
    path = tmp_path / "units.jsonl"
    entry = json.loads(path.read_bytes())
    path.unlink()
    Store(path, [], lambda unit, result: True).add(entry["unit"], entry["result"] | change)
    assert played(QUICK, PROBE, 8, tmp_path, luck=None)[0] == expected
    assert "1 damaged line is left out" in caplog.text


def test_a_result_of_before_fits(tmp_path, caplog):
    """It has seconds by the clock on the wall, which are not shown, and those of luck."""
    expected, effort = played(QUICK, PROBE, 8, tmp_path, luck=None)
    path = tmp_path / "units.jsonl"
    entry = json.loads(path.read_bytes())
    path.unlink()
    del entry["result"]["cpu_seconds"]
    result = entry["result"] | {"seconds": [9.0, 9.0], "luck_seconds": 0.5}
    Store(path, [], lambda unit, result: True).add(entry["unit"], result)
    untimed = Effort(effort.decisions, [None, None])
    assert played(QUICK, PROBE, 8, tmp_path, luck=None) == (expected, untimed)
    assert not caplog.text


def test_enough_is_enough(tmp_path, monkeypatch):
    monkeypatch.setattr(match, "_PAIRS", {1: 5})
    monkeypatch.setattr(match, "_LEAST_PAIRS", 10)
    seen = []
    result, _ = played(
        QUICK, PROBE, 200, tmp_path / "a", until_se=0.04, on_result=lambda result: seen.append(result.games)
    )
    assert seen == [10 * k for k in range(1, len(seen) + 1)]
    assert 20 < result.games == seen[-1] < 200
    assert result.adjusted.error <= 0.04
    again, _ = played(QUICK, PROBE, 200, tmp_path / "b", until_se=0.04, pool=Pool(2))
    assert again == result


def test_another_program_plays_the_same_games_in_any_process(tmp_path, monkeypatch):
    monkeypatch.setenv("GAMMON_BGSAGE", bgsage_environment(tmp_path / "environment"))
    monkeypatch.setattr(type(players.BGSAGE), "pairs", lambda self, value: 1)
    players._started.cache_clear()  # of a bgsage that is installed
    match_player_of.cache_clear()
    files = []
    for name, workers in (("one", 1), ("two", 2)):
        out = tmp_path / name
        result, _ = played(QUICK, parse_player("bgsage=1"), 4, out, pool=Pool(workers))
        files.append([(out / f).read_bytes() for f in ("games.jsonl", "result.json")])
    players._started.cache_clear()
    match_player_of.cache_clear()
    assert files[0] == files[1]
    assert result.points.mean > 0
    facts = json.loads((out / "result.json").read_text())
    assert facts["b"] == "bgsage=1"
    assert set(facts["networks"]) == {"leaf", "probe", "width", "race", "cube"}


def test_stakes_are_written_down(tmp_path):
    odd = cubeless_terms(Payoffs(1 / 3, 2 / 3, 1.0, -1 / 3, -1 / 3, -1 / 3))
    for stakes in (CUBELESS, GAMMON_GO, odd):
        out = tmp_path / str(stakes.payoffs)
        result, _ = played(QUICK, PROBE, 8, out, stakes=stakes)
        games = [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]
        assert result_of(Numbers.of(games), Score(live=False, payoffs=stakes.payoffs)) == result
        facts = json.loads((out / "result.json").read_text())
        assert parse_stakes(facts["stakes"]) == stakes


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"games": 7}, "expected"), ({"until_se": 0.0}, "expected"),
        ({"seed": -1}, "expected"), ({"stakes": Payoffs(1, 0, 0, -1, -1, -1)}, "expected"),
        ({"b": parse_player("gnubg=0"), "stakes": GAMMON_GO}, "expected money"),
        ({"a": parse_player("bgsage=1"), "stakes": GAMMON_GO}, "expected money"),
        ({"length": 65}, "length 65: expected a whole number from 0 to 64"),
        ({"length": -1}, "length -1"), ({"length": 3, "games": 7}, "games 7: expected an even"),
        ({"length": 3, "jacoby": True}, "Jacoby rule in a match of 3: expected it for money"),
        ({"jacoby": True}, "Jacoby rule in games without the cube"),
        ({"length": 3, "stakes": GAMMON_GO}, "stakes gammon-go with the cube: expected none"),
        ({"cubeful": True, "stakes": GAMMON_GO}, "gammon-go with the cube: expected none"),
        ({"cubeful": True, "b": parse_player("bgsage=1")}, "bgsage=1 with the cube: expected"),
        ({"cubeful": True, "met": FLAT}, "met 'flat' in games for money: expected a match"),
        ({"length": 3, "met": 5}, "met 5: expected a table of gammon.read_met, or its file"),
        ({"seed": 1.5}, "seed 1.5: expected a whole number"), ({"games": "4"}, "games '4'"),
        ({"seed": 2**64}, "seed"), ({"out": 3}, "out 3: expected a path"),
        ({"stakes": 3}, "stakes 3: expected"), ({"until_se": "x"}, "until_se 'x': expected"),
        ({"luck": 3}, "luck 3: expected a text"), ({"pool": 2}, "pool 2: expected a Pool"),
        ({"a": "depth=1"}, "a 'depth=1': expected a Player"), ({"b": Player(depth=2)}, "depth '2': expected"),
        ({"b": Player(filter="most")}, "filter 'most': expected one of"), ({"mat": 1}, "mat 1: expected"),
        ({"on_result": 3}, "on_result 3: expected a function"),
    ],
    ids=str,
)  # fmt: skip
def test_matches_that_cannot_be(tmp_path, change, words):
    settings = {"a": QUICK, "b": QUICK, "games": 20, "out": tmp_path / "out"} | change
    with pytest.raises(SettingError, match=words) as caught:
        run_match(MatchSettings(**settings))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("depth", DEPTHS)
def test_players_of_all_depths_play(tmp_path, depth):
    start = "XGID=-----a----A---------------:0:0:1:00:0:0:0:0:10"
    result, _ = played(Player(depth=depth), QUICK, 4, tmp_path, opening=start)
    assert result.games == 4


def test_a_match_of_nackgammon(tmp_path):
    """It is another match than one of backgammon, and is not exported."""
    usual, _ = played(QUICK, PROBE, 20, tmp_path / "a")
    found, _ = played(QUICK, PROBE, 20, tmp_path / "b", opening="nackgammon")
    assert found != usual
    again, _ = played(QUICK, PROBE, 20, tmp_path / "b", opening="4Dl4ADbgOXgANg", pool=Pool(2))
    assert again == found
    with pytest.raises(GammonError, match="4Dl4ADbgOXgANg"):
        played(QUICK, PROBE, 20, tmp_path / "b")
    with pytest.raises(SettingError, match="mat with the start 'nackgammon': expected backgammon's"):
        played(QUICK, PROBE, 20, tmp_path / "c", opening="nackgammon", mat=True)
    with pytest.raises(IllegalPositionError, match="the game is over"):
        MatchSettings(QUICK, PROBE, 4, tmp_path, opening=OVER)
    with pytest.raises(SettingError, match="start 'nack': expected backgammon, nackgammon, longgammon, or"):
        MatchSettings(QUICK, PROBE, 4, tmp_path, opening="nack")


@pytest.mark.parametrize(
    ("fields", "ignored"),
    [
        ("0:0:1:31:0:0:0:0:10", "a roll"), ("0:0:1:00:3:2:0:7:10", "a score"),
        ("0:0:-1:00:3:2:0:0:10", "a score"), ("1:1:1:00:0:0:0:0:10", "a cube"),
        ("0:0:1:D:0:0:0:0:10", "a cube"), ("0:0:1:00:0:0:0:0:5", "a highest cube"),
        ("1:-1:1:52:0:0:3:0:10", "a roll, a cube, the Jacoby rule, beavers"),
    ],
)  # fmt: skip
def test_a_start_has_nothing_beside_its_checkers(tmp_path, fields, ignored):
    start = f"XGID=-b----E-C---eE---c-e----B-:{fields}"
    told = f"start '{start}' with {ignored}: expected checkers alone, 4HPwATDgc/ABMA"
    with pytest.raises(SettingError, match=f"^{re.escape(told)}$"):
        MatchSettings(QUICK, PROBE, 4, tmp_path, opening=start)


def test_settings_may_be_numbers_of_numpy_and_names(tmp_path):
    numbers = {name: np.int64(value) for name, value in (("games", 4), ("seed", 3), ("length", 3))}
    for out, settings in (
        (tmp_path / "a", {"games": 4, "seed": 3, "length": 3}),
        (str(tmp_path / "b"), numbers),
    ):
        run_match(MatchSettings(QUICK, PROBE, out=out, **settings))
    a, b = ((tmp_path / name / "result.json").read_text() for name in "ab")
    assert a == b
    settings = MatchSettings(QUICK, PROBE, 4, tmp_path, stakes="gammon-go")
    assert settings.stakes == GAMMON_GO


def test_a_program_that_is_not_installed_takes_no_folder(tmp_path, monkeypatch):
    """Where the games are there already, or other machines play them, nobody asks for it."""
    bgsage, out = parse_player("bgsage=1"), tmp_path / "out"
    monkeypatch.delenv("GAMMON_BGSAGE", raising=False)
    with pytest.raises(GammonError, match="GAMMON_BGSAGE is not set"):
        played(QUICK, bgsage, 4, out)
    assert not out.exists()
    match.check_match(MatchSettings(QUICK, bgsage, 4, out, pool=Pool(scheduler="tcp://a:1")))
    out.mkdir()
    (out / "run.json").write_text("")
    match.check_match(MatchSettings(QUICK, bgsage, 4, out))


def test_a_match_by_another_table(tmp_path):
    """Games and luck are others, and the folder is that of the table."""
    usual, _ = played(QUICK, PROBE, 4, tmp_path / "a", length=3)
    found, _ = played(QUICK, PROBE, 4, tmp_path / "b", length=3, met=FLAT)
    assert found != usual
    again, _ = played(QUICK, PROBE, 4, tmp_path / "b", length=3, met=written(FLAT, tmp_path), pool=Pool(2))
    assert again == found
    assert json.loads((tmp_path / "b" / "result.json").read_text())["met"]["name"] == "flat"
    with pytest.raises(GammonError, match=r"with met \{'name': 'flat'.*, not none"):
        played(QUICK, PROBE, 4, tmp_path / "b", length=3)


def test_a_folder_holds_one_kind_of_match(tmp_path):
    played(QUICK, PROBE, 4, tmp_path, luck=None, length=2)
    for other, words in (
        ({"length": 3}, "holds matches to 2 of depth=1 and depth=1,model=probe, seed 1"),
        ({}, "holds matches to 2"),
        ({"cubeful": True}, "holds matches to 2"),
    ):
        with pytest.raises(GammonError, match=words):
            played(QUICK, PROBE, 4, tmp_path, luck=None, **other)
    result, _ = played(QUICK, PROBE, 6, tmp_path, luck=None, length=2)
    assert result.matches == 6


def test_the_fewest_games_have_finite_errors(tmp_path):
    """JSON has no infinite numbers: other programs would refuse the whole file."""

    def refuse(word):
        raise AssertionError(word)

    result, _ = played(QUICK, PROBE, 4, tmp_path)
    text = (tmp_path / "result.json").read_text()
    found = json.loads(text, parse_constant=refuse)["fair_wins"]
    assert found == result.fair_wins._asdict() == result.wins._asdict()


# The figures of games and matches, against sums done by hand.

DMP = NAMED_STAKES["dmp"]

WITHOUT = Score(live=False)


def game(
    match: int, points: int, luck: float = 0.0, turns: int = 4, cube: int = 1, doubles: tuple[int, ...] = ()
) -> GameRecord:
    return {
        "match": match,
        "game": 0,
        "score": [0, 0],
        "crawford": False,
        "first": match % 2,
        "rolls": "31" * turns,
        "positions": ["4HPwATDgc/ABMA"] * turns,
        "doubles": list(doubles),
        "cube": cube,
        "points": points,
        "luck": luck,
    }


def result(games: list[GameRecord], start: Score = WITHOUT, stakes: Terms = CUBELESS) -> MatchResult:
    if not start.live:
        start = start._replace(payoffs=stakes.payoffs)
    return result_of(Numbers.of(games), start)


GAMES = [game(0, 3, 1.0, 10), game(1, -1, 0.0, 20), game(2, -2, 0.5, 30), game(3, 1, -0.5, 40)]


@pytest.mark.smoke
def test_means_are_over_pairs() -> None:
    found = result(GAMES)
    # The pairs' means are 1 and -1/2; less luck, 1/2 and -1/2.
    assert found.points[:2] == pytest.approx((0.25, 0.75))
    assert found.adjusted[:2] == pytest.approx((0, 0.5))
    assert found.wins[:2] == pytest.approx((0.5, 0))
    # The 97.5 % quantile of Student's t with one degree of freedom is tan(0.475 pi).
    reach = math.tan(0.475 * math.pi) * 0.5
    assert found.adjusted[2:] == pytest.approx((-reach, reach))
    assert found.gammons == (0.25, 0.25)
    assert found.backgammons == (0.25, 0)
    assert (found.games, found.turns, found.live, found.length) == (4, 25, False, 0)
    assert (found.cube, found.doubles, found.takes, found.passes) == (1, *[(0, 0)] * 3)
    assert str(found) == "4 games, +0.0000 +- 0.5000 points a game"
    assert as_json(found)["points"]["error"] == pytest.approx(0.75)


def test_wins_less_what_luck_predicts() -> None:
    # The pairs' luck is 1, -1 and 0, and they won 1, 0 and 1/2 of their games: all of it luck.
    lucky = [game(0, 1, 1.0), game(1, 1, 1.0), game(2, -1, -1.0), game(3, -1, -1.0)]
    even = [game(4, 1), game(5, -1)]
    assert result(lucky + even).fair_wins[:2] == pytest.approx((0.5, 0))
    assert result(lucky + even).wins[1] > 0.2
    # More luck than is fair is taken out of the mean too.
    more = [game(4, 1, 1.0), game(5, 1, 1.0)]
    assert result(lucky + more).fair_wins.mean == pytest.approx(0.5)
    unadjusted = [game(0, 1), game(1, 1), game(2, -1), game(3, -1)]
    assert result(unadjusted).fair_wins == result(unadjusted).wins


@pytest.mark.parametrize("pairs", [4, 6])
def test_wins_without_luck_are_as_far_off_as_they_say(pairs: int) -> None:
    """The truth is one half; luck takes a part of the spread, fitted to the same pairs."""
    rng, tries, inside, ratios = np.random.default_rng(1), 2000, 0, []
    for _ in range(tries):
        luck = rng.normal(size=pairs)
        wins = 0.5 + 0.2 * luck + 0.3 * rng.normal(size=pairs)
        mean, error, low, high = without_luck(wins, luck)
        inside += low < 0.5 < high
        ratios.append((mean - 0.5) / error)
    assert 0.935 < inside / tries < 0.965
    # Half of the values of Student's t with 2 and with 4 degrees are closer to 0.
    assert np.median(np.abs(ratios)) == pytest.approx({4: 0.816, 6: 0.741}[pairs], abs=0.06)


def test_too_few_pairs_say_nothing_of_their_error() -> None:
    assert result(GAMES[:2]).points == (1, math.inf, -math.inf, math.inf)
    assert result(GAMES[:2]).fair_wins.error == math.inf


def test_luck_predicts_nothing_of_two_pairs() -> None:
    """A line goes through both, however far apart they are."""
    two = result([game(0, 1, 1.0), game(1, 1, 1.0), game(2, -1, -0.5), game(3, 1, 0.5)])
    assert two.fair_wins == two.wins
    assert two.wins.error == pytest.approx(0.25)


def test_stakes_say_what_points_are_worth() -> None:
    # Won by a backgammon, lost, lost by a gammon, won: 3 - 1 and -1 + 1.
    found = result(GAMES, stakes=GAMMON_GO)
    assert found.points[:2] == pytest.approx((0.5, 0.5))
    assert found.adjusted[:2] == pytest.approx((0.25, 0.25))
    assert result(GAMES, stakes=GAMMON_GO.for_opponent()).points.mean == pytest.approx(-0.5)
    assert result(GAMES, stakes=DMP).points.mean == 0
    assert found.wins == result(GAMES).wins
    assert found.gammons == (0.25, 0.25)


#: A doubles and wins a gammon; A doubles and B passes; B wins; A doubles, and B redoubles,
#: which A passes.
WITH_CUBE = [
    game(6, 4, 1.0, cube=2, doubles=(2,)),
    game(7, 1, 0.5, 5, doubles=(5,)),
    game(8, -1, -0.25),
    game(9, -2, 0.0, 6, 2, (1, 6)),
]


@pytest.mark.smoke
def test_money_with_the_cube() -> None:
    found = result(WITH_CUBE, Score())
    assert (found.matches, found.games, found.live) == (4, 4, True)
    # The pairs' means are 5/2 and -3/2; less luck, 7/4 and -11/8.
    assert found.points[:2] == pytest.approx((0.5, 2.0))
    assert found.adjusted[:2] == pytest.approx((0.1875, 1.5625))
    assert found.wins[:2] == pytest.approx((0.5, 0.5))
    reach = math.tan(0.475 * math.pi) * 2.0
    assert found.points[2:] == pytest.approx((0.5 - reach, 0.5 + reach))
    assert found.gammons == (0.25, 0.0)
    assert found.backgammons == (0.0, 0.0)
    # B began games 7 and 9, so that A has their odd turns.
    assert found.doubles == (0.75, 0.25)
    assert found.takes == (0.0, 0.5)
    assert found.passes == (0.25, 0.25)
    assert found.cube == 1.5
    assert found.turns == 4.75
    assert str(found) == "4 games, +0.1875 +- 1.5625 points a game"


def test_matches_are_won_by_their_last_games() -> None:
    games = [
        game(0, 2, 0.25, cube=2, doubles=(2,)),
        game(0, 1, 0.25),
        game(1, -1),
        game(1, 4, cube=4, doubles=(1, 2, 4)),
        game(2, -3, -0.5),
        game(3, 1),
        game(3, -2, 0.125),
    ]
    found = result(games, Score(3))
    assert (found.matches, found.games, found.length) == (4, 7, 3)
    assert found.wins[:2] == pytest.approx((0.5, 0.5))  # of the pairs: 1 and 0
    assert found.adjusted[:2] == pytest.approx((15 / 32, 9 / 32))  # 3/4 and 3/16
    assert found.points.mean == pytest.approx(2 / 7)
    # By hand: the sums are 6 and -4 in 4 and 3 games; 6 - 8/7 and -4 - 6/7, over 7/2.
    assert found.points.error == pytest.approx((34 / 7) / 3.5)
    assert str(found) == "4 matches, +0.4688 +- 0.2812 matches won"


def test_numbers_can_be_joined() -> None:
    games = [*GAMES, *(game(4 + n, n + 1, cube=1 + n, doubles=(1,) * n) for n in (0, 1))]
    parts = Numbers.of(games[:2]), Numbers.of(games[2:4]), Numbers.of(games[4:])
    for joined, whole in zip(Numbers.joined(parts), Numbers.of(games), strict=True):
        assert np.array_equal(joined, whole)
