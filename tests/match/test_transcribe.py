"""Games as text: it says what happened, and by the rules."""

import json
from itertools import groupby
from operator import itemgetter

import pytest

from gammon.formats.mat import format_mat, parse_mat
from gammon.formats.transcript import ActionKind, GameReplay
from gammon.match import MatchSettings, parse_player, run_match
from gammon.match.transcribe import transcribe

QUICK, PROBE = (parse_player(text) for text in ("depth=1", "model=probe"))


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


@pytest.mark.parametrize(("length", "games"), [(0, 40), (5, 8)])
def test_games_follow_the_rules(tmp_path, length, games):
    """Files of matches, or of games for money: each game goes and ends as its record says."""
    run_match(MatchSettings(QUICK, PROBE, games, tmp_path, mat=True, length=length))
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
        match = transcribe(str(QUICK), str(PROBE), played, length)
        assert parse_mat((tmp_path / name).read_text()) == match
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
