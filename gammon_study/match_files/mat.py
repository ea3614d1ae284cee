"""Match files as text (.mat): the format of Jellyfish, which all programs exchange.

A game is rows of two cells, each a roll with its play or an action with the cube. Programs and
people write the columns in different places, so a cell's side is told by the turn that it is,
and every play is held to the rules (`gammon_study.match_files.transcript`). Where a game cannot
be read on, its rest is left out, and a warning names the line.
"""

import io
import re
from collections.abc import Iterator

from gammon.base.errors import FormatError
from gammon.formats.characters import one_line, quoted
from gammon.formats.context import is_one_away
from gammon.formats.notation import parse_play
from gammon.rules.moves import Moves
from gammon.rules.terms import Score
from gammon_study.match_files.mat_sheet import CELL, WINS, Block, Cell, MatSheet
from gammon_study.match_files.reading import OnGame, player_names
from gammon_study.match_files.transcript import (
    Action,
    ActionKind,
    GameReplay,
    GameTranscript,
    Transcript,
)

_WIDTH = 34
_KINDS = {
    "doubl": ActionKind.DOUBLE, "take": ActionKind.TAKE, "accept": ActionKind.TAKE,
    "drop": ActionKind.PASS, "pass": ActionKind.PASS, "reject": ActionKind.PASS,
}  # fmt: skip
_NOT_RECORDED = re.compile(r"\?*$|illegal play", re.IGNORECASE)


def parse_mat(text: str, on_game: OnGame = lambda number: None) -> Transcript:
    """Read a match file.

    Args:
        text: of the file.
        on_game: see `OnGame`.

    Raises:
        FormatError: the text is not a match file, or its length or a score is missing or
            impossible. The message names the line.
    """
    match = _Match()
    for line, each in enumerate(io.StringIO(text), 1):
        match.take(line, each.expandtabs().rstrip("\n"))
    return match.transcript(on_game)


class _Match(MatSheet):
    """A match file whose games are replayed when all lines have come.

    Attributes:
        jacoby: whether the Jacoby rule counts, by a comment or by a gammon for 1 point.
        live: whether there is a cube: a limit of 1 says that there is none.
    """

    jacoby, live = False, True

    def transcript(self, on_game: OnGame) -> Transcript:
        """Return what was read.

        Raises:
            FormatError: a part of every match is missing.
        """
        if self.length is None:
            raise FormatError(
                "no length of the match: expected a match file (.mat, .sgf, .bgf, .xg), and in "
                "a .mat a line such as ' 7 point match', or 0 points for money"
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
        return Transcript(names, self.length, tuple(games), tuple(self.details), lines)

    def _games(self, rule: bool, on_game: OnGame) -> list[GameTranscript]:
        """Return the games.

        Args:
            rule: whether there is a Crawford game.
            on_game: see `OnGame`.
        """
        games: list[GameTranscript] = []
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

    def _game(self, number: int, block: Block, score: Score) -> GameTranscript:
        """Return a game, as far as it can be read."""
        cells, side = block.cells, 0
        if cells and not cells[0].sure:
            side = 1 if len(cells) > 1 else cells[0].side
            if side != cells[0].side:
                self.warn(cells[0].line, "a row of one cell, read as the right player's")
        replay = GameReplay(score)
        for cell in cells:
            acts = side if replay.side is None else replay.side
            try:
                if cell.sure and cell.side != acts:
                    where = ("left", "right")[acts]
                    raise FormatError(f"{quoted(cell.text)}: expected the {where} player")
                replay.do(_action(cell.text, acts, replay))
            except FormatError as error:
                self.warn(cell.line, f"{error}; the rest of game {number + 1} is left out")
                winner, points = self._said(number, block.wins) or (None, 0)
                return GameTranscript(score, tuple(replay.actions), winner, points)
        return self._ended(number, block, replay)

    def _ended(self, number: int, block: Block, replay: GameReplay) -> GameTranscript:
        """Return a game that was read to its end, by the rules or by a resignation."""
        wins, said, gained = block.wins, self._said(number, block.wins), self._gained(number)
        line = block.line if wins is None else wins.line
        if replay.result is None:
            resigned = block.resigned
            if wins is None and not (resigned and said):
                self.warn(line, f"game {number + 1} has no end")
            if said and resigned and resigned.sure and resigned.side == said[0]:
                name = block.names[said[0]]
                self.warn(resigned.line, f"{name} resigned, but has won by the file's points")
            if said is not None:
                try:
                    replay.do(Action(ActionKind.RESIGN, 1 - said[0], points=replay.cost(said)))
                except FormatError as error:
                    self.warn(line, str(error))
        else:
            winner, points = replay.result
            told = {said if wins else None, gained}  # GNU Backgammon tells it by the heading
            single = not self.length and replay.position(winner).context.cube_log2 == 0
            self.jacoby |= single and points > 1 and (winner, 1) in told
            fits = said in (replay.result, replay.capped(replay.result))
            if wins and not fits and not (self.jacoby and gained == replay.result):
                self.warn(
                    line,
                    f"{quoted(wins.text)}: {block.names[winner]} wins {points} by the rules",
                )
        result = replay.result or said or (None, 0)
        return GameTranscript(replay.score, tuple(replay.actions), *result)

    def _said(self, number: int, wins: Cell | None) -> tuple[int, int] | None:
        """Return who won a game, and what, by the file's words or by the next game's score."""
        found = self._gained(number)
        match = WINS.match(wins.text) if wins else None
        if wins is None or match is None or int(match[1]) == 0:
            return found
        if found and found[1] == int(match[1]):
            return found
        return wins.side, int(match[1])

    def _gained(self, number: int) -> tuple[int, int] | None:
        """Return who won a game, and what, by the next game's score."""
        here = self.blocks[number].points
        following = self.blocks[number + 1].points if number + 1 < len(self.blocks) else None
        if here and following:
            gained = [after - before for before, after in zip(here, following, strict=True)]
            if sorted(gained)[0] == 0 < max(gained):
                return gained.index(max(gained)), max(gained)
        return None


def _score(points: tuple[int, int]) -> str:
    """Return a score in words."""
    return f"{points[0]} to {points[1]}"


def _at(expected: Score, points: tuple[int, int], last: Score) -> Score:
    """Return the score that a heading has, where it is not the one that was expected.

    Args:
        expected: that score.
        points: in the heading.
        last: the score before the last game; that of nobody's points before the first one.
    """
    length = expected.length
    crawford = is_one_away(length, points) and max(last.points) < length - 1
    return expected._replace(points=points, crawford=crawford)


def _action(text: str, side: int, replay: GameReplay) -> Action:
    """Return what a cell says.

    Raises:
        FormatError: it says nothing that a side could do here.
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
    """Return the play of a roll that is written behind it."""
    play = text.strip()
    if _NOT_RECORDED.match(play):
        return replay.unwritten(dice)
    return replay.find(dice, parse_play(play))


def format_mat(match: Transcript) -> str:
    """Return a match as text that other programs import, side 0 on the left.

    A character that would make a name a comment, or end it, becomes a hyphen.
    """
    said = {name.lower() for name, _ in match.details}
    rules = [each for each in _rules(match) if each[0].lower() not in said]
    lines = [f'; [{name} "{one_line(value)}"]' for name, value in (*match.details, *rules)]
    lines += [""] * bool(lines) + [f" {match.length} point match", ""]
    a, b = (re.sub(r"^[;#]|:(?= ?\d)", "-", name) for name in player_names(match.players))
    for number, game in enumerate(match.games, 1):
        left, right = game.score.points
        head = f" {a} : {left}"
        lines += [f" Game {number}", f"{head:{_WIDTH}} {b} : {right}", *_rows(game), ""]
    return "\n".join(lines)


def _rules(match: Transcript) -> Iterator[tuple[str, str]]:
    """Yield the rules of a match that a reader would not guess, as comments name them."""
    scores = [game.score for game in match.games]
    if any(score.jacoby for score in scores):
        yield "Jacoby", "On"
    if not all(score.live for score in scores):
        yield "CubeLimit", "1"
    one_away = any(is_one_away(match.length, score.points) for score in scores)
    if one_away and not any(score.crawford for score in scores):
        yield "Crawford", "Off"


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
    """Return the side that acts first in a game."""
    return game.actions[0].side if game.actions else 0
