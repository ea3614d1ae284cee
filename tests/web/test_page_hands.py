"""Moves by hand: dragging, swapping, undoing, taking back; dice that are typed in."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hands import (
    at_rest,
    best_play,
    click,
    drag,
    middle,
    record_of,
    start,
    type_play,
)

Opened = Callable[..., Any]


def begin(page: Any, play: str = "Match to 7") -> None:
    """Begin a match with real dice: you open with 31."""
    page.get_by_label("What to play").select_option(label=play)
    page.get_by_label("Depth of gammon").select_option(label="1: at once")
    click(page, "I type them in", "Start")
    type_in(page, "the opening roll", "33")
    page.get_by_text("Both rolled 3: roll again.").wait_for()
    type_in(page, "the opening roll", "31")
    page.get_by_text("You roll 3, gammon rolls 1").wait_for()
    page.wait_for_selector("#do-done")


def type_in(page: Any, asked: str, text: str) -> None:
    page.wait_for_function(
        "(asked) => document.querySelector('#typed-name').textContent.startsWith(asked)",
        arg=asked,
    )
    page.locator("#typed-text").fill(text)
    page.locator("#typed-text").press("Enter")


def checkers(page: Any, place: str) -> int:
    found: int = page.locator(f".layer-checkers [data-point='{place}'].x").count()
    return found


def test_checkers_are_dragged_and_taken_back(open_page: Opened) -> None:
    page = open_page("#play")
    begin(page)
    pips = page.locator("#side-bottom .pips")
    drag(page, "8", "5")
    assert (checkers(page, "8"), checkers(page, "5")) == (2, 1)
    assert pips.inner_text() == "164 pips"
    drag(page, "6", "1")  # no legal move: it goes back
    assert checkers(page, "6") == 5
    drag(page, "6", "5")
    assert (checkers(page, "5"), pips.inner_text()) == (2, "163 pips")
    page.keyboard.press("u")
    assert (checkers(page, "5"), pips.inner_text()) == (1, "164 pips")
    page.keyboard.press("Backspace")
    assert checkers(page, "8") == 3
    # One checker may make two steps at once.
    drag(page, "24", "20")
    assert checkers(page, "20") == 1
    page.locator("#do-done").click()
    type_in(page, "the roll of gammon", "66")
    at_rest(page)
    assert "gammon rolled 66" in page.locator("#status").inner_text()
    # Back to the decision before gammon's answer.
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector("#do-done")
    assert checkers(page, "24") == 2
    assert record_of(page) == []


def test_take_back_leads_to_the_last_play_while_a_roll_is_asked_for(open_page: Opened) -> None:
    page = open_page("#play")
    begin(page)
    play_typed(page, "8/5 6/5")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector("#do-done")
    assert record_of(page) == []
    play_typed(page, "8/5 6/5")
    type_in(page, "the roll of gammon", "65")
    type_in(page, "your roll", "42")
    page.wait_for_selector("#do-done")
    play_typed(page, "8/4 6/4")
    assert len(record_of(page)) == 2
    assert page.locator("#do-take-back").get_attribute("aria-keyshortcuts") == "b"
    page.get_by_role("button", name="Take back").click()
    page.get_by_text("You rolled 4 and 2.").wait_for()
    page.wait_for_selector("#do-done")
    assert [each[0] for each in record_of(page)] == ["31: 8/5 6/5"]


def test_the_opening_is_analyzed_before_its_dice_are_typed(open_page: Opened) -> None:
    page = open_page("#play")
    click(page, "I type them in", "Start")
    page.get_by_text("Type the opening roll").wait_for()
    page.get_by_role("button", name="Analyze this").click()
    page.wait_for_function("() => location.hash.endsWith(':0:0:1:00:0:0:0:5:10')")
    page.get_by_role("tab", name="Play").click()
    type_in(page, "the opening roll", "31")
    click(page, "Resign", "Single game: 1 point", "Next game", exact=True)
    page.get_by_text("Type the opening roll").wait_for()
    page.get_by_role("button", name="Analyze this").click()
    page.wait_for_function("() => location.hash.endsWith(':0:0:1:00:0:1:0:5:10')")


def play_typed(page: Any, play: str) -> None:
    """Type a play, after which the roll of gammon is asked for."""
    type_play(page, play)
    page.locator("#typed-name", has_text="the roll of gammon").wait_for()


def test_dice_are_swapped_and_a_point_is_made_by_a_click(open_page: Opened) -> None:
    page = open_page("#play")
    begin(page)
    page.mouse.click(*middle(page, "5"))
    assert checkers(page, "5") == 2
    page.keyboard.press("u")
    page.keyboard.press("u")
    page.get_by_role("button", name="Dice 3 and 1: swap them").click()
    page.mouse.click(*middle(page, "8"))
    assert checkers(page, "7") == 1
    page.mouse.click(*middle(page, "8"))
    page.wait_for_selector("#do-done:enabled")
    # Enter on a button is that button's, and does not end the turn.
    page.locator("#do-undo").focus()
    page.keyboard.press("Enter")
    assert (checkers(page, "8"), checkers(page, "7")) == (2, 1)


def test_a_match_is_kept_and_played_on(open_page: Opened) -> None:
    page = open_page("#play")
    begin(page)
    type_play(page, "6/5 8/5")
    type_in(page, "the roll of gammon", "hello")
    page.wait_for_selector("#status.wrong")
    type_in(page, "the roll of gammon", "12")
    page.wait_for_selector("#do-roll")
    # A dot is on what gammon moved: 13/11 and a checker by one point, or 13/10.
    assert page.locator(".landed").count() in (1, 2)
    record = record_of(page)
    assert record[0][1].startswith("21: "), "the higher one is first"
    page.reload()
    page.wait_for_selector("#do-roll")
    assert record_of(page) == record
    assert record[0][0].endswith(": 8/5 6/5")
    page.locator("#do-roll").click()
    type_in(page, "your roll", "44")
    page.wait_for_selector("#do-done")
    type_play(page, "1/off")
    page.wait_for_selector("#status.wrong")
    assert "not a legal play of 44" in page.locator("#status").inner_text()


def test_letters_are_shortcuts_only_if_wanted(open_page: Opened) -> None:
    page = open_page("#play")
    begin(page)
    page.get_by_label("Letter keys").uncheck()
    drag(page, "8", "5")
    page.keyboard.press("u")
    assert checkers(page, "8") == 2
    page.get_by_label("Letter keys").check()
    page.locator("[data-place='8']").focus()
    page.keyboard.press("u")
    assert checkers(page, "8") == 3


#: Places of the drawing between the points, and outside of them: the row of the dice and trays.
BESIDE = [(30, 272), (566, 440)]
#: More of them, for a night.
FURTHER = [(130, 272), (272, 272), (412, 272), (490, 272), (566, 100)]
SPOT = """([x, y]) => {
    const board = document.querySelector("#board").shadowRoot.querySelector("svg");
    const spot = new DOMPoint(x, y).matrixTransform(board.getScreenCTM());
    return [spot.x, spot.y];
}"""


@pytest.mark.parametrize(
    "spot", [*BESIDE, *(pytest.param(each, marks=pytest.mark.nightly) for each in FURTHER)]
)
def test_a_click_beside_the_points_rolls(open_page: Opened, spot: tuple[int, int]) -> None:
    page = open_page("#play")
    start(page, "Money games", 6)
    while "do-roll" not in at_rest(page)["can"]:
        type_play(page, best_play(page))
        page.wait_for_selector("#do-done", state="detached")
    page.mouse.click(*page.evaluate(SPOT, spot))
    page.wait_for_selector("#do-roll", state="detached")
    page.wait_for_function("() => /You rolled/.test(document.body.textContent)")


def test_what_cannot_move_is_said_in_words_of_players(open_page: Opened) -> None:
    page = open_page("#xgid=-b----E-C---dD---c-e----AA:0:0:1:31:0:0:0:0:10")
    page.wait_for_selector("tr.exact")
    said = page.locator("#status")
    page.mouse.click(*middle(page, "6"))
    assert said.inner_text() == "Enter from the bar first."
    drag(page, "6", "5")
    assert said.inner_text() == "Enter from the bar first."
    # Both halves of the bar are the bar.
    page.mouse.click(*middle(page, "0"))
    assert said.inner_text() == "bar/22"
    page.mouse.click(*middle(page, "0"))
    assert said.inner_text() == "No checker of yours is on the bar."
    page.mouse.click(*middle(page, "2"))
    assert said.inner_text() == "No legal move to the 2 point."


def test_a_play_is_made_once(open_page: Opened) -> None:
    """Clicks while gammon thinks, and a second one, change nothing."""
    page = open_page("#play")
    begin(page)
    page.mouse.click(*middle(page, "5"))
    page.wait_for_selector("#do-done:enabled")
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/turn?*", hold)
    with page.expect_request("**/turn?*"):
        page.mouse.click(*middle(page, "24"))
    page.mouse.click(*middle(page, "24"))
    page.keyboard.press("Enter")
    for route in held:
        route.continue_()
    page.unroute("**/turn?*")
    type_in(page, "the roll of gammon", "21")
    page.wait_for_selector("#do-roll")
    assert [bool(yours) for yours, _ in record_of(page)] == [True]
