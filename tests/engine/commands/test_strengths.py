"""The strength of an opponent: one word in every front end, and the same choices."""

import json
from pathlib import Path

import numpy as np
from click.testing import CliRunner

import gammon
from gammon.commands.main import main
from gammon.engine.bot import Bot
from gammon.match.player import match_player_of, parse_player
from gammon.rules.dice import outcome_of
from gammon.rules.terms import CUBELESS
from gammon_adapters.ubgi import converse
from tests.engine.commands.front_ends import answers_of, served

OPENING = gammon.Position.opening()
#: Whether to double, and to take, is close.
CLOSE = gammon.Position.parse("XGID=--CDBbC-B----a-----bdA-cc-:0:0:1:00:0:0:0:0:10")
SEEDS = range(12)


def engine(seed: int, strength: float = 15) -> gammon.Engine:
    return gammon.Engine(strength=strength, noise_seed=seed)


def test_every_front_end_gives_the_same_plays() -> None:
    wanted = engine(7, 10).analyze(OPENING, (4, 1))
    plays = [[each.play.notation, each.equity] for each in wanted.candidates]
    for answer in answers_of(OPENING.position_id, "41", strength=10, noise_seed=7):
        assert [[each["play"], each["equity"]] for each in answer["candidates"]] == plays
        assert answer["depth"] == 1


def test_a_server_plays_doubles_and_answers_as_the_engine_does() -> None:
    doubled = CLOSE.with_terms(CLOSE.context.terms())
    offered = served("position", id=CLOSE.xgid).json["after_double"]
    seen = set()
    for seed in SEEDS:
        bot, asked = Bot(engine(seed)), {"strength": 15, "noise_seed": seed}
        played = served("turn", id=OPENING.xgid, dice="41", **asked).json
        assert played["notation"] == bot.play(OPENING, (4, 1)).notation
        before = served("turn", id=doubled.xgid, **asked).json["action"]
        assert (before == "double") == bot.doubles(CLOSE)
        answer = served("turn", id=offered, **asked).json["action"]
        assert answer == bot.answer(CLOSE).value
        seen |= {played["notation"], before, answer}
    assert len(seen) > 4, "all seeds erred alike"


def test_what_a_server_refuses() -> None:
    """Values that are none are in tests/test_settings.py."""
    for path in ("turn", "analyze"):
        asked = {"strength": 10, "level": "roller"}
        refused = served(path, id=OPENING.xgid, dice="41", **asked)
        assert (refused.status, refused.error.get("field")) == (400, None)


def test_players_of_matches_decide_as_the_engine_does() -> None:
    player = parse_player("strength=15")
    assert (str(player), player.depth) == ("strength=15", 1)
    assert parse_player(str(player)) == player
    outcome, terms = outcome_of((4, 1)), CLOSE.context.terms()
    boards = np.array([OPENING.points] * len(SEEDS), np.int8)
    close = np.array([CLOSE.points] * len(SEEDS), np.int8)
    turns = [outcome] * len(SEEDS), [terms] * len(SEEDS), SEEDS
    bots = [Bot(engine(seed)) for seed in SEEDS]
    match_player = match_player_of(player, terms)
    plays = [bot.play(OPENING, (4, 1)).points for bot in bots]
    assert [tuple(each) for each in match_player.plays(boards, *turns).tolist()] == plays
    doubles, takes = match_player.cubes(close, turns[1], SEEDS)
    assert doubles.tolist() == [bot.doubles(CLOSE) for bot in bots]
    assert takes.tolist() == [bot.answer(CLOSE).value == "take" for bot in bots]
    assert len(set(plays)) > 2 and len(set(doubles.tolist())) == 2
    cubeless = match_player_of(player).plays(boards, turns[0], [CUBELESS] * len(boards), SEEDS)
    assert len(np.unique(cubeless, axis=0)) > 2


def test_ubgi_has_it_as_a_key_and_as_an_option_of_old() -> None:
    wanted = [engine(seed).analyze(OPENING, (4, 1)).candidates[0].play for seed in SEEDS]
    for name in ("set engine.strength 15", "setoption name Strength value 15"):
        said: list[str] = []
        asked = [f"position gnubgid {OPENING.position_id}", "dice 4 1", name]
        for seed in SEEDS:
            asked += [f"set engine.seed {seed}", "go"]
        converse([*asked, "quit"], said.append)
        moves = [line.removeprefix("bestmove ") for line in said if line.startswith("best")]
        assert moves == [" ".join(f"{move.source}/{move.target}" for move in play.moves) for play in wanted]
    assert len(set(moves)) > 2


def test_an_answer_says_that_it_errs_on_purpose() -> None:
    said = "Values are as a player of PR 10 misjudges them."
    for dice in ([], ["--dice", "41"], ["--rolls"]):
        asked = ["analyze", OPENING.position_id, *dice, "--strength", "10"]
        assert f"  {said}\n" in CliRunner().invoke(main, asked).stdout
        found = CliRunner().invoke(main, [*asked, "--json"]).stdout
        assert json.loads(found)["notes"] == [said]
    noisy = gammon.Engine(1, noise=0.03).analyze(OPENING, (3, 1))
    assert noisy.noise_note == "The network errs on purpose, by 0.03."
    both = gammon.Engine(strength=10, noise=0.03).analyze(OPENING, (3, 1))
    assert both.noise_note == f"{said} {noisy.noise_note}"
    assert gammon.Engine(1).cube(OPENING).noise_note == ""


def test_a_cubeless_match_has_seeds_of_any_size(tmp_path: Path) -> None:
    asked = "match", "strength=25", "depth=1", "--games", "4", "--out", str(tmp_path / "games")
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
