"""Reviews on the page, and the report of a review in one file."""

import base64
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gammon.base.errors import FormatError
from gammon_study.match_files.mat import format_mat
from gammon_study.match_files.match_file import read_transcript
from gammon_study.match_files.transcript import Remark
from gammon_study.match_files.xg import parse_xgp
from gammon_study.reviews.choice import ALIKE
from gammon_study.reviews.difficulty import look_at_of
from gammon_study.reviews.review import review
from gammon_web.report import page_of
from tests.damage import damages
from tests.matches import HAND, MATCH5_SGF, SAMPLE, SHORT, reviewed_file
from tests.pages import inside
from tests.processes import ROOT
from tests.study.match_files.test_xg import decisions, saved
from tests.web.conftest import opened
from tests.web.hands import LONG, at_rest, best_play, choose, click, cut_short, drop, paste, start, type_play
from tests.web.test_page_layout import violations
from tests.web.test_review import studied

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"

# Reviews on the page: of a file, and of a match that was played.

Opened = Callable[..., Any]


def test_a_file_is_reviewed(open_page: Opened) -> None:
    page = open_page("#review")
    reviewed(page)
    graph = page.get_by_role("img", name=re.compile("^Chance of .* to win the match, "))
    assert graph.count() == 1
    summary = page.get_by_label("Summary")
    assert len(re.findall(r"\d+\.\d\d PR ", summary.inner_text())) == 2
    page.get_by_text("Figures", exact=True).click()
    told = summary.inner_text()
    assert re.search(r"PR\s+\d+\.\d\d\s+\d+\.\d\d", told), told
    assert "missed doubles" not in told
    page.get_by_role("button", name="All figures").click()
    assert "missed doubles" in summary.inner_text()
    choose(page, "Size", "All decisions")
    rows = page.locator("[data-choice]")
    assert rows.count() > 50
    assert re.fullmatch(r"\d+ pips", page.locator("#side-bottom .pips").inner_text())
    rows.nth(0).focus()
    first = page.locator("#status").inner_text()
    page.keyboard.press("ArrowDown")
    assert page.locator("#status").inner_text() != first
    page.get_by_role("button", name="Analyze this").click()
    page.wait_for_selector("#panel-analyze:not([hidden]) .card")


def reviewed(page: Any) -> None:
    """Review a match at depth 1."""
    page.get_by_role("group", name="Depth of the review").get_by_role("button", name="1").click()
    page.get_by_label("Match file").focus()
    page.get_by_label("Match file").set_input_files(SAMPLE)
    page.wait_for_selector("svg.graph .course")
    assert page.evaluate("document.activeElement.closest('#review') !== null")


def test_a_review_at_a_level_that_plays_games(open_page: Opened) -> None:
    page = open_page("#review")
    page.get_by_role("button", name="Roller", exact=True).click()
    asked: list[str] = []
    page.on("request", lambda request: "review?" in request.url and asked.append(request.url))
    page.get_by_label("Match file").set_input_files(
        {"name": "short.mat", "mimeType": "text/plain", "buffer": SHORT.encode()}
    )
    page.wait_for_selector("svg.graph .course")
    page.wait_for_selector('progress[aria-label="Review"]', state="detached")
    assert [each.partition("level=")[2] for each in asked] == ["3", "roller"]
    depths = page.get_by_role("group", name="Depth of the review")
    assert depths.locator("[aria-pressed=true]").inner_text() == "Roller"


def held_review(page: Any) -> Callable[[dict[str, Any]], None]:
    """Hold the next review back; the function that is returned answers it by an event."""
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/review?*", hold)

    def answer(events: dict[str, Any]) -> None:
        said = [f"event: {name}\ndata: {json.dumps(events[name])}\n\n" for name in events]
        body = "".join(said)
        held[0].fulfill(body=body, content_type="text/event-stream")
        page.unroute("**/review?*")

    return answer


def deeper(page: Any) -> None:
    """Ask for the review that is shown at depth 3, and go to the fifth error meanwhile."""
    with page.expect_request("**/review?*"):
        page.get_by_role("button", name="3", exact=True).click()
    page.locator("[data-choice]").nth(4).click()


def test_a_deeper_review_takes_the_place_of_the_shallow_one_and_keeps_its_place(open_page: Opened) -> None:
    page = open_page("#review")
    reviewed(page)
    answer = held_review(page)
    deeper(page)
    progress = page.get_by_label("Progress")
    assert progress.inner_text().split("\n")[0] == "Reviewing again, depth 3"
    # It is as it was, goes on, and is there on the way back from another tab.
    page.locator("#do-next").click()
    chosen = page.locator(".listed tr.chosen button")
    place = chosen.get_attribute("data-choice")
    page.get_by_role("tab", name="Play").click()
    page.get_by_role("tab", name="Review").click()
    assert chosen.get_attribute("data-choice") == place
    assert progress.count() == 1
    chosen.focus()
    rates = page.locator(".rates").inner_text()
    kept = page.evaluate("JSON.parse(localStorage['gammon.reviewed']).data")
    kept["depth"], kept["players"][0]["pr"] = 3, 77.5
    answer({"progress": {"done": 1, "total": 2}, "review": kept})
    page.wait_for_selector('progress[aria-label="Review"]', state="detached")
    assert page.locator(".rates").inner_text() != rates
    assert "77.50 PR" in page.locator(".rates").inner_text()
    assert chosen.get_attribute("data-choice") == place
    assert page.evaluate("document.activeElement.dataset.choice") == place
    depths = page.get_by_role("group", name="Depth of the review")
    assert depths.locator("[aria-pressed=true]").inner_text() == "3"


def test_a_deeper_review_that_ends_by_a_clock_leaves_what_was_there(open_page: Opened) -> None:
    page = open_page("#review")
    reviewed(page)
    answer = held_review(page)
    deeper(page)
    place = page.locator(".listed tr.chosen button").get_attribute("data-choice")
    rates = page.locator(".rates").inner_text()
    words = "300 s are over: `gammon serve --seconds 60` gives twice as many"
    answer({"failed": {"code": "timeout", "message": words}})
    page.locator("#status.wrong", has_text=words).wait_for()
    assert page.get_by_label("Progress").count() == 0
    assert page.locator(".rates").inner_text() == rates
    assert page.locator(".listed tr.chosen button").get_attribute("data-choice") == place


def test_what_is_listed_is_said(open_page: Opened) -> None:
    """Errors are no decisions, and the order has its name."""
    page = open_page("#review")
    reviewed(page)
    caption, rows = page.locator(".listed caption"), page.locator("[data-choice]")
    assert caption.inner_text() == f"{rows.count()} errors, in order"
    choose(page, "Order", "Worst first")
    assert caption.inner_text() == f"{rows.count()} errors, the largest first"
    choose(page, "Size", "All decisions")
    assert caption.inner_text() == f"{rows.count()} decisions, the largest first"


def test_the_decisions_to_look_at_come_first(open_page: Opened) -> None:
    page = open_page("#review")
    reviewed(page)
    choose(page, "Order", "To look at first")
    rows = page.locator("[data-choice]")
    assert page.locator(".listed caption").inner_text() == f"{rows.count()} errors, the most avoidable first"
    analysis = reviewed_file(SAMPLE)
    losses = sorted(
        look_at_of(analysis, 0) + look_at_of(analysis, 1), key=lambda loss: loss.difficulty - loss.error
    )
    for number, loss in enumerate(losses[:3]):
        choice = analysis.choices[loss.choice]
        assert rows.nth(number).inner_text().startswith(f"{choice.game + 1}/{choice.action + 1}.")


def test_remarks_stand_with_their_decisions(open_page: Opened) -> None:
    page = open_page("#review")
    match = read_transcript(HAND)
    text = format_mat(replace(match, remarks={(1, 4): Remark("<b>too greedy</b>", "bad")}))
    page.get_by_role("group", name="Depth of the review").get_by_role("button", name="1").click()
    page.get_by_label("Match file").set_input_files(
        {"name": "hand.mat", "mimeType": "text/plain", "buffer": text.encode()}
    )
    page.wait_for_selector("svg.graph .course")
    choose(page, "Size", "All decisions")
    number = next(
        n for n, choice in enumerate(reviewed_file(HAND).choices) if (choice.game, choice.action) == (1, 4)
    )
    page.locator("[data-choice]").nth(number).click()
    page.get_by_text("In the file: [bad] <b>too greedy</b>").wait_for()


def test_a_position_of_extreme_gammon_is_analyzed(open_page: Opened) -> None:
    page = open_page("#review")
    drop(page, "mine.xgp", "RGMH")
    page.locator("#status.wrong", has_text="mine.xgp is damaged").wait_for()
    drop(page, "position.txt", f"paste this: {XGID}")
    page.wait_for_url(f"**/#xgid={XGID.removeprefix('XGID=')}")
    drop(page, "match.txt", HAND.read_text())
    page.wait_for_url("**/#review")
    page.wait_for_selector("svg.graph .course", timeout=LONG)
    page = open_page("#review")
    records, moment = list(decisions())[-1]
    page.get_by_label("Match file").set_input_files(
        {"name": "p.xgp", "mimeType": "application/octet-stream", "buffer": saved(*records)}
    )
    page.wait_for_url(f"**/#xgid={moment.position.xgid.removeprefix('XGID=')}")


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not here")
def test_the_page_reads_positions_as_the_terminal_does(tmp_path: Path) -> None:
    """Of each decision of a match the same XGID; of damaged files the same one or none."""

    def read(file: bytes) -> str | None:
        with suppress(FormatError):
            return parse_xgp(file).position.xgid
        return None

    whole = [saved(*records[:count]) for records, _ in decisions() for count in (3, 4)]
    damaged = [damage.data for damage in damages(whole[1], 300)]
    shutil.copy(ROOT / "gammon_web" / "static" / "js" / "xgp.js", tmp_path / "xgp.mjs")
    (tmp_path / "ask.mjs").write_text(
        """import { xgidOf } from "./xgp.mjs";
        let text = "";
        for await (const part of process.stdin) text += part;
        const read = (file) => xgidOf(new Blob([Buffer.from(file, "base64")]));
        console.log(JSON.stringify(await Promise.all(JSON.parse(text).map(read))));"""
    )
    given = json.dumps([base64.b64encode(file).decode() for file in whole + damaged])
    done = subprocess.run(
        ["node", str(tmp_path / "ask.mjs")], input=given, capture_output=True, text=True, check=True
    )
    answered = json.loads(done.stdout)
    expected = [read(file) for file in whole]
    assert answered[: len(whole)] == expected
    assert len(set(expected)) > 150
    of_damaged = answered[len(whole) :]
    assert all(xgid in (None, read(file)) for xgid, file in zip(of_damaged, damaged, strict=True))
    assert len(set(of_damaged)) == 2


def test_the_page_stays_where_it_is_while_next_leads_through_the_list(open_page: Opened) -> None:
    page = open_page("#review", width=1366, height=768)
    reviewed(page)
    choose(page, "Size", "All decisions")
    page.evaluate("scrollTo(0, 0)")
    for _ in range(25):
        page.keyboard.press("j")
    assert page.evaluate("scrollY") == 0
    inside = """() => {
        const seen = document.querySelector(".listed").getBoundingClientRect();
        const line = document.querySelector(".listed .chosen").getBoundingClientRect();
        return seen.top <= line.top && line.bottom <= seen.bottom && line.top > 0;
    }"""
    assert page.evaluate(inside)


def test_next_goes_on_into_the_next_game(open_page: Opened) -> None:
    page = open_page("#review")
    reviewed(page)
    page.locator("[data-choice]").first.click()
    following, status = page.locator("#do-next"), page.locator("#status")
    games = []
    for _ in range(90):
        following.click()
        told = status.inner_text()
        if told == "This is the last one of the list.":
            break
        games.append(told.split(",")[0])
    assert [*dict.fromkeys(each for each in games if each.startswith("Game"))] == [
        f"Game {number}" for number in (1, 2, 3)
    ]
    page.locator("#do-previous").click()
    assert status.inner_text().startswith("Game 3, turn")


def test_an_error_is_rolled_out_where_it_is_seen(open_page: Opened) -> None:
    page = open_page("#review")
    cut_short(page)
    reviewed(page)
    for kind, names in (("Plays", 2), ("Cube", 3)):
        choose(page, "Kind", kind)
        detail = page.get_by_label("This decision")
        detail.get_by_text("Roll it out").click()
        detail.get_by_label("Trials").select_option(label="144")
        detail.get_by_role("button", name="Roll out", exact=True).click()
        detail.get_by_text("144 trials of 144").wait_for(timeout=LONG)
        assert detail.locator(".rollout tbody tr").count() == names
        if kind == "Plays":
            best = detail.locator(".candidates .best button").inner_text()
            rolled = detail.locator(".rollout tbody td:first-child").all_inner_texts()
            assert best in rolled


def test_a_review_is_saved_as_a_page_of_its_own(open_page: Opened, browser: Any, tmp_path: Path) -> None:
    page = open_page("#review")
    reviewed(page)
    choose(page, "Order", "Worst first")
    rows = page.locator(".listed").inner_text()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as HTML").click()
    assert saved.value.suggested_filename == "sample.html"
    file = tmp_path / "sample.html"
    saved.value.save_as(file)
    assert inside(file.read_text())["depth"] == 1
    with opened(browser, file.as_uri()) as alone:
        choose(alone, "Order", "Worst first")
        assert alone.locator(".listed").inner_text() == rows


def test_the_place_is_there_on_the_way_back_and_after_a_reload(open_page: Opened) -> None:
    page = open_page("#review")
    reviewed(page)
    choose(page, "Game", "Game 2, 0 to 1")
    told, figures = page.locator("#status").inner_text(), page.locator(".rates")
    summary = figures.inner_text()
    page.get_by_role("button", name="Analyze this").click()
    page.wait_for_selector("#panel-analyze:not([hidden]) .card")
    page.go_back()
    page.wait_for_selector("#panel-review:not([hidden]) tr.chosen")
    assert told.endswith(page.locator("#status").inner_text())
    page.reload()
    page.wait_for_selector("#panel-review:not([hidden]) tr.chosen")
    assert told.endswith(page.locator("#status").inner_text())
    assert figures.inner_text() == summary
    # The file is there, too: it can be reviewed at another depth.
    page.get_by_role("button", name="3", exact=True).click()
    page.wait_for_selector('progress[aria-label="Review"]', state="detached")
    page.wait_for_selector("#panel-review tr.chosen")
    page.get_by_role("button", name="Another match").click()
    page.reload()
    page.get_by_label("Match file").wait_for()


def test_a_file_is_dropped_on_the_page(open_page: Opened) -> None:
    page = open_page()
    drop(page, "game.mat", SHORT)
    page.wait_for_selector("#panel-review:not([hidden]) .rates")
    page.get_by_text("Figures", exact=True).click()
    summary = page.get_by_label("Summary").inner_text()
    assert "Ann and Ben" in summary
    assert re.search(r"Result\s+-\s+-\s", summary), "it has no end"


@pytest.mark.parametrize(
    "head",
    [
        "1 point match",
        *(
            pytest.param(head, marks=pytest.mark.nightly)
            for head in ("1-Points Match, of us", "Money session")
        ),
    ],
)
def test_the_text_of_a_match_is_pasted(open_page: Opened, head: str) -> None:
    assert SHORT.count("1 point match") == 1
    page = open_page()
    paste(page, SHORT.replace("1 point match", head))
    page.wait_for_selector("#panel-review:not([hidden]) .rates")
    assert "Ann and Ben" in page.get_by_label("Summary").inner_text()


def test_a_file_that_is_no_match_is_told(open_page: Opened) -> None:
    page = open_page("#review")
    page.get_by_label("Match file").set_input_files(
        {"name": "letter.txt", "mimeType": "text/plain", "buffer": b"Dear friend"}
    )
    page.wait_for_selector("p.wrong")


def test_a_review_that_fails_elsewhere_leaves_a_game_its_words(open_page: Opened) -> None:
    page = open_page("#play")
    start(page, "Match to 5", 4)
    at_rest(page)
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/review?*", hold)
    with page.expect_request("**/review?*"):
        drop(page, "letter.mat", "Dear friend")
    page.get_by_role("tab", name="Play").click()
    said = at_rest(page)["said"]
    error = {"error": {"code": "format", "message": "not a match"}}
    held[0].fulfill(status=400, json=error)
    why = page.locator("#review p.wrong", has_text="letter.mat: not a match")
    why.wait_for(state="attached")
    assert page.locator("#status").inner_text() == said
    page.get_by_role("tab", name="Review").click()
    why.wait_for()


def test_a_review_stays_until_another_one_is_there(open_page: Opened) -> None:
    """A search that is stopped and a file that is no match take nothing away."""
    page = open_page("#review")
    figures, stop = page.locator(".rates"), page.get_by_role("button", name="Stop")
    page.route("**/review?*", lambda route: None)
    drop(page, "short.mat", SHORT)
    stop.click()
    page.get_by_text("The review has stopped.").wait_for()
    page.unroute("**/review?*")
    reviewed(page)
    summary = figures.inner_text()
    page.route("**/review?*", lambda route: None)
    page.get_by_role("button", name="5", exact=True).click()
    stop.click()
    assert figures.inner_text() == summary
    depths = page.get_by_role("group", name="Depth of the review")
    assert depths.locator("[aria-pressed=true]").inner_text() == "1"
    page.unroute("**/review?*")
    drop(page, "letter.txt", "Dear friend")
    page.wait_for_selector("#status.wrong")
    assert figures.inner_text() == summary
    page.reload()
    page.wait_for_selector("#panel-review:not([hidden]) tr.chosen")
    assert figures.inner_text() == summary


def test_a_saved_review_is_there_after_a_reload(open_page: Opened, tmp_path: Path) -> None:
    page = open_page("#review")
    reviewed(page)
    summary = page.locator(".rates").inner_text()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as HTML").click()
    drop(page, "short.mat", SHORT)
    page.get_by_role("heading", name="Ann and Ben").wait_for()
    drop(page, "sample.html", saved.value.path().read_text())
    page.get_by_role("button", name="Save as HTML").wait_for(state="detached")
    page.reload()
    page.wait_for_selector("#panel-review:not([hidden]) tr.chosen")
    assert page.locator(".rates").inner_text() == summary


def test_another_match_is_not_filtered_by_the_games_of_the_last(open_page: Opened) -> None:
    page = open_page("#review")
    reviewed(page)
    for name in ("Game", "Player"):
        page.locator(f'label:has(span:text-is("{name}")) select').select_option(index=2)
    drop(page, "short.mat", SHORT)
    page.get_by_role("heading", name="Ann and Ben").wait_for()
    choose(page, "Size", "All decisions")
    assert page.locator(".listed tbody tr").count() == 2


def test_what_was_played_is_reviewed(open_page: Opened) -> None:
    page = open_page("#play")
    start(page, "Match to 1", 2)
    at_rest(page)
    type_play(page, best_play(page))
    at_rest(page)
    click(page, "Resign", "Backgammon: 3 points")
    page.wait_for_selector("#do-review")
    page.get_by_role("button", name="Review", exact=True).click()
    page.wait_for_selector("#panel-review:not([hidden]) .rates")
    assert "You and gammon" in page.get_by_label("Summary").inner_text()
    choose(page, "Size", "All decisions")
    told = []
    for row in page.locator("[data-choice]").all():
        row.click()
        told.append(page.locator("#status").inner_text())
    assert any(each.startswith("You play ") for each in told)
    assert not any("You plays" in each for each in told)
    # gammon played at depth 1; the review at depth 1 would judge it by itself.
    assert "no deeper" not in page.get_by_label("Summary").inner_text()
    page.get_by_role("button", name="1", exact=True).click()
    page.get_by_text("this review looks no deeper").wait_for()


# The report of a review in a browser: one file, without a server.

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
  return tables.filter((each) => right(each) > right(each.closest("article, header")) + 1)
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


@pytest.mark.parametrize("paper", ["A4", pytest.param("Letter", marks=pytest.mark.nightly)])
def test_the_figures_are_printed_first_and_then_six_decisions_a_page(page: Any, paper: str) -> None:
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".sheet > header .figures tbody tr").count() > 10
    assert "Reviewed by gammon, depth" in page.locator(".sheet > header").inner_text()
    count = page.locator(".sheet article").count()
    assert count > 12
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    printed = page.pdf(format=paper, print_background=True)
    pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert pages == 1 + -(-count // 6)


@pytest.mark.parametrize(
    ("width", "scheme"), [(390, "light"), pytest.param(1366, "dark", marks=pytest.mark.nightly)]
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
    file, found = tmp_path / "bob.html", reviewed_file(HAND)
    file.write_text(found.page(1))
    with opened(browser, file.as_uri()) as page:
        names = page.locator(".listed td:first-child").all_inner_texts()
    wrong = [each for each in found.choices if each.player == 1 and each.error >= ALIKE]
    assert len(names) == len(wrong) > 0
    assert all("Bob" in each for each in names)


def test_its_own_script_runs_and_no_other(browser: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    text = reviewed_file(HAND).page()
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
    bad, worst = "<b>Ann</b> against Bob", reviewed_file(HAND).worst(most=3)
    file = tmp_path / "errors.html"
    file.write_text(page_of([studied(each, source=bad) for each in worst]))
    with opened(browser, file.as_uri()) as page:
        assert page.title() == "3 errors"
        assert page.locator(".listed tbody tr").count() == 3
        assert page.get_by_label("This decision").inner_text().startswith(bad)


def test_a_review_that_cannot_be_shown_is_forgotten(open_page: Any) -> None:
    """It may be of an earlier version: the tab offers to open another."""
    kept = {"name": "a.mat", "data": {"schema_version": 2, "players": []}}
    broken = f"localStorage['gammon.reviewed'] ??= {json.dumps(json.dumps(kept))};"
    page = open_page("#review", kept=broken)
    page.locator("#review input[type=file]").wait_for()
    assert page.evaluate("localStorage['gammon.reviewed']") is None
    page.get_by_role("tab", name="Study").wait_for()
