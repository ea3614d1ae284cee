"""The report of a review in a browser: one file, without a server."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gammon_study.reviews.choice import ALIKE
from gammon_study.reviews.review import review
from gammon_web.report import page_of
from tests.matches import HAND, MATCH5_SGF
from tests.web.conftest import opened
from tests.web.hands import choose
from tests.web.test_page_access import violations
from tests.web.test_report import studied

INJECTED = """<script>window.ran = 1</script><img src=x onerror="window.ran = 2">
<a id=evil href="javascript:window.ran=3">x</a><p id=red style="color:rgb(255,0,0)">x</p>
<style>#red{color:rgb(255,0,0)}</style><form id=form action="https://example.org"></form>
<main>"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match with the analysis of another program, and rollouts."""
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(review(MATCH5_SGF, depth=1, rollout_over=0.3, trials=36).page())
    return file


@pytest.fixture
def page(browser: Any, report: Path) -> Iterator[Any]:
    """The page of the report. A line on the console fails the test."""
    size = {"width": 1366, "height": 768}
    with opened(browser, report.as_uri(), wrong=lambda said: True, viewport=size) as page:
        yield page


def errors(page: Any) -> list[float]:
    cells = page.locator(".listed tbody td:last-child").all_inner_texts()
    return [float(cell.split("?")[0]) for cell in cells]


#: The room that a list of choices has, and the room that its longest one needs.
LIST = """() => {
  const list = document.querySelector("#theme");
  const { width } = list.getBoundingClientRect();
  list.style.width = "max-content";
  return [width, list.getBoundingClientRect().width];
}"""
#: The tables on paper that are wider than their place.
CUT = """() => {
  const right = (each) => each.getBoundingClientRect().right;
  const tables = [...document.querySelectorAll(".sheet table")];
  return tables.filter((each) => right(each) > right(each.closest("article")) + 1)
    .map((each) => each.innerText);
}"""
#: How far the page goes on below its foot.
BELOW = """() => document.documentElement.scrollHeight
  - document.querySelector(".foot").getBoundingClientRect().bottom - scrollY"""


def test_nothing_is_cut_off_and_nothing_stands_below_the_foot(page: Any) -> None:
    choose(page, "Size", "All decisions")
    assert page.evaluate(BELOW) <= 1
    page.set_viewport_size({"width": 844, "height": 390})
    width, needed = page.evaluate(LIST)
    assert width >= needed


def test_errors_are_found_by_what_they_are(page: Any) -> None:
    rows = page.locator(".listed tbody tr")
    every = rows.count()
    assert every > 30
    choose(page, "Order", "Worst first")
    lost = errors(page)
    assert lost == sorted(lost, reverse=True)
    choose(page, "Size", "very bad, 0.12 or more")
    assert errors(page) == [each for each in lost if each >= 0.12]
    choose(page, "Kind", "Cube")
    assert 0 < rows.count() < every
    said = page.locator(".listed tbody td:nth-child(2)").all_inner_texts()
    acts = ("no double", "no redouble", "double", "redouble", "take", "pass")
    assert all(each.startswith(acts) for each in said)
    choose(page, "Theme", "wrong take")
    said = page.locator(".listed td.words").all_inner_texts()
    assert said
    assert all(each.startswith("take") for each in said)
    choose(page, "Size", "Errors")
    choose(page, "Player", "gnubg")
    assert "No decision" in page.locator(".listed").inner_text() or rows.count() < every


def test_keys_lead_from_error_to_error(page: Any) -> None:
    choose(page, "Order", "Worst first")
    page.locator(".listed button").first.click()
    status, detail = page.locator("#status"), page.get_by_label("This decision")
    told = [(status.inner_text(), detail.inner_text())]
    for _ in range(4):
        page.keyboard.press("j")
        told.append((status.inner_text(), detail.inner_text()))
    assert len(set(told)) == 5
    for before in reversed(told[:-1]):
        page.keyboard.press("k")
        assert detail.inner_text() == before[1]
    page.keyboard.press("k")
    assert status.inner_text() == "This is the first one of the list."


def test_what_others_say_stands_beside(page: Any) -> None:
    choose(page, "Order", "Worst first")
    page.locator(".listed button").first.click()
    titles = page.locator(".candidates [colspan]").all_inner_texts()
    assert titles[0] == "gammon, depth 1"
    assert titles[1].startswith("In the file, ")
    assert titles[2] == "Rollout, 36 games"
    assert "by GNU Backgammon" in page.get_by_label("Summary").inner_text()


def test_a_candidate_is_shown_on_the_board(page: Any) -> None:
    choose(page, "Kind", "Plays")
    arrows = """() => {
        const root = document.querySelector("#board").shadowRoot;
        return [...root.querySelectorAll(".arrow")].map((each) => each.outerHTML).join();
    }"""
    plays = page.locator(".candidates button")
    shown = []
    for at in range(plays.count()):
        plays.nth(at).click()
        shown.append(page.evaluate(arrows))
    assert len(set(shown)) == len(shown) > 1
    page.keyboard.press("s")
    assert page.evaluate(arrows) == shown[0]


def test_the_graph_is_of_a_game_or_of_all(page: Any) -> None:
    points = "() => document.querySelector('.course').getAttribute('points').split(' ').length"
    whole = page.evaluate(points)
    names = page.locator('label:has(span:text-is("Game")) option').all_inner_texts()
    parts = []
    for name in names[1:]:
        choose(page, "Game", name)
        parts.append(page.evaluate(points))
    assert sum(parts) == whole


def test_it_is_printed_with_all_that_is_listed(page: Any) -> None:
    choose(page, "Size", "very bad, 0.12 or more")
    count = page.locator(".listed tbody tr").count()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator(".sheet article").count() == count > 1
    assert page.locator(".sheet article gammon-board").first.is_visible()
    assert not page.locator("main").is_visible()
    # Portrait A4 with margins of 1 cm; and ink on paper, whatever the theme.
    page.set_viewport_size({"width": 718, "height": 1000})
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert page.evaluate(CUT) == []
    color = page.evaluate("getComputedStyle(document.querySelector('.sheet td')).color")
    assert max(map(int, re.findall(r"\d+", color))) < 100
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert page.locator(".sheet").count() == 0
    assert page.locator("main").is_visible()


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(390, "light"), pytest.param(1366, "dark", marks=pytest.mark.nightly)],
)
def test_all_can_read_it(page: Any, axe: str, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)
    for kind in ("Plays", "Cube"):
        choose(page, "Kind", kind)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        found = violations(page, axe)
        assert found == []


def test_a_player_may_be_chosen_at_first(browser: Any, tmp_path: Path) -> None:
    file, found = tmp_path / "bob.html", review(HAND, depth=1)
    file.write_text(found.page(1))
    with opened(browser, file.as_uri()) as page:
        names = page.locator(".listed td:first-child").all_inner_texts()
    wrong = [each for each in found.choices if each.player == 1 and each.error >= ALIKE]
    assert len(names) == len(wrong) > 0
    assert all("Bob" in each for each in names)


def test_its_own_script_runs_and_no_other(browser: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    text = review(HAND, depth=1).page()
    assert text.count("<main>") == 1
    bad.write_text(text.replace("<main>", INJECTED))
    said: list[str] = []

    def prepare(page: Any) -> None:
        page.on("console", lambda line: said.append(line.text))

    with opened(browser, bad.as_uri(), prepare, wrong=None) as page:
        page.locator("#evil").click()
        assert page.evaluate("window.ran") is None
        assert page.evaluate("getComputedStyle(red).color") != "rgb(255, 0, 0)"
        assert page.locator(".listed tbody tr").count() > 0
    assert any("Content Security Policy" in line for line in said)


def test_errors_of_many_matches_are_a_page_too(browser: Any, tmp_path: Path) -> None:
    bad, worst = "<b>Ann</b> against Bob", review(HAND, depth=1).worst(most=3)
    file = tmp_path / "errors.html"
    file.write_text(page_of([studied(each, where=bad) for each in worst]))
    with opened(browser, file.as_uri()) as page:
        assert page.title() == "3 errors"
        assert page.locator(".listed tbody tr").count() == 3
        assert page.get_by_label("This decision").inner_text().startswith(bad)
