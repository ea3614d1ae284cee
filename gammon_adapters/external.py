"""An engine as an external player of GNU Backgammon, which asks for each decision by a line.

GNU Backgammon connects, and sends the board as a line. The
reply is one line: a play, `roll` or `double` before the roll, `take`, `drop` or `beaver` to a
double, or `resign`. An empty line means that no checker can move. GNU Backgammon does not check
plays, so each play is checked here. After an error the reply is `Error: ...`; GNU Backgammon then
stops asking and keeps the position.

The line is a variant of FIBS's line: `board:`, two names, and 50 numbers, separated by colons. The
points are always numbered from player 1, who sits at the bottom in an XGID. The names and the
scores are in the order player 0, player 1, but in the opposite order if a double is on offer; the
turn is then still the doubler's. The line has neither the Jacoby rule nor beavers. (As GNU
Backgammon 1.07.001 writes and reads it; http://www.fibs.com/fibs_interface.html#board_state
describes the fields.)
"""

import re
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from gammon.base.errors import FormatError, GammonError
from gammon.engine.bot import Bot
from gammon.engine.cube import CubeAnswer
from gammon.formats.characters import quoted
from gammon.formats.context import BOTTOM, TOP, Context, checked, in_range
from gammon.formats.gnubg_id import Dice
from gammon.formats.play import checked_text
from gammon.formats.position import Position
from gammon.rules.board import SIZE, Points, flipped

#: The numbers after the names: length, two scores, 26 points, and 21 others.
_NUMBERS = 50
_NUMBER = re.compile("-?[0-9]{1,4}")
_POINTS = slice(3, 3 + SIZE)
#: The highest cube of GNU Backgammon.
HIGHEST_CUBE = 4096


class BoardLine(NamedTuple):
    """The content of a line.

    Attributes:
        position: the position, seen from the player on roll. If a double is on offer, that is the
            player who doubled.
        names: the names of players 0 and 1.
    """

    position: Position
    names: tuple[str, str] = ("O", "X")


def parse_board(text: str) -> BoardLine:
    """Read a line.

    Raises:
        FormatError: the text is not such a line, a field is out of range, or no game has such a
            score.
        IllegalPositionError: the checkers are not a possible position.
    """
    first, *fields = text.strip().split(":")
    if first != "board":
        raise FormatError(f"{quoted(text)}: expected board: at the beginning")
    if len(fields) != 2 + _NUMBERS:
        raise FormatError(
            f"{quoted(text)}: expected board:, two names and {_NUMBERS} numbers, separated by "
            f"colons; found {max(len(fields) - 2, 0)} numbers"
        )
    names, numbers = (fields[0], fields[1]), []
    for field in fields[2:]:
        if _NUMBER.fullmatch(field) is None:
            wrong = f"{quoted(field)} is not a number of up to 4 digits"
            raise FormatError(f"{quoted(text)}: {wrong}")
        numbers.append(int(field))
    turn, die1, die2 = numbers[29:32]
    cube, bottom_may, top_may, doubled, colour, direction = numbers[34:40]
    if turn not in (BOTTOM, TOP) or (colour, direction) != (1, -1):
        raise FormatError(
            f"{quoted(text)}: turn {turn}, colour {colour}, direction {direction}, expected 1 "
            "or -1, then 1 and -1, as GNU Backgammon writes them"
        )
    if cube < 1 or cube & (cube - 1) or cube > HIGHEST_CUBE:
        raise FormatError(f"{quoted(text)}: cube {cube}, expected 1, 2, 4, ...")
    rolled = in_range(text, "die", die1, 0, 6), in_range(text, "die", die2, 0, 6)
    if (die1 == 0) != (die2 == 0):
        raise FormatError(f"{quoted(text)}: dice {die1} and {die2}, expected none or two")
    dice: Dice = None if doubled or not die1 else rolled
    length, top_score, bottom_score = numbers[:3]
    if doubled:
        names, top_score, bottom_score = (names[1], names[0]), bottom_score, top_score
    points: Points = tuple(numbers[_POINTS])
    log2, highest = cube.bit_length() - 1, HIGHEST_CUBE.bit_length() - 1
    context = Context(
        cube_log2=log2,
        cube_owner=_owner(bottom_may, top_may),
        on_roll=turn,
        scores=(bottom_score, top_score),
        length=in_range(text, "length", length, 0, 9999),
        crawford=_is_crawford(length, (bottom_score, top_score), numbers[-2:]),
        max_cube_log2=highest if bottom_may or top_may or doubled else log2,
        offer="D" if doubled else "",
        to_decide=-turn if doubled else 0,
    )
    position = Position(points if turn == BOTTOM else flipped(points))
    context = checked(text, context)
    return BoardLine(replace(position, context=context, dice=dice), names)


def _owner(bottom_may: int, top_may: int) -> int:
    """Return the owner of the cube, from who may double; 0 for a centred cube."""
    return 0 if bool(bottom_may) == bool(top_may) else BOTTOM if bottom_may else TOP


def _is_crawford(length: int, scores: tuple[int, int], marks: list[int]) -> bool:
    """Return whether it is the Crawford game: one side is 1-away, and both marks are 0.

    Args:
        length: points of the match.
        scores: of both players.
        marks: whether the game is post-Crawford, and whether it is not the Crawford game.
    """
    return length > 0 and scores.count(length - 1) == 1 and marks == [0, 0]


def format_board(line: BoardLine) -> str:
    """Return the line of a position, as `parse_board` reads it.

    A cube that nobody may turn is written as if both players could turn it, because two zeros mean
    a double.
    """
    position, context = line.position, line.position.context
    doubled = context.offer == "D"
    names, scores = line.names, context.scores[::-1]
    if doubled:
        names, scores = (names[1], names[0]), context.scores
    bottom_points = position.points if context.on_roll == BOTTOM else flipped(position.points)
    own_off, their_off = position.off
    off = (own_off, their_off) if context.on_roll == BOTTOM else (their_off, own_off)
    post = bool(context.length) and context.length - 1 in context.scores and not context.crawford
    dice = position.dice or (0, 0)
    numbers = (
        context.length, *scores, *bottom_points, context.on_roll, *dice, *dice,
        1 << context.cube_log2, int(context.cube_owner != TOP),
        int(context.cube_owner != BOTTOM), int(doubled), 1, -1, 0, 25, *off, 0, 0, 0, 0,
        int(post), int(not context.crawford),
    )  # fmt: skip
    words = [name.replace(":", "_") for name in names]
    return ":".join(["board", *words, *map(str, numbers)])


#: A function that returns the reply to a request, both without the end of the line.
Reply = Callable[[str], str]

#: The most bytes of a request.
_MOST_BYTES = 4096
_RESIGNATIONS = ("normal", "gammon", "backgammon")
_ANSWERS = {CubeAnswer.TAKE: "take", CubeAnswer.PASS: "drop", CubeAnswer.BEAVER: "beaver"}


class ExternalPlayer:
    """The player at one end of a connection.

    Args:
        bot: the bot that decides.
        jacoby: whether gammons count only after the cube is turned, which the line does not tell.
        beavers: whether a double may be redoubled at once.
        resigns: whether the player resigns games that it is certain to lose.
    """

    def __init__(self, bot: Bot, jacoby: bool = False, beavers: bool = False, resigns: bool = False) -> None:
        self.bot, self.jacoby, self.beavers, self.may_resign = bot, jacoby, beavers, resigns
        self._names: tuple[str, str] | None = None
        #: The score of the game in which the player resigned, and the points that it offered. It
        #: offers only more in that game. A position that is not lost resets this to None, as the
        #: next match may begin with the same score.
        self._offered: tuple[tuple[int, int], int] | None = None

    def reply(self, request: str) -> str:
        """Return the answer to a line, without the end of the line; `Error: ...` after an error."""
        try:
            return self._decide(request)
        except GammonError as error:
            return f"Error: {error}"

    def _decide(self, request: str) -> str:
        position, names = parse_board(request)
        rules = replace(position.context, jacoby=self.jacoby, beavers=self.beavers)
        position = replace(position, context=rules)
        if rules.offer:
            # If the opponent has beavered, the names are in the order of a board without a double.
            # A beaver is always taken, as the double was right.
            beavered = self._names is not None and names == self._names[::-1] != self._names
            return "take" if beavered else _ANSWERS[self.bot.answer(position)]
        self._names = names
        if points := self._gives_up(position):
            return f"resign {_RESIGNATIONS[points - 1]}"
        if position.dice is None:
            return "double" if self.bot.doubles(position) else "roll"
        return self._play(position, position.dice)

    def _gives_up(self, position: Position) -> int:
        """Return the points to resign, 1 to 3, or 0 to play on.

        A declined resignation is not repeated, as GNU Backgammon would then stop.
        """
        if not self.may_resign:
            return 0
        points, scores = self.bot.resigns(position), position.context.scores
        if not points:
            self._offered = None
            return 0
        if self._offered is not None:
            before, offered = self._offered
            if before == scores and offered >= points:
                return 0
        self._offered = scores, points
        return points

    def _play(self, position: Position, dice: tuple[int, int]) -> str:
        play = self.bot.play(position, dice)
        return checked_text(play, dice, play.notation if play.moves else "")


def answer_requests(connection: socket.socket, reply: Reply) -> bool:
    """Answer the lines of a connection until the other side closes it.

    A line may arrive in pieces. NUL bytes are ignored: GNU Backgammon sends one after each line.

    Returns:
        Whether anything was received.

    Raises:
        OSError: the connection broke.
    """
    rest, received = b"", False
    while data := connection.recv(_MOST_BYTES):
        received = True
        *lines, rest = (rest + data.replace(b"\0", b"")).split(b"\n")
        for line in lines:
            answer = reply(line.decode(errors="replace"))
            connection.sendall(answer.encode(errors="replace") + b"\n")
        if len(rest) > _MOST_BYTES:
            connection.sendall(b"Error: the line is too long\n")
            break
    return received
