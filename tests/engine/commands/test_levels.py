"""Levels: one word in every front end, and the same answer."""

import json
from collections.abc import Iterator

import numpy as np
import pytest
from click.testing import CliRunner

import gammon
import gammon_study
from gammon.commands.main import main
from gammon.core.level import ROLLERS, Level
from gammon.engine import question
from gammon.match.player import match_player_of, parse_player
from gammon.rules.dice import outcome_of
from gammon.rules.terms import CUBELESS
from gammon_adapters.ubgi import converse
from tests.engine.commands.front_ends import answers_of, served
from tests.matches import HAND

OPENING = gammon.Position.opening()


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A level that takes an instant."""
    small = dict.fromkeys(ROLLERS, Level(3, 0.2, 3, (36, 72), 3, 1, ""))
    monkeypatch.setattr(question, "ROLLERS", small)
    match_player_of.cache_clear()
    yield
    match_player_of.cache_clear()


def test_every_front_end_gives_the_same_plays() -> None:
    wanted = gammon.Engine(level="roller").analyze(OPENING, (4, 1))
    plays = [[each.play.notation, each.equity, each.kind] for each in wanted.candidates]
    for answer in answers_of(OPENING.position_id, "41", level="roller"):
        found = [[each["play"], each["equity"], each["kind"]] for each in answer["candidates"]]
        assert found == plays
        assert answer["level"] == "roller" and answer["confidence"] == wanted.confidence
        assert answer["candidates"][0]["rollout"]["trials"] in (36, 72)


def test_a_number_is_a_depth_in_every_front_end() -> None:
    for answer in answers_of(OPENING.position_id, "41", level="1"):
        assert (answer["depth"], answer["level"]) == (1, None)
    refused = served("analyze", id=OPENING.position_id, dice="41", level="best")
    assert refused.status == 400 and refused.error["field"] == "level"


def test_a_query_asks_for_depths_first_and_a_depth_takes_the_place_of_a_level() -> None:
    lines = [
        {"id": 1, "position": OPENING.position_id, "dice": "41", "interim": True},
        {"id": 2, "position": OPENING.position_id, "dice": "41", "depth": 1},
    ]
    text = "\n".join(map(json.dumps, lines))
    done = CliRunner().invoke(main, ["analyze", "-", "--level", "roller"], input=text)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(each["id"], each["interim"], each["depth"], each["level"]) for each in found] == [
        (1, True, 1, None),
        (1, True, 3, None),
        (1, False, 3, "roller"),
        (2, False, 1, None),
    ]


def test_the_table_says_which_plays_had_games() -> None:
    done = CliRunner().invoke(main, ["analyze", OPENING.position_id, "--dice", "41", "--level", "roller"])
    assert "rollout ±0." in done.stdout
    assert "Level roller: 3 plays rolled out, listed before the others" in done.stdout
    clear = CliRunner().invoke(main, ["analyze", OPENING.position_id, "--level", "roller"])
    assert "Level roller: no games" in clear.stdout


def test_players_of_matches_and_of_ubgi() -> None:
    player = parse_player("level=roller")
    assert (str(player), player.depth) == ("level=roller", 3)
    assert str(parse_player("level=5,model=large")) == "depth=5,model=large"
    wanted = gammon.Engine(level="roller").analyze(OPENING, (4, 1)).candidates[0].play
    outcome, terms = outcome_of((4, 1)), gammon.Terms()
    boards = np.array([OPENING.points], np.int8)
    (found,) = match_player_of(player, terms).plays(boards, [outcome], [terms], [0])
    assert tuple(found.tolist()) == wanted.points
    answers = match_player_of(player, terms).cubes(boards, [terms], [0])
    assert not answers.doubles[0] and answers.takes[0]
    assert len(match_player_of(player).plays(boards, [outcome], [CUBELESS], [0])) == 1
    said: list[str] = []
    lines = ["set engine.level roller", "set engine.seed 1"]
    lines += [f"position gnubgid {OPENING.position_id}", "dice 4 1", "go", "quit"]
    converse(lines, said.append)
    moves = " ".join(f"{move.source}/{move.target}" for move in wanted.moves)
    assert said[-1] == f"bestmove {moves}"


def test_a_review_at_a_level_compares_games_with_games() -> None:
    found, exact = gammon_study.review(HAND, level="roller"), gammon_study.review(HAND, depth=3)
    assert (found.level, found.depth) == ("roller", 3)
    assert len(found.choices) == len(exact.choices)
    assert "level roller: close choices rolled out" in str(found)
    assert found.totals(0).all.error != exact.totals(0).all.error
