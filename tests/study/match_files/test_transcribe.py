"""Games as text: it says what happened, and by the rules."""

import json
from itertools import groupby
from operator import itemgetter

import pytest

from gammon.eval.model_file import find_model
from gammon.match import MatchSettings, parse_player, run_match
from gammon.rules.terms import Score
from gammon_study.match_files.mat import format_mat, parse_mat
from gammon_study.match_files.transcribe import transcribe
from gammon_study.match_files.transcript import ActionKind, GameReplay
from gammon_study.reviews.review import review

QUICK, PROBE = (parse_player(text) for text in ("depth=1", "model=probe"))


def test_doubles_takes_and_drops():
    """Each side doubles before its first turn, and the other one drops."""
    game = {
        "match": 0, "game": 0, "score": [0, 0], "crawford": False, "first": 0, "rolls": "",
        "positions": [], "doubles": [0], "cube": 1, "points": 1, "luck": 0.0,
    }  # fmt: skip
    other = game | {"game": 1, "score": [1, 0], "first": 1, "points": -1}
    text = format_mat(transcribe("Ann", "Bob", [game, other], Score(5)))
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


@pytest.mark.parametrize(("length", "games"), [(0, 40), (5, 8)])
def test_games_follow_the_rules(tmp_path, length, games):
    """Files of matches, or of games for money: each game goes and ends as its record says."""
    settings = MatchSettings(QUICK, PROBE, games, tmp_path, mat=True, length=length)
    run_match(settings)
    records = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    files = {"games.mat": records}
    if length:
        files = {
            f"matches/{number:06}.mat": list(match)
            for number, match in groupby(records, key=itemgetter("match"))
        }
    assert len(files) == (games if length else 1)
    assert sorted(tmp_path.rglob("*.mat")) == [tmp_path / name for name in files]
    seen, won = set(), set()
    for name, played in files.items():
        match = transcribe(str(QUICK), str(PROBE), played, settings.start)
        assert parse_mat((tmp_path / name).read_text()).games == match.games
        for game, record in zip(match.games, played, strict=True):
            if length:
                assert list(game.score.points) == record["score"]
                assert game.score.crawford == record["crawford"]
            replay = GameReplay(game.score)
            doubles = []
            for action in game.actions:
                if action.kind is ActionKind.DOUBLE:
                    doubles.append(replay.rolled)
                replay.do(action)
                seen.add(action.kind)
            assert (doubles, replay.rolled) == (record["doubles"], len(record["positions"]))
            winner = 0 if record["points"] > 0 else 1
            assert replay.result == (winner, abs(record["points"]))
            won.add(abs(record["points"]))
    assert won >= {1, 2}
    cubes = {ActionKind.DOUBLE, ActionKind.TAKE, ActionKind.PASS} if length else set()
    assert seen == {ActionKind.ROLL} | cubes


@pytest.mark.parametrize("rules", [{}, {"cubeful": True}, {"cubeful": True, "jacoby": True}])
def test_a_review_by_the_player_itself_finds_nothing_wrong(tmp_path, rules):
    """So the file says by which rules it was played."""
    run_match(MatchSettings(QUICK, QUICK, 8, tmp_path, mat=True, **rules))
    found = review(tmp_path / "games.mat", depth=1)
    score = found.transcript.games[0].score
    assert (score.live, score.jacoby) == (bool(rules), "jacoby" in rules)
    assert found.worst() == []


def test_names_that_are_cut_alike_stay_two(tmp_path):
    file = tmp_path / f"{'x' * 60}.safetensors"
    file.write_bytes(find_model("leaf").read_bytes())
    mine = QUICK._replace(model=str(file))
    cut = str(mine)[:58]
    for number, (noise, players) in enumerate(
        (({"noise": 0.1}, (f"A {cut}", f"B {cut}")), ({}, (str(mine)[:60],) * 2))
    ):
        out = tmp_path / str(number)
        run_match(MatchSettings(mine, mine._replace(**noise), 4, out, mat=True))
        assert parse_mat((out / "games.mat").read_text()).players == players


@pytest.mark.parametrize("length", [0, 1])
def test_texts_are_those_of_the_games_that_there_are(tmp_path, length):
    """Also where the folder gets fewer games, and where it gets more without `mat`."""
    for games, mat in ((6, True), (4, True), (8, False)):
        run_match(MatchSettings(QUICK, PROBE, games, tmp_path, mat=mat, length=length))
        texts = sorted(tmp_path.rglob("*.mat"))
        assert len(texts) == (games if length else 1)
        assert sum(len(parse_mat(text.read_text()).games) for text in texts) == games
    other = tmp_path / "other"
    run_match(MatchSettings(QUICK, PROBE, 4, other, length=length))
    assert list(other.rglob("*.mat")) == []
