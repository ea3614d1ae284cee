"""Answering: which kind of answer a question has, by the short way to ask for it, too."""

import re
from dataclasses import replace
from typing import Any

import pytest

from gammon import Engine, Position, Question
from gammon.base.errors import SettingError
from gammon.engine.analysis import Analysis, RollTable
from gammon.engine.cube import CubeDecision
from gammon.engine.score_grid import PlayGrid, ScoreGrid

OPENING = Position.opening()
ENGINE = Engine(depth=1)
SECONDS = re.compile(r"[\d.]+ s$", re.MULTILINE)


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"dice": (3, 1)}, Analysis), ({}, CubeDecision), ({"rolls": True}, RollTable),
        ({"cubeless": True}, RollTable), ({"scores": 2}, ScoreGrid),
        ({"owners": True}, ScoreGrid), ({"dice": (3, 1), "scores": 2}, PlayGrid),
    ],
    ids=str,
)  # fmt: skip
def test_the_question_tells_the_kind_of_answer(settings: dict[str, Any], kind: type) -> None:
    asked = Question(position=OPENING, depth=1, **settings)
    found = ENGINE.answer(asked)
    assert type(found) is kind


def test_short_ways_to_ask_have_the_same_answers() -> None:
    asked = replace(ENGINE.usual, position=OPENING)
    roll = ENGINE.analyze(OPENING, (3, 1)), ENGINE.answer(replace(asked, dice=(3, 1)))
    rolls = ENGINE.analyze_rolls(OPENING), ENGINE.answer(replace(asked, rolls=True))
    cube = ENGINE.cube(OPENING), ENGINE.answer(asked)
    scores = ENGINE.cube_by_score(OPENING, 2), ENGINE.answer(replace(asked, scores=2))
    for one, other in (roll, rolls, cube, scores):
        assert SECONDS.sub("", str(one)) == SECONDS.sub("", str(other))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dice": (3, 1), "rolls": True}, "rolls with the roll 31: expected no roll"),
        ({"plays": ("8/5 6/5",)}, "play '8/5 6/5': expected a roll too"),
        ({"plays": ("8/5 6/5",), "scores": 2}, "play '8/5 6/5' with scores"),
        ({"cubeless": True, "scores": 2}, "answers by score of a cubeless engine"),
    ],
    ids=str,
)
def test_what_contradicts_itself_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        ENGINE.answer(Question(position=OPENING, depth=1, **settings))
    with pytest.raises(SettingError, match=r"expected a gammon\.Question"):
        ENGINE.answer(settings)
