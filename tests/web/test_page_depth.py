"""The page of a server that searches less deep than the page would: it asks for no more."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.matches import SHORT
from tests.web.conftest import serving
from tests.web.hands import LONG, at_rest, best_play, cut_short, drop, record_of, type_play

Opened = Callable[..., Any]
XGID = "#xgid=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"


@pytest.fixture(scope="module", params=[1, pytest.param(3, marks=pytest.mark.nightly)])
def shallow(request: pytest.FixtureRequest, library: Path) -> Iterator[tuple[int, str]]:
    """The depth to which a server goes, and its address."""
    with serving("--depth", str(request.param), "--library", str(library)) as address:
        yield request.param, address


def visited(open_page: Opened, address: str, kept: str = "") -> tuple[Any, list[str]]:
    """A page of the server, and a list of its requests that are refused."""
    page, refused = open_page("#review", kept=kept), []
    page.on("response", lambda got: refused.append(got.url) if got.status > 399 else None)
    page.goto(address)
    return page, refused


def choices(page: Any, name: str) -> list[str]:
    """The choices of a switch."""
    found: list[str] = page.get_by_role("group", name=name).get_by_role("button").all_inner_texts()
    return found


def test_analyses_and_rollouts(open_page: Opened, shallow: tuple[int, str]) -> None:
    depth, address = shallow
    page, refused = visited(open_page, address + XGID)
    cut_short(page)
    page.wait_for_function(f"() => document.querySelector('.busy')?.textContent === 'depth {depth}'")
    page.wait_for_selector("#analyze[aria-busy=false]")
    assert choices(page, "Level") == ["Depth 1", "Depth 3"][: (depth + 1) // 2]
    page.get_by_role("button", name="All rolls").click()
    page.get_by_text(f"on average over all rolls, depth {depth}").wait_for()
    page.get_by_role("button", name="Rollout").click()
    page.get_by_label("Trials").select_option(label="144")
    assert page.get_by_label("Depth").locator("option").all_inner_texts()[-1] == str(depth)
    page.get_by_role("button", name="Roll out").click()
    page.get_by_text("144 trials of 144").wait_for(timeout=LONG)
    assert refused == []


def test_a_match(open_page: Opened, shallow: tuple[int, str]) -> None:
    """It was begun, and set, at depth 5."""
    depth, address = shallow
    page, refused = visited(
        open_page, address + "#play", "localStorage['gammon.play'] ??= '{\"depth\": 5, \"strength\": null}';"
    )
    page.get_by_label("Tutor").select_option(label="Marks 0.03 and more")
    chosen = page.get_by_label("Depth of gammon").locator("option").all_inner_texts()
    assert chosen == ["1: at once", "3: strong"][: (depth + 1) // 2]
    page.get_by_label("Warn before gammon answers").uncheck()
    page.get_by_label("Seed of the dice").fill("4")
    page.get_by_role("button", name="Start").click()
    page.get_by_text(f"gammon at depth {depth}").wait_for()
    at_rest(page)
    page.evaluate("""() => {
        const match = JSON.parse(localStorage["gammon.match"]);
        localStorage["gammon.match"] = JSON.stringify({ ...match, depth: 5 });
    }""")
    page.reload()
    page.get_by_text(f"gammon at depth {depth}").wait_for()
    at_rest(page)
    best = best_play(page)
    with page.expect_response(lambda got: "play=" in got.url):  # the tutor
        type_play(page, best)
    at_rest(page)
    assert any(gammon for _, gammon in record_of(page))
    assert refused == []


def test_a_review(open_page: Opened, shallow: tuple[int, str]) -> None:
    depth, address = shallow
    page, refused = visited(open_page, address + "#review", "localStorage['gammon.review'] = '\"roller\"';")
    page.get_by_label("Match file").wait_for()
    assert choices(page, "Depth of the review") == ["1", "3"][: (depth + 1) // 2]
    drop(page, "short.mat", SHORT)
    page.wait_for_selector("#panel-review:not([hidden]) .rates")
    pressed = page.get_by_role("group", name="Depth of the review").locator("[aria-pressed=true]")
    assert pressed.inner_text() == str(depth)
    assert refused == []
