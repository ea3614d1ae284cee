"""The page on screens of all kinds: a large board, and nothing hidden that a turn needs."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hands import at_rest, start

Opened = Callable[..., Any]

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
        (667, 375, 0.85), (1366, 650, 0.8), (390, 844, 0.35), screen(844, 390, 0.95),
        screen(740, 360, 0.95), screen(1280, 600, 0.8), screen(1280, 800, 0.75),
        screen(1920, 1080, 0.8),
    ],
)  # fmt: skip
def test_a_turn_needs_no_scrolling(
    open_page: Opened, width: int, height: int, least: float
) -> None:
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


def test_what_is_chosen_is_seen_where_the_system_chooses_the_colours(
    open_page: Opened,
) -> None:
    page = open_page()
    page.emulate_media(forced_colors="active")
    page.wait_for_selector("tr.chosen")

    def style(selector: str, name: str = "backgroundColor") -> str:
        # In one step: a row may be drawn anew after it was found.
        found: str = page.evaluate(
            "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]",
            [selector, name],
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


@pytest.mark.parametrize(
    ("width", "rows"), [(1366, [6]), (1920, [6]), (390, [3, 3]), (844, [3, 3])]
)
def test_no_level_stands_in_a_row_of_its_own(
    open_page: Opened, width: int, rows: list[int]
) -> None:
    page = open_page(width=width, height={390: 844, 844: 390}.get(width, 768))
    page.get_by_role("group", name="Level").wait_for()
    assert in_rows(page, '[aria-label="Level"] button') == rows


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
