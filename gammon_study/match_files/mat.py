"""Match files as text (.mat): the format of Jellyfish, which all programs exchange.

A game has rows of two cells, each a roll with its play or an action with the cube. Programs and
people put the columns in different places, so the side of a cell follows from whose turn it is,
and every play is checked against the rules (`gammon_study.match_files.transcript`). If a game
cannot be read further, its rest is left out, and a warning names the line.

A comment below a row, such as `; Ann (bad): too greedy`, is a remark on Ann's cell in it; without a
name, on the last cell.
"""

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from gammon.base.errors import FormatError
from gammon.formats.characters import one_line, quoted
from gammon.formats.gnubg_id import parse_position_id
from gammon.formats.notation import parse_play
from gammon.match.result import GameRecord
from gammon.rules.board import OPENING, Moves, Points, flipped
from gammon.rules.sequences import plays_of
from gammon.rules.terms import LONGEST_MATCH, Score
from gammon_study.match_files.reading import OnGame, check_games, check_score, is_one_away, player_names
from gammon_study.match_files.transcript import (
    MARKS,
    MOST_ACTIONS,
    Action,
    ActionKind,
    GameReplay,
    GameTranscript,
    Remark,
    Transcript,
)

_LENGTH = re.compile(r"\s*(\d{1,4})[ -]*points? match\b", re.IGNORECASE)
_MONEY = re.compile(r"\s*(unlimited|money) (match|game|session)\b", re.IGNORECASE)
_COMMENT = re.compile(r'\s*[;#]\s*(?:\[([^"\]]*)"(.*)"\s*\])?')
_GAME = re.compile(r"\s*Game\s+(\d{1,6})\s*$", re.IGNORECASE)
#: Matches a line with single blanks, in time quadratic in its length: see `_LONGEST`.
_NAMES = re.compile(r"(\S.*?) ?: ?(\d{1,7}) (\S.*?) ?: ?(\d{1,7})$")
#: The longest line with both names, and the most comments or warnings of a file.
_LONGEST, _MOST = 500, 100_000
_ROW = re.compile(r"\s*(\d{1,4})\)(.*)$")
#: A cell begins with a roll, or with the word of another action.
CELL = re.compile(
    r"(?<!\S)(?P<roll>(?P<dice>[1-6]{2})\s*:(\s*(cannot move|no play|pass)\b)?)"
    r"|(?<!\S)00:"  # no roll
    r"|(?<!\S)(?:re)?(?P<kind>doubl|beaver|take|accept|drop|pass|reject|win|resign|concede|losses)\w*",
    re.IGNORECASE,
)
WINS = re.compile(r"wins?\s+(\d{1,4})\b", re.IGNORECASE)
_RESIGNS = re.compile("resign|concede|losses", re.IGNORECASE)
#: A comment of eXtreme Gammon: the game begins from another position.
_SET_UP = re.compile(r"\s*;\s*Set Pos\b", re.IGNORECASE)
#: What follows the name of a player in a comment on the player's cell.
_REMARK = re.compile(rf"(?: \(({'|'.join(MARKS)})\))?:(.*)")
#: GNU Backgammon takes a comment with a roll or a heading for one, so a backslash goes into it.
_ROWS = re.compile(r"\\|(?<=\d):|(?<=Ga)me")
#: A cell alone in its row is the left player's if it begins before this column.
_MIDDLE = 22


@dataclass(frozen=True, slots=True)
class Cell:
    """An entry of a row.

    Attributes:
        line: the line's number in the file.
        side: 0 or 1, by the column.
        sure: whether the column is certain. It is not if the cell is alone in the first row: people
            leave out the blanks before it.
        text: the text of the entry.
    """

    line: int
    side: int
    sure: bool
    text: str


@dataclass
class GameLines:
    """The lines of a game.

    Attributes:
        line: the line of the heading.
        names: the names of the players, left and right.
        points: the score before the game.
        cells: the cells, in order.
        wins: the cell with the winner and the points, or None.
        rows: the number of the last row.
        resigned: the cell with a resignation, or None; `wins` and the next score give its points.
        remarks: the number of the cell, the text and the mark of each comment.
    """

    line: int
    names: tuple[str, str] = ("", "")
    points: tuple[int, int] | None = None
    cells: list[Cell] = field(default_factory=list)
    wins: Cell | None = None
    rows: int = 0
    resigned: Cell | None = None
    remarks: list[tuple[int, str, str]] = field(default_factory=list)

    def remark(self, text: str) -> None:
        """Add a comment below the last row, without the character that begins it."""
        place = max(len(self.cells) - 1, 0)
        for side, name in enumerate(self.names):
            match = _REMARK.match(text.removeprefix(name)) if text.startswith(name) else None
            if match:
                before = place > 0 and self.cells[place].side != side
                text = re.sub(r"\\(.)", r"\1", match[2])
                self.remarks.append((place - before, text, match[1] or ""))
                return
        self.remarks.append((place, text, ""))


class MatSheet:
    """The contents of a match file's lines, before the rules are applied.

    Attributes:
        length: points of the match; None until its line is read.
        details: the names and values in the comments.
        blocks: the lines of each game.
        warnings: the lines that were repaired or left out, each with a text.
    """

    def __init__(self) -> None:
        self.length: int | None = None
        self.details: list[tuple[str, str]] = []
        self.blocks: list[GameLines] = []
        self.warnings: list[tuple[int, str]] = []

    def warn(self, line: int, text: str) -> None:
        """Add a warning that a line was repaired or left out."""
        self.warnings.append((line, text))

    def leave_out_empty(self) -> None:
        """Leave out the last game if it has nothing but its heading."""
        if self.blocks and self.blocks[-1].points is None:
            self.warn(self.blocks.pop().line, "a game without players and points is left out")

    def take(self, line: int, text: str) -> None:
        """Add a line of the file.

        Raises:
            FormatError: this is not a line of a match file, or there are too many lines.
        """
        if max(len(self.details), len(self.warnings)) > _MOST:
            raise FormatError(f"line {line}: expected at most {_MOST:,} comments and warnings")
        comment, game = _COMMENT.match(text), _GAME.match(text)
        if not text.strip():
            return
        if comment:
            if comment[1]:
                self.details.append((comment[1].strip(), comment[2]))
            elif self.blocks and self.blocks[-1].points is not None and not _SET_UP.match(text):
                self.blocks[-1].remark(text.strip()[1:].strip())
            if _SET_UP.match(text) and self.blocks:
                self.blocks[-1].cells.append(Cell(line, 0, True, text.strip()))
        elif game:
            self.leave_out_empty()
            if int(game[1]) != len(self.blocks) + 1:
                self.warn(line, f"game {game[1]}: expected game {len(self.blocks) + 1}")
            self.blocks.append(GameLines(line))
            check_games(len(self.blocks), self.length or 0)
        elif not self.blocks:
            self._take_length(line, text)
        elif self.blocks[-1].points is None:
            self._take_names(line, text)
        else:
            self._take_row(line, text)

    def _take_length(self, line: int, text: str) -> None:
        """Add a line before the first game: the length of the match."""
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
        """Add the line with the names of the players and their points."""
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
        """Add a line with cells."""
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
    """Yield the cells of a row; words before the first cell are a cell without a meaning.

    Args:
        line: the line's number in the file.
        text: the line.
        begin: the column where the cells begin.
        later: whether the row is not the first.
    """
    starts = [match.start() for match in CELL.finditer(text, begin)]
    if text[begin : starts[0] if starts else None].strip():
        starts = [begin, *starts]
    for place, (start, end) in enumerate(pairwise([*starts, len(text)])):
        pair = len(starts) == 2
        side = place if pair else int(start >= _MIDDLE)
        yield Cell(line, side, pair or later, text[start:end].strip())


_WIDTH = 34
_KINDS = {
    "doubl": ActionKind.DOUBLE,
    "take": ActionKind.TAKE,
    "accept": ActionKind.TAKE,
    "drop": ActionKind.PASS,
    "pass": ActionKind.PASS,
    "reject": ActionKind.PASS,
}
_NOT_RECORDED = re.compile(r"\?*$|illegal play", re.IGNORECASE)


def parse_mat(text: str, on_game: OnGame = lambda number: None) -> Transcript:
    """Read a match file.

    Args:
        text: the text of the file.
        on_game: see `OnGame`.

    Raises:
        FormatError: the text is not a match file, or its length or a score is missing or
            impossible. The message names the line.
    """
    match = _Match()
    for line, text_line in enumerate(io.StringIO(text), 1):
        match.take(line, text_line.expandtabs().rstrip("\n"))
    return match.transcript(on_game)


class _Match(MatSheet):
    """A match file whose games are replayed when all lines are read.

    Attributes:
        jacoby: whether the Jacoby rule holds, by a comment or because a gammon counted 1 point.
        live: whether there is a cube; false if a comment limits the cube to 1.
        replays: the games as they were replayed, with their remarks.
    """

    jacoby, live = False, True
    replays: list[GameReplay]

    def transcript(self, on_game: OnGame) -> Transcript:
        """Return the match.

        Raises:
            FormatError: the length, the first game or every roll is missing, or the game is not
                backgammon.
        """
        if self.length is None:
            raise FormatError(
                "no length of the match: expected a match file (.mat, .sgf, .bgf, .xg, .ogxm, .gvab), "
                "and in a .mat a line such as ' 7 point match', or 0 points for money"
            )
        if not self.blocks or self.blocks[0].points is None:
            raise FormatError("no game: expected ' Game 1' and both players below it")
        self.leave_out_empty()
        options = {name.lower(): value.lower() for name, value in self.details}
        variation = options.get("variation") or "backgammon"
        if variation != "backgammon":
            raise FormatError(f"a match of {quoted(variation)}: only backgammon is read")
        self.live = options.get("cubelimit") != "1"
        self.jacoby = not self.length and options.get("jacoby") in ("on", "true", "yes")
        crawford = options.get("crawford") not in ("off", "false", "no")
        before = list(self.warnings)
        games = self._games(crawford, on_game)
        if self.jacoby and not games[0].score.jacoby:
            self.warnings = before
            self.warn(self.blocks[0].line, "a gammon counts 1 point: read with the Jacoby rule")
            games = self._games(crawford, on_game)
        if not any(game.actions for game in games):
            line, text = min(self.warnings, default=(self.blocks[0].line, "no roll"))
            raise FormatError(f"line {line}: {text}; nothing else can be read")
        lines = tuple(f"line {line}: {text}" for line, text in sorted(self.warnings))
        names = player_names(self.blocks[0].names)
        remarks = {
            (number, place): remark
            for number, (replay, game) in enumerate(zip(self.replays, games, strict=True))
            for place, remark in replay.remarks_on(game).items()
        }
        return Transcript(names, self.length, tuple(games), tuple(self.details), lines, remarks=remarks)

    def _games(self, rule: bool, on_game: OnGame) -> list[GameTranscript]:
        """Return the games.

        Args:
            rule: whether there is a Crawford game.
            on_game: see `OnGame`.
        """
        games: list[GameTranscript] = []
        self.replays = []
        score = Score(self.length or 0, (0, 0), False, self.jacoby, self.live)
        for number, block in enumerate(self.blocks):
            assert block.points is not None, "checked by `transcript`"
            on_game(number)
            if block.points != score.points:
                if number:
                    self.warn(
                        block.line,
                        f"the score is {_score(block.points)}, after game {number} "
                        f"{_score(score.points)} was expected",
                    )
                score = _at(score, block.points, games[-1].score if games else score)
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

    def _game(self, number: int, block: GameLines, score: Score) -> GameTranscript:
        """Return a game, as far as it can be read."""
        cells, side = block.cells, 0
        if cells and not cells[0].sure:
            side = 1 if len(cells) > 1 else cells[0].side
            if side != cells[0].side:
                self.warn(cells[0].line, "a row of one cell, read as the right player's")
        replay = GameReplay(score)
        self.replays.append(replay)
        for remark in block.remarks:
            replay.remark(*remark)
        for cell in cells:
            acts = side if replay.side is None else replay.side
            try:
                if cell.sure and cell.side != acts:
                    where = ("left", "right")[acts]
                    raise FormatError(f"{quoted(cell.text)}: expected the {where} player")
                replay.do(_action(cell.text, acts, replay))
            except FormatError as error:
                self.warn(cell.line, f"{error}; the rest of game {number + 1} is left out")
                if replay.result is None:
                    winner, points = self._stated_result(number, block.wins) or (None, 0)
                    return GameTranscript(score, tuple(replay.actions), winner, points)
                break
        return self._ended(number, block, replay)

    def _ended(self, number: int, block: GameLines, replay: GameReplay) -> GameTranscript:
        """Return a game that was read to its end, by the rules or by a resignation."""
        wins, stated, gained = block.wins, self._stated_result(number, block.wins), self._gained(number)
        line = block.line if wins is None else wins.line
        if replay.result is None:
            resigned = block.resigned
            if wins is None and not (resigned and stated):
                self.warn(line, f"game {number + 1} has no end")
            if stated and resigned and resigned.sure and resigned.side == stated[0]:
                name = block.names[stated[0]]
                self.warn(resigned.line, f"{name} resigned, but has won by the file's points")
            if stated is not None:
                try:
                    replay.do(Action(ActionKind.RESIGN, 1 - stated[0], points=replay.cost(stated)))
                except FormatError as error:
                    self.warn(line, str(error))
        else:
            winner, points = replay.result
            stated_results = {stated if wins else None, gained}  # GNU Backgammon has it in the heading
            single = not self.length and replay.position(winner).context.cube_log2 == 0
            self.jacoby |= single and points > 1 and (winner, 1) in stated_results
            fits = stated in (replay.result, replay.capped(replay.result))
            if wins and not fits and not (self.jacoby and gained == replay.result):
                self.warn(line, f"{quoted(wins.text)}: {block.names[winner]} wins {points} by the rules")
        result = replay.result or stated or (None, 0)
        return GameTranscript(replay.score, tuple(replay.actions), *result)

    def _stated_result(self, number: int, wins: Cell | None) -> tuple[int, int] | None:
        """Return the winner of a game and the points, by the file's words or the next score."""
        gained = self._gained(number)
        match = WINS.match(wins.text) if wins else None
        if wins is None or match is None or int(match[1]) == 0:
            return gained
        if gained and gained[1] == int(match[1]):
            return gained
        return wins.side, int(match[1])

    def _gained(self, number: int) -> tuple[int, int] | None:
        """Return the winner of a game and the points, by the next game's score."""
        points = self.blocks[number].points
        following = self.blocks[number + 1].points if number + 1 < len(self.blocks) else None
        if points and following:
            gained = [after - before for before, after in zip(points, following, strict=True)]
            if sorted(gained)[0] == 0 < max(gained):
                return gained.index(max(gained)), max(gained)
        return None


def _score(points: tuple[int, int]) -> str:
    """Return a score in words."""
    return f"{points[0]} to {points[1]}"


def _at(expected: Score, points: tuple[int, int], last: Score) -> Score:
    """Return the score of a heading that differs from the expected score.

    Args:
        expected: the expected score.
        points: the points in the heading.
        last: the score before the last game; before the first game, the score without points.
    """
    length = expected.length
    crawford = is_one_away(length, points) and max(last.points) < length - 1
    return expected._replace(points=points, crawford=crawford)


def _action(text: str, side: int, replay: GameReplay) -> Action:
    """Return the action of a cell.

    Raises:
        FormatError: the cell has no action that is possible here.
    """
    match = CELL.match(text)
    if match and match["dice"]:
        dice = int(match["dice"][0]), int(match["dice"][1])
        return Action(ActionKind.ROLL, side, dice, _moves(text.partition(":")[2], dice, replay))
    kind = _KINDS.get(match["kind"].lower()) if match and match["kind"] else None
    if match is None or kind is None:
        raise FormatError(f"{quoted(text)} is not understood")
    cube = re.search(r"\d{1,9}", text)
    if kind is ActionKind.DOUBLE and cube and replay.side is not None:
        expected = 2 << replay.position(replay.side).context.cube_log2
        if int(cube[0]) != expected:
            raise FormatError(f"{quoted(text)}: expected a double to {expected}")
    return Action(kind, side)


def _moves(text: str, dice: tuple[int, int], replay: GameReplay) -> Moves:
    """Return the play of a roll from the text after the roll."""
    play = text.strip()
    if _NOT_RECORDED.match(play):
        return replay.unwritten(dice)
    return replay.find(dice, parse_play(play))


def format_mat(match: Transcript) -> str:
    """Return a match as text that other programs import, side 0 on the left.

    A character that would make a name a comment, or end it, becomes a hyphen.
    """
    given = {name.lower() for name, _ in match.details}
    rules = [rule for rule in _rules(match) if rule[0].lower() not in given]
    lines = [f'; [{name} "{one_line(value)}"]' for name, value in (*match.details, *rules)]
    lines += [""] * bool(lines) + [f" {match.length} point match", ""]
    a, b = (re.sub(r"^[;#]|:(?= ?\d)", "-", name) for name in player_names(match.players))
    for number, game in enumerate(match.games, 1):
        left, right = game.score.points
        head = f" {a} : {left}"
        lines += [f" Game {number}", f"{head:{_WIDTH}} {b} : {right}"]
        of_game = [match.remarks.get((number - 1, place), Remark()) for place in range(len(game.actions))]
        lines += [*_rows(game, (a, b), of_game), ""]
    return "\n".join(lines)


def _rules(match: Transcript) -> Iterator[tuple[str, str]]:
    """Yield the rules of a match that differ from a reader's defaults, as comments name them."""
    scores = [game.score for game in match.games]
    if any(score.jacoby for score in scores):
        yield "Jacoby", "On"
    if not all(score.live for score in scores):
        yield "CubeLimit", "1"
    one_away = any(is_one_away(match.length, score.points) for score in scores)
    if one_away and not any(score.crawford for score in scores):
        yield "Crawford", "Off"


def _rows(game: GameTranscript, names: tuple[str, str], remarks: Sequence[Remark]) -> Iterator[str]:
    """Yield the rows of a game, each with the remarks on it, and the line with its winner."""
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
        cells.append(wins)  # GNU Backgammon looks for it in this cell
        own_line = False
    for row in range(0, len(cells), 2):
        left, right = (*cells[row : row + 2], "")[:2]
        yield f"{row // 2 + 1:3}) {left:{_WIDTH - 5}} {right}".rstrip()
        for side, place in enumerate((row - _first_side(game), row + 1 - _first_side(game))):
            if 0 <= place < len(remarks):
                yield from _remark_lines(names[side], remarks[place])
    if own_line:
        yield f"{' ' * (_WIDTH + 1 if game.winner else 5)}{wins}"


def _remark_lines(name: str, remark: Remark) -> Iterator[str]:
    """Yield the comments that are a remark on an action of a player."""
    mark = f" ({remark.mark})" * bool(remark.mark)
    for line in remark.text.splitlines() or [""] * bool(mark):
        escaped = _ROWS.sub(r"\\\g<0>", line)
        yield f"; {name}{mark}: {escaped}".rstrip()
        mark = ""


def _first_side(game: GameTranscript) -> int:
    """Return the side that acts first in a game."""
    return game.actions[0].side if game.actions else 0


def transcribe(a: str, b: str, games: Sequence[GameRecord], start: Score) -> Transcript:
    """Return games as a match or a session for money, with A as side 0.

    Args:
        a: the name of player A.
        b: the name of player B.
        games: the games of one match, or games for money.
        start: the score and the rules at the beginning.
    """
    transcripts: list[GameTranscript] = []
    score = start._replace(payoffs=None)  # match files cannot express payoffs
    for game in games:
        winner = 0 if game["points"] > 0 else 1
        points = abs(game["points"])
        transcripts.append(GameTranscript(score, tuple(_actions(game)), winner, points))
        score = score.after(game["points"])
    return Transcript((a, b), start.length, tuple(transcripts))


def mat_of(a: str, b: str, games: Sequence[GameRecord], start: Score) -> str:
    """Return games as the text of a `.mat` file; takes the arguments of `transcribe`.

    If both names would be cut to the same text, the letters A and B distinguish the players.
    """
    kept_a, kept_b = player_names((a, b))
    names = (f"A {a}", f"B {b}") if a != b and kept_a == kept_b else (a, b)
    return format_mat(transcribe(*names, games, start))


def _actions(game: GameRecord) -> Iterator[Action]:
    """Yield the actions of a game."""
    doubles = game["doubles"]
    points: Points = OPENING
    side = game["first"]
    for turn, name in enumerate(game["positions"]):
        if turn in doubles:
            yield Action(ActionKind.DOUBLE, side)
            yield Action(ActionKind.TAKE, 1 - side)
        dice = int(game["rolls"][2 * turn]), int(game["rolls"][2 * turn + 1])
        turned = parse_position_id(name)
        moves = plays_of(points, dice)[flipped(turned)]
        yield Action(ActionKind.ROLL, side, dice, moves)
        points, side = turned, 1 - side
    if len(game["positions"]) in doubles:
        yield Action(ActionKind.DOUBLE, side)
        yield Action(ActionKind.PASS, 1 - side)
