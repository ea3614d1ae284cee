"""The one door from an answer to its looks: each type has those that it promises."""

from collections.abc import Iterator

import pytest

import gammon
import gammon_study
from gammon.base.errors import SettingError
from gammon.base.showing import Shown, view_module
from gammon_study.library.errors import FoundErrors
from gammon_study.library.stats import Statistics

CHANCES = 0.5, 0.1, 0.0, 0.1, 0.0


def kinds(base: type) -> Iterator[type]:
    """All types of answers that are shown."""
    for each in base.__subclasses__():
        yield each
        yield from kinds(each)


def test_each_type_that_is_shown_has_a_text_and_html() -> None:
    """A view is asked for an answer that has nothing inside: it is found, and fails there."""
    names = [*gammon.__all__, *gammon_study.__all__]
    public = [getattr(gammon, name, getattr(gammon_study, name, None)) for name in names]
    shown = {kind for kind in kinds(Shown) if kind in public}
    assert len(shown) == 7
    for kind in shown:
        empty = object.__new__(kind)
        for show in (view_module(empty).view_of, view_module(empty).html_of):
            with pytest.raises(AttributeError):
                show(empty)


def test_an_answer_is_shown_by_its_package() -> None:
    assert view_module(FoundErrors([], 0, 0.0)).__name__ == "gammon_study.view"
    empty = Statistics("player", [], [])
    assert "No decision" in str(view_module(empty).view_of(empty))


def test_an_answer_is_shown_by_its_type() -> None:
    position = gammon.Position.parse("4HPwATDgc/ABMA")
    decision = gammon.cube_from_chances(position, CHANCES)
    assert f"Verdict: {decision.verdict}" in str(decision)
    assert decision._repr_html_().startswith("<div")
    assert "verdict" not in repr(decision).lower()
    assert position._repr_svg_().startswith("<svg")


@pytest.mark.parametrize("answer", [gammon.Position.opening(), 3, "x", None])
def test_what_has_no_such_look_is_refused(answer: object) -> None:
    name = type(answer).__name__
    with pytest.raises(SettingError, match=f"type {name}: expected an answer of an engine"):
        view_module(answer).view_of(answer)


def test_what_has_no_json_is_refused() -> None:
    with pytest.raises(SettingError, match="type int: expected what to_json says"):
        gammon.to_json(3)
    with pytest.raises(SettingError, match="type GameTranscript: expected a Transcript"):
        gammon.to_json(gammon_study.read_transcript("tests/golden/matches/hand.mat").games[0])
