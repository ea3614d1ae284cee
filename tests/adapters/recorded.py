"""A conversation with GNU Backgammon, byte for byte, and the player who had it.

    python -m tests.adapters.recorded

writes it again where GNU Backgammon is installed: a match of five points in which this player
has both sides, each over a connection of its own. A line of the file is one side's bytes.
"""

import json
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

from gammon.engine.bot import Bot
from gammon.engine.cube import CubeAnswer
from gammon.engine.engine import Engine
from gammon.formats.play import Play, legal_plays
from gammon.formats.position import Position
from gammon.rules.board import pip_counts
from gammon.search import Stop
from gammon_adapters.address import listening
from gammon_adapters.external import ExternalPlayer, answer_requests
from gammon_lab.programs.gnubg import find_program

FILE = Path(__file__).parents[1] / "golden" / "external_conversation.jsonl"


class Runner(Bot):
    """A player who runs, hits and covers, doubles when ahead, takes: no network has a say."""

    def __init__(self) -> None:
        super().__init__(Engine(depth=1))

    def play(self, position: Position, dice: tuple[int, int], stop: Stop | None = None) -> Play:
        def lag(play: Play) -> tuple[int, str]:
            own, their = pip_counts(play.points)
            return own - their + 8 * play.points[7:].count(1), play.notation

        return min(legal_plays(position, dice), key=lag)

    def doubles(self, position: Position, stop: Stop | None = None) -> bool:
        own, their = position.pips
        return position.context.terms().may_double and own + 8 < their

    def answer(self, position: Position) -> CubeAnswer:
        return CubeAnswer.TAKE


class Tapped:
    """A socket that notes what goes through it."""

    def __init__(self, connection: socket.socket, notes: list[str], number: int) -> None:
        self.connection, self.notes, self.number = connection, notes, number

    def recv(self, most: int) -> bytes:
        return self._noted("<", self.connection.recv(most))

    def sendall(self, data: bytes) -> None:
        self.connection.sendall(self._noted(">", data))

    def _noted(self, way: str, data: bytes) -> bytes:
        if data:
            self.notes.append(json.dumps([self.number, way, data.decode()]))
        return data


def tell(home: Path, seed: int, commands: str) -> None:
    """Let GNU Backgammon play by itself, with dice of a seed, what commands say."""
    program = find_program()
    assert program is not None, "GNU Backgammon is installed"
    begun = f"set display off\nset automatic game on\nset rng mersenne\nset seed {seed}\n"
    subprocess.run(
        [program, "-t", "-q", "-r"],
        input=f"{begun}{commands}quit\ny\n".encode(),
        check=False,
        cwd=home,
        env={"HOME": str(home)},
        stdout=subprocess.DEVNULL,
        timeout=60,
    )


def record() -> None:
    """Write the file."""
    notes: list[str] = []
    bot = Runner()
    with listening("127.0.0.1:0") as listener, tempfile.TemporaryDirectory() as home:

        def serve() -> None:
            for number in (0, 1):
                tapped = Tapped(listener.accept()[0], notes, number)
                threading.Thread(
                    target=answer_requests, args=[tapped, ExternalPlayer(bot).reply], daemon=True
                ).start()

        threading.Thread(target=serve, daemon=True).start()
        place = "{}:{}".format(*listener.getsockname())
        players = f"set player 0 external {place}\nset player 1 external {place}\n"
        tell(Path(home), 2, f"{players}new match 5\n")
    FILE.write_text("".join(f"{note}\n" for note in notes))


if __name__ == "__main__":
    record()
