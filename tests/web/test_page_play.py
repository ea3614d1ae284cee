"""Games on the page: by mouse, touch and keys, moves by hand, checkers on their way."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from gammon_study.match_files.mat import parse_mat
from tests.web.hands import (
    ROWS,
    at_rest,
    best_play,
    click,
    drag,
    middle,
    play_game,
    record_of,
    start,
    type_play,
)

# Moves by hand: dragging, swapping, undoing, taking back; dice that are typed in.

Opened = Callable[..., Any]


def begin(page: Any, play: str = "Match to 7") -> None:
    """Begin a match with real dice: you open with 31."""
    page.get_by_label("What to play").select_option(label=play)
    page.get_by_label("Strength of gammon").select_option(label="Full")
    page.get_by_label("Depth of gammon").select_option(label="1: at once")
    click(page, "I type them in", "Start")
    type_in(page, "the opening roll", "33")
    page.get_by_text("Both rolled 3: roll again.").wait_for()
    type_in(page, "the opening roll", "31")
    page.get_by_text("You roll 3, gammon rolls 1").wait_for()
    page.wait_for_selector("#do-done")


def type_in(page: Any, asked: str, text: str) -> None:
    page.wait_for_function(
        "(asked) => document.querySelector('#typed-name').textContent.startsWith(asked)", arg=asked
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
    page.wait_for_selector("tr:is(.exact, .bounded)")
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


# Whole games on the page: by mouse, by touch on a phone, by keys alone.


def test_a_game_by_mouse_and_its_pr(open_page: Opened) -> None:
    """A review adds the same decisions up in another way, and counts as many of them."""
    page = open_page("#play")
    page.get_by_label("Your name in files").fill("Ann B/C")
    page.get_by_label("Tutor").select_option(label="Marks 0.12 and more")
    # One play counts by the first look alone: all are worth the same three plies later.
    start(page, "Money games", 1)
    keys = {"do-done": "Enter", "do-roll": "r", "do-take": "t"}
    play_game(
        page,
        lambda place: page.mouse.click(*middle(page, place)),
        lambda button: page.keyboard.press(keys[button]),
    )
    assert page.locator(".checker.off").count() >= 15
    page.wait_for_load_state("networkidle")
    told = page.get_by_text("Your PR: ").inner_text()
    pr, count, depth = re.fullmatch(r"Your PR: (\S+), (\d+) decisions so far, by depth (\d)\.", told).groups()  # type: ignore[union-attr]
    with page.expect_download() as kept:
        page.get_by_role("button", name="Keep as .mat").click()
    match = parse_mat(kept.value.path().read_text())
    assert (match.length, match.players) == (0, ("Ann B/C", "gammon"))
    date = dict(match.details)["EventDate"].replace(".", "-")
    assert kept.value.suggested_filename == f"Ann_B_C-gammon-{date}.mat"
    page.get_by_role("button", name="Review", exact=True).click()
    page.locator("#panel-review .rates").wait_for()
    review = page.evaluate("JSON.parse(localStorage['gammon.reviewed']).data")
    mine = review["players"][0]
    assert (review["depth"], mine["all"]["counted"]) == (int(depth), int(count))
    assert float(pr) == pytest.approx(mine["pr"], abs=0.006)


def plays_of(page: Any) -> int:
    """How many plays of you are in the record."""
    return sum(bool(yours) for yours, _ in record_of(page))


def test_a_game_by_touch_on_a_phone(open_page: Opened) -> None:
    page = open_page("#play", width=360, height=740, touch=True)
    start(page, "Match to 1", 11)

    def tap(button: str) -> None:
        page.locator(f"#{button}").tap()

    play_game(page, lambda place: page.touchscreen.tap(*middle(page, place)), tap, deeds=24)
    assert plays_of(page) > 3
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide == 360


def tab_to(page: Any, name: str) -> None:
    """Press Tab until the focus is on what has this name."""
    for _ in range(40):
        page.keyboard.press("Tab")
        found = page.evaluate("(document.activeElement.labels?.[0] ?? document.activeElement).textContent")
        if found.startswith(name):
            return
    raise AssertionError(f"no Tab leads to {name}")


def test_a_game_by_keys_alone(open_page: Opened) -> None:
    page = open_page("#play")
    tab_to(page, "What to play")
    page.keyboard.press("ArrowUp")  # from a match to 5, to one to 3
    page.keyboard.press("ArrowUp")
    tab_to(page, "Strength of gammon")
    page.keyboard.press("End")
    tab_to(page, "Depth of gammon")
    page.keyboard.press("ArrowUp")
    tab_to(page, "Seed of the dice")
    page.keyboard.press("Control+a")
    page.keyboard.type("5")
    tab_to(page, "Start")
    page.keyboard.press("Enter")

    def row_of(place: str) -> int:
        return 0 if place in ROWS[0] else 1

    def move(place: str) -> None:
        here = page.evaluate("document.activeElement.shadowRoot?.activeElement.dataset.place")
        if row_of(here) != row_of(place):
            page.keyboard.press("ArrowDown" if row_of(place) else "ArrowUp")
            here = page.evaluate("document.activeElement.shadowRoot?.activeElement.dataset.place")
        row = ROWS[row_of(place)]
        steps = row.index(place) - row.index(here)
        for _ in range(abs(steps)):
            page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
        page.keyboard.press("Enter")

    keys = {"do-done": "Enter", "do-roll": "r", "do-take": "t"}
    play_game(page, move, lambda button: page.keyboard.press(keys[button]), deeds=24)
    assert plays_of(page) > 3


def test_a_match_with_a_double_and_a_take(open_page: Opened) -> None:
    page = open_page("#play")
    start(page, "Match to 3", 3)
    while "do-double" not in at_rest(page)["can"]:
        play_one(page)
    page.locator("#do-double").click()
    page.wait_for_function("() => /You rolled/.test(document.body.textContent)")
    at_rest(page)
    said = at_rest(page)["said"]
    assert re.fullmatch("gammon takes. The cube is at 2. You rolled . and .*", said)
    assert ["Double", "Take"] in record_of(page)
    assert page.locator(".layer-cube .value").text_content() == "2"
    click(page, "Resign", "Backgammon: 6 points")
    page.wait_for_selector("#do-review")
    # Points beyond the length of the match do not count.
    assert "The match is over: gammon wins 3 to 0" in at_rest(page)["said"]


def elsewhere(page: Any) -> None:
    """Leave the match for another mode, and come back."""
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("tab", name="Play").click()


def test_who_leaves_while_gammon_takes_finds_one_take(open_page: Opened) -> None:
    page = open_page("#play")
    start(page, "Match to 3", 3)
    while "do-double" not in at_rest(page)["can"]:
        play_one(page)
    page.get_by_label("Checkers move").select_option(label="Slow")
    page.locator("#do-double").click()
    page.get_by_text("gammon takes. The cube is at 2.").wait_for()
    elsewhere(page)
    page.wait_for_function("() => /You rolled/.test(document.body.textContent)")
    at_rest(page)
    done = [each for row in record_of(page) for each in row]
    assert (done.count("Double"), done.count("Take")) == (1, 1)


def test_who_leaves_at_the_opening_roll_finds_the_same(open_page: Opened) -> None:
    page = open_page("#play", kept="localStorage['gammon.pace'] = '2';")
    start(page, "Match to 3", 2)
    told = page.get_by_text(re.compile(r"^You roll \d, gammon rolls \d: gammon begins\.$"))
    yours, gammon = re.findall(r"\d", told.inner_text())
    elsewhere(page)
    at_rest(page)
    assert record_of(page)[0][1].startswith(f"{gammon}{yours}")


def play_one(page: Any) -> None:
    """Make one play, or one step of it."""
    state = at_rest(page)
    if "do-done" in state["can"]:
        page.locator("#do-done").click()
    else:
        page.mouse.click(*middle(page, max(state["from"], key=int)))


def test_a_seed_that_cannot_be_is_refused(open_page: Opened) -> None:
    page = open_page("#play")
    seed = page.get_by_label("Seed of the dice")
    for wrong in ("18446744073709551616", "99999999999", "-5", "1.5", ""):
        seed.fill("7")
        start(page, "Match to 1", wrong)
        assert "from 0 to 4294967295" in page.locator("#status.wrong").inner_text(), wrong
        assert page.locator("#start").count() == 1


def test_settings_stay_while_one_looks_elsewhere(open_page: Opened) -> None:
    page = open_page("#play")
    page.get_by_label("What to play").select_option(label="Match to 9")
    page.get_by_label("Your name in files").fill("Ann")
    page.get_by_label("Seed of the dice").fill("777")
    page.get_by_role("tab", name="Analyze").click()
    page.get_by_role("tab", name="Play").click()
    assert page.get_by_label("What to play").evaluate("(it) => it.selectedOptions[0].text") == ("Match to 9")
    assert page.get_by_label("Your name in files").input_value() == "Ann"
    assert page.get_by_label("Seed of the dice").input_value() == "777"


def test_typed_dice_leave_the_focus_on_the_board(open_page: Opened) -> None:
    page = open_page("#play")
    click(page, "I type them in", "Start")
    page.get_by_text("Type the opening roll").wait_for()
    page.keyboard.type("31")
    page.keyboard.press("Enter")
    at_rest(page)
    assert page.evaluate("document.activeElement.id") == "board"


def test_a_position_that_an_answer_brings_is_not_asked_for(open_page: Opened) -> None:
    page = open_page("#play")
    asked: list[str] = []

    def see(request: Any) -> None:
        asked.append(urlsplit(request.url).path.rpartition("/")[2])

    page.on("request", see)
    start(page, "Match to 5", 21)
    assert "do-roll" in at_rest(page)["can"], "gammon began"
    told = [each for each in asked if each not in {"health", "icon.svg"}]
    assert told == ["score", "dice", "position", "turn"]


def test_a_weaker_opponent_errs_anew_in_each_match(open_page: Opened) -> None:
    page = open_page("#play")
    asked: list[dict[str, list[str]]] = []

    def see(request: Any) -> None:
        if "/turn?" in request.url:
            asked.append(parse_qs(urlsplit(request.url).query))

    page.on("request", see)
    start(page, "Match to 1", 7)
    at_rest(page)
    assert "strength" not in str(asked)
    for _ in range(2):
        page.get_by_role("button", name="End the match").click()
        page.get_by_role("dialog").get_by_role("button", name="End the match").click()
        page.get_by_label("Strength of gammon").select_option(label="PR 10: advanced")
        assert not page.get_by_label("Depth of gammon").is_visible()
        page.get_by_label("Seed of the dice").fill("6")
        page.get_by_role("button", name="Start").click()
        page.get_by_text("gammon at PR 10").wait_for()
        # Some of the deeds may still be seen in the match before; gammon's turn must come here.
        with page.expect_request(lambda request: "strength=10" in request.url):
            play_game(
                page,
                lambda place: page.mouse.click(*middle(page, place)),
                lambda button: page.locator(f"#{button}").click(),
                deeds=12,
            )
    seeds = {each["noise_seed"][0] for each in asked if each.get("strength") == ["10"]}
    assert len(seeds) == 2


# Checkers on their way: what is done meanwhile is not undone when they arrive.

#: Checkers that move are on their way until `arrive()`.
SLOWLY = """
localStorage['gammon.pace'] = '1';
let arrived = [];
Element.prototype.animate = () => ({finished: new Promise((done) => arrived.push(done))});
window.arrive = () => {
    const all = arrived;
    arrived = [];
    for (const done of all) done();
};
"""


def sliding(open_page: Opened) -> Any:
    """Begin a match with 31, and move 8/5: the checker is on its way."""
    page = open_page("#play", kept=SLOWLY)
    page.emulate_media(reduced_motion="no-preference")
    begin(page)
    page.mouse.click(*middle(page, "8"))
    page.locator(".ghost").wait_for()
    return page


def said(page: Any) -> str:
    words: str = page.locator("#status").inner_text()
    return words


def test_it_arrives(open_page: Opened) -> None:
    page = sliding(open_page)
    assert (checkers(page, "8"), checkers(page, "5")) == (2, 0)
    page.evaluate("arrive()")
    assert (checkers(page, "8"), checkers(page, "5")) == (2, 1)
    assert said(page) == "8/5."


def test_another_one_moves_meanwhile(open_page: Opened) -> None:
    page = sliding(open_page)
    page.mouse.click(*middle(page, "6"))
    page.evaluate("arrive()")
    assert (checkers(page, "8"), checkers(page, "6"), checkers(page, "5")) == (2, 4, 2)
    assert said(page) == "6/5. Done? Enter, or a click on the dice."
    page.wait_for_selector("#do-done:enabled")


def test_both_steps_of_a_checker_are_seen(open_page: Opened) -> None:
    page = sliding(open_page)
    page.keyboard.press("u")
    page.evaluate("arrive()")
    page.mouse.click(*middle(page, "20"))
    for _ in range(2):
        page.locator(".ghost").wait_for()
        page.evaluate("arrive()")
    assert page.locator(".ghost").count() == 0
    assert (checkers(page, "24"), checkers(page, "20")) == (1, 1)


def test_its_step_is_undone_meanwhile(open_page: Opened) -> None:
    page = sliding(open_page)
    page.keyboard.press("u")
    words = "Taken back. All checkers are where they were."
    assert said(page) == words
    page.evaluate("arrive()")
    assert said(page) == words
    assert (checkers(page, "8"), checkers(page, "5")) == (3, 0)


def test_it_does_not_arrive_in_another_mode(open_page: Opened) -> None:
    page = sliding(open_page)
    page.get_by_role("tab", name="Analyze").click()
    page.locator("#do-set-up").wait_for()
    words = said(page)
    page.evaluate("arrive()")
    assert page.locator("#do-set-up").count() == 1
    assert page.locator("#do-done").count() == 0
    assert said(page) == words


def test_who_resigns_meanwhile_is_still_asked_how_much(open_page: Opened) -> None:
    page = sliding(open_page)
    page.get_by_role("button", name="Resign").click()
    page.locator("#do-cancel").wait_for()
    page.evaluate("arrive()")
    assert page.locator("#do-cancel").count() == 1
    assert said(page) == "Resign what?"
    assert (checkers(page, "8"), checkers(page, "5")) == (2, 1)
