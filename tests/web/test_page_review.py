"""Reviews on the page: of a file, and of a match that was played."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web.hands import at_rest, start

Opened = Callable[..., Any]

MATCH = Path(__file__).parents[1] / "golden" / "matches" / "match5.mat"
#: A game that ends at once.
GAME = """ 1 point match

 Game 1
 Ann : 0                          Ben : 0
  1) 31: 8/5 6/5                   66: 24/18(2) 13/7(2)
  2)                               21: 13/10
"""


def test_a_file_is_reviewed(open_page: Opened) -> None:
    page = open_page("#review")
    reviewed(page)
    summary = page.get_by_label("Summary")
    told = summary.inner_text()
    assert re.search(r"PR\s+\d+\.\d\d\s+\d+\.\d\d", told), told
    assert "missed doubles" not in told
    page.get_by_role("button", name="All figures").click()
    assert "missed doubles" in summary.inner_text()
    page.get_by_role("button", name="All decisions").click()
    rows = page.locator("[data-choice]")
    assert rows.count() > 50
    assert re.fullmatch(r"\d+ pips", page.locator("#side-bottom .pips").inner_text())
    rows.nth(0).focus()
    first = page.locator("#status").inner_text()
    page.keyboard.press("ArrowDown")
    assert page.locator("#status").inner_text() != first
    page.get_by_role("button", name="Analyze this").click()
    page.wait_for_selector("#panel-analyze:not([hidden]) .card")


def reviewed(page: Any) -> None:
    """Review a match at depth 1."""
    page.get_by_role("group", name="Depth of the review").get_by_role(
        "button", name="1"
    ).click()
    page.get_by_label("Match file").set_input_files(MATCH)
    page.wait_for_selector("svg.graph .course")


def test_next_goes_on_into_the_next_game(open_page: Opened) -> None:
    page = open_page("#review")
    reviewed(page)
    game = page.get_by_role("combobox", name="Game")
    following = page.locator("#do-next")
    for _ in range(60):
        following.click()
        if game.input_value() != "0":
            break
    assert game.input_value() == "1"
    assert page.locator("#status").inner_text().startswith("Game 2. ")
    first = page.locator("#panel-review tbody tr:has([data-choice])").first
    assert first.get_attribute("class") == "chosen"
    page.locator("#do-previous").click()
    assert game.input_value() == "0"
    # The last one of the match says so.
    game.select_option(index=3)
    last = "This is the last error of the match."
    for _ in range(60):
        following.click()
        if page.locator("#status").inner_text() == last:
            return
    raise AssertionError("no error is the last one")


def test_the_place_is_there_on_the_way_back_and_after_a_reload(open_page: Opened) -> None:
    page = open_page("#review")
    reviewed(page)
    page.get_by_role("combobox", name="Game").select_option(index=1)
    page.locator("#do-next").click()
    page.locator("#do-next").click()
    told, figures = page.locator("#status").inner_text(), page.locator(".figures")
    summary = figures.inner_text()
    page.get_by_role("button", name="Analyze this").click()
    page.wait_for_selector("#panel-analyze:not([hidden]) .card")
    page.go_back()
    page.wait_for_selector("#panel-review:not([hidden]) tr.chosen")
    assert page.locator("#status").inner_text() == told
    page.reload()
    page.wait_for_selector("#panel-review:not([hidden]) tr.chosen")
    assert page.locator("#status").inner_text() == told
    assert page.get_by_role("combobox", name="Game").input_value() == "1"
    assert figures.inner_text() == summary
    # The file is there, too: it can be reviewed at another depth.
    page.get_by_role("button", name="3", exact=True).click()
    page.wait_for_selector("progress", state="detached")
    page.wait_for_selector("#panel-review tr.chosen")
    page.get_by_role("button", name="Another match").click()
    page.reload()
    page.get_by_label("Match file").wait_for()


def test_a_file_is_dropped_on_the_page(open_page: Opened) -> None:
    page = open_page()
    page.evaluate(
        """(text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], "game.mat"));
            dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
        }""",
        GAME,
    )
    page.wait_for_selector("#panel-review:not([hidden]) table")
    summary = page.get_by_label("Summary").inner_text()
    assert "Ann and Ben" in summary
    assert re.search(r"Result\s+-\s+-\s", summary), "it has no end"


def test_a_file_that_is_no_match_is_told(open_page: Opened) -> None:
    page = open_page("#review")
    page.get_by_label("Match file").set_input_files(
        {"name": "letter.txt", "mimeType": "text/plain", "buffer": b"Dear friend"}
    )
    page.wait_for_selector("p.wrong")


def test_what_was_played_is_reviewed(open_page: Opened) -> None:
    page = open_page("#play")
    start(page, "Match to 1", 2)
    at_rest(page)
    page.get_by_label("Type a play").fill(best(page))
    page.keyboard.press("Enter")
    at_rest(page)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Backgammon (3)").click()
    page.wait_for_selector("#do-review")
    page.get_by_role("button", name="Review", exact=True).click()
    page.wait_for_selector("#panel-review:not([hidden]) table")
    assert "You and gammon" in page.get_by_label("Summary").inner_text()
    page.get_by_role("button", name="All decisions").click()
    told = []
    for row in page.locator("[data-choice]").all():
        row.click()
        told.append(page.locator("#status").inner_text())
    assert any(each.startswith("You play ") for each in told)
    assert not any("You plays" in each for each in told)
    # gammon played at depth 1; the review at depth 1 would judge it by itself.
    assert "no deeper" not in page.get_by_label("Summary").inner_text()
    page.get_by_role("button", name="1", exact=True).click()
    page.get_by_text("this review looks no deeper").wait_for()


def best(page: Any) -> str:
    """The engine's best play here, by a hint."""
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector("#play table.plays")
    found: str = page.locator("#play tr.chosen button").get_attribute("data-play")
    return found
