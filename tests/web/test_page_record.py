"""The record of a match on the page, and leaving a match: nothing is lost by one tap."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hands import at_rest, click, record_of, start, type_play

# The record of a game shows boards of before; the tutor marks errors in it.

Opened = Callable[..., Any]

#: A bad play of the first roll, 66: gammon begins with these dice.
BAD = "13/1* 13/1"


def board_of(page: Any) -> list[str]:
    names: list[str] = page.locator("[data-place]").evaluate_all(
        "(all) => all.map((each) => each.getAttribute('aria-label'))"
    )
    return names


def roll_and_play(page: Any, play: str) -> None:
    if "do-roll" in at_rest(page)["can"]:
        page.locator("#do-roll").click()
    page.wait_for_selector("#do-done")
    type_play(page, play)
    page.wait_for_selector("#do-done", state="detached")
    at_rest(page)


def begin(page: Any, tutor: str) -> None:
    page.get_by_label("Tutor").select_option(label=tutor)
    start(page, "Match to 5", 21)
    at_rest(page)


def test_a_hint_goes_when_an_entry_is_shown(open_page: Opened) -> None:
    page = open_page("#play")
    begin(page, "Off")
    roll_and_play(page, BAD)
    if "do-roll" in at_rest(page)["can"]:
        page.locator("#do-roll").click()
    page.locator("#do-hint").click()
    page.get_by_label("Hint", exact=True).wait_for()
    page.locator(".record button").first.click()
    page.get_by_role("button", name="Back to the game").wait_for()
    assert page.get_by_label("Hint", exact=True).count() == 0


def test_an_entry_shows_the_board_of_that_time(open_page: Opened) -> None:
    page = open_page("#play")
    begin(page, "Off")
    opening = board_of(page)
    roll_and_play(page, BAD)
    now, said = board_of(page), page.locator("#status").inner_text()
    rows = record_of(page)
    assert [bool(each) for each in rows[0]] == [False, True], "gammon began"
    assert rows[1][0] == f"66: {BAD}"
    page.get_by_role("button", name=rows[1][0]).click()
    assert board_of(page) == opening
    assert page.locator(".arrow").count() == 2
    assert page.locator("#status").inner_text() == f"You: 66: {BAD}."
    # The arrow keys go from one to the next; what is shown is said to be.
    page.keyboard.press("ArrowUp")
    assert page.locator(".record [aria-current=true]").inner_text() == rows[0][1]
    assert page.locator(".arrow").count() > 0
    page.keyboard.press("Escape")
    page.wait_for_selector("#do-roll, #do-done")
    assert board_of(page) == now
    assert page.locator(".record [aria-current=true]").count() == 0
    assert record_of(page) == rows
    assert said.endswith(page.locator("#status").inner_text().rsplit(". ", 1)[-1])


def loss_kept(page: Any) -> float:
    """What the decisions so far lost, by what the page keeps of its match."""
    found: float = page.evaluate(
        "Object.values(JSON.parse(localStorage['gammon.match']).losses).reduce((sum, each) => sum + each, 0)"
    )
    return found


def test_the_tutor_marks_an_error_and_takes_it_back(open_page: Opened) -> None:
    page = open_page("#play")
    begin(page, "Marks 0.03 and more")
    opening = board_of(page)
    roll_and_play(page, BAD)
    said = page.locator("#tutor")
    said.get_by_text("very bad").wait_for()
    loss = float(said.inner_text().split("loses ")[1][:5])
    assert loss > 0.12
    assert said.inner_text().startswith(BAD)
    assert record_of(page)[1][0].startswith(f"66: {BAD}??")
    rate = page.get_by_text("Your PR")
    assert rate.inner_text() == "Your PR: from 10 decisions on, 1 decision so far."
    assert loss_kept(page) == pytest.approx(loss, abs=0.001)
    # It is taken back from the next decision, or after the next one.
    said.get_by_role("button", name="Take it back").click()
    page.wait_for_selector("#do-done")
    assert board_of(page) == opening
    assert said.inner_text() == ""
    assert rate.count() == 0
    # A good play is not spoken of, but counts.
    roll_and_play(page, "24/18(2) 13/7(2)")
    page.get_by_text("1 decision so far").wait_for()
    assert said.inner_text() == ""
    page.reload()
    page.get_by_text("1 decision so far").wait_for()


def test_a_look_at_the_record_leaves_one_step_to_take_back(open_page: Opened) -> None:
    """The tutor's answer comes after the next decision was remembered."""
    page = open_page("#play")
    page.route("**/api/v1/analyze?*", lambda route: None)
    begin(page, "Marks 0.03 and more")
    opening = board_of(page)
    roll_and_play(page, BAD)
    page.unroute("**/api/v1/analyze?*")  # which lets them go on
    page.locator("#tutor").get_by_text("very bad").wait_for()
    page.get_by_role("button", name=f"66: {BAD}").click()
    page.keyboard.press("Escape")
    page.wait_for_selector("#do-roll, #do-done")
    page.get_by_role("button", name="Take back", exact=True).click()
    page.wait_for_selector("#do-done")
    assert board_of(page) == opening


def test_the_tutor_speaks_in_the_match_only(open_page: Opened) -> None:
    page = open_page("#play")
    page.route("**/api/v1/analyze?*", lambda route: None)
    begin(page, "Marks 0.03 and more")
    roll_and_play(page, BAD)
    page.get_by_role("tab", name="Analyze").click()
    page.wait_for_selector("#do-set-up")
    page.unroute("**/api/v1/analyze?*")  # which lets them go on
    page.locator(".record").get_by_text("very bad").wait_for(state="attached")
    assert page.locator("#tutor").inner_text() == ""
    page.get_by_role("tab", name="Play").click()
    assert record_of(page)[1][0] == f"66: {BAD}?? very bad"


@pytest.mark.parametrize("tutor", ["Off", "Marks 0.12 and more"])
def test_it_says_no_more_than_was_asked_for(open_page: Opened, tutor: str) -> None:
    page = open_page("#play")
    begin(page, tutor)
    roll_and_play(page, "24/18(2) 13/7(2)")
    roll_and_play(page, "8/3")
    page.wait_for_timeout(500)
    assert page.locator("#tutor").inner_text() == ""
    assert (page.get_by_text("3 decisions so far").count() == 1) == (tutor != "Off")
    assert record_of(page)[2][0] == ("32: 8/3" if tutor == "Off" else "32: 8/3?! doubtful")


def kept(phase: str, xgid: str) -> str:
    """The script that keeps a game for money, with a tutor, at some phase."""
    game = {"score": [0, 0], "crawford": False, "actions": [], "winner": None, "points": 0}
    match = {
        "length": 0, "jacoby": False, "cube": True, "depth": 1, "seed": 5, "tutor": 0.03,
        "at": 0, "score": [0, 0], "games": [game], "phase": phase, "xgid": xgid,
    }  # fmt: skip
    return f"localStorage['gammon.match'] = {json.dumps(json.dumps(match))};"


def test_a_play_that_cannot_matter_does_not_count(open_page: Opened) -> None:
    """A gammon is certain: all plays are worth the same, as a review knows it, too."""
    sure = "XGID=-CA-------o---------------:0:0:1:21:0:0:0:0:10"
    page = open_page("#play", kept=kept("rolled", sure))
    page.wait_for_selector("#do-undo")
    with page.expect_response(lambda answer: "/analyze?" in answer.url):
        roll_and_play(page, "2/off 1/off")
    page.wait_for_timeout(500)
    assert page.get_by_text("Your PR").count() == 0


#: The player on roll bears off both checkers by 19 of 36 rolls, or loses: a double makes that
#: worth 1/9, else it is the half, and a pass gives 1.
YOURS = "XGID=--A--A------------------a-:0:0:1:00:0:0:0:0:10"
THEIRS = "XGID=-A------------------a--a--:0:0:-1:D:0:0:0:0:10"


@pytest.mark.parametrize(
    ("xgid", "count"),
    [
        # A double loses .12: not to double is a decision.
        ("XGID=-b---BD-B---eE---c-e----B-:0:0:1:00:0:0:0:0:10", 1),
        # At the opening it loses more than .2, and so is none.
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", 0),
    ],
)
def test_not_to_double_counts_where_a_double_is_near(open_page: Opened, xgid: str, count: int) -> None:
    page = open_page("#play", kept=kept("human", xgid))
    with page.expect_response(lambda answer: "/analyze?" in answer.url and "depth=3" in answer.url) as told:
        page.locator("#do-roll").click()
    gain = told.value.json()["cube"]["gain"]
    assert (-0.2 < gain < -0.001) == bool(count), gain
    page.wait_for_timeout(500)
    losses = page.evaluate("JSON.parse(localStorage['gammon.match']).losses ?? {}")
    assert len(losses) == count


@pytest.mark.parametrize(
    ("phase", "xgid", "deed", "words"),
    [
        ("human", YOURS, "do-roll", "No double loses 0.056 (doubtful)."),
        pytest.param("human", YOURS, "do-double", "", marks=pytest.mark.nightly),
        ("offered", THEIRS, "do-pass", "The pass loses 0.889 (very bad)."),
        pytest.param("offered", THEIRS, "do-take", "", marks=pytest.mark.nightly),
    ],
)
def test_turns_of_the_cube_are_judged(
    open_page: Opened, phase: str, xgid: str, deed: str, words: str
) -> None:
    page = open_page("#play", kept=kept(phase, xgid))
    page.locator(f"#{deed}").click()
    if not words:
        page.get_by_text("1 decision so far").wait_for()
        assert loss_kept(page) == 0
        assert page.locator("#tutor").inner_text() == ""
        return
    page.locator("#tutor").get_by_text(words).wait_for()
    if deed == "do-pass":
        assert loss_kept(page) == pytest.approx(8 / 9, abs=1e-4)
    page.get_by_role("button", name="Take it back").click()
    assert page.evaluate("document.activeElement.id") == "board"
    page.locator(f"#{deed}").wait_for()
    assert page.locator("#tutor").inner_text() == ""


def early(script: str) -> str:
    """The same match, whose tutor warns before gammon answers."""
    return script.replace('\\"tutor\\"', '\\"early\\": true, \\"tutor\\"')


def test_the_tutor_warns_before_gammon_answers(open_page: Opened) -> None:
    page = open_page("#play")
    page.get_by_label("What to play").select_option(label="Match to 5")
    page.get_by_label("Strength of gammon").select_option(label="Full")
    page.get_by_label("Depth of gammon").select_option(label="1: at once")
    assert not page.get_by_label("Warn before gammon answers").is_visible()
    page.get_by_label("Tutor").select_option(label="Marks 0.03 and more")
    assert page.get_by_label("Warn before gammon answers").is_checked()
    page.get_by_label("Seed of the dice").fill("21")
    click(page, "Start")
    if "do-roll" in at_rest(page)["can"]:
        page.locator("#do-roll").click()
    page.wait_for_selector("#do-done")
    before, rows = board_of(page), record_of(page)
    type_play(page, BAD)
    status = page.locator("#status", has_text="Take it back? gammon has not answered yet.")
    status.wait_for()
    assert status.inner_text().startswith(f"{BAD} loses ")
    assert "very bad" in status.inner_text()
    assert record_of(page) == rows
    page.keyboard.press("b")
    page.wait_for_selector("#do-done")
    assert board_of(page) == before
    type_play(page, BAD)
    status.wait_for()
    page.keyboard.press("g")
    page.locator(".record").get_by_text("very bad").wait_for()
    at_rest(page)
    assert page.locator("#tutor").inner_text() == "", "it does not warn twice"
    page.get_by_text("1 decision so far").wait_for()


@pytest.mark.parametrize(
    ("phase", "xgid", "deed", "words"),
    [
        ("human", YOURS, "do-roll", "No double loses 0.056 (doubtful)."),
        pytest.param("human", YOURS, "do-double", "", marks=pytest.mark.nightly),
        ("offered", THEIRS, "do-pass", "The pass loses 0.889 (very bad)."),
        pytest.param("offered", THEIRS, "do-take", "", marks=pytest.mark.nightly),
    ],
)
def test_it_warns_before_turns_of_the_cube(
    open_page: Opened, phase: str, xgid: str, deed: str, words: str
) -> None:
    page = open_page("#play", kept=early(kept(phase, xgid)))
    page.locator(f"#{deed}").click()
    if not words:
        page.get_by_text("1 decision so far").wait_for()
        assert "Take it back" not in page.locator("#status").inner_text()
        return
    page.locator("#status", has_text=words).wait_for()
    click(page, "Take it back")
    page.locator(f"#{deed}").click()
    page.locator("#status", has_text=words).wait_for()
    click(page, "Go on anyway")
    at_rest(page)
    assert page.locator("#tutor").inner_text() == ""


def test_a_warning_that_comes_too_late_is_not_shown(open_page: Opened) -> None:
    """The player leaves while the tutor looks, and comes back to the same decision."""
    page = open_page("#play", kept=early(kept("offered", THEIRS)))
    page.locator("#do-pass").wait_for()
    page.route("**/api/v1/analyze?*", lambda route: None)
    with page.expect_request("**/api/v1/analyze?*"):
        page.locator("#do-pass").click()
    page.get_by_role("tab", name="Review").click()
    page.unroute("**/api/v1/analyze?*")
    page.get_by_role("tab", name="Play").click()
    page.locator("#do-take").wait_for()
    assert "loses" not in page.locator("#status").inner_text()


# Leaving a match on the page: nothing is lost by one tap.

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
    assert (kept["phase"], kept["score"], game["winner"], game["points"]) == ("gameOver", [0, 1], 1, 1)
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
