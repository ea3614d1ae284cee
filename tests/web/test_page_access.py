"""The page by the rules of axe-core: it can be used by all."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.matches import SAMPLE
from tests.web.hands import at_rest, click, start
from tests.web.test_page_record import BAD, begin, roll_and_play

Opened = Callable[..., Any]

OTHER = "#xgid=--CDBbC-B-----a----bdA-cc-:0:0:1:52:4:3:0:7:10"
CHECK = "async () => (await axe.run()).violations"


def violations(page: Any, axe: str) -> list[str]:
    """The rules that the page breaks now, with the first element of each."""
    page.evaluate(axe)
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in page.evaluate(CHECK)]


@pytest.mark.parametrize(
    ("scheme", "width", "height"),
    [
        ("light", 1280, 900), ("dark", 360, 900),
        pytest.param("print", 1280, 900, marks=pytest.mark.nightly),
        pytest.param("dark", 740, 360, marks=pytest.mark.nightly),
    ],
)  # fmt: skip
def test_no_rule_is_broken(
    open_page: Opened, axe: str, scheme: str, width: int, height: int
) -> None:
    theme = f"localStorage['gammon.theme'] = '\"{scheme}\"';"
    page = open_page(OTHER, width=width, height=height, scheme="light", kept=theme)
    page.get_by_role("button", name="Depth 1").click()
    page.wait_for_selector("tr.exact")
    assert violations(page, axe) == []
    page.get_by_role("button", name="All rolls").click()
    page.wait_for_selector("table.rolls")
    assert violations(page, axe) == []
    page.get_by_role("button", name="By score").click()
    page.get_by_role("button", name="X needs 7, O needs 7").wait_for()
    assert violations(page, axe) == []
    page.get_by_role("button", name="Set up").click()
    assert violations(page, axe) == []
    page.get_by_role("tab", name="Play").click()
    assert violations(page, axe) == []
    start(page, "Money games", 4)
    at_rest(page)
    assert violations(page, axe) == []
    page.get_by_role("button", name="End the session").click()
    page.get_by_role("dialog").wait_for()
    assert violations(page, axe) == []
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Review").click()
    assert violations(page, axe) == []


FOCUS = "() => document.activeElement.tagName"


def test_the_focus_stays_where_a_panel_is_made_again(open_page: Opened) -> None:
    """A player who uses keys alone goes on from there, not from the top of the page."""
    page = open_page(OTHER)
    page.get_by_role("button", name="Depth 1").click()
    page.get_by_role("button", name=re.compile("^Show all")).press("Enter")
    assert page.evaluate(FOCUS) == "BUTTON"
    page.locator("#board [data-place='6']").focus()
    page.keyboard.press("t")
    assert page.evaluate(FOCUS) == "GAMMON-BOARD"
    page.get_by_role("button", name="All rolls").click()
    page.locator("table.rolls button").nth(3).press("Enter")
    page.locator("table.plays").wait_for()
    assert page.evaluate(FOCUS) != "BODY"
    page.get_by_role("button", name="Set up").click()
    page.get_by_role("button", name="Exchange sides").press("Enter")
    assert page.evaluate("() => document.activeElement.textContent") == "Exchange sides"
    page.get_by_role("tab", name="Play").click()
    start(page, "Money games", 4)
    at_rest(page)
    page.locator("#do-hint").click()
    page.get_by_label("Hint", exact=True).get_by_role("button", name="Close").press("Enter")
    assert page.evaluate(FOCUS) == "GAMMON-BOARD"


def test_no_rule_is_broken_by_the_tutor_and_the_record(open_page: Opened, axe: str) -> None:
    page = open_page("#play", width=360, height=740)
    begin(page, "Marks .03 and more")
    roll_and_play(page, BAD)
    page.get_by_role("button", name="Take it back").wait_for()
    page.locator(".record button").first.click()
    page.get_by_role("button", name="Back to the game").wait_for()
    assert violations(page, axe) == []


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.nightly), "dark"])
def test_no_rule_is_broken_by_hints_rollouts_and_reviews(
    open_page: Opened, axe: str, scheme: str
) -> None:
    page = open_page("#play", scheme=scheme, width=360, height=740)
    start(page, "Match to 3", 4)
    at_rest(page)
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector("#play table")
    assert violations(page, axe) == []
    page.get_by_role("tab", name="Review").click()
    page.get_by_label("Match file").set_input_files(SAMPLE)
    page.wait_for_selector("svg.graph .course")
    assert violations(page, axe) == []
    click(page, "Analyze this", "Rollout", "Roll out")
    page.wait_for_selector(".rollout tbody tr")
    page.get_by_role("button", name="Stop").click()
    assert violations(page, axe) == []


def test_the_keys_are_listed(open_page: Opened) -> None:
    page = open_page(OTHER)
    page.locator("#do-set-up").wait_for()
    listed = page.locator("#keys tbody tr")
    page.keyboard.press("?")
    texts = [" ".join(each.split()) for each in listed.all_inner_texts()]
    assert "U, Backspace Undo" in texts and "E Set up" in texts
    page.keyboard.press("Escape")
    assert not page.locator("#keys").is_visible()
    page.get_by_label("Letter keys").uncheck()
    page.keyboard.press("?")
    assert not page.locator("#keys").is_visible()
    page.get_by_role("button", name="Keys", exact=True).click()
    texts = [" ".join(each.split()) for each in listed.all_inner_texts()]
    assert "E Set up" not in texts and texts[0].startswith("Arrow keys")


def test_home_and_end_choose_a_tab(open_page: Opened) -> None:
    page = open_page(OTHER)
    page.get_by_role("tab", name="Analyze").focus()
    for key, name in (("End", "Study"), ("ArrowRight", "Analyze"), ("ArrowLeft", "Study"),
                      ("Home", "Analyze"), ("ArrowRight", "Play")):  # fmt: skip
        page.get_by_role("tab", name="Study").wait_for()
        page.keyboard.press(key)
        assert page.evaluate("() => document.activeElement.textContent") == name
        chosen = page.locator("[role=tab][aria-selected=true]")
        assert chosen.inner_text() == name


def test_what_one_does_meanwhile_stays_when_an_answer_comes(open_page: Opened) -> None:
    """A text in the making, what is selected, the focus, and the element itself."""
    page = open_page()
    page.locator("table.plays").wait_for()
    page.get_by_role("button", name="Depth 1").click()
    page.locator(".busy", has_text="depth 1").wait_for()
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/analyze/stream?*", hold)
    with page.expect_request("**/analyze/stream?*"):
        page.get_by_role("button", name="Depth 3").click()
    page.get_by_text("The engine is looking.").wait_for()
    page.locator("#typed-text").fill("8/5 6")
    xgid = page.locator("#analyze .id-of input").first
    xgid.evaluate("(each) => { each.mine = true; each.focus(); each.setSelectionRange(2, 5); }")
    held[0].continue_()
    page.locator("table.plays").wait_for()
    assert page.locator("#typed-text").input_value() == "8/5 6"
    kept = "(each) => [each.mine, each.selectionStart, each.selectionEnd]"
    assert xgid.evaluate(kept) == [True, 2, 5]
    assert xgid.evaluate("(each) => each === document.activeElement")
