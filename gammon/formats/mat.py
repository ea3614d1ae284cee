"""Match files as text (.mat): the format of Jellyfish, which all programs exchange.

A game is rows of two cells, each a roll with its play or an action with the cube. Programs and
people write the columns in different places, so a cell's side is told by the turn that it is,
and every play is held to the rules (`gammon.formats.transcript`). Where a game cannot be read
on, its rest is left out, and a warning names the line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from gammon.errors import FormatError
from gammon.formats.characters import quoted
from gammon.formats.notation import parse_play
from gammon.formats.transcript import (
    Action,
    ActionKind,
    GameReplay,
    GameTranscript,
    Transcript,
    player_names,
)
from gammon.rules.moves import Moves
from gammon.rules.score import Score
from gammon.rules.terms import LONGEST_MATCH

__all__ = ["format_mat", "parse_mat"]

_WIDTH = 34
_LENGTH = re.compile(r"\s*(\d{1,4})[ -]*points? match\b", re.IGNORECASE)
_MONEY = re.compile(r"\s*(unlimited|money) (match|game|session)\b", re.IGNORECASE)
_COMMENT = re.compile(r'\s*[;#]\s*(?:\[\s*([^"\]]*?)\s*"(.*)"\s*\])?')
_GAME = re.compile(r"\s*Game\s+(\d+)\s*$", re.IGNORECASE)
_NAMES = re.compile(r"\s*(\S.*?)\s*:\s*(\d{1,4})\s+(\S.*?)\s*:\s*(\d{1,4})\s*$")
_ROW = re.compile(r"\s*(\d{1,4})\)(.*)$")
#: A cell begins with a roll, or with the word of another action.
_CELL = re.compile(
    r"(?<!\S)(?P<roll>(?P<dice>[1-6]{2})\s*:(\s*(cannot move|no play|pass)\b)?)"
    r"|(?<!\S)(?:re)?(?P<kind>doubl|beaver|take|accept|drop|pass|reject|win)\w*",
    re.IGNORECASE,
)
_KINDS = {
    "doubl": ActionKind.DOUBLE, "take": ActionKind.TAKE, "accept": ActionKind.TAKE,
    "drop": ActionKind.PASS, "pass": ActionKind.PASS, "reject": ActionKind.PASS,
}  # fmt: skip
_WINS = re.compile(r"wins?\s+(\d{1,4})\b", re.IGNORECASE)
_NOT_RECORDED = re.compile(r"\?*$|illegal play", re.IGNORECASE)
#: Cells that stand alone are the left player's if they begin before this column.
_MIDDLE = 22


@dataclass(frozen=True)
class _Cell:
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
class _Block:
    """The lines of a game.

    Attributes:
        line: of its heading.
        names: of the players, left and right.
        points: the score before it.
        cells: in their order.
        wins: what the file says of its end.
        rows: the number of its last row.
    """

    line: int
    names: tuple[str, str] = ("", "")
    points: tuple[int, int] | None = None
    cells: list[_Cell] = field(default_factory=list)
    wins: _Cell | None = None
    rows: int = 0


def parse_mat(text: str) -> Transcript:
    """Read a match file.

    Raises:
        FormatError: the text is no match file, or its length or a score is missing or cannot
            be. The message names the line.
    """
    reader = _Reader()
    for line, each in enumerate(text.expandtabs().splitlines(), 1):
        reader.take(line, each)
    return reader.transcript()


class _Reader:
    """What is known of a match file after some lines of it."""

    def __init__(self) -> None:
        self.length: int | None = None
        self.details: list[tuple[str, str]] = []
        self.blocks: list[_Block] = []
        self.warnings: list[tuple[int, str]] = []
        self.jacoby = False

    def warn(self, line: int, text: str) -> None:
        self.warnings.append((line, text))

    def take(self, line: int, text: str) -> None:
        """Take up a line of the file."""
        comment, game = _COMMENT.match(text), _GAME.match(text)
        if not text.strip():
            return
        if comment:
            if comment[1]:
                self.details.append((comment[1], comment[2]))
        elif game:
            if int(game[1]) != len(self.blocks) + 1:
                self.warn(line, f"game {game[1]}: expected game {len(self.blocks) + 1}")
            self.blocks.append(_Block(line))
        elif not self.blocks:
            self._take_length(line, text)
        elif self.blocks[-1].points is None:
            self._take_names(line, text)
        else:
            self._take_row(line, text)

    def _take_length(self, line: int, text: str) -> None:
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
        names = _NAMES.match(text)
        if names is None:
            raise FormatError(
                f"line {line}: {quoted(text.strip())}: expected both players and their points, "
                "such as Ann : 0   Bob : 2"
            )
        block = self.blocks[-1]
        block.names, block.points = (names[1], names[3]), (int(names[2]), int(names[4]))
        if self.length and max(block.points) >= self.length:
            raise FormatError(
                f"line {line}: a score of {max(block.points)} before a game of a match to "
                f"{self.length}"
            )
        if block.names != self.blocks[0].names:
            self.warn(line, f"other names than in game 1: {quoted(text.strip())}")

    def _take_row(self, line: int, text: str) -> None:
        block = self.blocks[-1]
        row = _ROW.match(text)
        if row:
            if int(row[1]) != block.rows + 1:
                self.warn(line, f"row {row[1]}: expected row {block.rows + 1}")
            block.rows = int(row[1])
        begin = row.start(2) if row else 0
        for cell in _cells(line, text, begin, block.rows > 1):
            if not _WINS.match(cell.text):
                block.cells.append(cell)
            elif block.wins is None:
                block.wins = cell
            else:
                self.warn(line, "a second end of the game is left out")

    def transcript(self) -> Transcript:
        """Return what was read, when all lines have come.

        Raises:
            FormatError: a part of every match is missing.
        """
        if self.length is None:
            raise FormatError(
                "no length of the match: expected a line such as ' 7 point match', or 0 points "
                "for money"
            )
        if not self.blocks or self.blocks[0].points is None:
            raise FormatError("no game: expected ' Game 1' and both players below it")
        if self.blocks[-1].points is None:
            self.warn(self.blocks.pop().line, "a game without players and points is left out")
        options = {name.lower(): value.lower() for name, value in self.details}
        self.jacoby = not self.length and options.get("jacoby") in ("on", "true", "yes")
        crawford = options.get("crawford") not in ("off", "false", "no")
        before = list(self.warnings)
        games = self._games(crawford)
        if self.jacoby and not games[0].score.jacoby:
            self.warnings = before
            self.warn(self.blocks[0].line, "a gammon counts 1 point: read with the Jacoby rule")
            games = self._games(crawford)
        if not any(game.actions for game in games):
            line, text = min(self.warnings, default=(self.blocks[0].line, "no roll"))
            raise FormatError(f"line {line}: {text}; nothing else can be read")
        lines = tuple(f"line {line}: {text}" for line, text in sorted(self.warnings))
        names = player_names(self.blocks[0].names)
        return Transcript(names, self.length, tuple(games), tuple(self.details), lines)

    def _games(self, rule: bool) -> list[GameTranscript]:
        """Return the games.

        Args:
            rule: whether there is a Crawford game.
        """
        games: list[GameTranscript] = []
        score = Score(self.length or 0, (0, 0), False, self.jacoby)
        for number, block in enumerate(self.blocks):
            assert block.points is not None, "checked by `transcript`"
            if block.points != score.points:
                if number:
                    self.warn(
                        block.line,
                        f"the score is {_score(block.points)}, after game {number} "
                        f"{_score(score.points)} was expected",
                    )
                score = _at(score, block.points, number == 0)
            if score.crawford and not rule:
                score = score._replace(crawford=False)
            doubles = [cell for cell in block.cells if re.match("(re)?doubl", cell.text, re.I)]
            if score.crawford and doubles:
                self.warn(doubles[0].line, "a double: the game is not the Crawford game")
                score = score._replace(crawford=False)
            games.append(self._game(number, block, score))
            last = games[-1]
            won = last.points if last.winner == 0 else -last.points
            score = score.after(won)
        return games

    def _game(self, number: int, block: _Block, score: Score) -> GameTranscript:
        """Return a game, as far as it can be read."""
        cells, side = block.cells, 0
        if cells and not cells[0].sure:
            side = 1 if len(cells) > 1 else cells[0].side
            if side != cells[0].side:
                self.warn(cells[0].line, "a row of one cell, read as the right player's")
        replay = GameReplay(score)
        actions: list[Action] = []
        for cell in cells:
            acts = side if replay.side is None else replay.side
            try:
                if cell.sure and cell.side != acts:
                    where = ("left", "right")[acts]
                    raise FormatError(f"{quoted(cell.text)}: expected the {where} player")
                action = _action(cell.text, acts, replay)
                replay.do(action)
            except FormatError as error:
                self.warn(cell.line, f"{error}; the rest of game {number + 1} is left out")
                winner, points = self._said(number, block.wins) or (None, 0)
                return GameTranscript(score, tuple(actions), winner, points)
            actions.append(action)
        return self._ended(number, block, replay, actions)

    def _ended(
        self, number: int, block: _Block, replay: GameReplay, actions: list[Action]
    ) -> GameTranscript:
        """Return a game that was read to its end, by the rules or by a resignation."""
        wins, said = block.wins, self._said(number, block.wins)
        line = block.line if wins is None else wins.line
        if replay.result is None:
            if wins is None:
                self.warn(line, f"game {number + 1} has no end")
            if said is not None:
                resignation = Action(ActionKind.RESIGN, 1 - said[0], points=said[1])
                try:
                    replay.do(resignation)
                    actions.append(resignation)
                except FormatError as error:
                    self.warn(line, str(error))
        elif wins is not None and said != replay.result:
            winner, points = replay.result
            cube = replay.position(winner).context.cube_log2
            self.jacoby |= not self.length and cube == 0 and said == (winner, 1)
            self.warn(
                line, f"{quoted(wins.text)}: {block.names[winner]} wins {points} by the rules"
            )
        result = replay.result or said or (None, 0)
        return GameTranscript(replay.score, tuple(actions), *result)

    def _said(self, number: int, wins: _Cell | None) -> tuple[int, int] | None:
        """Return who won a game, and what, by the file's words or by the next game's score."""
        here = self.blocks[number].points
        following = self.blocks[number + 1].points if number + 1 < len(self.blocks) else None
        found = None
        if here and following:
            gained = [after - before for before, after in zip(here, following, strict=True)]
            if sorted(gained)[0] == 0 < max(gained):
                found = gained.index(max(gained)), max(gained)
        match = _WINS.match(wins.text) if wins else None
        if wins is None or match is None or int(match[1]) == 0:
            return found
        if found and found[1] == int(match[1]):
            return found
        return wins.side, int(match[1])


def _score(points: tuple[int, int]) -> str:
    return f"{points[0]} to {points[1]}"


def _at(before: Score, points: tuple[int, int], first: bool) -> Score:
    """Return the score that a heading has, where it is not the one that was expected.

    Args:
        before: the one that was expected.
        points: in the heading.
        first: whether it is that of the first game.
    """
    length = before.length
    one_away = bool(length) and max(points) == length - 1 > min(points)
    crawford = one_away and (first or before.crawford or max(before.points) < length - 1)
    return before._replace(points=points, crawford=crawford)


def _cells(line: int, text: str, begin: int, later: bool) -> Iterator[_Cell]:
    """Yield the cells of a row; words before the first one are a cell that means nothing.

    Args:
        line: its number in the file.
        text: the line.
        begin: where the cells begin.
        later: whether it is not the first row.
    """
    starts = [match.start() for match in _CELL.finditer(text, begin)]
    if text[begin : starts[0] if starts else None].strip():
        starts = [begin, *starts]
    for place, (start, end) in enumerate(pairwise([*starts, len(text)])):
        pair = len(starts) == 2
        side = place if pair else int(start >= _MIDDLE)
        yield _Cell(line, side, pair or later, text[start:end].strip())


def _action(text: str, side: int, replay: GameReplay) -> Action:
    """Return what a cell says.

    Raises:
        FormatError: it says nothing that a side could do here.
    """
    match = _CELL.match(text)
    if match and match["dice"]:
        dice = int(match["dice"][0]), int(match["dice"][1])
        return Action(ActionKind.ROLL, side, dice, _moves(text.partition(":")[2], dice, replay))
    kind = _KINDS.get(match["kind"].lower()) if match and match["kind"] else None
    if match is None or kind is None:
        raise FormatError(f"{quoted(text)} is not understood")
    cube = re.search(r"\d+", text)
    if kind is ActionKind.DOUBLE and cube and replay.side is not None:
        expected = 2 << replay.position(replay.side).context.cube_log2
        if int(cube[0]) != expected:
            raise FormatError(f"{quoted(text)}: expected a double to {expected}")
    return Action(kind, side)


def _moves(text: str, dice: tuple[int, int], replay: GameReplay) -> Moves:
    """Return the play of a roll that is written behind it."""
    play = text.strip()
    if _NOT_RECORDED.match(play):
        only = replay.only_play(dice)
        if only is None:
            raise FormatError(f"the play of {dice[0]}{dice[1]} is not recorded")
        return only
    return replay.find(dice, parse_play(play))


def format_mat(match: Transcript) -> str:
    """Return a match as text that other programs import, side 0 on the left."""
    lines = [f'; [{name} "{value}"]' for name, value in match.details]
    lines += [""] * bool(lines) + [f" {match.length} point match", ""]
    a, b = match.players
    for number, game in enumerate(match.games, 1):
        left, right = game.score.points
        head = f" {a} : {left}"
        lines += [f" Game {number}", f"{head:{_WIDTH}} {b} : {right}", *_rows(game), ""]
    return "\n".join(lines)


def _rows(game: GameTranscript) -> Iterator[str]:
    """Yield the rows of a game, and the line that says who has won."""
    cells, cube = [""] * _first_side(game), 1
    for action in game.actions:
        if action.kind is ActionKind.DOUBLE:
            cube *= 2
            cells.append(f" Doubles => {cube}")
        elif action.kind is ActionKind.ROLL and action.dice is not None:
            moves = " ".join(f"{a}/{b}{'*' * hit}" for a, b, hit in action.moves)
            cells.append(f"{action.dice[0]}{action.dice[1]}: {moves}".rstrip())
        elif action.kind is not ActionKind.RESIGN:
            cells.append(" Takes" if action.kind is ActionKind.TAKE else " Drops")
    wins = f" Wins {game.points} point{'s' if game.points > 1 else ''}"
    own_line = game.winner is not None
    if game.winner == 1 and len(cells) % 2 and cells[-1] == " Drops":
        cells.append(wins)  # where GNU Backgammon looks for it
        own_line = False
    for row in range(0, len(cells), 2):
        left, right = (*cells[row : row + 2], "")[:2]
        yield f"{row // 2 + 1:3}) {left:{_WIDTH - 5}} {right}".rstrip()
    if own_line:
        yield f"{' ' * (_WIDTH + 1 if game.winner else 5)}{wins}"


def _first_side(game: GameTranscript) -> int:
    return game.actions[0].side if game.actions else 0
