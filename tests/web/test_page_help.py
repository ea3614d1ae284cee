"""Help on the page: words that explain themselves, the dialog, and what a first visit shows."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.matches import SAMPLE
from tests.web.conftest import opened
from tests.web.hands import at_rest, start
from tests.web.test_page_layout import violations

Opened = Callable[..., Any]

OPENING = "#xgid=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
MATCH = "#xgid=--CDBbC-B-----a----bdA-cc-:0:0:1:52:4:3:0:7:10"


def tip(page: Any) -> str:
    """The explanation that is shown, or an empty text."""
    shown = page.locator("#tip")
    text: str = shown.inner_text() if shown.is_visible() else ""
    return text


def test_a_first_visit_begins_with_a_game_against_a_beginner(browser: Any, server: str) -> None:
    with opened(browser, server, visited=False) as page:
        page.locator("#start").wait_for()
        assert page.locator("[role=tab][aria-selected=true]").inner_text() == "Play"
        assert (
            page.get_by_label("Strength of gammon").locator("option:checked").inner_text()
            == "PR 25: beginner"
        )
        page.get_by_role("link", name="The rules").click()
        page.get_by_role("dialog").get_by_role("heading", name="The rules").wait_for()
        page.get_by_role("button", name="Close").click()
        page.locator("#start").click()
        page.get_by_text("gammon at PR 25").wait_for()
        page.get_by_role("tab", name="Analyze").click()
        page.locator("table.plays").wait_for()
        # The next visit begins where this one ended.
        page.goto(server)
        page.locator("table.plays").wait_for()
    with opened(browser, server + OPENING, visited=False) as page:
        page.locator("table.plays").wait_for()


def test_columns_explain_themselves_to_the_mouse_and_to_keys(open_page: Opened) -> None:
    page = open_page(OPENING)
    page.get_by_role("button", name="Depth 1").click()
    page.locator(".busy", has_text="depth 1").wait_for()
    page.locator("#analyze[aria-busy='false']").wait_for()
    table = page.locator("table.plays")
    table.get_by_role("link", name="Equity").hover()
    assert tip(page).startswith("What the player on roll wins on average")
    page.mouse.move(1, 1)
    assert tip(page) == ""
    table.get_by_role("link", name="Equity").focus()
    page.keyboard.press("Tab")
    assert tip(page).startswith("How much worse than the best choice. ?! doubtful, from 0.03")
    page.keyboard.press("Escape")
    assert tip(page) == ""
    page.keyboard.press("Tab")
    assert tip(page).startswith("Chances in per cent")
    assert table.get_by_role("link", name="Win %").get_attribute("aria-description") == tip(page)
    page.keyboard.press("Enter")
    entry = page.locator("#help .sought")
    entry.wait_for()
    assert entry.inner_text().startswith("Gammon, backgammon.")
    page.keyboard.press("Escape")
    assert not page.locator("#help").is_visible()
    page.locator(".kind:is(.exact, .bounded)").first.hover()
    assert tip(page) == "the value of best play to this depth"
    page.locator(".mark-2 .sign, .mark-3 .sign").first.hover()
    assert "bad: How much worse" in tip(page)
    page.get_by_role("button", name="Roller+", exact=True).hover()
    assert tip(page) == "The same with more games, which take longer."


def test_a_finger_opens_the_help_at_the_word(open_page: Opened) -> None:
    page = open_page(MATCH, width=390, height=844, touch=True)
    page.locator("tr:is(.exact, .bounded)").first.wait_for()
    page.get_by_role("link", name="EMG").tap()
    page.locator("#help .sought", has_text="equivalent to money game").wait_for()
    assert page.locator("#help .sought").bounding_box()["y"] < 844
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate("location.hash") == MATCH


def test_headings_and_tabs_lead_to_the_help(open_page: Opened) -> None:
    page = open_page(OPENING)
    sought, close = page.locator("#help .sought"), page.get_by_role("button", name="Close")
    for tab, heading, entry in (
        ("Analyze", "Keep and share", "Analyze"),
        ("Play", "Play against gammon", "Play"),
        ("Review", "Review a match", "Review and study"),
        ("Study", "Your library", "Review and study"),
    ):
        page.get_by_role("tab", name=tab).click()
        for way in (page.get_by_role("link", name=f"Help: {heading}"), page.locator("#show-help")):
            way.click()
            sought.get_by_text(entry, exact=True).wait_for()
            assert sought.count() == 1
            close.click()


def test_the_words_of_a_review_explain_themselves(open_page: Opened) -> None:
    page = open_page("#review")
    page.get_by_label("Match file").set_input_files(SAMPLE)
    page.wait_for_selector("svg.graph .course")
    page.get_by_role("link", name="PR", exact=True).first.hover()
    assert tip(page).startswith("The mean error times 500")
    page.get_by_role("link", name="W g").hover()
    assert tip(page) == "Wins with a gammon, in per cent."


def test_scores_and_rules_explain_themselves(open_page: Opened) -> None:
    page = open_page(MATCH)
    page.get_by_role("button", name="By score").click()
    page.get_by_role("link", name="DMP").hover()
    assert tip(page).startswith("DMP, double match point")
    page.get_by_role("button", name="Set up").click()
    page.get_by_label("Crawford game").hover()
    assert tip(page).startswith("The first game in which a side needs one point")


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.nightly), "dark"])
def test_no_rule_is_broken_by_the_help(open_page: Opened, axe: str, scheme: str) -> None:
    page = open_page(OPENING, scheme=scheme)
    page.locator("tr:is(.exact, .bounded)").first.wait_for()
    page.get_by_role("link", name="Equity").hover()
    page.locator("#tip:visible").wait_for()
    assert violations(page, axe) == []
    page.locator("#show-help").click()
    page.get_by_role("dialog").get_by_role("heading", name="Figures").wait_for()
    assert violations(page, axe) == []


def test_a_match_has_explanations_too(open_page: Opened) -> None:
    page = open_page("#play")
    start(page, "Match to 3", 4)
    at_rest(page)
    page.locator("#do-hint").click()
    page.locator("#play table").first.wait_for()
    page.get_by_role("link", name="Help: Hint").wait_for()
    page.get_by_role("link", name="Help: Record").wait_for()


def test_help_that_cannot_be_read_is_asked_for_again(open_page: Opened) -> None:
    page = open_page(OPENING)
    page.locator("tr:is(.exact, .bounded)").first.wait_for()
    page.route("**/glossary.html", lambda route: route.fulfill(status=400))
    page.locator("#show-help").click()
    page.get_by_text("The help cannot be read now.").wait_for()
    page.get_by_role("button", name="Close").click()
    page.unroute("**/glossary.html")
    page.locator("#show-help").click()
    page.get_by_role("dialog").get_by_role("heading", name="The rules").wait_for()


def test_without_a_server_the_help_is_there(page: Any) -> None:
    page.locator("#show-help").click()
    page.get_by_role("dialog").get_by_role("heading", name="The cube and the score").wait_for()
