"""Checkers on their way: what is done meanwhile is not undone when they arrive."""

from collections.abc import Callable
from typing import Any

from tests.web.hands import middle
from tests.web.test_page_hands import begin, checkers

Opened = Callable[..., Any]

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
