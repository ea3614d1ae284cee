"""Games on the page with both sides by hand, and games that go on from a position."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gammon_study.match_files.mat import parse_mat
from tests.web.hands import at_rest, click, middle, record_of, type_play
from tests.web.test_page_layout import violations
from tests.web.test_page_play import type_in

Opened = Callable[..., Any]


def begin(page: Any, play: str = "Match to 3") -> None:
    """Begin to enter a match of Ann against Bob."""
    page.get_by_label("What to play").select_option(label=play)
    page.get_by_label("Who plays").select_option(label="Both by hand")
    assert not page.get_by_label("Strength of gammon").is_visible()
    page.get_by_label("Player at the bottom").fill("Ann")
    page.get_by_label("Player at the top").fill("Bob")
    click(page, "I type them in", "Start")
    type_in(page, "the opening roll, the die of Ann first", "31")


def said(page: Any, words: str) -> None:
    page.locator("#status", has_text=words).wait_for()


def test_a_match_over_the_board_is_entered_and_saved(open_page: Opened, tmp_path: Path) -> None:
    page = open_page("#play")
    begin(page)
    said(page, "Ann rolls 3, Bob rolls 1: Ann begins.")
    type_play(page, "8/5 6/5")
    said(page, "Bob: roll, or double to 2?")
    click(page, "Double", exact=True)
    said(page, "Bob doubles to 2. Does Ann take?")
    click(page, "Take", exact=True)
    type_in(page, "the roll of Bob", "64")
    said(page, "Bob rolled 6 and 4.")
    # Points are numbered from Bob, who stays at the top.
    assert page.locator("[data-place='24']").get_attribute("aria-label") == "24 point, 2 of yours"
    assert middle(page, "6")[1] < middle(page, "24")[1]
    page.mouse.click(*middle(page, "24"))
    page.mouse.click(*middle(page, "18"))
    said(page, "18/14. Done?")
    page.keyboard.press("Enter")
    type_in(page, "the roll of Ann", "11")
    # A decision of either side can be taken back.
    click(page, "Take back")
    said(page, "Ann: roll, or double to 4?")
    click(page, "Take back")
    said(page, "Bob rolled 6 and 4.")
    type_play(page, "24/14")
    type_in(page, "the roll of Ann", "11")
    said(page, "Ann rolled 1 and 1.")
    assert record_of(page) == [["31: 8/5 6/5", "Double"], ["Take", "64: 24/14"]]
    click(page, "Resign", "Single game: 2 points")
    said(page, "Ann resigns a single game. Bob scores 2 points. 0 to 2.")
    with page.expect_download() as download:
        click(page, "Keep as .mat")
    path = tmp_path / "saved.mat"
    download.value.save_as(path)
    assert download.value.suggested_filename.startswith("Ann-Bob-")
    match = parse_mat(path.read_text())
    assert (match.players, match.length) == (("Ann", "Bob"), 3)
    (game,) = match.games
    assert (game.winner, game.points, game.complete) == (1, 2, True)
    click(page, "Next game")
    type_in(page, "the opening roll", "21")
    said(page, "Ann rolls 2, Bob rolls 1: Ann begins.")
    page.get_by_text("Game 2, match to 3, Crawford; both sides by hand").wait_for()
    page.reload()
    said(page, "Ann rolled 2 and 1.")


def test_two_people_play_with_dice_that_are_rolled(open_page: Opened) -> None:
    page = open_page("#play")
    page.get_by_label("What to play").select_option(label="Money games")
    page.get_by_label("Who plays").select_option(label="Both by hand")
    page.get_by_label("Seed of the dice").fill("4")
    click(page, "Start")
    players = set()
    for _ in range(6):
        if "do-roll" in at_rest(page)["can"]:
            click(page, "Roll", exact=True)
        page.locator("#do-done").wait_for()
        status = page.locator("#status").inner_text()
        players.add("X" if "X rolled" in status or "X begins" in status else "O")
        page.locator("#do-hint").click()
        best = page.locator("#play tr.chosen button").get_attribute("data-play")
        type_play(page, best)
        page.locator("#do-done").wait_for(state="detached")
    assert players == {"X", "O"}
    assert page.get_by_text("PR").count() == 0, "nobody is judged"


#: X bears off the last two checkers, or O does.
LAST = "#xgid=-AA-------------------b---:0:0:1:21:0:0:0:0:10"
O_LAST = "#xgid=-B---------------------aa-:0:0:-1:21:0:0:0:0:10"
DOUBLED = "#xgid=-BBBCCB-----------bbccb-c-:0:0:1:D:0:2:0:5:10"


def play_on(page: Any, side: str = "The side on roll") -> None:
    page.get_by_role("button", name="Play from here").click()
    page.get_by_role("heading", name="Play on from here").wait_for()
    page.get_by_label("You play").select_option(label=side)
    page.get_by_label("Strength of gammon").select_option(label="Full")
    page.get_by_label("Depth of gammon").select_option(label="1: at once")
    click(page, "Start")


@pytest.mark.parametrize("position", [LAST, O_LAST])
def test_a_game_goes_on_from_a_position(open_page: Opened, position: str) -> None:
    page = open_page(position)
    play_on(page)
    for _ in range(2):
        said(page, "You rolled 2 and 1.")
        page.get_by_text("Played on from a position, money; gammon at depth 1").wait_for()
        type_play(page, "2/off 1/off")
        said(page, "You win a single game. You score 1 point.")
        assert page.get_by_role("button", name="Keep as .mat").count() == 0
        click(page, "Play it again")
    click(page, "End the game")
    page.get_by_role("dialog").get_by_text("The game is not over.").wait_for()
    assert not page.get_by_role("button", name="Keep as .mat, then end").is_visible()
    page.get_by_role("dialog").get_by_role("button", name="End the game").click()
    click(page, "Back to the last match")
    said(page, "You rolled 2 and 1.")


def test_gammon_plays_the_other_side(open_page: Opened) -> None:
    page = open_page(LAST)
    play_on(page, "The other side")
    for _ in range(2):
        said(page, "gammon wins a single game. gammon scores 1 point.")
        click(page, "Play it again")
        page.get_by_text("dice of seed").wait_for()


def test_a_double_on_offer_is_answered(open_page: Opened) -> None:
    page = open_page(DOUBLED)
    play_on(page, "The other side")
    said(page, "gammon doubles to 2. Do you take?")
    # The score is the position's: you have 2 of 5, and a pass gives gammon its first point.
    assert page.locator("#side-bottom .score").inner_text() == "2 of 5"
    click(page, "Pass", exact=True)
    said(page, "You pass. gammon scores 1 point.")
    assert page.locator("#side-top .score").inner_text() == "1 of 5"


def test_a_match_under_way_is_not_lost(open_page: Opened) -> None:
    page = open_page("#play")
    begin(page)
    said(page, "Ann begins")
    page.get_by_role("tab", name="Analyze").click()
    page.get_by_role("button", name="Play from here").click()
    click(page, "Not from here")
    page.get_by_role("heading", name="Play with both sides by hand").wait_for()
    click(page, "Back to the last match")
    said(page, "Ann rolled 3 and 1.")
    # Nor by a game from a position, and by the next one.
    page.get_by_role("tab", name="Analyze").click()
    page.get_by_role("button", name="Play from here").click()
    click(page, "Start", "Resign", "Single game: 1 point", "Play it again", "End the game")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("The game is not over. Your match waits.").wait_for()
    dialog.get_by_role("button", name="End the game").click()
    click(page, "Back to the last match")
    page.get_by_text("Game 1, match to 3").wait_for()


def test_no_rule_is_broken_where_both_sides_are_moved(open_page: Opened, axe: str) -> None:
    page = open_page("#play", width=390, height=844)
    page.get_by_label("Who plays").select_option(label="Both by hand")
    assert violations(page, axe) == []
    begin(page)
    said(page, "Ann begins")
    assert violations(page, axe) == []
    type_play(page, "8/5 6/5")
    # The board is turned: the other side is on roll, and has the clickable cube.
    said(page, "Bob: roll, or double to 2?")
    assert violations(page, axe) == []
    click(page, "Double", exact=True)
    said(page, "Does Ann take?")
    assert violations(page, axe) == []
