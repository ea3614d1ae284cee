"""The searches of an engine: kept by what a question says of how to search."""

import pytest

from gammon import Position, Terms
from gammon.base.errors import SettingError
from gammon.engine import searches
from gammon.engine.question import Question
from gammon.engine.searches import Searches
from gammon.games.backgammon import filter_named
from gammon.rules.stakes import MONEY
from gammon_lab.algorithms import GAMMA

OPENING = Position.opening()


def test_a_search_is_set_up_once() -> None:
    kept = Searches(None, None)
    first = kept.at(Question(position=OPENING, depth=1))
    assert kept.at(Question(position=OPENING, depth=1, top=3, dice=(3, 1))) is first
    for other in (
        Question(position=OPENING, depth=3),
        Question(position=OPENING, depth=1, noise=0.1),
        Question(position=OPENING, depth=1, cube=2, owner="roller"),
        Question(position=OPENING, depth=1, cubeless=True),
    ):
        assert kept.at(other) is not first


def test_the_margin_of_a_filter_is_one_of_equities() -> None:
    kept, question = Searches(None, None), Question(depth=3, move_filter="tiny")
    for terms in (Terms(), Terms(7, (3, 5))):
        here = kept.at(question, terms)
        assert here.setup.problem.filter == filter_named("tiny", here.worth.unit)


def test_searches_are_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "_MOST", 3)
    kept, question = Searches(None, None), Question(depth=1)
    first = kept.at(question, Terms(7, (7, 7)))
    assert kept.at(question, Terms(7, (7, 7))) is first
    for away in range(1, 4):
        kept.at(question, Terms(7, (7, away)))
    assert kept.at(question, Terms(7, (7, 7))) is not first


def test_the_cube_counts_where_there_is_room_for_it() -> None:
    kept = Searches(None, None)
    assert kept.stakes(Question()) is None
    assert kept.stakes(Question(cubeless=True)) == MONEY
    assert kept.stakes(Question(algorithm=GAMMA)) == MONEY
    with pytest.raises(SettingError, match="which knows no doubles"):
        kept.stakes(Question(algorithm=GAMMA, cubeless=False))


def test_all_searches_share_the_networks() -> None:
    """With the cube, a network has tables of its own, of 24 MB."""
    kept, question = Searches(None, None), Question(depth=1)
    first, second = (kept.at(question, Terms(7, (7, away))) for away in (1, 2))
    assert first is not second
    assert first.setup.evaluator.weights is second.setup.evaluator.weights
