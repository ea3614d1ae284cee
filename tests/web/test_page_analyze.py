"""Analysis on the page: pasting, depths, the cube, plays that are tried, setting up."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gammon
from tests.web.hands import LONG, at_rest, click, cut_short, paste, start

Opened = Callable[..., Any]

PASTED = Path(__file__).parents[1] / "golden" / "pasted"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
MANY = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
OTHER = "XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:4:3:0:7:10"

#: A text that somebody pastes, of each kind.
TEXTS = {
    "XGID": XGID,
    "XGID without prefix": XGID.removeprefix("XGID="),
    "Position ID": "4HPwATDgc/ABMA",
    "Position ID and Match ID": "4HPwATDgc/ABMA:cIkFAAAAAAAE",
    "link": f"https://example.org/?position={XGID}",
    **{path.stem: path.read_text() for path in sorted(PASTED.glob("*.txt"))},
}


@pytest.fixture(scope="module")
def expected() -> dict[str, str]:
    return {name: gammon.Position.parse(text).xgid for name, text in TEXTS.items()}


def address(xgid: str) -> str:
    return "#" + xgid.replace("XGID", "xgid")


def said(page: Any, beginning: str) -> None:
    """Wait until the page says something that begins so."""
    page.wait_for_function(
        "(words) => document.querySelector('#status').textContent.startsWith(words)", arg=beginning
    )


def test_without_the_cube_and_a_roll_all_rolls_are_shown(open_page: Opened) -> None:
    page = open_page("#xgid=%")  # a stray percent sign
    page.locator("#status.wrong").wait_for()
    page.goto(page.url.split("#")[0] + address(OTHER))
    page.locator(".verdict").wait_for()
    page.get_by_label("Without the cube").check()
    page.locator("#analyze table.rolls").wait_for()
    assert page.locator("#analyze .rolls button").count() == 36
    left_out = page.get_by_text("score, cube and Jacoby rule do not count")
    assert left_out.count() == 1
    page.wait_for_selector("#analyze[aria-busy='false']")
    said(page, "X on roll")
    page.get_by_label("Without the cube").uncheck()
    page.locator(".verdict").wait_for()
    assert left_out.count() == 0


FOLLOWED = """(hash) => {
  const json = Response.prototype.json;
  Response.prototype.json = async function () {
    const answer = await json.call(this);
    if (this.url.endsWith("/position")) {
      Response.prototype.json = json;
      location.hash = hash;
    }
    return answer;
  };
}"""


def test_a_link_counts_that_is_followed_while_a_text_is_read(open_page: Opened) -> None:
    page = open_page(address(MANY))
    page.wait_for_selector("#analyze[aria-busy='false']")
    page.evaluate(FOLLOWED, address(OTHER))
    page.locator("#paste-text").fill(XGID)
    page.locator("#paste-text").press("Enter")
    page.locator(".verdict").wait_for()
    assert page.url.endswith(address(OTHER))


def test_a_link_is_read_again_where_one_left_before_it_was(open_page: Opened) -> None:
    page = open_page("#play")
    page.route("**/api/v1/position", lambda route: None)
    with page.expect_request("**/api/v1/position"):
        page.goto(page.url.split("#")[0] + address(OTHER))
    page.get_by_role("tab", name="Play").click()
    page.unroute("**/api/v1/position")
    page.get_by_role("tab", name="Analyze").click()
    page.locator(".verdict").wait_for()
    assert page.evaluate("location.hash") == address(OTHER)


def test_a_link_that_is_read_twice_is_shown(open_page: Opened) -> None:
    """As where the page is still starting when it is followed."""
    page = open_page("#play")
    page.get_by_role("button", name="Start").wait_for()
    page.route("**/api/v1/position", lambda route: None)
    with page.expect_request("**/api/v1/position"):
        page.goto(page.url.split("#")[0] + address(OTHER))
    page.unroute("**/api/v1/position")
    page.evaluate("dispatchEvent(new Event('hashchange'))")
    page.locator(".verdict").wait_for()
    assert page.evaluate("location.hash") == address(OTHER)


def test_where_no_position_comes_it_can_be_tried_again(open_page: Opened) -> None:
    """Nothing of the match that was left can be done there."""
    page = open_page("#play")
    start(page, "Match to 5", 4)
    at_rest(page)
    error = {"error": {"code": "busy", "message": "not now"}}
    page.route("**/api/v1/position", lambda route: route.fulfill(status=400, json=error))
    page.get_by_role("tab", name="Analyze").click()
    page.locator("#status.wrong", has_text="not now").wait_for()
    assert page.locator("#actions button").all_inner_texts() == ["Try again"]
    assert not page.locator("#typed").is_visible()
    page.unroute("**/api/v1/position")
    page.get_by_role("button", name="Try again").click()
    page.locator("#do-set-up").wait_for()
    assert page.evaluate("location.hash").startswith("#xgid=-b----E-C---eE---c-e----B-")


#: A link that the page spells otherwise.
ENCODED = address(XGID).replace(":", "%3A")


@pytest.mark.parametrize(
    ("before", "words", "links"),
    [
        ("#play", "Choose what to play", (ENCODED, "#id=4HPwATDgc/ABMA", "#xgid=none")),
        (address(OTHER), "X on roll", (ENCODED, "#id=4HPwATDgc/ABMA")),
    ],
)
def test_the_way_back_leads_beyond_a_link(
    open_page: Opened, before: str, words: str, links: tuple[str, ...]
) -> None:
    page = open_page(before)
    said(page, words)
    for link in links:
        page.goto(page.url.split("#")[0] + link)
        page.wait_for_function("() => /^#xgid=-b[^%]+$/.test(location.hash)")
        page.go_back()
        said(page, words)
        assert page.evaluate("location.hash") == before, link


def test_every_kind_of_id_can_be_pasted(open_page: Opened, expected: dict[str, str]) -> None:
    page = open_page(address(OTHER))
    for name, text in TEXTS.items():
        paste(page, text)
        page.wait_for_selector(f".id-of input[value='{expected[name]}']")
        assert page.evaluate("location.hash") == address(expected[name]), name


def test_an_id_can_be_typed_and_a_wrong_one_is_told(open_page: Opened) -> None:
    page = open_page(address(OTHER))
    page.get_by_label("Position", exact=True).fill("4HPwATDgc/ABMA")
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_selector(".id-of input[value*='-b----E-C---eE---c-e----B-']")
    page.get_by_label("Position", exact=True).fill("no position at all")
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_selector("#status.wrong")
    assert "expected a Position ID" in page.locator("#status").inner_text()
    # A game cannot go on where a beaver is on offer: the page would ask nobody for an answer.
    from_here = page.get_by_role("button", name="Play from here")
    assert from_here.count() == 1
    paste(page, "XGID=-b----E-C---eE---c-e----B-:1:1:1:B:0:0:0:0:10")
    page.get_by_text("a beaver or a raccoon is on offer").first.wait_for()
    assert from_here.count() == 0


def test_paste_and_keys_work_with_the_focus_on_a_box_or_a_copied_id(open_page: Opened) -> None:
    page = open_page(address(XGID))
    page.locator(".verdict, table.plays").first.wait_for()
    page.get_by_label("Without the cube").focus()
    page.keyboard.press("t")
    paste(page, OTHER, "document.activeElement")
    said(page, "X on roll")
    page.get_by_label("XGID", exact=True).focus()
    paste(page, XGID, "document.activeElement")
    page.wait_for_function("() => location.hash.includes(':52:')")


def test_what_is_copied_has_its_name_and_a_link_says_whom_it_serves(open_page: Opened) -> None:
    page = open_page(address(XGID))
    share = page.get_by_label("Share", exact=True)
    share.get_by_text("To send the position to somebody, copy its XGID").wait_for()
    names = share.locator("label > span").all_inner_texts()
    assert names == ["XGID", "OGID", "GNU Backgammon ID", "Link, for this machine alone"]
    for name in names:
        assert share.get_by_label(name, exact=True).input_value()
        assert share.get_by_role("button", name=f"Copy {name}", exact=True).count() == 1
    link = share.get_by_label(names[-1], exact=True).input_value()
    assert link == page.url


def test_a_level_without_games_says_so(open_page: Opened) -> None:
    page = open_page(address(XGID.replace(":52:", ":31:")))
    note = page.get_by_text("no games were played")
    page.get_by_role("button", name="Depth 3").click()
    page.wait_for_selector("#analyze[aria-busy='false'] table.plays")
    assert note.count() == 0
    page.get_by_role("button", name="Roller", exact=True).click()
    note.wait_for()
    assert note.inner_text().startswith("Level roller: no games were played: nothing is close")


def test_what_is_to_be_played_is_said_once(open_page: Opened) -> None:
    page = open_page(address(XGID))
    page.locator("table.plays").wait_for()
    assert page.locator("main").inner_text().count("to play") == 1


def test_an_answer_is_told(open_page: Opened) -> None:
    page = open_page(address(XGID))
    told = page.locator("#told")
    page.get_by_role("button", name="Depth 3").click()
    best = page.locator("table.plays tr.best button, table.plays tbody button").first
    told.filter(has_text="Best by depth 3: ").wait_for(state="attached")
    assert best.get_attribute("data-play") in told.inner_text()
    page.get_by_role("button", name="All rolls").click()
    told.filter(has_text="All 21 rolls are there.").wait_for(state="attached")
    page.get_by_role("button", name="Copy XGID").click()
    told.filter(has_text="Copied.").wait_for(state="attached")


def test_a_wrong_text_does_not_end_the_search(open_page: Opened) -> None:
    page = open_page(address(OTHER))
    page.locator(".verdict").wait_for()
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/analyze/stream*", hold)
    with page.expect_request("**/analyze/stream*"):
        page.get_by_role("button", name="Depth 3").click()
    page.get_by_label("Position", exact=True).fill("nonsense")
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_selector("#status.wrong")
    held[0].continue_()
    page.wait_for_function("() => document.querySelector('.busy').textContent === 'depth 3'")
    page.locator("#analyze[aria-busy=false]").wait_for()


def test_plays_come_to_depth_5(open_page: Opened) -> None:
    page = open_page(address(XGID))
    page.wait_for_function("() => document.querySelector('.busy')?.textContent === 'depth 5'")
    rows = page.locator("table.plays tbody tr")
    kinds = rows.evaluate_all("(rows) => rows.map((row) => row.className.split(' ')[0])")
    assert kinds == ["bounded"] * 8
    engine = gammon.Engine(depth=5)
    found = engine.analyze(gammon.Position.parse(XGID), (5, 2)).candidates
    plays = rows.locator("button").evaluate_all("(all) => all.map((each) => each.dataset.play)")
    assert plays == [candidate.play.notation for candidate in found]
    # The arrow keys go from play to play, and the board shows each.
    rows.locator("button").nth(0).focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.play") == plays[1]
    assert page.locator("#board .arrow").count() == len(plays[1].split())
    assert f"Chances after {plays[1]}" in page.locator(".results").inner_text()


def test_the_cube_and_all_rolls(open_page: Opened) -> None:
    page = open_page(address(OTHER))
    for level in ("Roller+", "Depth 3"):
        page.get_by_role("button", name=level, exact=True).press("Enter")
        assert page.evaluate("document.activeElement.textContent") == level
    page.wait_for_function("() => document.querySelector('.busy')?.textContent === 'depth 3'")
    decision = gammon.Engine(depth=3).cube(gammon.Position.parse(OTHER))
    assert page.locator(".verdict").inner_text().lower().startswith(decision.verdict)
    assert page.locator("#status").inner_text().startswith("X on roll: double or not?")
    page.get_by_role("button", name="All rolls").click()
    page.wait_for_selector("table.rolls")
    assert page.locator("table.rolls td button").count() == 36
    page.get_by_role("button", name="3 and 1:").click()
    page.wait_for_selector("table.plays")
    assert ":31:" in page.evaluate("location.hash")


BOARD = OTHER.partition(":")[0]
#: X has borne off all checkers.
OVER = "XGID=-------------------a------:0:0:1:00:0:0:0:0:10"
#: X owns the cube, O owns it, nobody may double, and the cube is dead.
CUBES = {
    "1:1:1:00:4:3:0:7:10": ("X on roll: redouble or not? match to 7.", "Redouble, take"),
    "1:-1:1:00:4:3:0:7:10": ("X on roll, match to 7.", None),
    "0:0:1:00:6:3:1:7:10": ("X on roll, match to 7, Crawford.", None),
    "0:0:1:00:0:0:0:0:0": ("X on roll, money.", None),
}


def test_a_game_that_is_over_has_no_rolls_to_wait_for(open_page: Opened) -> None:
    page = open_page(address(OTHER))
    for view in ("All rolls", "By score", "Rollout"):
        page.get_by_role("button", name=view).click()
        page.goto(page.url.split("#")[0] + address(OVER))
        said(page, "X has won.")
        assert page.locator(".results").inner_text() == "X has won."
        assert page.locator("#analyze").get_attribute("aria-busy") == "false"
        page.goto(page.url.split("#")[0] + address(OTHER))
        said(page, "X on roll")


def test_why_no_answer_comes_is_said_where_it_is_awaited(open_page: Opened) -> None:
    page = open_page(address(OTHER))
    page.locator(".verdict").wait_for()
    error = {"error": {"code": "busy", "message": "not now"}}
    page.route("**/api/v1/*analyze*", lambda route: route.fulfill(status=400, json=error))
    page.route("**/api/v1/rolls*", lambda route: route.fulfill(status=400, json=error))
    for view in ("All rolls", "By score"):
        page.get_by_role("button", name=view).click()
        page.locator(".results .wrong").wait_for()
        assert page.locator(".results").inner_text() == "not now"


def test_a_decision_in_a_match_fits_a_small_phone(open_page: Opened) -> None:
    page = open_page(address(OTHER), width=360, height=740)
    page.locator(".verdict").wait_for()
    page.wait_for_selector("#analyze[aria-busy=false]")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_who_may_not_double_is_not_asked(open_page: Opened) -> None:
    page = open_page(address(OTHER))
    page.locator(".verdict").wait_for()
    for rest, (words, row) in CUBES.items():
        page.goto(page.url.split("#")[0] + address(f"{BOARD}:{rest}"))
        page.get_by_text(words, exact=True).wait_for()
        if row:
            page.get_by_role("cell", name=row).wait_for()
    page.goto(page.url.split("#")[0] + "#id=AQAABAAAAAAAAA")
    page.locator("#side-top").get_by_text("1 pip", exact=True).wait_for()


def test_a_highest_cube_that_values_do_not_know_is_told(open_page: Opened) -> None:
    page = open_page(address(f"{BOARD}:0:0:1:00:0:0:0:0:1"))
    page.locator(".results").get_by_text("Highest cube of 2 not taken into account").wait_for()


def test_where_a_double_is_on_offer_the_verdict_is_the_answer(open_page: Opened) -> None:
    page = open_page(address(f"{BOARD}:2:1:1:D:4:3:0:7:10"))
    page.locator(".verdict", has_text="take by O (no redouble, dead cube)").wait_for()


def test_a_play_is_tried_on_the_board(open_page: Opened) -> None:
    page = open_page(address(XGID))
    page.get_by_role("button", name="Depth 3").click()
    page.wait_for_selector("tr:is(.exact, .bounded)")
    click(page, "8 point, 3 of yours", "8 point, 2 of yours")
    said(page, "8/6 8/3: ")
    assert "loses" in page.locator("#status").inner_text()
    assert page.locator("#side-bottom .pips").inner_text() == "160 pips"
    page.locator("#do-undo").click()
    assert page.get_by_role("button", name="8 point, 2 of yours").count() == 1
    page.get_by_label("Dice, or a play").fill("13/8 13/11")
    page.keyboard.press("Enter")
    said(page, "13/11 13/8: ")
    page.wait_for_selector("#analyze[aria-busy=false]")
    page.get_by_label("Dice, or a play").fill("13/1")
    page.keyboard.press("Enter")
    page.wait_for_selector("#status.wrong")
    page.get_by_role("button", name="Play it").click()
    said(page, "O on roll")


def show_all(page: Any) -> None:
    """Show all plays of an analysis to depth 3, of which the last ones are less deep."""
    page.get_by_role("button", name="Depth 3").click()
    page.wait_for_selector("#analyze[aria-busy=false]")
    page.get_by_role("button", name="Show all").click()
    page.wait_for_selector("tr.shallow")


def test_plays_that_are_less_deep_are_grey_and_have_no_mark(open_page: Opened) -> None:
    page = open_page(address(MANY))
    show_all(page)
    rows = page.locator("table.plays tbody tr")
    found = gammon.Engine(depth=3).analyze(gammon.Position.parse(MANY), (3, 1)).candidates
    plays = rows.locator("button").evaluate_all("(all) => all.map((each) => each.dataset.play)")
    assert plays == [each.play.notation for each in found]
    last = rows.last
    assert last.locator(".kind").inner_text() == "depth 1"
    assert last.locator(".sign").inner_text() == ""
    assert f"{found[-1].loss:.3f}" in last.inner_text()
    own, soft = (
        each.evaluate("(cell) => getComputedStyle(cell).color")
        for each in (rows.first.locator("td").nth(1), last.locator("td").nth(1))
    )
    assert own != soft


def test_the_rank_of_a_play_that_was_tried(open_page: Opened) -> None:
    page = open_page(address(MANY))
    show_all(page)
    last = page.locator("table.plays tbody tr button").last.get_attribute("data-play")
    page.locator("#typed-text").fill(last)
    page.locator("#typed-text").press("Enter")
    page.locator("tr.mine:is(.exact, .bounded)").wait_for()
    page.wait_for_selector("#analyze[aria-busy=false]")
    rank = page.locator("tr.mine .rank").inner_text()
    assert f"{last}: {rank} of " in page.locator("#status").inner_text()


def test_what_was_pressed_or_tried_last_is_shown(open_page: Opened) -> None:
    """A deeper answer brings back neither the play that was tried before, nor its rank."""
    page = open_page(address(MANY))
    show_all(page)
    rows = page.locator("table.plays tbody tr button")
    best, *_, other, last = [each.get_attribute("data-play") for each in rows.all()]
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/analyze/stream*", hold)
    typed = page.locator("#typed-text")
    with page.expect_request("**/analyze/stream*"):
        typed.fill(last)
        typed.press("Enter")
    rows.first.click()
    page.mouse.move(0, 0)  # a row that the mouse is on is shown
    held[0].continue_()
    page.locator("tr.mine:is(.exact, .bounded)").wait_for()
    page.wait_for_selector("#analyze[aria-busy=false]")
    assert page.locator("#status").inner_text().startswith(f"{best}, ")
    assert page.locator("tr.chosen button").get_attribute("data-play") == best
    page.unroute("**/analyze/stream*")
    typed.fill(other)
    typed.press("Enter")
    said(page, f"{other}: ")
    assert page.locator("tr.chosen button").get_attribute("data-play") == other
    typed.fill("52")  # the roll that is there
    typed.press("Enter")
    page.wait_for_function("document.querySelector('#typed-text').value === ''")


def test_an_id_is_copied_where_a_page_has_no_clipboard(open_page: Opened) -> None:
    """As where the address is not safe: that of another machine without HTTPS."""
    page = open_page(address(XGID))
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Copy OGID").click()
    page.get_by_text("Copied", exact=True).wait_for()
    page.locator("#typed-text").press("Control+V")
    found = page.get_by_label("OGID", exact=True).input_value()
    assert page.locator("#typed-text").input_value() == found


def test_a_position_is_set_up_by_hand(open_page: Opened) -> None:
    page = open_page(address(XGID))
    click(page, "Set up", "Empty board")
    place = page.locator("[data-place='6']")
    box = place.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.6)
    page.get_by_role("button", name="Put O").click()
    page.locator("[data-place='20']").focus()
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.get_by_role("textbox", name="Dice", exact=True).fill("64")
    page.get_by_label("Match to (0: money)").fill("5")
    click(page, "Done", "Borne off")
    page.wait_for_selector("tr:is(.exact, .bounded)")
    position = gammon.Position.parse(page.get_by_label("XGID", exact=True).input_value())
    assert position.points[6] == 3
    assert position.points[20] == -2
    assert sum(map(abs, position.points)) == 5
    assert position.dice == (6, 4)
    assert position.context.length == 5


def test_a_rollout_has_a_live_table(open_page: Opened) -> None:
    page = open_page(address(XGID))
    cut_short(page)
    page.get_by_role("button", name="Depth 1").click()
    page.wait_for_selector("tr:is(.exact, .bounded)")
    page.get_by_role("button", name="Rollout").click()
    page.get_by_label("Trials").select_option(label="144")
    page.get_by_role("button", name="Roll out").click()
    page.get_by_text("144 trials of 144").wait_for(timeout=LONG)
    assert page.locator(".rollout tbody tr").count() == 3


def test_a_rollout_without_the_cube_is_of_the_same_plays(open_page: Opened) -> None:
    page = open_page(address(XGID))
    cut_short(page)
    page.get_by_role("button", name="Depth 1").click()
    page.wait_for_selector("tr:is(.exact, .bounded)")
    page.locator("#typed input").fill("8/6 8/3")
    page.locator("#typed input").press("Enter")
    page.locator("tr.mine").wait_for()
    page.get_by_role("button", name="Rollout").click()
    page.get_by_label("Trials").select_option(label="144")
    page.get_by_role("button", name="Roll out").click()
    page.get_by_text("144 trials of 144").wait_for(timeout=LONG)
    rows = page.locator(".rollout tbody tr")
    with_cube = rows.all_inner_texts()
    assert [each.split("\t")[0] for each in with_cube][3] == "8/6 8/3"
    page.get_by_label("Without the cube").check()
    assert rows.count() == 0, "those were with the cube"
    page.get_by_label("Trials").select_option(label="144")
    page.get_by_role("button", name="Roll out", exact=True).click()
    page.get_by_text(", without the cube").wait_for()
    page.get_by_role("button", name="Roll out", exact=True).wait_for(timeout=LONG)
    without = rows.all_inner_texts()
    assert len(without) == 4
    assert not set(without) & set(with_cube)
    # It is still there on the way back.
    page.get_by_role("button", name="Plays", exact=True).click()
    page.locator("table.plays").wait_for()
    page.get_by_role("button", name="Rollout").click()
    assert rows.all_inner_texts() == without


def test_the_way_back_leads_to_the_position_before(open_page: Opened) -> None:
    page = open_page(address(XGID))
    page.wait_for_selector("tr:is(.exact, .bounded)")
    page.get_by_label("Dice, or a play").fill("64")
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.hash.includes(':64:')")
    page.go_back()
    said(page, "X to play 5 and 2")
    assert page.evaluate("location.hash") == address(XGID)


def test_sides_are_exchanged_and_the_other_one_is_on_roll(open_page: Opened) -> None:
    before = gammon.Position.parse(OTHER)
    page = open_page(address(OTHER))
    click(page, "Set up", "Exchange sides", "Done")
    page.wait_for_function("() => /:-1:00:/.test(location.hash)")
    field = page.get_by_label("XGID", exact=True)
    exchanged = gammon.Position.parse(field.input_value())
    assert exchanged.points == before.points
    assert exchanged.context.on_roll == -before.context.on_roll
    assert exchanged.context.terms() == before.context.terms()
    click(page, "Set up", "X on roll", "Done")
    page.wait_for_function("() => /:1:00:/.test(location.hash)")
    assert gammon.Position.parse(field.input_value()).points == before.flipped().points


def test_a_board_that_cannot_be_is_told(open_page: Opened) -> None:
    page = open_page(address(OTHER))
    click(page, "Set up", "Empty board", "Done", "Borne off")
    page.wait_for_selector("#status.wrong")
    # What was set up is still there, and can be made good.
    click(page, "Opening", "Done")
    page.wait_for_selector(".verdict")
