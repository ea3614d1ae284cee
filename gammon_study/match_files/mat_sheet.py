"""The lines of a match file (.mat): its length and comments, and the cells of each game."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from gammon.base.errors import FormatError
from gammon.formats.characters import quoted
from gammon.formats.context import check_score
from gammon.rules.terms import LONGEST_MATCH
from gammon_study.match_files.reading import check_games
from gammon_study.match_files.transcript import MOST_ACTIONS

_LENGTH = re.compile(r"\s*(\d{1,4})[ -]*points? match\b", re.IGNORECASE)
_MONEY = re.compile(r"\s*(unlimited|money) (match|game|session)\b", re.IGNORECASE)
_COMMENT = re.compile(r'\s*[;#]\s*(?:\[([^"\]]*)"(.*)"\s*\])?')
_GAME = re.compile(r"\s*Game\s+(\d{1,6})\s*$", re.IGNORECASE)
#: It is for single blanks, and takes time by the square of a line's length: see `_LONGEST`.
_NAMES = re.compile(r"(\S.*?) ?: ?(\d{1,7}) (\S.*?) ?: ?(\d{1,7})$")
#: No line with both names is longer, and no file has more comments or warnings.
_LONGEST, _MOST = 500, 100_000
_ROW = re.compile(r"\s*(\d{1,4})\)(.*)$")
#: A cell begins with a roll, or with the word of another action.
CELL = re.compile(
    r"(?<!\S)(?P<roll>(?P<dice>[1-6]{2})\s*:(\s*(cannot move|no play|pass)\b)?)"
    r"|(?<!\S)00:"  # nobody has rolled
    r"|(?<!\S)(?:re)?(?P<kind>doubl|beaver|take|accept|drop|pass|reject|win|resign|concede|losses)\w*",
    re.IGNORECASE,
)
WINS = re.compile(r"wins?\s+(\d{1,4})\b", re.IGNORECASE)
_RESIGNS = re.compile("resign|concede|losses", re.IGNORECASE)
#: A comment by which a game begins from another position (eXtreme Gammon).
_SET_UP = re.compile(r"\s*;\s*Set Pos\b", re.IGNORECASE)
#: Cells that stand alone are the left player's if they begin before this column.
_MIDDLE = 22


@dataclass(frozen=True, slots=True)
class Cell:
    """An entry of a row.

    Attributes:
        line: of the file.
        side: 0 or 1 by its column.
        sure: whether the column is certain. That of a first row's only cell is not: people
            leave out the blanks before it.
        text: of the entry.
    """

    line: int
    side: int
    sure: bool
    text: str


@dataclass
class Block:
    """The lines of a game.

    Attributes:
        line: of its heading.
        names: of the players, left and right.
        points: the score before it.
        cells: in their order.
        wins: what the file says of its end.
        rows: the number of its last row.
        resigned: the word of a resignation; `wins` and the next score say for how much.
    """

    line: int
    names: tuple[str, str] = ("", "")
    points: tuple[int, int] | None = None
    cells: list[Cell] = field(default_factory=list)
    wins: Cell | None = None
    rows: int = 0
    resigned: Cell | None = None


class MatSheet:
    """The contents of a match file's lines, read without a look at the rules.

    Attributes:
        length: points of the match; None until its line has come.
        details: of the comments.
        blocks: one for each game.
        warnings: the lines that were repaired or left out, with words about each.
    """

    def __init__(self) -> None:
        self.length: int | None = None
        self.details: list[tuple[str, str]] = []
        self.blocks: list[Block] = []
        self.warnings: list[tuple[int, str]] = []

    def warn(self, line: int, text: str) -> None:
        """Say that a line was repaired or left out."""
        self.warnings.append((line, text))

    def leave_out_empty(self) -> None:
        """Leave out the last game, if all that it has is its heading."""
        if self.blocks and self.blocks[-1].points is None:
            self.warn(self.blocks.pop().line, "a game without players and points is left out")

    def take(self, line: int, text: str) -> None:
        """Take up a line of the file.

        Raises:
            FormatError: this is not a line of a match file, or one too many.
        """
        if max(len(self.details), len(self.warnings)) > _MOST:
            raise FormatError(f"line {line}: expected at most {_MOST:,} comments and warnings")
        comment, game = _COMMENT.match(text), _GAME.match(text)
        if not text.strip():
            return
        if comment:
            if comment[1]:
                self.details.append((comment[1].strip(), comment[2]))
            if _SET_UP.match(text) and self.blocks:
                self.blocks[-1].cells.append(Cell(line, 0, True, text.strip()))
        elif game:
            self.leave_out_empty()
            if int(game[1]) != len(self.blocks) + 1:
                self.warn(line, f"game {game[1]}: expected game {len(self.blocks) + 1}")
            self.blocks.append(Block(line))
            check_games(len(self.blocks), self.length or 0)
        elif not self.blocks:
            self._take_length(line, text)
        elif self.blocks[-1].points is None:
            self._take_names(line, text)
        else:
            self._take_row(line, text)

    def _take_length(self, line: int, text: str) -> None:
        """Take up a line before the first game: the length of the match."""
        length = _LENGTH.match(text)
        if length and self.length is None:
            self.length = int(length[1])
            if self.length > LONGEST_MATCH:
                raise FormatError(
                    f"line {line}: a match of {self.length} points: expected at most "
                    f"{LONGEST_MATCH}, or 0 for money"
                )
        elif _MONEY.match(text) and self.length is None:
            self.length = 0
        else:
            self.warn(line, f"{quoted(text.strip())} is not understood")

    def _take_names(self, line: int, text: str) -> None:
        """Take up the line with the names of the players and their points."""
        blanks = " ".join(text.split())
        names = _NAMES.match(blanks) if len(blanks) <= _LONGEST else None
        if names is None:
            raise FormatError(
                f"line {line}: {quoted(text.strip())}: expected both players and their points, "
                "such as Ann : 0   Bob : 2"
            )
        block = self.blocks[-1]
        block.names, block.points = (names[1], names[3]), (int(names[2]), int(names[4]))
        try:
            check_score(self.length or 0, block.points)
        except FormatError as error:
            raise FormatError(f"line {line}: {error}") from None
        if block.names != self.blocks[0].names:
            self.warn(line, f"other names than in game 1: {quoted(text.strip())}")

    def _take_row(self, line: int, text: str) -> None:
        """Take up a line with cells."""
        block = self.blocks[-1]
        row = _ROW.match(text)
        if row:
            if int(row[1]) != block.rows + 1:
                self.warn(line, f"row {row[1]}: expected row {block.rows + 1}")
            block.rows = int(row[1])
        begin = row.start(2) if row else 0
        cells = list(_cells(line, text, begin, block.rows > 1))
        for cell in cells:
            resigned = block.resigned
            if _RESIGNS.match(cell.text):
                block.resigned = cell
            elif not WINS.match(cell.text):
                if resigned:
                    self.warn(line, f"{quoted(cell.text)} comes after a resignation")
                block.cells += [cell][: MOST_ACTIONS + 1 - len(block.cells)]
            elif block.wins is None:
                block.wins = cell
                if len(cells) == 1 and resigned and resigned.sure:  # whatever its column
                    block.wins = replace(cell, side=1 - resigned.side)
            else:
                self.warn(line, "a second end of the game is left out")


def _cells(line: int, text: str, begin: int, later: bool) -> Iterator[Cell]:
    """Yield the cells of a row; words before the first one are a cell that means nothing.

    Args:
        line: its number in the file.
        text: the line.
        begin: where the cells begin.
        later: whether it is not the first row.
    """
    starts = [match.start() for match in CELL.finditer(text, begin)]
    if text[begin : starts[0] if starts else None].strip():
        starts = [begin, *starts]
    for place, (start, end) in enumerate(pairwise([*starts, len(text)])):
        pair = len(starts) == 2
        side = place if pair else int(start >= _MIDDLE)
        yield Cell(line, side, pair or later, text[start:end].strip())
