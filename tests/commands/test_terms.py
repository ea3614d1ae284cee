"""The options that say what is at stake."""

from typing import Any

import pytest

import gammon
from gammon.commands.terms import NOTHING_ASKED, AskedTerms
from gammon.rules.terms import Terms
from tests.commands.program import OPENING, assert_refused

MATCH = gammon.Position.parse("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:2:1:0:7:10")


def asked(**options: Any) -> Terms:
    return AskedTerms(**options).placed(gammon.Position.opening()).context.terms()


def test_nothing_asked_changes_nothing() -> None:
    assert NOTHING_ASKED.placed(MATCH) is MATCH


def test_options_take_the_place_of_what_the_id_says() -> None:
    assert asked(match=7) == Terms(7, (7, 7))
    assert asked(match=7, score="3-5") == Terms(7, (4, 2))
    assert asked(match=7, score="6-5", crawford=True) == Terms(7, (1, 2), crawford=True)
    assert asked(jacoby=True, beavers=True) == Terms(jacoby=True, beavers=True)
    assert asked(cube=4, owner="opponent") == Terms(cube=4, owner=-1)
    placed = AskedTerms(score="0-6").placed(MATCH).context.terms()
    assert placed == Terms(7, (7, 1), cube=2, owner=1), "the cube stays"
    assert AskedTerms(match=0).placed(MATCH).context.terms() == Terms()
    assert AskedTerms(cube=1).placed(MATCH).context.terms() == Terms(7, (5, 6))


BAD = [
    (["--score", "3-5"], "--match too"),
    (["--match", "7", "--score", "3:"], "two numbers"),
    (["--match", "7", "--score", "7-3"], "less than 7"),
    (["--match", "7", "--crawford"], "Crawford game at 7-away 7-away"),
    (["--match", "7", "--jacoby"], "Jacoby rule in a match"),
    (["--cube", "3"], "cube 3"),
    (["--match", "7", "--cube", "2"], "cube owner 0"),
    (["--owner", "roller"], "nobody owns a cube at 1"),
    (["--match", "65"], "65"),
    (["--stakes", "dmp", "--scores", "2"], "cubeless"),
    (["--dice", "31", "--scores", "2", "--play", "8/5 6/5"], "--play '8/5 6/5' with --scores"),
    (["--dice", "31", "--scores", "2", "--cubeless"], "cubeless"),
    (["--dice", "31", "--rolls"], "--rolls with the roll 31"),
]


@pytest.mark.parametrize(("options", "words"), BAD)
def test_what_cannot_be_is_refused(options: list[str], words: str) -> None:
    assert_refused(["analyze", OPENING, "--depth", "1", *options], words)
