"""An engine as an external player of GNU Backgammon, which asks for each decision by a line.

GNU Backgammon connects, and sends the board as `gammon_adapters.fibs_board` reads it. The reply
is one line: a play, `roll` or `double` before the roll, `take`, `drop` or `beaver` to a double,
or `resign`. An empty line means that no checker can move. GNU Backgammon does not check a play,
so that each is checked here; where something is wrong the reply is `Error: ...`, at which it
stops asking and keeps the position.
"""

import socket
from collections.abc import Callable
from dataclasses import replace

from gammon.base.errors import GammonError
from gammon.engine.bot import Bot
from gammon.engine.cube import CubeAnswer
from gammon.formats.position import Position
from gammon_adapters.fibs_board import parse_board
from gammon_adapters.play_text import checked_text

#: Returns the reply to a request; neither has the end of the line.
Reply = Callable[[str], str]

#: No request is longer.
_MOST_BYTES = 4096
_RESIGNATIONS = ("normal", "gammon", "backgammon")
_ANSWERS = {CubeAnswer.TAKE: "take", CubeAnswer.PASS: "drop", CubeAnswer.BEAVER: "beaver"}


class ExternalPlayer:
    """The player at one end of a connection.

    Args:
        bot: it decides.
        jacoby: whether gammons count only after the cube is turned: the line does not say.
        beavers: whether a double may be redoubled at once.
        resigns: whether it resigns games that it is certain to lose.
    """

    def __init__(self, bot: Bot, jacoby: bool = False, beavers: bool = False, resigns: bool = False) -> None:
        self.bot, self.jacoby, self.beavers, self.may_resign = bot, jacoby, beavers, resigns
        self._names: tuple[str, str] | None = None
        #: The score of the game in which it resigned, and how much: more is left to offer. A
        #: position that is not lost forgets it: the next match begins with the same score.
        self._offered: tuple[tuple[int, int], int] | None = None

    def reply(self, request: str) -> str:
        """Return the line that answers a line, without its end; `Error: ...` for a refusal."""
        try:
            return self._decide(request)
        except GammonError as error:
            return f"Error: {error}"

    def _decide(self, request: str) -> str:
        position, names = parse_board(request)
        rules = replace(position.context, jacoby=self.jacoby, beavers=self.beavers)
        position = replace(position, context=rules)
        if rules.offer:
            # Where it is the opponent who turned the cube again, the names are in the order of
            # a board without a double. Such a beaver is always taken: the double was right.
            beavered = self._names is not None and names == self._names[::-1] != self._names
            return "take" if beavered else _ANSWERS[self.bot.answer(position)]
        self._names = names
        if points := self._gives_up(position):
            return f"resign {_RESIGNATIONS[points - 1]}"
        if position.dice is None:
            return "double" if self.bot.doubles(position) else "roll"
        return self._play(position, position.dice)

    def _gives_up(self, position: Position) -> int:
        """Return how much it resigns, 0 for nothing.

        A resignation that was declined is not made again: GNU Backgammon would stop.
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

    A line may come in pieces, and NUL bytes are left out: GNU Backgammon sends one after each.

    Returns:
        Whether anything came.

    Raises:
        OSError: the connection broke.
    """
    rest, came = b"", False
    while data := connection.recv(_MOST_BYTES):
        came = True
        *lines, rest = (rest + data.replace(b"\0", b"")).split(b"\n")
        for line in lines:
            answer = reply(line.decode(errors="replace"))
            connection.sendall(answer.encode(errors="replace") + b"\n")
        if len(rest) > _MOST_BYTES:
            connection.sendall(b"Error: the line is too long\n")
            break
    return came
