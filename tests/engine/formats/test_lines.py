"""Lines parted into texts of one position each."""

from collections.abc import Iterator

import pytest

from gammon.base.errors import GammonError
from gammon.formats.pasted import MOST, texts_of_positions
from gammon.formats.position import Position
from tests.engine.formats.test_pasted import BARE, BOTH, ID, MATCH, OTHER, XGID, golden

LABELS = f" GNU Backgammon  Position ID: {ID}\n                 Match ID   : {MATCH}\n"


def found(text: str) -> list[str]:
    """The Position IDs of the texts in order, and the texts that no position is in."""
    answers = []
    for part in texts_of_positions(text.splitlines(keepends=True)):
        try:
            answers.append(Position.parse(part).position_id)
        except GammonError:
            answers.append(part)
    return answers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (f"{XGID}\n{OTHER}\n{BARE}", [ID, OTHER, ID]),
        (f"\ufeff{XGID}\r\n\r\n   \r\n{OTHER}\r\n", [ID, OTHER]),
        (f"# {OTHER}\n{XGID}\n  # more\n", [ID]),
        (f"rubbish\n{XGID}\nrubbish\n{BOTH}", ["rubbish", ID, "rubbish", ID]),
        (LABELS, [ID]),
        (LABELS.replace("\n", "\r\n"), [ID]),
        (LABELS + LABELS + OTHER, [ID, ID, OTHER]),
        (f"Position ID: {ID}\nPosition ID: {OTHER}", [ID, OTHER]),
        (f"Position ID: {ID}\n\nMatch ID: {MATCH}\nPosition ID: {OTHER}", [ID, OTHER]),
        (f"Position ID: {ID} Match ID: {MATCH}\n{OTHER}", [ID, OTHER]),
        (f"Match ID: {MATCH}\n{OTHER}", [f"Match ID: {MATCH}", OTHER]),
        (golden("gnubg_board"), [ID]),
        (golden("gnubg_board") + golden("gnubg_clockwise"), [ID, ID]),
        (golden("gnubg_export") + golden("gnubg_export"), [ID, ID]),
        (golden("gnubg_board") + ID[:-1] + "\n" + OTHER, [ID, ID[:-1], OTHER]),
        (golden("xg_export"), [ID]),
        (golden("xg_export").replace("\n", "\r\n") + golden("xg_export"), [ID, ID]),
        (golden("xg_export") + "some rubbish\n" + golden("gnubg_board"),
         [ID, "some rubbish", ID]),
        (f"{XGID}\nneither this nor that\n{XGID}", [ID, "neither this nor that", ID]),
        ("+13-14-15-16-17-18-\nX:X   O:O", ["+13-14-15-16-17-18-", "X:X   O:O"]),
        (f"{XGID}\nX:Xavier   O:Olga\n{XGID[:30]}\n{XGID[:-2]}", [ID, XGID[:30], XGID[:-2]]),
    ],
)  # fmt: skip
def test_texts(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_the_two_labelled_lines_are_one_text() -> None:
    (text,) = texts_of_positions(golden("gnubg_board").splitlines())
    assert Position.parse(text) == Position.parse(BOTH)


def test_a_text_comes_as_soon_as_its_line_has() -> None:
    given: list[str] = []

    def lines() -> Iterator[str]:
        for line in (XGID, "rubbish", BOTH, f"Position ID: {ID}", f"Match ID: {MATCH}", OTHER):
            given.append(line)
            yield line

    counts = [len(given) for _ in texts_of_positions(lines())]
    assert counts == [1, 2, 3, 5, 6]


def test_a_long_line_is_one_text() -> None:
    line = XGID + " " * MOST + "end"
    assert list(texts_of_positions([line, OTHER])) == [line, OTHER]
