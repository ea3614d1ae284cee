"""Leaving a match on the page: nothing is lost by one tap."""

from collections.abc import Callable
from typing import Any

from tests.web.hands import at_rest, click, start

Opened = Callable[..., Any]

KEPT = "() => JSON.parse(localStorage['gammon.match'] ?? 'null')"


def begun(open_page: Opened) -> Any:
    page = open_page("#play")
    start(page, "Match to 5", 4)
    at_rest(page)
    return page


def leave(page: Any) -> Any:
    """Press "End the match", and return the dialog that asks."""
    page.get_by_role("button", name="End the match").click()
    asked = page.get_by_role("dialog", name="End the match?")
    asked.wait_for()
    return asked


def test_a_match_is_not_ended_without_a_question(open_page: Opened) -> None:
    page = begun(open_page)
    asked = leave(page)
    assert "0 to 0" in asked.inner_text()
    # The harmless answer has the focus, and the keys of the game are at rest.
    assert page.evaluate("document.activeElement.textContent") == "Play on"
    page.keyboard.press("h")
    page.keyboard.press("Escape")
    asked.wait_for(state="detached")
    assert page.evaluate("document.activeElement.textContent") == "End the match"
    assert page.evaluate(KEPT)["length"] == 5
    leave(page).get_by_role("button", name="Play on").click()
    assert page.evaluate(KEPT)["length"] == 5
    assert page.get_by_label("Hint", exact=True).count() == 0


def test_a_session_for_money_is_no_match_and_has_one_score(open_page: Opened) -> None:
    page = open_page("#play")
    start(page, "Money games", 4)
    at_rest(page)
    assert page.locator(".side .score").all_inner_texts() == ["0 points", "0 points"]
    assert "You\n0" not in page.get_by_label("Match", exact=True).inner_text()
    page.get_by_role("button", name="End the session").click()
    asked = page.get_by_role("dialog", name="End the session?")
    asked.wait_for()
    assert "It stands 0 to 0, and this game is not over." in asked.inner_text()
    assert "match" not in asked.inner_text()
    asked.get_by_role("button", name="Play on").click()
    resign(page)
    assert page.locator(".side .score").all_inner_texts() == ["1 point", "0 points"]
    page.get_by_role("button", name="End the session").click()
    assert "It stands 0 to 1. Until" in asked.inner_text()
    asked.get_by_role("button", name="End the session").click()
    page.wait_for_selector("#start")


def test_a_hint_that_comes_late_takes_no_words_away(open_page: Opened) -> None:
    page = begun(open_page)
    page.route("**/api/v1/analyze?*", lambda route: None)
    with page.expect_request("**/api/v1/analyze?*"):
        page.locator("#do-hint").click()
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Resign").click()
    assert page.locator("#status").inner_text() == "Resign what?"


def test_one_can_come_back_to_a_match_that_was_ended(open_page: Opened) -> None:
    page = begun(open_page)
    before = page.evaluate(KEPT)
    leave(page).get_by_role("button", name="End the match").click()
    page.wait_for_selector("#start")
    assert page.evaluate("document.activeElement.labels[0].innerText").startswith("What to")
    assert page.evaluate(KEPT) is None
    page.reload()
    page.get_by_role("button", name="Back to the last match").click()
    at_rest(page)
    assert page.evaluate(KEPT) == before


def test_a_match_is_kept_as_a_file_before_it_ends(open_page: Opened) -> None:
    page = begun(open_page)
    with page.expect_download() as kept:
        leave(page).get_by_role("button", name="Keep as .mat").click()
    page.wait_for_selector("#start")
    assert "5 point match" in kept.value.path().read_text()
    assert kept.value.suggested_filename.startswith("You-gammon-20")


def test_a_game_that_is_given_up_ends_once_its_score_is_there(open_page: Opened) -> None:
    """Where the server does not add it up, nothing is kept, and it can be tried again."""
    page = begun(open_page)
    before = page.evaluate(KEPT)
    error = {"error": {"code": "busy", "message": "not now"}}
    page.route("**/score", lambda route: route.fulfill(status=400, json=error))
    click(page, "Resign", "Single game: 1 point", exact=True)
    again = page.get_by_role("button", name="Try again")
    again.wait_for()
    assert page.locator("#status").inner_text() == "not now"
    assert page.evaluate(KEPT) == before
    page.unroute("**/score")
    again.click()
    click(page, "Resign", "Single game: 1 point", exact=True)
    page.get_by_role("button", name="Next game").wait_for()
    told = "You resign a single game. gammon scores 1 point. 0 to 1."
    assert page.locator("#status").inner_text() == told
    kept = page.evaluate(KEPT)
    (game,) = kept["games"]
    *_, deed = game["actions"]
    position = deed.pop("xgid")
    assert deed == {"player": 0, "do": "resign", "points": 1}
    assert position == kept["xgid"]
    assert (kept["phase"], kept["score"], game["winner"], game["points"]) == (
        "gameOver", [0, 1], 1, 1,
    )  # fmt: skip
    page.get_by_role("button", name="Next game").click()
    page.wait_for_function(f"() => ({KEPT})().phase !== 'gameOver'")
    at_rest(page)
    assert page.evaluate(KEPT)["xgid"].split(":")[5:9] == ["0", "1", "0", "5"]


def test_the_panel_tells_of_the_game_that_is_shown(open_page: Opened) -> None:
    page = open_page("#play")
    start(page, "Match to 3", 4)
    at_rest(page)
    click(page, "Resign", "Gammon: 2 points", exact=True)
    following = page.get_by_role("button", name="Next game")
    following.wait_for()
    page.get_by_text("Game 1, match to 3; gammon at depth 1").wait_for()
    following.click()
    page.get_by_text("Game 2, match to 3, Crawford; ").wait_for()


def test_no_review_comes_once_one_has_turned_to_something_else(open_page: Opened) -> None:
    page = begun(open_page)
    resign(page)
    page.route("**/api/v1/match", lambda route: None)
    with page.expect_request("**/api/v1/match"):
        page.get_by_role("button", name="Review").click()
    with page.expect_event("requestfailed", lambda asked: asked.url.endswith("/match")):
        page.get_by_role("tab", name="Analyze").click()
    page.locator("#do-set-up").wait_for()
    assert page.get_by_role("tab", name="Analyze").get_attribute("aria-selected") == "true"


def test_by_the_jacoby_rule_no_gammon_is_resigned(open_page: Opened) -> None:
    page = open_page("#play")
    start(page, "Money games", 4)
    at_rest(page)
    page.get_by_role("button", name="Resign").click()
    page.locator("#do-cancel").wait_for()
    can = page.locator("#actions button").all_inner_texts()
    assert [each.split()[0] for each in can] == ["Single", "Cancel"]


def test_a_tab_writes_over_no_match_of_another_tab(open_page: Opened) -> None:
    page = begun(open_page)
    other = page.context.new_page()
    other.goto(page.url)
    leave(other).get_by_role("button", name="End the match").click()
    page.get_by_text("Choose what to play").wait_for()
    start(other, "Match to 7", 4)
    at_rest(other)
    page.get_by_role("button", name="Go on here").wait_for()
    assert page.locator("#status").inner_text() == "Another tab goes on with a match."
    assert page.locator("#actions button").count() == 1
    leave(other).get_by_role("button", name="End the match").click()
    back = page.get_by_role("button", name="Back to the last match")
    back.wait_for()
    assert page.evaluate("JSON.parse(localStorage['gammon.left']).length") == 7
    back.click()
    page.get_by_role("button", name="Resign").wait_for()
    assert page.evaluate(KEPT)["length"] == 7


def test_a_match_of_another_tab_is_gone_on_with(open_page: Opened) -> None:
    page = begun(open_page)
    other = page.context.new_page()
    other.goto(page.url)
    leave(other).get_by_role("button", name="End the match").click()
    start(other, "Match to 7", 4)
    at_rest(other)
    page.get_by_role("button", name="Go on here").click()
    page.get_by_role("button", name="Resign").wait_for()
    assert page.evaluate(KEPT)["length"] == 7


def goes_on(page: Any) -> Any:
    """Open another tab, which is ready to go on with the same match."""
    other = page.context.new_page()
    other.goto(page.url)
    at_rest(other)
    return other


def resign(page: Any) -> None:
    click(page, "Resign", "Single game: 1 point", exact=True)
    page.get_by_role("button", name="Next game").wait_for()


def test_nothing_is_ended_that_another_tab_has_played_on(open_page: Opened) -> None:
    page = begun(open_page)
    other = goes_on(page)
    asked = leave(page)
    resign(other)
    asked.wait_for(state="detached")
    page.get_by_role("button", name="Go on here").click()
    page.get_by_role("button", name="Next game").wait_for()
    assert page.evaluate(KEPT)["phase"] == "gameOver"


def test_nor_what_is_played_on_while_the_file_is_made(open_page: Opened) -> None:
    page = begun(open_page)
    other = goes_on(page)
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/api/v1/match", hold)
    with page.expect_request("**/api/v1/match"):
        leave(page).get_by_role("button", name="Keep as .mat").click()
    resign(other)
    page.get_by_role("button", name="Go on here").wait_for()
    with page.expect_download():
        held[0].continue_()
    assert page.get_by_role("button", name="Go on here").count() == 1
    assert page.evaluate(KEPT)["phase"] == "gameOver"
    assert page.evaluate("localStorage['gammon.left'] ?? null") is None


def test_no_question_stays_about_a_match_that_another_tab_ended(open_page: Opened) -> None:
    page = begun(open_page)
    other = goes_on(page)
    asked = leave(page)
    leave(other).get_by_role("button", name="End the match").click()
    asked.wait_for(state="detached")
    page.get_by_text("Choose what to play").wait_for()
    assert page.evaluate("document.activeElement.labels[0].innerText").startswith("What to")
