"""The clock and the sounds of a match: both are off unless the player wants them."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hands import at_rest, click, type_play
from tests.web.test_page_layout import violations
from tests.web.test_page_play import type_in

Opened = Callable[..., Any]


def shown(page: Any) -> list[str]:
    """What the clocks show, of the player at the bottom first."""
    found: list[str] = [page.locator(f"{side} .clock").inner_text() for side in ("#side-bottom", "#side-top")]
    return found


def begin(page: Any, who: str = "gammon and I") -> None:
    """Begin a match with a clock, and open with 31. Time passes by hand alone."""
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.get_by_label("What to play").select_option(label="Match to 5")
    page.get_by_label("Who plays").select_option(label=who)
    if who == "gammon and I":
        page.get_by_label("Strength of gammon").select_option(label="Full")
        page.get_by_label("Depth of gammon").select_option(label="1: at once")
    page.get_by_label("With a clock").check()
    click(page, "I type them in", "Start")
    type_in(page, "the opening roll", "31")
    page.locator("#do-done").wait_for()


def test_there_is_no_clock_unless_it_is_wanted(open_page: Opened) -> None:
    page = open_page("#play")
    assert not page.get_by_label("With a clock").is_checked()
    click(page, "Start")
    at_rest(page)
    assert page.locator(".clock").count() == 0


def test_a_turn_has_free_seconds_and_then_the_bank_runs(open_page: Opened) -> None:
    page = open_page("#play")
    begin(page)
    assert shown(page) == ["10:00 +12", ""]
    page.clock.run_for(5_000)
    assert shown(page) == ["10:00 +7", ""]
    page.clock.run_for(12_000)
    assert shown(page) == ["9:55", ""]
    type_play(page, "8/5 6/5")
    page.locator("#typed-name", has_text="the roll of gammon").wait_for()
    page.clock.run_for(60_000)
    assert shown(page) == ["9:55", ""], "gammon's time is not taken"
    type_in(page, "the roll of gammon", "21")
    page.locator("#do-roll").wait_for()
    page.clock.run_for(3_000)
    assert shown(page) == ["9:55 +9", ""]
    # Time is not given back, and what is left is kept; another mode stops the clock.
    click(page, "Take back")
    page.locator("#do-done").wait_for()
    page.clock.run_for(13_000)
    page.get_by_role("tab", name="Review").click()
    page.clock.run_for(100_000)
    page.get_by_role("tab", name="Play").click()
    page.locator("#do-done").wait_for()
    assert shown(page)[0].startswith("9:5")
    left = page.evaluate("JSON.parse(localStorage['gammon.match']).clock.left[0]")
    assert 590_000 <= left < 595_000


def test_the_end_of_the_time_is_told_and_the_game_goes_on(open_page: Opened) -> None:
    page = open_page("#play")
    begin(page)
    page.clock.run_for(612_000)
    page.clock.run_for(300)
    page.locator("#told", has_text="The time is over.").wait_for(state="attached")
    page.clock.run_for(4_700)
    assert shown(page)[0] == "−0:05"
    type_play(page, "8/5 6/5")
    page.locator("#typed-name", has_text="the roll of gammon").wait_for()


def test_both_clocks_run_where_both_sides_are_moved_by_hand(open_page: Opened) -> None:
    page = open_page("#play")
    begin(page, "Both by hand")
    page.clock.run_for(22_000)
    type_play(page, "8/5 6/5")
    page.locator("#typed-name", has_text="the roll of O").wait_for()
    page.clock.run_for(32_000)
    assert shown(page) == ["9:50", "9:40"]


#: Counts the sounds that begin.
HEARD = """
window.knocks = 0;
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...when) {
  knocks++;
  return start.apply(this, when);
};"""


@pytest.mark.parametrize("wanted", [False, True])
def test_sounds_are_made_if_they_are_wanted(open_page: Opened, wanted: bool) -> None:
    page = open_page("#play", kept=HEARD)
    assert not page.get_by_label("Sounds").is_checked()
    page.get_by_label("Sounds").set_checked(wanted)
    page.get_by_label("Seed of the dice").fill("4")
    click(page, "Start")
    at_rest(page)
    dice = page.evaluate("knocks")
    assert (dice >= 3) == wanted
    if not wanted:
        assert dice == 0
    page.reload()
    assert page.get_by_label("Sounds").is_checked() == wanted


@pytest.mark.parametrize(("scheme", "width"), [("light", 1366), ("dark", 390)])
def test_no_rule_is_broken_by_the_clock(open_page: Opened, axe: str, scheme: str, width: int) -> None:
    page = open_page("#play", scheme=scheme, width=width, height=800)
    page.get_by_label("Who plays").select_option(label="Both by hand")
    page.get_by_label("With a clock").check()
    click(page, "Start")
    page.locator("#side-bottom .clock", has_text=":").wait_for()
    at_rest(page)
    assert violations(page, axe) == []
    # The longest lines of a narrow phone are lines.
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate("""() => document.querySelectorAll(".side").forEach((side) => {
        side.querySelector(".who").textContent = "You";
        side.querySelector(".pips").textContent = "167 Augen";
        side.querySelector(".clock").textContent = "50:00 +12";
        side.querySelector(".score").textContent = "24 von 25";
    })""")
    heights = page.locator(".side").evaluate_all("(all) => all.map((side) => side.offsetHeight)")
    assert max(heights) < 32
    assert page.evaluate("document.documentElement.scrollWidth") == 360
