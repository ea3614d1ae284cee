"""Setting a position up by hand: what is refused is said, and checkers are dragged."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hands import click, drag, middle
from tests.web.test_page_hands import checkers

Opened = Callable[..., Any]


@pytest.fixture
def page(open_page: Opened) -> Any:
    """The page with the opening, to be changed."""
    page = open_page("#xgid=-b----E-C---eE---c-e----B-:0:0:1:31:4:2:0:7:10")
    page.get_by_role("button", name="Set up").click()
    page.get_by_role("button", name="Opening", exact=True).wait_for()
    return page


def said(page: Any) -> str:
    words: str = page.locator("#status").inner_text()
    return words


def refused(page: Any) -> str:
    """What is said, as something that is wrong."""
    page.wait_for_selector("#status.wrong")
    return said(page)


def test_a_sixteenth_checker_is_refused_in_words(page: Any) -> None:
    page.mouse.click(*middle(page, "5"))
    assert "All 15 checkers of X are on the board" in refused(page)
    # Nor do they drive away those of the other side.
    page.mouse.click(*middle(page, "12"))
    assert "All 15 checkers of X are on the board" in refused(page)
    assert page.get_by_label("12 point, 5 of the opponent's").count() == 1


def test_a_checker_is_dragged(page: Any) -> None:
    drag(page, "6", "5")
    assert (checkers(page, "6"), checkers(page, "5")) == (4, 1)
    drag(page, "6", "12")
    assert "checkers of the other side" in refused(page)
    drag(page, "6", "0")
    assert "half of the bar" in refused(page)
    drag(page, "6", "off")
    assert "1 of X and 0 of O off" in said(page)
    drag(page, "1", "2")
    assert page.get_by_label("2 point, 1 of the opponent's").count() == 1


def test_checkers_that_are_missing_are_asked_for(page: Any) -> None:
    """Nobody is borne off in silence, and has won by that."""
    click(page, "Empty board")
    page.mouse.click(*middle(page, "4"))
    missing = 15 - checkers(page, "4")
    page.get_by_role("button", name="Done").click()
    assert said(page) == (
        f"{missing} checkers of X and 15 checkers of O are not on the board. Borne off?"
    )
    page.get_by_role("button", name="Go on setting up").click()
    assert checkers(page, "4") == 15 - missing
    click(page, "Opening")
    drag(page, "6", "off")
    page.get_by_role("button", name="Done").click()
    assert said(page) == "1 checker of X is not on the board. Borne off?"
    page.get_by_role("button", name="Borne off").click()
    page.get_by_role("button", name="Set up").wait_for()
    assert page.evaluate("location.hash").startswith("#xgid=-b----D-C---eE---c-e----B-:")
    # They are off now: nothing more is asked, whoever has which side.
    click(page, "Set up", "Exchange sides", "Done")
    page.get_by_role("button", name="Set up").wait_for()


def test_the_right_button_puts_the_other_side(page: Any) -> None:
    page.get_by_role("button", name="Empty board").click()
    assert said(page) == "The board is empty."
    x, y = middle(page, "5")
    page.mouse.click(x, y, button="right")
    assert page.locator(".layer-checkers [data-point='5'].o").count() > 0
    page.mouse.click(*middle(page, "4"))
    assert checkers(page, "4") > 0


def test_what_nobody_touches_stays(open_page: Opened) -> None:
    page = open_page("#xgid=-b----E-C---eE---c-e----B-:1:1:1:31:4:2:0:7:6")
    click(page, "Set up", "Done")
    page.get_by_role("button", name="Set up").wait_for()
    assert page.evaluate("location.hash").endswith(":1:1:1:31:4:2:0:7:6")


def test_the_words_on_another_board_end_with_it(open_page: Opened) -> None:
    page = open_page()
    told = page.locator("#told")
    told.get_by_text("Best by depth").wait_for(state="attached")
    page.get_by_role("button", name="Set up").click()
    page.get_by_role("button", name="Empty board").wait_for()
    assert told.inner_text() == ""


def test_a_double_on_offer_is_no_roll_and_stays(open_page: Opened) -> None:
    page = open_page("#xgid=-b----E-C---eE---c-e----B-:1:1:1:D:4:2:0:7:6")
    assert page.get_by_label("undefined").count() == 0
    page.get_by_role("button", name="Set up").click()
    dice = page.get_by_role("textbox", name="Dice", exact=True)
    assert dice.input_value() == ""
    click(page, "Done", "Set up")
    assert page.evaluate("location.hash").endswith(":1:1:1:D:4:2:0:7:6")
    dice.fill("3")
    dice.fill("")
    page.get_by_role("button", name="Done").click()
    page.wait_for_function("() => /:1:1:1:00:4:2:0:7:6$/.test(location.hash)")


def test_fields_say_what_they_do_not_take(page: Any) -> None:
    page.get_by_role("textbox", name="Dice", exact=True).fill("77")
    assert "“77” is not a roll" in refused(page)
    page.get_by_label("Match to (0: money)").fill("99")
    assert "from 0 to 64" in refused(page)
    # A field that is right again is no longer said to be wrong.
    page.get_by_label("Match to (0: money)").fill("0")
    assert page.locator("#status.wrong").count() == 0
    for dice in ("77", "3"):
        page.get_by_role("textbox", name="Dice", exact=True).fill(dice)
        page.get_by_role("button", name="Done").click()
        assert f"“{dice}” is not a roll" in refused(page)
        assert page.evaluate("document.activeElement.value") == dice
    # Money has no score.
    page.get_by_role("textbox", name="Dice", exact=True).fill("31")
    page.get_by_role("button", name="Done").click()
    page.wait_for_function("() => /:0:0:0:0:10$/.test(location.hash)")
