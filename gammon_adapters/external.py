"""An engine as an external player of GNU Backgammon, which asks for each decision by a line.

GNU Backgammon connects, and sends the board as a line that `gammon_adapters.fibs_board` parses. The
reply is one line: a play, `roll` or `double` before the roll, `take`, `drop` or `beaver` to a
double, or `resign`. An empty line means that no checker can move. GNU Backgammon does not check
plays, so each play is checked here. After an error the reply is `Error: ...`; GNU Backgammon then
stops asking and keeps the position.
"""

import socket
from collections.abc import Callable
from dataclasses import replace

from gammon.base.errors import GammonError
from gammon.engine.bot import Bot
from gammon.engine.cube import CubeAnswer
from gammon.formats.play import checked_text
from gammon.formats.position import Position
from gammon_adapters.fibs_board import parse_board

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
