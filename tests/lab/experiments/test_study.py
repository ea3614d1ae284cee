"""Studies: units and decisions, samples, measurements, grades and published openings."""

import json
from pathlib import Path

import numpy as np
import pytest

import gammon
from gammon.engine.engine import Engine
from gammon.eval.evaluators import search_networks
from gammon.formats.play import find_play
from gammon.formats.position import Position
from gammon.match.match import MatchSettings
from gammon.match.player import Player, match_player_of, parse_player
from gammon.rules.board import OPENING, has_contact, is_over
from gammon.rules.dice import ROLLS, throw
from gammon.rules.terms import CUBELESS
from gammon_lab.bench.positions import contact_positions, self_play_positions
from gammon_lab.experiments import ballard, dice, measure
from gammon_lab.experiments.decision import (
    ValuedPlay,
    answer_of,
    ask,
    decide,
    decision_unit,
    question,
    ranked,
    rollout_words,
)
from gammon_lab.experiments.grade import ALL, grade
from gammon_lab.experiments.measure import Costs, SearchCosts, choices
from gammon_lab.experiments.openings import REPLIES, XG
from gammon_lab.experiments.study import Study
from gammon_lab.report import Sheet
from gammon_study.library.judged_decisions import JudgedDecision, judged_decisions, sorted_successors
from tests.boards import NOT_NUMBERS
from tests.lab.experiments.figures import drawn_bars

# A study: its units and matches, and how far it is.


def double(unit):
    return 2 * unit["number"]


def sums(unit):
    return [[unit["number"], number] for number in range(unit["number"])]


NAMES = "first", "second"


def test_numbers_have_names_in_the_file_alone(tmp_path):
    units = [{"number": number} for number in (0, 2)]
    study, seen = Study(tmp_path), []
    expected = [sums(unit) for unit in units]

    def fits(unit, result):
        seen.append(result)
        return result == sums(unit)

    assert study.run(sums, units, "units", fits, NAMES) == expected
    lines = (tmp_path / "units.jsonl").read_text().splitlines()
    assert [json.loads(line)["result"] for line in lines] == [
        [],
        [{"first": 2, "second": 0}, {"first": 2, "second": 1}],
    ]
    assert study.run(sums, units, "units", fits, NAMES) == expected
    assert seen == expected, "what the file has is checked without its names"
    assert len((tmp_path / "units.jsonl").read_text().splitlines()) == 2


def test_files_of_before_have_no_names_and_are_kept(tmp_path):
    units = [{"number": 1}, {"number": 3}]
    study = Study(tmp_path)
    study.run(sums, units, "units")
    before = (tmp_path / "units.jsonl").read_text()
    assert study.run(sums, units, "units", lambda unit, result: result == sums(unit), NAMES)
    assert (tmp_path / "units.jsonl").read_text() == before


def test_parts_of_a_study_tell_of_the_whole(tmp_path):
    seen = []
    study = Study(tmp_path, on_done=lambda done, total: seen.append((done, total)))
    assert list(study.part(0, 9).steps("ab")) == ["a", "b"]
    units = [{"number": number} for number in range(3)]
    assert study.part(2, 9).run(double, units, "units") == [0, 2, 4]
    told = []
    match = MatchSettings(
        Player(1),
        Player(1, noise=0.1),
        4,
        Path("match"),
        on_result=lambda result: told.append((result.matches, len(seen))),
    )
    result = study.part(5, 9).play(match)
    assert result.matches == 4
    assert told == [(4, len(seen) - 1)], "the match is heard first"
    assert seen == [*((done, 9) for done in (0, 1, 2, 2, 3, 4, 5)), (9, 9)]
    assert (tmp_path / "match" / "games.jsonl").exists()

    seen.clear()
    assert study.run(double, units, "units") == [0, 2, 4]
    assert seen == [(3, 3)], "nothing is done again"
    fits = study.run(double, units, "units", lambda unit, result: result != 2)
    assert fits == [0, 2, 4]
    assert seen[1:] == [(2, 3), (3, 3)], "what cannot be a result is made again"


# Players that are asked for a play.


def test_an_answer_is_the_players_play():
    for name in ("depth=1", "depth=3,model=large"):
        for outcome in (0, 5, 17):
            unit = json.loads(json.dumps(question(name, OPENING, outcome)))
            answer = answer_of(json.loads(json.dumps(ask(unit))))
            board, match_player = np.array([OPENING], np.int8), match_player_of(parse_player(name))
            played = match_player.plays(board, [outcome], [CUBELESS], [0])
            assert answer.after == tuple(played[0].tolist())
            assert answer.seconds >= 0.0


def test_a_question_names_the_networks_of_ours_alone():
    assert question("depth=1", OPENING, 3)["networks"] == search_networks("leaf")
    assert question("depth=1,model=large", OPENING, 3)["networks"] == search_networks("large")
    assert question("gnubg=2", OPENING, 3)["networks"] == {}


# A decision as a unit of work.

SETTINGS = {
    "cube": False,
    "model": "leaf",
    "networks": search_networks("leaf"),
    "depth": 3,
    "top": 4,
    "near": 0.0,
    "most": 3,
    "rollout": {"trials": 36, "depth": 1, "truncate": 3, "seed": 5},
}
ENGINE = gammon.Engine(3, cubeless=True)


def decided(plays=(), **more):
    unit = decision_unit(OPENING, (2, 1), list(plays), SETTINGS | more)
    return ValuedPlay.listed(json.loads(json.dumps(decide(json.loads(json.dumps(unit))))))


def test_a_search_alone():
    choices = decided(rollout=None)
    found = ENGINE.analyze(gammon.Position.opening(), (2, 1), 4).candidates
    assert [each.play for each in choices] == [each.play.notation for each in found]
    assert [each.equity for each in choices] == [each.equity for each in found]
    assert [each.deep for each in choices] == [each.deep for each in found]
    assert {each.rolled for each in choices} == {None}


def test_one_play_is_not_rolled_out():
    assert not any(each.trials for each in decided())


def test_named_and_close_plays_are_rolled_out_as_a_rollout_does():
    plain = decided(rollout=None)
    far = plain[-1].after
    choices = decided([far], near=1.0)
    rolled = {each.play: each for each in choices if each.rolled is not None}
    assert set(rolled) == {plain[0].play, plain[1].play, plain[-1].play}
    games = gammon.rollout(
        gammon.Position.opening(),
        (2, 1),
        list(rolled),
        cubeless=True,
        trials=36,
        truncate=3,
        seed=5,
        drop=False,
    )
    assert len(games.candidates) == 3
    for each in games.candidates:
        found = rolled[each.name]
        assert (found.rolled, found.error, found.trials) == (each.equity, each.error, 36)
        assert found.chances == tuple(each.probabilities)
        assert found.after == each.play.points


def test_the_cube_counts_where_it_should():
    with_cube = decided(cube=True, rollout=None)
    assert with_cube[0].equity != decided(rollout=None)[0].equity


def test_rolled_plays_come_first():
    def choice(play, equity, rolled):
        return ValuedPlay(play, OPENING, equity, True, (), rolled)

    choices = [choice("a", 0.3, None), choice("b", 0.2, 0.1), choice("c", 0.1, 0.15)]
    assert [each.play for each in ranked(choices)] == ["c", "b", "a"]


def test_words():
    words = rollout_words(SETTINGS)
    assert "network leaf at depth 1 for 3 turns" in words
    assert words.endswith("they end after 36 games.")
    more = {"until_se": 0.003, "until_jsd": 3.0, "move_filter": "tiny", "cube_depth": 1}
    words = rollout_words(SETTINGS | {"rollout": SETTINGS["rollout"] | more})
    for part in ("filter tiny", "cube at depth 1", "above 0.003", "3 standard errors"):
        assert part in words


# Measurements: grouped by unit, and what a choice costs.

UNITS = [{"depth": depth, "number": number} for depth in (1, 3) for number in range(2)]
#: Leaves, nodes, seconds, probes, probe cutoffs, value.
ROWS = [[10, 5, 1, 0, 0, 0.5], [30, 5, 3, 4, 1, 0.5], [1, 1, 1, 2, 2, 0], [2, 2, 2, 8, 4, 0]]
SHALLOW, DEEP = Costs(*np.transpose(ROWS[:2])), Costs(*np.transpose(ROWS[2:]))


def test_rows_of_the_units_that_are_alike() -> None:
    found = SearchCosts.of(UNITS, ROWS, "depth")
    assert {key: np.transpose(costs).tolist() for key, costs in found.items()} == {
        (1,): ROWS[:2],
        (3,): ROWS[2:],
    }
    single = SearchCosts.of(UNITS, ROWS, "number", "depth")[1, 1]
    assert np.transpose(single).tolist() == ROWS[1:2]


def test_efficiency_is_of_positions_with_probes() -> None:
    assert SHALLOW.efficiency.tolist() == [25]
    assert DEEP.efficiency.tolist() == [100, 50]


def test_what_a_choice_costs() -> None:
    no_probes = Costs(*np.transpose([[1, 1, 1, 0, 0, 0]] * 2))
    half = Costs(*(each / 2 for each in DEEP))
    found = {"expectimax": SHALLOW, "star2": half, "more": DEEP, "none": no_probes}
    sheet = choices("name", "Title", "variant", found)
    assert [row[0] for row in sheet.rows] == ["star2", "more", "none"]
    leaves, leaves_share, time_share, more_leaves, more_time, probes = sheet.rows[1][1:]
    assert leaves == 1.5
    assert (leaves_share, time_share) == pytest.approx((100 * 1.5 / 20, 100 * 1.5 / 2))
    assert (more_leaves, more_time) == pytest.approx((100, 100))
    assert probes == 75
    assert sheet.rows[2][-1] is None
    assert sheet.rows[0][4:6] == [0, 0], "it is compared with itself"


def test_the_spread_is_that_of_the_values_of_the_same_positions() -> None:
    off = DEEP.first(1)._replace(values=np.array([-0.25]))
    results = SearchCosts(
        {(3, "expectimax"): DEEP, (3, "star1"): DEEP, (3, "star2"): off, (5, "star2"): SHALLOW}
    )
    assert results.spread() == 0.25


def test_bars_of_a_tournament_are_as_long_as_its_pairs_ask_for() -> None:
    rows = [["5x5", 3, 1, 22, 60.0, 2.0], ["5x5", 5, 1, 10, 70.0, None]]
    games = Sheet("x", "X", ("board", "depth", "against", "games", "score", "s.e."), rows)
    ((first, second),) = drawn_bars(lambda axes: dice._draw_games(axes, games))
    assert first[:, 1] == pytest.approx([60.0 - 2 * 2.228139, 60.0 + 2 * 2.228139])
    assert len(second) == 0, "five pairs have no bar"


@pytest.mark.parametrize("result", NOT_NUMBERS, ids=lambda result: str(result)[:20])
def test_what_a_file_says_may_be_no_numbers(result):
    assert measure.are_costs({}, [1, 2, 0.5, 3, 4, -0.25])
    assert not measure.are_costs({}, result)
    assert dice._are_scores({"pairs": 3}, [0.5, 1.0, 0.0])
    assert not dice._are_scores({"pairs": 3}, result)
    assert ballard._fits({"trees": 1}, [[1, 2, 3, 4]])
    assert not ballard._fits({"trees": 1}, result)
    assert not ballard._fits({"trees": 1}, [result])


# Positions from self-play.


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(depth=1)


def test_a_seed_gives_its_positions_again(engine: Engine) -> None:
    found = self_play_positions(engine, 12, 5)
    assert len(found) == 12
    assert found == self_play_positions(engine, 12, 5)
    assert found != self_play_positions(engine, 12, 6)


def test_one_position_in_so_many_is_kept(engine: Engine) -> None:
    every_turn = self_play_positions(engine, 150, 5, every=1)
    game, turn, numbers = -1, 0, []
    for points, outcome in every_turn:
        game, turn = (game + 1, 0) if points == OPENING else (game, turn + 1)
        assert outcome == throw(np.uint64(5), np.uint64(game), np.uint64(turn))
        assert not is_over(points)
        numbers.append(game + turn)
    assert game > 0, "the sample has a second game"
    kept = [each for each, number in zip(every_turn, numbers, strict=True) if number % 7 == 0]
    assert self_play_positions(engine, len(kept), 5) == kept


def test_contact_positions_are_those_with_contact(engine: Engine) -> None:
    played = self_play_positions(engine, 48, 5)
    wanted = [each for each in played if has_contact(each[0])]
    assert wanted != played[: len(wanted)], "a race comes before the last of them"
    assert contact_positions(engine, len(wanted), 5) == wanted


# Grades, against sums done by hand.


def test_grade_is_the_mean_loss():
    outcomes = 3, 14  # 31 and 55
    decisions, losses = [], []
    best = parse_player("depth=1")
    boards = np.array([OPENING] * 2, np.int8)
    played = match_player_of(best).plays(boards, outcomes, [CUBELESS] * 2, [0, 0]).tolist()
    for outcome, after in zip(outcomes, played, strict=True):
        rows = sorted_successors(OPENING, outcome)
        equities = dict(zip(rows, np.linspace(-0.5, 0.5, len(rows)), strict=True))
        decisions.append(JudgedDecision(OPENING, outcome, "contact", equities))
        losses.append(0.5 - equities[tuple(after)])
    done = []
    found = grade(best, decisions * 10, on_done=lambda *each: done.append(each))
    assert done == [(16, 20), (20, 20)]
    found = grade(best, decisions)
    assert set(found) == {"contact", ALL}
    assert found[ALL].rating == pytest.approx(500 * np.mean(losses))
    assert found[ALL].error == pytest.approx(500 * abs(losses[0] - losses[1]) / 2)
    assert found[ALL].blunders == np.mean([loss > 0.08 for loss in losses])


def test_a_deeper_player_gives_less_away():
    some = [each for each in judged_decisions() if each.phase == "contact"][::10]
    shallow, deep = (grade(parse_player(f"depth={depth}"), some)[ALL] for depth in (1, 3))
    assert deep.rating < shallow.rating
    assert shallow.rating > 0.0


# Published openings: each play is legal, and written as ours are.


def test_plays_are_ours():
    opening = Position.opening()
    assert set(XG) == {(high, low) for high, low in ROLLS if high != low}
    for roll, plays in XG.items():
        for play, equity in plays.items():
            assert find_play(opening, roll, play).notation == play
            assert abs(equity) < 0.2
    for (roll, play), replies in REPLIES.items():
        after = find_play(opening, roll, play).position
        assert play in XG[roll]
        for reply, (best, equity) in replies.items():
            assert find_play(after, reply, best).notation == best
            assert abs(equity) < 0.3
