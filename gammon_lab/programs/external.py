"""GNU Backgammon as a player over a socket, by its command `external`.

The settings of that program decide how it plays: `set evaluation chequerplay`, `set evaluation
cubedecision`. It answers one line at a time, and serves one connection at a time.
"""

import socket
from dataclasses import replace

from gammon.base.errors import GammonError
from gammon.formats.play import find_play
from gammon.formats.position import Position
from gammon.rules.board import Points
from gammon.rules.terms import Terms
from gammon_adapters.address import connected
from gammon_adapters.external import BoardLine, format_board

#: A longer line ends the program; its own answers are shorter than the second number.
_MOST_BYTES, _LONGEST_ANSWER = 255, 4096


class ExternalServer:
    """A connection to GNU Backgammon, from the first question to `close`.

    Positions are 26 counts seen from the player on roll, as in `gammon.rules.board`. GNU Backgammon
    uses the match equity table that it has loaded. Use a connection from one thread at a time.

    Args:
        address: HOST:PORT or the path of a Unix socket where GNU Backgammon listens.
        answer_seconds: the time allowed for the answer to one question.

    Raises:
        FormatError: by any method, the text is not an address.
        GammonError: by any method, no program listens there, it has ended, takes too long,
            refuses a question or breaks the rules.
    """

    def __init__(self, address: str, answer_seconds: float = 300.0) -> None:
        self.address, self.answer_seconds = address, answer_seconds
        self._connection: socket.socket | None = None

    def open(self) -> None:
        """Connect, unless already connected."""
        if self._connection is None:
            self._connection = connected(self.address, self.answer_seconds)

    def close(self) -> None:
        """End the connection; the program then waits for the next one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def best_play(self, points: Points, dice: tuple[int, int], terms: Terms) -> Points:
        """Return the position after GNU Backgammon's play, seen from the mover.

        Args:
            points: seen from the player on roll.
            dice: the roll.
            terms: what is at stake for the player on roll.
        """
        position = replace(_at(points, terms), dice=dice)
        answer = self._ask(position, terms)
        try:
            return find_play(position, dice, answer).points
        except GammonError as error:
            raise GammonError(
                f"{self.address}: GNU Backgammon played {answer!r} at {position.xgid}: {error}"
            ) from None

    def doubles(self, points: Points, terms: Terms) -> bool:
        """Return whether GNU Backgammon doubles as the player on roll, who may double.

        Args:
            points: seen from the player on roll.
            terms: what is at stake for the player on roll.
        """
        return self._one_of(_at(points, terms), terms, ("roll", "double")) == "double"

    def takes(self, points: Points, terms: Terms) -> bool:
        """Return whether GNU Backgammon takes a double of the player on roll; a beaver is a take.

        Args:
            points: seen from the player who doubled.
            terms: what is at stake for the player who doubled, before the double.
        """
        position = _at(points, terms).with_offer(True)
        return self._one_of(position, terms, ("take", "drop", "beaver")) != "drop"

    def _one_of(self, position: Position, terms: Terms, words: tuple[str, ...]) -> str:
        answer = self._ask(position, terms)
        if answer not in words:
            raise GammonError(
                f"{self.address}: GNU Backgammon answered {answer!r}, expected {', '.join(words)}"
            )
        return answer

    def _ask(self, position: Position, terms: Terms) -> str:
        """Return the answer to a board, without blanks at its end."""
        rule = "on" if terms.jacoby else "off"
        line = f"{format_board(BoardLine(position))} jacobyrule {rule} beavers off\n".encode()
        assert len(line) <= _MOST_BYTES, "all numbers of a board are short"
        self.open()
        assert self._connection is not None
        answer = b""
        try:
            self._connection.sendall(line)
            while not answer.endswith(b"\n"):
                data = self._connection.recv(_MOST_BYTES)
                if not data:
                    raise ConnectionError("it closed the connection")
                if len(answer) > _LONGEST_ANSWER:
                    raise ConnectionError("its answer has no end")
                answer += data
        except OSError as error:
            self.close()  # a late answer would be taken for the answer to the next question
            raise GammonError(f"{self.address}: GNU Backgammon is lost: {error}") from None
        except BaseException:
            self.close()
            raise
        text = answer.decode(errors="replace").strip()
        if text.startswith("Error"):
            raise GammonError(f"{self.address}: GNU Backgammon refuses a board: {text!r}")
        return text


def _at(points: Points, terms: Terms) -> Position:
    return Position(points).with_terms(terms)
