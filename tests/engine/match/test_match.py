"""Matches: the adjustment is fair, and files do not depend on the workers."""

import json
import zlib
from pathlib import Path

import numpy as np
import pytest

from gammon.base.errors import GammonError, SettingError
from gammon.base.parallel import Pool
from gammon.base.store import Store
from gammon.eval.model_file import find_model
from gammon.match import MatchSettings, match, parse_player, run_match
from gammon.match.game import Effort
from gammon.match.player import mind_of
from gammon.match.record import are_matches
from gammon.match.result import Numbers, result_of
from gammon.rules.terms import (
    CUBELESS,
    NAMED_STAKES,
    Payoffs,
    Score,
    cubeless_terms,
    parse_stakes,
)
from gammon_lab.programs import players
from tests.lab.programs.stand_ins import bgsage_environment
from tests.tables import FLAT, written

GAMMON_GO = NAMED_STAKES["gammon-go"]

QUICK, PROBE, NOISY, ERRING = (
    parse_player(text) for text in ("depth=1", "model=probe", "noise=0.1", "strength=10")
)


def played(a, b, games, out, **more):
    return run_match(MatchSettings(a, b, games, out, **more))


@pytest.mark.parametrize(("length", "seeds", "most"), [(0, 8, 0.25), (2, 4, 0.4)])
def test_the_adjustment_is_unbiased_and_helps(tmp_path, length, seeds, most):
    """Two players of the same strength, whose errors are independent, over some seeds."""
    raw, adjusted = [], []
    for seed in range(seeds):
        result, _ = played(NOISY, NOISY, 16, tmp_path / str(seed), seed=seed, length=length)
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
    json.loads(line)
    for line in (Path(__file__).parents[2] / "golden/played.jsonl").read_text().splitlines()
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
    ("player", "cube"), [(NOISY, {}), (NOISY, {"length": 3}), (ERRING, {"length": 1})], ids=str
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
        (
            {"a": PROBE},
            "a match of depth=1 and depth=1,model=probe, seed 1, not a match of depth=1,",
        ),
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
        ({}, {"stakes": "money"}), ({"cubeful": True}, {"length": 0, "jacoby": False}),
        ({"length": 3}, {"length": 3, "jacoby": False}),
    ],
    ids=("money", "cube", "match"),
)  # fmt: skip
def test_a_folder_of_an_older_gammon_is_refused(tmp_path, cube, facts):
    """Its games have other lines. What it holds stays as it is."""
    played(QUICK, PROBE, 4, tmp_path, luck=None, **cube)
    card = json.loads((tmp_path / "run.json").read_text())
    kept = {name: card["settings"][name] for name in ("a", "b", "seed", "luck", "networks")}
    (tmp_path / "run.json").write_text(json.dumps({**card, "settings": kept | facts}))
    files = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(
        GammonError, match="format missing, not 3: choose another folder"
    ) as caught:
        played(QUICK, PROBE, 4, tmp_path, luck=None, **cube)
    assert "\n" not in str(caught.value)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == files


def test_another_network_of_the_same_name_is_another_match(tmp_path):
    file = tmp_path / "mine.safetensors"
    mine = QUICK._replace(model=str(file))
    for name in ("probe", "leaf"):
        file.write_bytes(find_model(name).read_bytes())
        mind_of.cache_clear()  # as in another session
        if name == "probe":
            played(mine, PROBE, 4, tmp_path, luck=None)
        else:
            with pytest.raises(GammonError, match="with networks"):
                played(mine, PROBE, 4, tmp_path, luck=None)


@pytest.mark.parametrize(
    "change",
    [
        {"games": []}, {"games": {}}, {"games": [1, 2]}, {"decisions": [1]},
        {"cpu_seconds": None}, {"cpu_seconds": [10**400, 1.0]},
        {"cpu_seconds": [1.0, float("nan")]}, {"cpu_seconds": [1.0]},
    ],
    ids=lambda change: str(change)[:30],
)  # fmt: skip
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
        QUICK, PROBE, 200, tmp_path / "a", until_se=0.04,
        on_result=lambda result: seen.append(result.games),
    )  # fmt: skip
    assert seen == [10 * k for k in range(1, len(seen) + 1)]
    assert 20 < result.games == seen[-1] < 200
    assert result.adjusted.error <= 0.04
    again, _ = played(QUICK, PROBE, 200, tmp_path / "b", until_se=0.04, pool=Pool(2))
    assert again == result


def test_another_program_plays_the_same_games_in_any_process(tmp_path, monkeypatch):
    monkeypatch.setenv("GAMMON_BGSAGE", bgsage_environment(tmp_path / "environment"))
    monkeypatch.setattr(type(players.BGSAGE), "pairs", lambda self, value: 1)
    players._started.cache_clear()  # of a bgsage that is installed
    mind_of.cache_clear()
    files = []
    for name, workers in (("one", 1), ("two", 2)):
        out = tmp_path / name
        result, _ = played(QUICK, parse_player("bgsage=1"), 4, out, pool=Pool(workers))
        files.append([(out / f).read_bytes() for f in ("games.jsonl", "result.json")])
    players._started.cache_clear()
    mind_of.cache_clear()
    assert files[0] == files[1]
    assert result.points.mean > 0
    facts = json.loads((out / "result.json").read_text())
    assert facts["b"] == "bgsage=1"
    assert set(facts["networks"]) == {"leaf", "probe"}


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
        ({"a": "depth=1"}, "a 'depth=1': expected a Player"), ({"mat": 1}, "mat 1: expected"),
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


def test_settings_may_be_numbers_of_numpy_and_names(tmp_path):
    numbers = {
        name: np.int64(value) for name, value in (("games", 4), ("seed", 3), ("length", 3))
    }
    for out, settings in (
        (tmp_path / "a", {"games": 4, "seed": 3, "length": 3}), (str(tmp_path / "b"), numbers),
    ):  # fmt: skip
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
    usual, _ = played(QUICK, PROBE, 20, tmp_path / "a", length=3)
    found, _ = played(QUICK, PROBE, 20, tmp_path / "b", length=3, met=FLAT)
    assert found != usual
    again, _ = played(
        QUICK, PROBE, 20, tmp_path / "b", length=3, met=written(FLAT, tmp_path), pool=Pool(2)
    )
    assert again == found
    assert json.loads((tmp_path / "b" / "result.json").read_text())["met"]["name"] == "flat"
    with pytest.raises(GammonError, match=r"with met \{'name': 'flat'.*, not none"):
        played(QUICK, PROBE, 20, tmp_path / "b", length=3)


def test_a_folder_holds_one_kind_of_match(tmp_path):
    played(QUICK, PROBE, 4, tmp_path, luck=None, length=2)
    for other, words in (
        ({"length": 3}, "holds matches to 2 of depth=1 and depth=1,model=probe, seed 1"),
        ({}, "holds matches to 2"), ({"cubeful": True}, "holds matches to 2"),
    ):  # fmt: skip
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
