"""The one door from an answer to its looks: each type has those that it promises."""

from collections.abc import Iterator
from importlib import import_module

import pytest

import gammon
from gammon.base.errors import SettingError
from gammon.base.showing import Shown, look_of
from gammon.view import LOOKS


def kinds(base: type) -> Iterator[type]:
    """All types of answers that are shown, those that gammon has names for."""
    for each in base.__subclasses__():
        yield each
        yield from kinds(each)


def test_each_type_that_is_shown_has_a_text_and_html() -> None:
    public = {name for name in gammon.__all__ if isinstance(getattr(gammon, name), type)}
    shown = {each.__name__ for each in kinds(Shown)} & public
    assert len(shown) == 7
    assert set(LOOKS["html"]) == shown
    assert set(LOOKS["text"]) >= shown  # and has what commands alone print


@pytest.mark.parametrize("look", LOOKS)
def test_each_look_has_what_shows_it(look: str) -> None:
    """A function; for JSON, its entries."""
    for home in LOOKS[look].values():
        module, _, name = home.partition(":")
        found = getattr(import_module(module), name)
        assert isinstance(found, tuple) if look == "json" else callable(found), home


def test_an_answer_is_shown_by_its_type() -> None:
    position = gammon.Position.parse("4HPwATDgc/ABMA")
    decision = gammon.cube_from_chances(position, (0.5, 0.1, 0.0, 0.1, 0.0))
    assert f"Verdict: {decision.verdict}" in str(decision)
    assert decision._repr_html_().startswith("<div")
    assert "verdict" not in repr(decision).lower()
    assert position._repr_svg_().startswith("<svg")
    with pytest.raises(SettingError, match="type Position: expected one of Review"):
        look_of(position, "page")
