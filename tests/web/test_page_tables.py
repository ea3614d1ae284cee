"""Tables and bars of the page: what they are of, and what they mark."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hands import at_rest, click, start

Opened = Callable[..., Any]

MONEY = "#xgid=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
MATCH = "#xgid=-b----E-C---eE---c-e----B-:0:0:1:52:1:2:0:5:10"
HEADS = "(table) => [...table.querySelectorAll('th')].map((each) => each.textContent)"


def shown(page: Any, panel: str) -> tuple[str, str]:
    """The play that the table highlights, and that of the bars below."""
    chosen = page.locator(f"{panel} tr.chosen button").get_attribute("data-play")
    return chosen, page.locator(f"{panel} h3").inner_text().removeprefix("Chances after ")


def test_the_bars_of_a_hint_are_those_of_the_chosen_row(open_page: Opened) -> None:
    page = open_page("#play")
    start(page, "Money games", 4)
    at_rest(page)
    page.locator("#do-hint").click()
    rows = page.locator("#play table.plays tbody tr")
    rows.first.wait_for()
    best, third = (rows.nth(at).locator("button").get_attribute("data-play") for at in (0, 2))
    assert shown(page, "#play") == (best, best)
    rows.nth(2).hover()
    assert shown(page, "#play") == (third, third)
    # The highlight goes when the mouse leaves, but stays with the focus.
    page.mouse.move(1, 1)
    assert shown(page, "#play") == (best, best)
    rows.nth(2).locator("button").focus()
    rows.nth(1).hover()
    page.mouse.move(1, 1)
    assert shown(page, "#play") == (third, third)


def test_a_match_has_its_own_unit_and_the_chance_to_win_it(open_page: Opened) -> None:
    page = open_page(MATCH)
    page.wait_for_selector("tr.exact")
    heads = page.locator("table.plays").evaluate(HEADS)
    assert heads == ["Play", "EMG", "Loss", "Win %", "Match %", "Value"]
    page.get_by_role("button", name="All rolls").click()
    page.get_by_text("on average over all rolls").wait_for()
    assert page.locator(".results p").first.inner_text().startswith("EMG")
    page = open_page(MONEY)
    page.wait_for_selector("tr.exact")
    assert page.locator("table.plays").evaluate(HEADS)[1] == "Equity"


def test_all_rolls_have_the_depth_that_is_pressed(open_page: Opened) -> None:
    page = open_page(MONEY)
    page.get_by_role("button", name="All rolls").click()
    page.get_by_text("on average over all rolls, depth 3").wait_for()
    assert page.locator("[aria-pressed=true]", has_text="Depth").all_inner_texts() == [
        "Depth 3"
    ]
    assert "depth 5" not in page.locator("#analyze").inner_text()
    page.locator("table.rolls button").first.hover()
    assert page.locator("#board .arrow").count() > 0
    page.mouse.move(1, 1)
    assert page.locator("#board .arrow").count() == 0


def rolled(name: str, loss: float, jsd: float) -> dict[str, Any]:
    """A candidate of a rollout."""
    return {
        "name": name, "equity": -loss, "error": 0.02, "loss": loss, "may_be_best": jsd < 1.96,
        "mwc": None, "trials": 144, "out": False,
    }  # fmt: skip


def test_noise_of_a_rollout_is_not_marked(open_page: Opened) -> None:
    page = open_page(MONEY)
    page.wait_for_selector("tr.exact")
    candidates = [rolled("best", 0, 0), rolled("noise", 0.07, 1.9), rolled("sure", 0.07, 2.1)]
    told = json.dumps(
        {"xgid": MONEY, "candidates": candidates, "trials": 144, "games": 144, "cubeful": True}
    )
    body = f"event: progress\ndata: {told}\n\nevent: done\ndata: {{}}\n\n"
    page.route(
        "**/rollout/stream*",
        lambda route: route.fulfill(body=body, content_type="text/event-stream"),
    )
    click(page, "Rollout", "Roll out")
    rows = page.locator(".rollout tbody tr")
    rows.nth(2).wait_for()
    marks = rows.locator(".sign").all_inner_texts()
    assert marks == ["", "", "?"]


@pytest.mark.parametrize("close", [False, True])
def test_the_server_says_what_is_close(open_page: Opened, close: bool) -> None:
    page = open_page(MONEY)
    page.wait_for_selector("tr.exact")
    value = {"equity": 0.5, "mwc": None, "kind": "exact"}
    cube = {
        "no_double": value, "double_take": value | {"equity": 0.6}, "double_pass": value,
        "verdict": "double, take", "action": "double", "close": close,
        "answer_close": False,
    }  # fmt: skip
    shares = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
    chances = dict.fromkeys(shares, 0.1)
    answer = {
        "depth": 5, "notes": [], "cube": cube, "equity": 0.5, "probabilities": chances,
        "stakes": {"owner": 0}, "xgid": MONEY.replace(":52:", ":00:"),
    }  # fmt: skip
    told = json.dumps(answer)
    body = f"event: answer\ndata: {told}\n\nevent: done\ndata: {{}}\n\n"
    page.route(
        "**/analyze/stream*",
        lambda route: route.fulfill(body=body, content_type="text/event-stream"),
    )
    page.locator("#do-no-dice").click()
    page.wait_for_selector(".verdict")
    expected = "double, take" + ", the double close" * close
    assert page.locator(".verdict").inner_text().lower() == expected
