"""Questions: what may be asked, and what is at stake then."""

from dataclasses import fields
from typing import Any

import pytest

import gammon
from gammon import search
from gammon.base.settings import settings_of
from gammon.engine.question import (
    ALGORITHMS,
    FILTERS,
    LONGEST_MATCH,
    TERMS,
    Question,
)
from gammon.games.backgammon import FILTERS as FILTERS_OF_GAME
from gammon.rules.dice import N_ROLLS
from gammon.rules.terms import LONGEST_MATCH as LONGEST_OF_RULES
from gammon.rules.terms import Terms
from tests.engine.commands.program import OPENING, assert_refused

MATCH = gammon.Position.parse("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:2:1:0:7:10")
START = gammon.Position.opening()


def asked(position: gammon.Position = START, **settings: Any) -> Terms:
    return Question(position=position, **settings).placed().context.terms()


def test_nothing_asked_changes_nothing() -> None:
    assert Question(position=MATCH).placed() is MATCH


def test_settings_take_the_place_of_what_the_id_says() -> None:
    assert asked(match=7) == Terms(7, (7, 7))
    assert asked(match=7, score="3-5") == Terms(7, (4, 2))
    assert asked(match=7, score="6-5", crawford=True) == Terms(7, (1, 2), crawford=True)
    assert asked(jacoby=True, beavers=True) == Terms(jacoby=True, beavers=True)
    assert asked(cube=4, owner="opponent") == Terms(cube=4, owner=-1)
    assert asked(MATCH, score="0-6") == Terms(7, (7, 1), cube=2, owner=1), "the cube stays"
    assert asked(MATCH, match=0) == Terms(cube=2, owner=1)
    assert asked(MATCH, match=7) == MATCH.context.terms(), "nothing else is said"
    assert asked(MATCH, match=9) == Terms(9, (9, 9), cube=2, owner=1)
    assert asked(MATCH, cube=1) == Terms(7, (5, 6))
    crawford = START.with_terms(Terms(7, (1, 4), crawford=True))
    assert asked(crawford, score="6-3") == crawford.context.terms(), "it is the same score"
    assert asked(crawford, score="6-4") == Terms(7, (1, 3))


def test_a_double_on_offer_stays_on_offer_at_other_stakes() -> None:
    offered = MATCH.with_offer(True)
    for position, settings in (
        (START.with_offer(True), {"match": 7}), (START.with_offer(True), {"jacoby": True}),
        (offered, {"score": "2-2"}), (offered, {"cube": 4, "owner": "roller"}),
    ):  # fmt: skip
        placed = Question(position=position, **settings).placed()
        assert placed.context.offer == "D" and placed.context.terms() == asked(
            position.with_offer(False), **settings
        )
    assert Question(position=offered, dice=(3, 1), score="2-2").placed().context.offer == ""
    with pytest.raises(
        gammon.SettingError, match="the player on roll may not double at these stakes"
    ):
        asked(offered, owner="opponent")


def test_a_settled_question_asks_the_same_by_its_position() -> None:
    question = Question(position=START, dice=(3, 1), match=7, score="3-5", top=2)
    settled = question.settled()
    assert settled.placed() is settled.position
    assert settled.position == question.placed()
    assert (settled.top, settled.dice, settled.match) == (2, None, None)


def test_names_are_those_that_there_are() -> None:
    assert set(ALGORITHMS) == set(search.ALGORITHMS)
    assert list(FILTERS) == list(FILTERS_OF_GAME)
    assert LONGEST_MATCH == LONGEST_OF_RULES
    known = settings_of(Question)
    assert list(known) == [field.name for field in fields(Question)]
    assert set(TERMS) < set(known)


def test_values_come_in_their_usual_types() -> None:
    given: dict[str, Any] = {"dice": [3, 1]}
    found = Question(plays=["8/5 6/5"], stakes="dmp", noise=1, level=3, **given)
    assert (found.dice, found.plays, found.noise) == ((3, 1), ("8/5 6/5",), 1.0)
    assert found.stakes == gammon.parse_stakes("dmp")
    assert (found.depth, found.level) == (3, None)


def test_the_file_of_a_table_is_read(tmp_path: Any) -> None:
    from gammon.formats.met_file import format_met

    path = tmp_path / "table.csv"
    path.write_text(format_met(gammon.read_met()))
    table = Question(met=path).met
    assert table is not None
    assert table.given == gammon.read_met(path).given
    assert Question(met=table).met is table
    with pytest.raises(gammon.GammonError, match="cannot be read"):
        gammon.Engine(met=tmp_path / "nothing")


def test_the_number_of_searches() -> None:
    assert Question(dice=(3, 1), rolls=True).searches == Question().searches == 1
    assert Question(rolls=True).searches == Question(cubeless=True).searches == N_ROLLS
    rolled = gammon.Position.opening().with_dice((3, 1))
    assert Question(position=rolled, cubeless=True).searches == 1
    grid = gammon.Engine(depth=1).cube_by_score(START, 2)
    assert Question(scores=2).searches == len(grid.scores) + len(grid.named)
    assert Question(owners=True).searches == 3


def test_the_searches_before_a_deep_one() -> None:
    assert [each.depth for each in Question(depth=5).shallower()] == [1, 3]
    before = list(Question(level="roller").shallower())
    assert [(each.depth, each.level) for each in before] == [(1, None), (3, None), (5, None)]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"position": OPENING}, "position '4HPwATDgc/ABMA': expected a gammon.Position"),
        ({"plays": [3]}, r"plays \[3\]: expected a list of texts"),
        ({"owner": "me"}, "owner 'me': expected one of roller, centre, opponent"),
        ({"scores": 26}, "scores 26: expected a whole number from 1 to 25"),
        ({"cubeless": 1}, "cubeless 1: expected true or false"),
        ({"score": 5}, "score 5: expected a text"),
        ({"met": 5}, "met 5: expected a table of gammon.read_met, or its file"),
    ],
)
def test_what_a_setting_cannot_be(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(gammon.SettingError, match=f"^{words}$"):
        Question(**settings)


def test_without_a_position() -> None:
    with pytest.raises(gammon.SettingError, match="position None"):
        gammon.Engine(depth=1).answer(Question())


BAD = [
    (["--score", "3-5"], "expected the length of a match"),
    (["--match", "7", "--score", "3:"], "two numbers"),
    (["--match", "7", "--score", "7-3"], "less than 7"),
    (["--crawford"], "crawford without a match"),
    (["--match", "7", "--crawford"], "Crawford game at 7-away 7-away"),
    (["--match", "7", "--jacoby"], "Jacoby rule in a match of 7: expected it for money"),
    (["--cube", "3"], "cube 3"),
    (["--match", "7", "--cube", "2"], "cube 2 in a match: expected owner too"),
    (["--owner", "roller"], "nobody owns a cube at 1"),
    (["--match", "65"], "65"),
    (["--stakes", "dmp", "--cube", "2", "--owner", "me"], "'me' is not one of"),
    (["--stakes", "dmp", "--scores", "2"], "cubeless"),
    (["--dice", "31", "--scores", "2", "--play", "8/5 6/5"], "play '8/5 6/5' with scores"),
    (["--dice", "31", "--owners", "--play", "8/5 6/5"], "play '8/5 6/5' with owners"),
    (["--dice", "31", "--scores", "2", "--cubeless"], "cubeless"),
    (["--dice", "31", "--rolls"], "rolls with the roll 31"),
]


@pytest.mark.parametrize(("options", "words"), BAD)
def test_what_cannot_be_is_refused(options: list[str], words: str) -> None:
    assert_refused(["analyze", OPENING, "--depth", "1", *options], words)
