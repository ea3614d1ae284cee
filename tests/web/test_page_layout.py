"""The page on screens of all kinds, and by the rules of axe-core."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.matches import SAMPLE
from tests.web.hands import at_rest, click, start
from tests.web.test_page_record import BAD, begin, roll_and_play

# The page by the rules of axe-core: it can be used by all.

Opened = Callable[..., Any]

OTHER = "#xgid=--CDBbC-B-----a----bdA-cc-:0:0:1:52:4:3:0:7:10"
CHECK = "async () => (await axe.run()).violations"


def violations(page: Any, axe: str) -> list[str]:
    """The rules that the page breaks now, with the first element of each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in page.evaluate(CHECK)]


@pytest.mark.parametrize(
    ("scheme", "width", "height"),
    [
        ("light", 1280, 900),
        ("dark", 360, 900),
        pytest.param("print", 1280, 900, marks=pytest.mark.nightly),
        pytest.param("dark", 740, 360, marks=pytest.mark.nightly),
    ],
)
def test_no_rule_is_broken(open_page: Opened, axe: str, scheme: str, width: int, height: int) -> None:
    theme = f"localStorage['gammon.theme'] = '\"{scheme}\"';"
    page = open_page(OTHER, width=width, height=height, scheme="light", kept=theme)
    page.get_by_role("button", name="Depth 1").click()
    page.wait_for_selector("tr:is(.exact, .bounded)")
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
    begin(page, "Marks 0.03 and more")
    roll_and_play(page, BAD)
    page.get_by_role("button", name="Take it back").wait_for()
    page.locator(".record button").first.click()
    page.get_by_role("button", name="Back to the game").wait_for()
    assert violations(page, axe) == []


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.nightly), "dark"])
def test_no_rule_is_broken_by_hints_rollouts_and_reviews(open_page: Opened, axe: str, scheme: str) -> None:
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


def test_the_foot_leads_to_the_glossary(open_page: Opened) -> None:
    page = open_page(OTHER)
    page.locator("#do-set-up").wait_for()
    page.get_by_role("link", name="Glossary").click()
    page.get_by_role("heading", name="The cube and the score").wait_for()
    paper = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert paper != "rgba(0, 0, 0, 0)", "the policy lets its style sheets in"


def test_home_and_end_choose_a_tab(open_page: Opened) -> None:
    page = open_page(OTHER)
    page.get_by_role("tab", name="Analyze").focus()
    for key, name in (
        ("End", "Study"),
        ("ArrowRight", "Analyze"),
        ("ArrowLeft", "Study"),
        ("Home", "Analyze"),
        ("ArrowRight", "Play"),
    ):
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


# The page on screens of all kinds: a large board, and nothing hidden that a turn needs.

#: The edges of what a turn needs: left, top, right, bottom.
EDGES = """() => ["#board", "#status", "#actions", "#typed"].map((name) => {
    const { left, top, right, bottom } = document.querySelector(name).getBoundingClientRect();
    return [left, top, right, bottom];
})"""


def at_turn(page: Any) -> list[list[float]]:
    """Begin a match, roll, and return the edges."""
    start(page, "Match to 7", 21)
    if "do-roll" in at_rest(page)["can"]:
        page.locator("#do-roll").click()
    page.wait_for_selector("#do-done")
    edges: list[list[float]] = page.evaluate(EDGES)
    return edges


def screen(width: int, height: int, least: float) -> object:
    """A screen for a night, and the least share of its height that the board has."""
    return pytest.param(width, height, least, marks=pytest.mark.nightly)


@pytest.mark.parametrize(
    ("width", "height", "least"),
    [
        (667, 375, 0.85),
        (1366, 650, 0.8),
        (390, 844, 0.35),
        screen(844, 390, 0.95),
        screen(740, 360, 0.95),
        screen(1280, 600, 0.8),
        screen(1280, 800, 0.75),
        screen(1920, 1080, 0.8),
    ],
)
def test_a_turn_needs_no_scrolling(open_page: Opened, width: int, height: int, least: float) -> None:
    page = open_page("#play", width=width, height=height, touch=width < 1000)
    edges = at_turn(page)
    for left, top, right, bottom in edges:
        assert left >= 0
        assert top >= 0
        assert right <= width
        assert bottom <= height
    board, *others = edges
    if height < width < 1000:  # in landscape the buttons are beside the board
        assert all(each[0] >= board[2] for each in others)
    assert board[3] - board[1] >= least * height
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_long_names_and_words_widen_nothing(open_page: Opened) -> None:
    """On a phone that lies on its side, where a library brings a fourth tab."""
    page = open_page(width=844, height=390)
    page.locator("#tab-study").wait_for()
    page.get_by_label("Dice, or a play").fill("w" * 200)
    page.keyboard.press("Enter")
    page.locator("#status.wrong").wait_for()
    page.locator(".who").first.evaluate("(name) => (name.textContent = 'Wm'.repeat(30))")
    assert page.evaluate("document.documentElement.scrollWidth") == 844
    wide = page.locator(".tabs button").evaluate_all(
        "(all) => all.filter((tab) => tab.scrollWidth > tab.clientWidth).map((tab) => tab.id)"
    )
    assert wide == []


def test_what_is_chosen_is_seen_where_the_system_chooses_the_colours(open_page: Opened) -> None:
    page = open_page()
    page.emulate_media(forced_colors="active")
    page.wait_for_selector("tr.chosen")

    def style(selector: str, name: str = "backgroundColor") -> str:
        # In one step: a row may be drawn anew after it was found.
        found: str = page.evaluate(
            "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]", [selector, name]
        )
        return found

    for kind, chosen in ((".tabs", "[aria-selected=%s]"), (".segments", "[aria-pressed=%s]")):
        yes, no = (f"{kind} button{chosen % each}" for each in ("true", "false"))
        assert style(yes) != style(no), kind
    assert style("tr.chosen", "outlineStyle") == "solid"
    assert style(".chances .own .win") != style(".chances .their .win")


def in_rows(page: Any, selector: str) -> list[int]:
    """How many elements stand in each row, from above."""
    found: list[int] = page.locator(selector).evaluate_all(
        "(all) => all.map((each) => Math.round(each.getBoundingClientRect().top))"
    )
    return [found.count(top) for top in sorted(set(found))]


def test_no_level_stands_in_a_row_of_its_own(open_page: Opened) -> None:
    page = open_page()
    page.get_by_role("group", name="Level").wait_for()
    for width, height in ((1366, 768), (1920, 1080), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        assert in_rows(page, '[aria-label="Level"] button') == [4, 2], width


def test_a_laptop_shows_the_deeds_in_a_row_and_most_plays(open_page: Opened) -> None:
    page = open_page(width=1366, height=768)
    page.locator("table.plays tbody tr").nth(9).wait_for()
    assert in_rows(page, "#actions button") == [6]
    below = page.locator("table.plays tbody tr").evaluate_all(
        "(rows) => rows.filter((row) => row.getBoundingClientRect().bottom < 768).length"
    )
    assert below >= 9
    page.get_by_role("tab", name="Study").click()
    page.locator("#do-next").wait_for()
    assert in_rows(page, "#actions button") == [5]
    page.get_by_role("tab", name="Play").click()
    at_turn(page)
    assert in_rows(page, "#actions button") == [6]


def test_no_column_of_the_library_is_cut_on_a_phone(open_page: Opened) -> None:
    page = open_page("#study", width=844, height=390, touch=True)
    groups = page.locator(".groups")
    groups.locator("tbody tr").first.wait_for()
    wide = groups.evaluate("(table) => [table.scrollWidth, table.clientWidth]")
    assert wide[0] <= wide[1]


def test_the_board_stays_beside_what_one_reads_on_a_phone(open_page: Opened) -> None:
    page = open_page(width=390, height=844, touch=True)
    last = page.locator("table.plays tbody tr").nth(9)
    last.wait_for()
    last.locator("button").focus()
    seen = """(names) => names.map((name) => {
        const { top, bottom } = document.querySelector(name).getBoundingClientRect();
        return [top, bottom];
    })"""
    (top, bottom), (row, end) = page.evaluate(seen, ["#board", "table.plays tr.chosen"])
    assert 0 <= top < bottom <= row < end <= 844
    # A key that goes up does not lead below the board.
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    (_, bottom), (row, _) = page.evaluate(seen, ["#board", "table.plays tr.chosen"])
    assert row >= bottom
