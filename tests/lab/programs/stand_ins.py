"""Programs that stand in for those that need not be installed, and positions to try them on."""

import socket
import sys
import textwrap
import threading
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gammon.rules.board import OPENING
from gammon_lab.programs import ExternalServer, Peer
from tests.boards import points_of

# Positions that programs are tried on.

# A position without symmetry: own and opponent's checkers on the bar, some off.
MIXED = points_of({25: 1, 6: 4, 5: 2, 2: 1}, {0: 2, 1: 2, 18: 3, 20: 1, 24: 2})
# No checker can enter.
PASS = points_of({25: 1, 6: 14}, {19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2, 1: 3})
# With 62 the last checker must hit before it is borne off.
LAST = points_of({5: 1}, {3: 1, 20: 14})
LAST_62 = points_of({}, {0: 1, 20: 14})
# The best play of 31.
OPENING_31 = tuple({8: 2, 6: 4, 5: 2}.get(point, count) for point, count in enumerate(OPENING))


# Programs that stand in for those that need not be installed.

ROOT = Path(__file__).parents[3]

#: A bgsage of one ply: it plays the least board, and sees all that gammon's rules allow.
_BGSAGE = f"""
import sys
from types import SimpleNamespace
sys.path[:0] = {[str(ROOT), *sys.path]!r}
from tests.naive.plays import enumerate_plays

def possible_moves(board, die1, die2):
    assert board[0] >= 0
    plays = enumerate_plays((-board[0], *board[1:]), (die1, die2))
    return sorted([-after[0], *after[1:]] for after, moves in plays.items() if moves)

class BgBotAnalyzer:
    def __init__(self, eval_level, cubeful, parallel_threads):
        assert (eval_level, cubeful) == ("1ply", False)

    def checker_play(self, board, die1, die2, cube_owner, force_boards=()):
        assert cube_owner is None
        boards = possible_moves(board, die1, die2)
        assert all(each in boards for each in force_boards)
        moves = [SimpleNamespace(board=each, equity=-n / 8) for n, each in enumerate(boards)]
        return SimpleNamespace(moves=moves)

    def post_move_analytics(self, board, cube_owner, jacoby):
        assert (board[0] >= 0, cube_owner, jacoby) == (True, "centered", False)
        return SimpleNamespace(cubeless_equity=sum(board) / 8, cubeless_se=0.5)
"""


class StandIn(Peer):
    """A peer whose program is our own Python, with the class `Program` of a file."""

    name = "Stand-in"
    needs = "work"

    def __init__(self, path: Path, start_seconds: float = 30.0, answer_seconds: float = 300.0):
        super().__init__(start_seconds, answer_seconds)
        self.inside = str(path)

    def command(self) -> list[str]:
        self.version = "Stand-in 1.0"
        return [sys.executable, "-I"]


def program(folder: Path, *lines: str) -> Path:
    """Write a `Program` that answers `best_play` by these lines, and return its path."""
    path = folder / "inside.py"
    body = textwrap.indent("\n".join(lines), " " * 8)
    path.write_text(
        f"import os, time\nclass Program:\n    def best_play(self, points, dice, plies):\n{body}\n"
    )
    return path


def bgsage_environment(folder: Path) -> str:
    """Make an environment with a stand-in for bgsage, and return its Python."""
    venv.create(folder, symlinks=True, with_pip=False)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "bgsage.py").write_text(_BGSAGE)
    facts = site / "bgsage-0.1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: bgsage\nVersion: 0.1\n")
    return str(folder / "bin" / "python")


@contextmanager
def listener_that(answer: Callable[[str], bytes]) -> Iterator[tuple[ExternalServer, list[str]]]:
    """Give a connection to a stand-in that answers each line, and the lines that it got."""
    asked: list[str] = []

    def serve(listener: socket.socket) -> None:
        connection = listener.accept()[0]
        with connection, connection.makefile("rb") as lines:
            for line in lines:
                asked.append(line.decode())
                data = answer(line.decode())
                if not data:
                    return
                for piece in (data[:3], data[3:]):
                    connection.sendall(piece)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=[listener], daemon=True).start()
        server = ExternalServer(f"127.0.0.1:{listener.getsockname()[1]}", 5.0)
        try:
            yield server, asked
        finally:
            server.close()
