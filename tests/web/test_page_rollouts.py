"""Rollouts on the page: plays are chosen, others wait in a queue, and results stay with positions."""

from collections.abc import Callable
from typing import Any

from tests.web.hands import LONG, at_rest, click, cut_short, start
from tests.web.test_page_layout import violations

Opened = Callable[..., Any]

FIRST = "#xgid=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
SECOND = "#xgid=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
CUBE = "#xgid=--CDBbC-B-----a----bdA-cc-:0:0:1:00:4:3:0:7:10"


def begin(page: Any) -> None:
    """Look at the rollout of a position, and choose few trials of a few plies."""
    cut_short(page)
    click(page, "Rollout", exact=True)
    page.get_by_label("Trials").select_option(label="144")


def rows(page: Any) -> list[str]:
    names: list[str] = page.locator(".rollout tbody td:first-child").all_inner_texts()
    return names


def test_plays_are_chosen_by_ticks(open_page: Opened) -> None:
    page = open_page(SECOND)
    page.get_by_role("button", name="Depth 1").click()
    page.wait_for_selector("tr:is(.exact, .bounded)")
    best = page.locator("table.plays [data-play]").evaluate_all(
        "(all) => all.map((each) => each.dataset.play)"
    )
    begin(page)
    ticks = page.get_by_role("group", name="Plays to roll out").get_by_role("checkbox")
    assert ticks.count() == 10
    assert [each.is_checked() for each in ticks.all()] == 3 * [True] + 7 * [False]
    for play in best[:3]:
        page.get_by_label(play, exact=True).uncheck()
    click(page, "Roll out", exact=True)
    page.locator("#status.wrong", has_text="Tick a play that is to be rolled out.").wait_for()
    for play in (best[4], best[1]):
        page.get_by_label(play, exact=True).check()
    click(page, "Roll out", exact=True)
    page.get_by_text("144 trials of 144").wait_for(timeout=LONG)
    assert sorted(rows(page)) == sorted([best[1], best[4]])
    # This tab has read the other one's rollout, and so keeps it beside its own.
    other = page.context.new_page()
    other.goto(f"{page.url.split('#')[0]}static/icon.svg")
    other.evaluate(
        """(id) => {
            const [rollout] = JSON.parse(localStorage["gammon.rollouts"]);
            localStorage["gammon.rollouts"] = JSON.stringify([{ ...rollout, id }]);
        }""",
        FIRST.replace("#xgid", "XGID"),
    )
    page.get_by_role("table", name="Other rollouts").get_by_text("X to play 52").wait_for()


def test_they_wait_and_go_on_while_one_looks_elsewhere(open_page: Opened, axe: str) -> None:
    page = open_page(FIRST)
    page.route("**/rollout/stream?*", lambda route: None)
    page.get_by_role("button", name="Depth 1").click()
    page.wait_for_selector("tr:is(.exact, .bounded)")
    begin(page)
    with page.expect_request("**/rollout/stream?*"):
        click(page, "Roll out", exact=True)
    page.get_by_text("Rolling out.").wait_for()
    page.goto(page.url.split("#")[0] + CUBE)
    page.get_by_text("redouble or not?").or_(page.get_by_text("double or not?")).first.wait_for()
    page.get_by_label("Trials").select_option(label="144")
    click(page, "Roll out", exact=True)
    page.get_by_text("Waits for its turn.").wait_for()
    others = page.get_by_role("table", name="Other rollouts")
    assert "X to play 52" in others.inner_text()
    assert violations(page, axe) == []
    page.get_by_role("tab", name="Play").click()
    start(page, "Money games", 4)
    at_rest(page)
    assert page.locator("#queue").inner_text() == "Rollout: 0 %, 1 more"
    page.unroute("**/rollout/stream?*")  # which lets it go on
    page.locator("#queue").wait_for(state="hidden", timeout=LONG)
    # Both are kept with their positions, also for the next visit.
    for _ in range(2):
        for position, count in ((FIRST, 3), (CUBE, 3)):
            page.goto(page.url.split("#")[0] + position)
            page.get_by_text("144 trials of 144").first.wait_for()
            page.locator(".rollout tbody tr").first.wait_for()
            assert len(rows(page)) == count
        page.reload()
        page.locator("#do-set-up").wait_for()
        click(page, "Rollout", exact=True)
    # A rollout of the list shows its position, or is forgotten.
    others.get_by_role("button", name="X to play 52").click()
    page.wait_for_function("(hash) => location.hash === hash", arg=FIRST)
    others.get_by_role("button", name="Forget").click()
    others.wait_for(state="detached")
    assert len(rows(page)) == 3


def test_a_rollout_is_stopped_or_taken_out_of_the_queue(open_page: Opened) -> None:
    page = open_page(FIRST)
    page.route("**/rollout/stream?*", lambda route: None)
    page.get_by_role("button", name="Depth 1").click()
    page.wait_for_selector("tr:is(.exact, .bounded)")
    begin(page)
    with page.expect_request("**/rollout/stream?*"):
        click(page, "Roll out", exact=True)
    page.goto(page.url.split("#")[0] + SECOND)
    page.get_by_text("X to play 3 and 1").wait_for()
    click(page, "Roll out", exact=True)
    page.get_by_text("Waits for its turn.").wait_for()
    page.locator(".rollout").get_by_role("button", name="Stop").click()
    page.locator(".rollout").get_by_role("button", name="Roll out").wait_for()
    assert page.locator("#queue").inner_text() == "Rollout: 0 %"
    # The line at the foot leads to the one that runs.
    page.get_by_role("tab", name="Review").click()
    page.locator("#queue").click()
    page.wait_for_function("(hash) => location.hash === hash", arg=FIRST)
    page.locator(".rollout").get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped.", exact=True).wait_for()
    assert not page.locator("#queue").is_visible()


def test_why_a_rollout_has_failed_is_said_beside_it(open_page: Opened) -> None:
    page = open_page(FIRST)
    error = {"error": {"code": "busy", "message": "not now"}}
    page.route("**/rollout/stream?*", lambda route: route.fulfill(status=400, json=error))
    page.get_by_role("button", name="Depth 1").click()
    page.wait_for_selector("tr:is(.exact, .bounded)")
    begin(page)
    click(page, "Roll out", exact=True)
    page.locator(".rollout", has_text="not now").wait_for()
    assert not page.locator("#queue").is_visible()
