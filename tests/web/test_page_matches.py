"""The matches of the library on the page: add, list, open, remove; and the names of players."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from gammon_study.library.library import Library
from gammon_study.library.matches import ListedMatch, match_list, remove_matches, rename_player
from tests.matches import HAND, SAMPLE, SHORT
from tests.web.conftest import opened, serving
from tests.web.hands import LONG, click, drop_all
from tests.web.test_page_layout import violations
from tests.web.test_page_play import type_in

Visit = Callable[..., Any]


@pytest.fixture
def own(library: Path, tmp_path: Path) -> Path:
    """A library that a test may change."""
    return Path(shutil.copy(library, tmp_path / "own.db"))


@pytest.fixture
def visit(own: Path, browser: Any) -> Iterator[Visit]:
    """Open the page of a server of its own with that library: `visit("#study")`."""
    with serving("--library", str(own)) as server, ExitStack() as windows:

        def visited(at: str = "#study", width: int = 1366, height: int = 768, scheme: str = "light") -> Any:
            def prepare(page: Any) -> None:
                page.add_init_script("""localStorage['gammon.review'] ??= '"1"'""")

            view = {"width": width, "height": height}
            window = opened(browser, server + at, prepare, viewport=view, color_scheme=scheme)
            return windows.enter_context(window)

        yield visited


def listed(own: Path) -> list[ListedMatch]:
    with Library(own) as library:
        return match_list(library).matches


def rows_of(page: Any) -> Any:
    return page.get_by_label("List of matches").locator("tbody tr")


def show_matches(page: Any) -> None:
    page.get_by_role("tab", name="Study").click()
    page.get_by_role("button", name="Matches", exact=True).click()
    rows_of(page).first.wait_for()


def test_a_match_is_removed_after_a_question_and_added_again(visit: Visit, own: Path, axe: str) -> None:
    page = visit(width=390, height=844, scheme="dark")
    show_matches(page)
    before = listed(own)
    assert rows_of(page).count() == len(before)
    remove = page.get_by_role("button", name="Remove Ann against Bob, to 3, 2026-02-03")
    question = page.get_by_role("dialog", name="Remove this match from your library?")
    # By keys alone; the question has the focus, and its first answer is no.
    for keys in (["Enter"], ["Escape"]):
        remove.focus()
        page.keyboard.press("Enter")
        question.wait_for()
        for key in keys:
            page.keyboard.press(key)
        question.wait_for(state="hidden")
    assert listed(own) == before
    remove.focus()
    page.keyboard.press("Enter")
    question.wait_for()
    assert violations(page, axe) == []
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    remove.wait_for(state="detached")
    assert [match.players for match in listed(own)] == [
        match.players for match in before if match.players != ("Ann", "Bob")
    ]
    # The file is known as removed, and comes again if that is asked for.
    drop_all(page, {"hand.mat": HAND.read_text()})
    again = page.get_by_role("button", name="Add again what was removed")
    again.wait_for(timeout=LONG)
    assert "hand.mat was removed from your library before." in page.get_by_label("Adding files").inner_text()
    again.click()
    remove.wait_for(timeout=LONG)
    assert len(listed(own)) == len(before)
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_files_are_added_with_a_line_for_those_that_are_not(visit: Visit, own: Path) -> None:
    page = visit()
    page.locator(".listed tbody tr").first.wait_for()
    count = len(listed(own))
    files = {"new.mat": SHORT, "diary.mat": "Dear diary", "sample.mat": SAMPLE.read_text(), "notes.pdf": ""}
    drop_all(page, files)
    fates = page.get_by_label("Adding files")
    fates.get_by_text("1 of 3 files added to your library.").wait_for(timeout=LONG)
    (left,) = fates.locator("li").all_inner_texts()
    assert left.startswith("diary.mat is left out: 'diary.mat': ")
    rows_of(page).nth(count).wait_for()
    assert rows_of(page).count() == len(listed(own)) == count + 1
    assert any(match.players == ("Ann", "Ben") for match in listed(own))
    # A match is opened and replayed on the tab Review.
    page.get_by_role("button", name="Ann – Ben").click()
    page.get_by_role("heading", name="Ann and Ben, match to 1").wait_for()
    page.get_by_label("Size").select_option(label="All decisions")
    assert page.get_by_label("List of decisions").locator("tbody tr").count() >= 2


def test_an_empty_library_is_filled_and_the_work_can_be_stopped(visit: Visit, own: Path) -> None:
    with Library(own) as library:
        remove_matches(library, [match.match for match in match_list(library).matches])
    page = visit()
    page.get_by_label("Add matches").wait_for()
    parts = page.get_by_label("Library", exact=True).get_by_role("button")
    assert parts.all_inner_texts() == ["Matches", "Drill", "Notes"]
    assert page.locator("#status.wrong").count() == 0
    parts.filter(has_text="Drill").click()
    page.get_by_role("button", name="openings", exact=True).click()
    page.locator("#do-show-me").wait_for()
    parts.filter(has_text="Matches").click()
    drop_all(page, {"notes.pdf": "", "more.pdf": ""})
    page.get_by_label("Adding files").get_by_text("No match file is among these files.").wait_for()
    held: list[Any] = []

    def hold(route: Any) -> None:
        """Leave the first request without an answer."""
        if held:
            route.continue_()
        held.append(route)

    page.route("**/library/add?*", hold)
    with page.expect_request("**/library/add?*"):
        page.get_by_label("Files", exact=True).set_input_files(
            [{"name": f"{n}.mat", "mimeType": "", "buffer": SHORT.encode()} for n in range(3)]
        )
    page.get_by_role("button", name="Stop").click()
    page.get_by_label("Adding files").get_by_text("Stopped: 3 files left.").wait_for()
    assert listed(own) == []
    # Both are one match.
    drop_all(page, {"a.mat": SHORT, "b.mat": SHORT})
    page.get_by_label("Adding files").get_by_text("1 of 2 files added").wait_for(timeout=LONG)
    rows_of(page).first.wait_for()
    assert len(listed(own)) == 1


def test_files_come_from_folders_too(visit: Visit) -> None:
    page = visit()
    names = page.evaluate(
        """async () => {
            const { filesOf } = await import(new URL("static/js/adding.js", document.baseURI));
            const file = (name) => ({ isFile: true, file: (done) => done(new File([""], name)) });
            const folder = (...some) => ({
                createReader: () => ({ readEntries: (done) => done(some.shift() ?? []) }),
            });
            const deep = folder([folder([file("c.xg")]), file("d.txt")], [file("e.sgf")]);
            const items = [file("a.mat"), folder([file("b.mat")], [deep]), null].map((entry) => ({
                webkitGetAsEntry: () => entry,
                getAsFile: () => (entry ? null : new File([""], "f.bgf")),
            }));
            return (await filesOf({ items })).map(({ name }) => name);
        }"""
    )
    assert names == ["a.mat", "b.mat", "c.xg", "d.txt", "e.sgf", "f.bgf"]


def test_what_was_played_and_reviewed_is_added(visit: Visit, own: Path) -> None:
    page = visit("#play")
    click(page, "I type them in", "Start")
    type_in(page, "the opening roll", "31")
    click(page, "Resign", "Single game: 1 point", exact=True)
    page.get_by_role("button", name="Next game").wait_for()
    # A review first, whose results the library takes.
    page.get_by_role("button", name="Review", exact=True).click()
    add = page.get_by_role("button", name="Add to my library")
    add.click()
    page.get_by_text("In your library").wait_for(timeout=LONG)
    page.get_by_role("tab", name="Play").click()
    add.click()
    done = page.locator("#adding", has_text="is in your library already.")
    done.click(timeout=LONG)
    page.get_by_role("button", name="You – gammon").wait_for()
    assert [match.analysis for match in listed(own) if match.players == ("You", "gammon")] == [
        "gammon, depth 1"
    ]


def test_players_get_names_and_ones_own_errors_come_first(visit: Visit, own: Path) -> None:
    with Library(own) as library:
        rename_player(library, "root", "Annie")
    page = visit()
    page.locator(".listed tbody tr").first.wait_for()
    library_card = page.get_by_label("Library", exact=True)
    player = library_card.locator('label:has(span:text-is("Player")) select')
    player.select_option(label="Annie")
    page.get_by_label("This is me").check()
    page.locator("summary", has_text="Another name").click()
    page.get_by_label("Another name of Annie").fill("ann")
    page.keyboard.press("Enter")
    question = page.get_by_role("dialog", name="Are Annie and Ann one player?")
    question.get_by_role("button", name="Cancel").click()
    assert {"Ann", "Annie"} <= {name for match in listed(own) for name in match.players}
    page.get_by_role("button", name="Rename").click()
    question.get_by_role("button", name="Make them one").click()
    question.wait_for(state="hidden")
    player.locator("option", has_text="Annie").wait_for(state="detached")
    assert sum("ann" in match.players for match in listed(own)) >= 1
    chosen = "(select) => select.selectedOptions[0]?.text.toLowerCase()"
    assert player.evaluate(chosen) == "ann"
    page.reload()
    page.locator(".listed tbody tr").first.wait_for()
    assert player.evaluate(chosen) == "ann"
    players = page.get_by_label("List of decisions").locator("tbody td:first-child").all_inner_texts()
    assert players
    assert all(re.search(r"\bann\b", name, re.IGNORECASE) for name in players)


def test_filters_are_those_of_the_command(visit: Visit, axe: str) -> None:
    page = visit()
    page.locator(".listed tbody tr").first.wait_for()
    page.locator("summary", has_text="Filters").click()
    count = page.get_by_label("Library", exact=True).locator("p").last
    whole = count.inner_text()
    page.get_by_label("Errors from").fill("0.1")
    page.keyboard.press("Enter")
    page.wait_for_function("(text) => !document.body.innerText.includes(text)", arg=whole)
    page.get_by_label("Points of the match").fill("5")
    page.keyboard.press("Enter")
    page.get_by_text("0.1, 5").or_(page.get_by_text("5, 0.1")).wait_for()
    page.get_by_label("All figures").check()
    assert page.get_by_role("columnheader", name="PR doubles").count() == 1
    assert violations(page, axe) == []
    page.get_by_label("Checkers").fill("99=1")
    page.keyboard.press("Enter")
    page.locator("#status.wrong", has_text="99=1").wait_for()
