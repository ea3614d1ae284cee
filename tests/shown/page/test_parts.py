"""Small parts of the page."""

from gammon.reviews.review import Review
from gammon.shown.page.parts import badge, grid, player_mark
from tests.shown.page.pages import Page


def test_errors_are_written_and_coloured_by_their_size(hand: Review) -> None:
    choice = hand.choices[0]
    said = {
        error: Page(badge(choice._replace(error=error)))
        for error in (0.0, 0.0002, 0.01, 0.04, 0.09, 0.5)
    }
    assert {error: page.text for error, page in said.items()} == {
        0.0: "", 0.0002: "", 0.01: "-0.010", 0.04: "-0.040 doubtful", 0.09: "-0.090 bad",
        0.5: "-0.500 very bad",
    }  # fmt: skip
    assert said[0.5].of_class("e3")
    assert said[0.01].of_class("e0")


def test_a_table() -> None:
    page = Page(grid(["", "<x>"], [["a & b", "1"], ["c", "2"]], ["k", ""], "<tr><th>above"))
    assert page.texts == ["above", "<x>", "a & b", "1", "c", "2"]
    rows = [each for tag, each in page.found if tag == "tr"]
    assert [row.get("class") for row in rows] == [None, None, "k", None]


def test_checkers_of_the_players() -> None:
    assert [len(Page(player_mark(side)).of_class("xo"[side])) for side in (0, 1)] == [1, 1]
