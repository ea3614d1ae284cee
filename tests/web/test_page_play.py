"""Whole games on the page: by mouse, by touch on a phone, by keys alone."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from gammon_study.match_files.mat import parse_mat
from tests.web.hands import ROWS, at_rest, click, middle, play_game, record_of, start

Opened = Callable[..., Any]


def test_a_game_by_mouse(open_page: Opened) -> None:
    page = open_page("#play")
    page.get_by_label("Your name in files").fill("Ann B/C")
    start(page, "Match to 1", 7)
    said = play_game(
        page,
        lambda place: page.mouse.click(*middle(page, place)),
        lambda button: page.locator(f"#{button}").click(),
    )
    assert "The match is over" in said[-1]
    assert page.locator(".checker.off").count() >= 15
    with page.expect_download() as kept:
        page.get_by_role("button", name="Keep as .mat").click()
    text = kept.value.path().read_text()
    match = parse_mat(text)
    ((name, date),) = match.details
    assert (match.length, match.players, name) == (1, ("Ann B/C", "gammon"), "EventDate")
    assert kept.value.suggested_filename == f"Ann_B_C-gammon-{date.replace('.', '-')}.mat"


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
        found = page.evaluate(
            "(document.activeElement.labels?.[0] ?? document.activeElement).textContent"
        )
        if found.startswith(name):
            return
    raise AssertionError(f"no Tab leads to {name}")


def test_a_game_by_keys_alone(open_page: Opened) -> None:
    page = open_page("#play")
    tab_to(page, "What to play")
    page.keyboard.press("ArrowUp")  # from a match to 5, to one to 3
    page.keyboard.press("ArrowUp")
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
            here = page.evaluate(
                "document.activeElement.shadowRoot?.activeElement.dataset.place"
            )
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
    assert page.get_by_label("What to play").evaluate("(it) => it.selectedOptions[0].text") == (
        "Match to 9"
    )
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
    told = [each for each in asked if each != "health"]
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
