"""The library on the page: its errors, and drills."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gammon.base.mean import Interval
from gammon.view import to_json
from gammon_study.library.library import Library
from gammon_study.library.plan import (
    LEAST_AROUND,
    LEAST_ERRORS,
    LEAST_LEANING,
    Bias,
    DrillProgress,
    Period,
    Plan,
    PlannedTheme,
    plan_of,
)
from gammon_study.library.selection import Selection
from gammon_study.library.stats import ERRORS_OF
from gammon_study.reviews.names import THEMES
from tests.web.hands import type_play
from tests.web.test_page_layout import violations

Opened = Callable[..., Any]
ROWS = "document.querySelectorAll('.listed tbody tr')"


def studying(open_page: Opened, **how: Any) -> Any:
    page = open_page("#study", **how)
    page.wait_for_selector(".listed tbody tr")
    return page


def test_a_row_of_the_figures_leads_to_its_errors(open_page: Opened) -> None:
    page = studying(open_page)
    library = page.get_by_label("Library", exact=True)
    whole = int(re.search(r"(\d+) errors", library.inner_text())[1])
    library.get_by_role("button", name="gnubg").click()
    library.get_by_role("button", name="no double").click()
    library.get_by_text("no double ").last.wait_for()
    page.wait_for_function(f"() => {ROWS}.length < 20")
    said = library.inner_text()
    count = int(re.search(r"(\d+) errors", said)[1])
    assert 0 < count < whole
    rows = page.locator(".listed tbody tr")
    assert rows.count() == count
    for row in rows.all_inner_texts():
        assert row.split("\t")[1].startswith(("no double", "no redouble"))
    library.get_by_role("button", name="All", exact=True).click()
    page.wait_for_function(f"() => document.querySelectorAll('.listed tbody tr').length > {count}")


def test_progress_is_shown_below_the_plan(open_page: Opened, axe: str) -> None:
    page = studying(open_page, width=390)
    page.get_by_role("button", name="Plan", exact=True).click()
    player = page.get_by_label("Library", exact=True).locator('label:has(span:text-is("Player")) select')
    player.select_option(label="gnubg")
    progress = page.get_by_label("Before and after a drill").first
    theme = progress.get_by_label("Theme")
    theme.select_option(label="race")
    names = {option.strip() for option in theme.locator("option").all_inner_texts()}
    assert names <= {"–", *THEMES} - ERRORS_OF.keys()
    page.get_by_text("day: expected one, as no card with such an error was answered yet").wait_for()
    periods = Period(14, 210, Interval(6.1, 4.9, 7.3)), Period(3, 21, None)
    change = Interval(-1.25, -2.5, 0.0)
    answer = to_json(DrillProgress("gnubg", "race", "2026-02-01", *periods, change, None))
    page.route("**/study/progress?*day=2026-02-01*", lambda route: route.fulfill(json=answer))
    progress.get_by_label("After begins on").fill("2026-02-01")
    progress.get_by_label("After begins on").press("Enter")
    progress.get_by_role("cell").first.wait_for()
    assert rows_of(page, "Period") == [
        ["Before 2026-02-01", "6.10", "4.90 to 7.30", "210", "14"],
        ["Since then", "–", "not enough yet", "21", "3"],
        ["Change in race", "−1.25", "−2.50 to +0.00", "", ""],
        ["Change elsewhere", "–", "not enough yet", "", ""],
    ]
    assert f"needs {LEAST_AROUND} decisions in 3 matches" in progress.inner_text()
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_no_board_or_word_of_another_tab_is_there_while_the_library_is_read(open_page: Opened) -> None:
    page = open_page()
    page.wait_for_selector(".arrow")
    told = page.locator("#told")
    told.get_by_text("Best by depth").wait_for(state="attached")
    page.route("**/study/stats?*", lambda route: None)
    with page.expect_request("**/study/stats?*"):
        page.get_by_role("tab", name="Study").click()
    assert page.locator("#status").inner_text() == "Reading the library."
    assert told.inner_text() == ""
    assert page.locator(".arrow").count() == 0
    assert page.locator("#side-top").inner_text() == ""
    page.unroute("**/study/stats?*")  # which lets it go on
    page.wait_for_selector(".listed tr.chosen")
    assert page.locator("#status").inner_text() != "Reading the library."
    # Between errors and a drill, too.
    page.route("**/study/card*", lambda route: None)
    with page.expect_request("**/study/card*"):
        page.get_by_role("button", name="Drill").click()
    assert page.locator("#status").inner_text() == "Reading the library."
    assert page.locator("#side-top").inner_text() == ""


@pytest.mark.parametrize("tab", ["Play", "Review", "Study"])
def test_a_live_text_ends_with_its_tab(open_page: Opened, tab: str) -> None:
    page = open_page()
    told = page.locator("#told")
    told.get_by_text("Best by depth").wait_for(state="attached")
    page.get_by_role("tab", name=tab).click()
    assert told.inner_text() == ""
    assert "to play 3 and 1" not in page.locator("#status").inner_text()


def test_errors_that_are_left_out_are_counted(open_page: Opened) -> None:
    page = open_page()
    page.route("**/study/errors?*", lambda route: route.fulfill(json={**route.fetch().json(), "count": 482}))
    page.get_by_role("tab", name="Study").click()
    caption, rows = page.locator(".listed caption"), page.locator(".listed tbody tr")
    caption.wait_for()
    whole = rows.count()
    assert caption.inner_text() == f"{whole} of 482 errors, the largest first"
    decisions = page.get_by_label("Decisions", exact=True)
    named = decisions.locator("label > span").all_inner_texts()
    assert "Order" not in named
    assert decisions.get_by_label("Size").locator("option").first.inner_text() == "Errors"
    decisions.get_by_label("Kind").select_option(label="Cube")
    page.wait_for_function(f"() => {ROWS}.length < {whole}")
    assert caption.inner_text() == f"{rows.count()} of the {whole} largest errors"


def test_the_library_can_be_asked_again_where_it_did_not_answer(open_page: Opened) -> None:
    page = studying(open_page)
    page.get_by_role("tab", name="Analyze").click()
    error = {"error": {"code": "busy", "message": "not now"}}
    page.route("**/study/stats?*", lambda route: route.fulfill(status=400, json=error))
    page.get_by_role("tab", name="Study").click()
    page.locator("#status.wrong", has_text="not now").wait_for()
    page.unroute("**/study/stats?*")
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector(".listed tbody tr")


def test_the_error_that_was_shown_is_there_on_the_way_back(open_page: Opened) -> None:
    page = studying(open_page)
    page.locator(".listed tbody button").nth(4).click()
    chosen = page.locator(".listed tr.chosen").inner_text()
    page.get_by_role("button", name="Analyze this").click()
    page.get_by_role("tab", name="Study").click()
    page.wait_for_selector(".listed tr.chosen")
    assert page.locator(".listed tr.chosen").inner_text() == chosen


def test_matches_without_a_day_are_no_choice(open_page: Opened) -> None:
    """Nothing can be asked about them; a month that has a name is asked for."""
    page = studying(open_page)

    def with_one_more(route: Any) -> None:
        found = route.fetch().json()
        found["groups"].insert(0, found["groups"][0] | {"name": "unknown"})
        route.fulfill(json=found)

    page.route("**/study/stats?*by=month*", with_one_more)
    library = page.get_by_label("Library", exact=True)
    library.locator('label:has(span:text-is("By")) select').select_option(label="month")
    library.get_by_role("cell", name="unknown").wait_for()
    assert library.get_by_role("button", name="unknown").count() == 0
    assert library.get_by_role("button", name=re.compile(r"^\d{4}-\d\d$")).count() > 0


def test_a_choice_that_is_refused_stands_in_the_way_of_no_other(open_page: Opened) -> None:
    page = studying(open_page)
    library = page.get_by_label("Library", exact=True)
    error = {"error": {"code": "invalid_request", "message": "not that one"}}
    page.route("**/study/stats?*player=gnubg*", lambda route: route.fulfill(status=400, json=error))
    library.get_by_role("button", name="gnubg").click()
    page.get_by_text("not that one").wait_for()
    library.locator('label:has(span:text-is("By")) select').select_option(label="kind")
    library.get_by_role("button", name="no double").click()
    library.get_by_text("no double ").last.wait_for()
    assert "gnubg" not in library.locator(".soft").last.inner_text()


def test_a_filter_that_is_gone_hides_no_error(open_page: Opened) -> None:
    """Errors of one player have one opponent, and can be filtered by both names."""
    page = studying(open_page)
    rows = page.locator(".listed tbody tr")
    whole = rows.count()
    named = 'label:has(span:text-is("Player")) select'
    player = page.get_by_label("Library", exact=True).locator(named)
    player.select_option(label="Ann")
    theirs = page.get_by_label("Decisions", exact=True).locator(named)
    theirs.select_option(index=2)
    page.get_by_label("List of decisions").get_by_text("No decision is like that.").wait_for()
    player.select_option(label="All players")
    theirs.wait_for(state="detached")
    assert rows.count() == whole


def test_an_error_stands_on_the_board(open_page: Opened) -> None:
    page = studying(open_page)
    detail = page.get_by_label("This decision")
    first = detail.inner_text()
    assert "against" in first.splitlines()[0]
    page.keyboard.press("j")
    assert detail.inner_text() != first
    page.get_by_role("button", name="Analyze this").click()
    page.wait_for_selector("#panel-analyze:not([hidden]) .card")


def test_an_error_of_many_matches_gets_its_review_when_it_is_looked_at(open_page: Opened) -> None:
    page = open_page()
    few, none = "reviews=5", "reviews=0"
    page.route(
        f"**/study/errors?*{few}*", lambda route: route.continue_(url=route.request.url.replace(few, none))
    )
    page.get_by_role("tab", name="Study").click()
    detail = page.get_by_label("This decision")
    detail.locator(".candidates tbody tr").first.wait_for()
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/study/errors?*begin=4*", hold)
    with page.expect_request("**/study/errors?*begin=4*"):
        page.locator(".listed tbody button").nth(4).click()
    detail.get_by_text("Its review is not read yet.").wait_for()
    (route,) = held
    route.continue_()
    detail.locator(".candidates tbody tr").first.wait_for()
    title = detail.locator("h2").inner_text()
    page.keyboard.press("k")
    page.keyboard.press("j")
    assert detail.locator("h2").inner_text() == title
    assert detail.locator(".candidates tbody tr").count() >= 2


def rows_of(page: Any, name: str) -> list[list[str]]:
    """The texts of the cells of a table of the plan."""
    rows = page.get_by_role("region", name=name, exact=True).locator("tbody tr").all()
    return [row.locator("td").all_inner_texts() for row in rows]


def test_a_plan_has_figures_with_intervals_and_leads_to_errors(
    open_page: Opened, library: Path, axe: str
) -> None:
    page = studying(open_page, width=390)
    page.get_by_role("button", name="Plan", exact=True).click()
    work = page.get_by_label("What to work on")
    work.get_by_text("Choose a player.").wait_for()
    player = page.get_by_label("Library", exact=True).locator('label:has(span:text-is("Player")) select')
    player.select_option(label="gnubg")
    work.get_by_role("cell").first.wait_for()
    with Library(library) as opened:
        plan = plan_of(opened, Selection(player="gnubg"))
    early = ["–", "not enough yet"]
    assert rows_of(page, "Themes") == [
        [theme.name, *early, f"{theme.errors} of {theme.decisions}"] for theme in plan.themes
    ]
    assert page.locator("#status").inner_text() == "No theme stands out yet."
    assert [row[0] for row in rows_of(page, "Biases")] == [
        f"{bias.name}: not enough yet\n{bias.decisions} decision{'s' * (bias.decisions != 1)}"
        for bias in plan.biases
    ]
    themes = [
        PlannedTheme("race", 29, 12, Interval(0.0624, 0.0138, 0.1294)),
        PlannedTheme("takes", 40, 6, Interval(-0.001, -0.0205, 0.0301)),
        PlannedTheme("run", 9, 4, None),
    ]
    biases = [
        Bias("takes", 34, Interval(-0.0125, -0.0301, -0.0021), "passes too much"),
        Bias("blots", 50, Interval(0.001, -0.002, 0.004), "no clear bias"),
        Bias("doubles", 3, None, "not enough yet"),
    ]
    answer: dict[str, Any] = {}
    page.route("**/study/plan?*", lambda route: route.fulfill(json=answer))
    for unit, matches, figures in (
        ("match", "14 matches", [["+6.24", "+1.38 to +12.94"], ["−0.10", "−2.05 to +3.01"]]),
        ("money", "14 sessions", [["+0.062", "+0.014 to +0.129"], ["−0.001", "−0.021 to +0.030"]]),
    ):
        answer.update(to_json(Plan("gnubg", 14, unit, themes, biases)))
        page.get_by_role("button", name="Plan", exact=True).click()
        work.get_by_text(f"gnubg, {matches}.").wait_for()
        assert [row[1:3] for row in rows_of(page, "Themes")] == [*figures, early]
        assert page.locator("#status").inner_text() == "Work on race."
    assert rows_of(page, "Biases") == [
        ["takes: passes too much\n34 decisions", "−0.0125", "−0.0301 to −0.0021"],
        ["blots: no clear bias\n50 decisions", "+0.0010", "−0.0020 to +0.0040"],
        ["doubles: not enough yet\n3 decisions", "–", "–"],
    ]
    said = work.inner_text()
    assert f"needs {LEAST_ERRORS} errors in 3 matches" in said
    assert f"needs {LEAST_LEANING} decisions in 3 matches" in said
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert work.get_by_role("button", name="takes").count() == 0, "no filter has this name"
    work.get_by_role("button", name="race").click()
    page.wait_for_selector(".listed tbody tr")
    assert re.search(r"\d+ errors?, .* race All$", page.get_by_label("Library", exact=True).inner_text())


def drilling(open_page: Opened, deck: str, **how: Any) -> Any:
    page = studying(open_page, **how)
    page.get_by_role("button", name="Drill").click()
    # Another card was there before, of all decks.
    with page.expect_response(lambda answer: f"deck={deck}" in answer.url) as asked:
        page.get_by_role("button", name=deck, exact=True).click()
    page.wait_for_function(
        "(question) => document.querySelector('#status').textContent === question",
        arg=asked.value.json()["question"],
    )
    page.locator("#do-show-me").wait_for()
    return page


def test_enter_leads_to_the_next_card_after_a_deck_was_chosen(open_page: Opened) -> None:
    """The focus is on the deck's button, which the judgement replaces."""
    page = drilling(open_page, "openings")
    page.keyboard.press("s")
    page.locator("#do-next").wait_for()
    page.keyboard.press("Enter")
    page.locator("#do-show-me").wait_for()
    assert page.locator("dialog[open]").count() == 0


def test_its_part_stays_when_the_page_is_loaded_again(open_page: Opened) -> None:
    page = studying(open_page)
    page.get_by_role("button", name="Plan").click()
    page.reload()
    page.locator("#study [aria-pressed=true]", has_text="Plan").wait_for()


def test_plays_are_answered_by_hand_and_by_typing(open_page: Opened) -> None:
    page = drilling(open_page, "openings")
    status = page.locator("#status")
    type_play(page, "1/2")
    page.locator("#status.wrong").wait_for()
    for place in (13, 8, 6, 24):
        if not page.locator("#do-done:enabled").count():
            page.locator(f'#board [data-place="{place}"]').click()
    page.locator("#do-done:enabled").click()
    page.locator("#do-next").wait_for()
    assert re.match(r"Wrong|Nearly right|Right", status.inner_text())
    assert page.locator(".candidates .mine").count() == 1
    page.keyboard.press("Enter")
    page.wait_for_selector("#do-show-me")
    page.keyboard.press("s")
    page.locator("#do-next").wait_for()
    assert status.inner_text().startswith("Best is ")
    assert page.locator(".candidates .best").count() == 1
    assert page.locator(".candidates .mine").count() == 0


def test_actions_and_numbers_are_answered(open_page: Opened) -> None:
    page = drilling(open_page, "cubes")
    rows = 2 if "Take" in page.locator("#actions").inner_text() else 3
    page.locator("#actions .first").first.click()
    page.locator("#do-next").wait_for()
    assert page.locator(".candidates tbody tr").count() == rows, "take and pass, or also no double"
    page.get_by_role("button", name="Drill").click()
    page.get_by_role("button", name="races", exact=True).click()
    page.wait_for_function("() => /pips/.test(document.querySelector('#status').textContent)")
    assert "pips" not in page.locator("#side-bottom").inner_text()
    page.get_by_label("Type the number").fill("1")
    page.keyboard.press("Enter")
    page.locator("#do-next").wait_for()
    assert re.match(r"Wrong: \d+ pips\.", page.locator("#status").inner_text())
    # Effective pips have four figures.
    answer = {"grade": 1, "right": 55.006625581032345, "choice": None, "days": 0.1}
    page.route("**/study/answer", lambda route: route.fulfill(json=answer))
    page.locator("#do-next").click()
    page.get_by_label("Type the number").fill("1")
    page.keyboard.press("Enter")
    page.locator("#do-next").wait_for()
    assert page.locator("#status").inner_text().startswith("Wrong: 55.01 ")


@pytest.mark.parametrize(("note", "shown"), [("Count", "Count. It"), ("Why not?", "Why not? It")])
def test_a_note_ends_as_a_sentence(open_page: Opened, note: str, shown: str) -> None:
    page = drilling(open_page, "races")
    card = {"ask": "pips", "xgid": "XGID=-CB----------------aab----:0:0:1:00:0:0:0:0:10", "deck": "notes",
            "question": "How many pips?", "due": 0, "today": 0}  # fmt: skip
    answer = {"grade": 3, "right": 7.0, "choice": None, "days": 0.1}
    page.route("**/study/card*", lambda route: route.fulfill(json={**card, "note": note}))
    page.route("**/study/answer", lambda route: route.fulfill(json=answer))
    page.get_by_role("button", name="races", exact=True).click()
    page.get_by_text("How many pips?").wait_for()
    page.get_by_label("Type the number").fill("7")
    page.keyboard.press("Enter")
    page.get_by_text(f"{shown} comes again soon.").wait_for()


HOLD_ANSWERS = """() => {
  const answered = fetch;
  window.held = [];
  window.fetch = (url, how) =>
    held && String(url).endsWith("/study/answer")
      ? new Promise((resolve) => held.push(resolve))
      : answered(url, how);
}"""


def test_an_answer_counts_once_and_can_be_given_again_where_it_was_not_heard(open_page: Opened) -> None:
    page = drilling(open_page, "cubes")
    page.evaluate(HOLD_ANSWERS)
    for _ in range(3):
        page.keyboard.press("s")
    page.locator("#actions .first").first.click()
    assert page.evaluate("held.length") == 1
    page.evaluate("held[0](Response.json({ error: { code: 'busy', message: 'not now' } }, { status: 400 }))")
    page.get_by_text("not now").wait_for()
    page.evaluate("held = null")
    page.keyboard.press("s")
    page.locator("#do-next").wait_for()
    assert page.get_by_text("0 of 1 right").count() == 1
    page.route(
        "**/study/card?*", lambda route: route.fulfill(json={**route.fetch().json(), "today": 12, "due": 28})
    )
    page.locator("#do-next").click()
    page.get_by_text("12 of 40 today. 0 of 1 right.").wait_for()
    page.unroute("**/study/card?*")
    # The typed text stays.
    page.get_by_role("button", name="Drill").click()
    page.get_by_role("button", name="races", exact=True).click()
    typed = page.get_by_label("Type the number")
    typed.fill("many", timeout=60_000)  # the first card of a race may take a busy server longer than 10 s
    page.keyboard.press("Enter")
    page.locator("#status.wrong").wait_for()
    assert typed.input_value() == "many"


@pytest.mark.parametrize(
    ("width", "scheme"), [(390, "dark"), pytest.param(1366, "light", marks=pytest.mark.nightly)]
)
def test_all_can_use_it(open_page: Opened, axe: str, width: int, scheme: str) -> None:
    page = drilling(open_page, "openings", width=width, scheme=scheme)
    assert violations(page, axe) == []
    page.locator("#do-show-me").click()
    page.locator("#do-next").wait_for()
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Errors").click()
    page.wait_for_selector(".listed tbody tr")
    assert violations(page, axe) == []
