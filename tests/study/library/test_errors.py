"""Errors: those of the reviews, by what they are about."""

from collections.abc import Callable

import pytest

from gammon.base.errors import SettingError
from gammon.formats.position import Position
from gammon_study.library.ask import Selection
from gammon_study.library.errors import Error, errors_found
from gammon_study.library.library import Library
from gammon_study.reviews.choice import ALIKE
from gammon_study.reviews.review import review
from tests.study.library.libraries import FILES


@pytest.fixture(scope="module")
def every(library: Library) -> list[Error]:
    return errors_found(library, Selection())[0]


def test_they_are_those_of_the_reviews(library: Library, every: list[Error]) -> None:
    expected = sorted(
        (
            (found.transcript.players[each.player], each.xgid, each.made, each.best, each.error)
            for found in (review(path, depth=1) for path in FILES)
            for each in found.choices
            if each.error >= ALIKE
        ),
        key=lambda each: -each[-1],
    )
    assert [(e.player, e.xgid, e.made, e.best, e.error) for e in every] == expected
    shown, count, lost = errors_found(library, Selection(), 5)
    assert (shown, count) == (every[:5], len(every))
    assert lost == pytest.approx(sum(each.error for each in every))
    said = [each.why for each in every if each.why]
    assert len(said) > len(every) / 2
    assert all(why.endswith(".") for why in said)


@pytest.mark.parametrize(
    ("asked", "test"),
    [
        (Selection(player="gnubg"), lambda e: e.player == "gnubg"),
        (Selection(opponent="gnubg"), lambda e: e.opponent == "gnubg"),
        (Selection(theme="blitz"), lambda e: "blitz" in e.themes),
        (Selection(theme="race"), lambda e: "race" in e.themes),
        (Selection(phase="opening"), lambda e: e.phase == "opening"),
        (Selection(kind="take"), lambda e: e.kind == "take"),
        (Selection(kind="cube"), lambda e: e.kind != "play"),
        (Selection(least=0.05, most=0.1), lambda e: 0.05 <= e.error <= 0.1),
        (Selection(length=3), lambda e: e.length == 3),
        (Selection(since="2026-11"), lambda e: e.played >= "2026-11"),
        (Selection(board="bar=1+"), lambda e: Position.parse(e.xgid).points[25] >= 1),
        (Selection(board="o20=0 6=3"), lambda e: Position.parse(e.xgid).points[6] == 3
         and Position.parse(e.xgid).points[20] >= 0),
        (Selection(score="5-3", kind="play"), lambda e: e.kind == "play"
         and Position.parse(e.xgid).context.terms().away == (5, 3)),
    ],
)  # fmt: skip
def test_filters(
    library: Library, every: list[Error], asked: Selection, test: Callable[[Error], bool]
) -> None:
    found, count, _ = errors_found(library, asked)
    assert found == [each for each in every if test(each)]
    assert 0 < count < len(every)


def test_how_many_is_a_number(library: Library) -> None:
    assert len(errors_found(library, Selection(), 1).errors) == 1
    with pytest.raises(SettingError, match="most -1: expected a whole number"):
        errors_found(library, Selection(), -1)


def test_texts_are_values_not_sql(library: Library) -> None:
    name = "x' OR 1 --"
    assert errors_found(library, Selection(player=name, opponent=name)) == ([], 0, 0.0)
