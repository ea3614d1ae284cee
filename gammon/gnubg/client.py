"""GNU Backgammon as a player and a judge to compare with, where it is installed.

`GnuBackgammon` runs the program with `gammon.gnubg.server` inside it, and talks to the
server over a loopback socket. gammon works without the program.
"""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from gammon.errors import GammonError, IllegalPositionError, SettingError

__all__ = ["BATCH", "GnuBackgammon", "find_program"]

#: Debian puts the program here, which is not on every user's PATH.
GAMES_FOLDER = "/usr/games"
#: Items in one message: enough to hide the round trip, few enough to stop soon.
BATCH = 100
#: The rows of `evaluations`: win, win_gammon, win_backgammon, lose_gammon, lose_backgammon.
Five = tuple[float, float, float, float, float]
Points = tuple[int, ...]


def find_program(program: str = "gnubg") -> str | None:
    """Return the path of the program, or None where it is not installed."""
    places = os.environ.get("PATH", os.defpath) + os.pathsep + GAMES_FOLDER
    return shutil.which(program, path=places)


def _version(path: str) -> str:
    try:
        answer = subprocess.run(
            [path, "--version"],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=10.0,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GammonError(f"GNU Backgammon ({path!r}) does not run: {error}") from None
    return answer.stdout.decode(errors="replace").partition("\n")[0].strip()


def _checked_points(points: Sequence[int]) -> list[int]:
    # The program crashes on impossible boards, so none may reach it.
    counts = [int(count) for count in points]
    own = sum(count for count in counts if count > 0)
    their = -sum(count for count in counts if count < 0)
    if len(counts) != 26 or max(own, their) > 15 or counts[25] < 0 or counts[0] > 0:
        raise IllegalPositionError(
            f"{tuple(counts)!r}: expected 26 counts from the player on roll, at most 15 "
            "checkers a side, the own bar last, the opponent's (not positive) first"
        )
    return counts


def _checked_dice(dice: Sequence[int]) -> list[int]:
    numbers = [int(die) for die in dice]
    if len(numbers) != 2 or not all(1 <= die <= 6 for die in numbers):
        raise SettingError(f"dice {tuple(numbers)!r}: expected two numbers from 1 to 6")
    return numbers


class GnuBackgammon:
    """GNU Backgammon in a process of its own, from `open` to `close` or in a `with` block.

    All evaluations are cubeless, for money, with the program's default settings
    (pruning networks, and the `normal` move filters from 1-ply on). Positions are 26
    counts seen from the player on roll, as in `gammon.rules.board`; positions after a
    play are seen from the player who made it. Use it from one thread at a time.

    Args:
        program: the name or path of the program.
        start_seconds: the time allowed for its start.

    Attributes:
        version: the first line of the program's `--version`, after the start.
        cpu_seconds: the processor time that the program has spent on answers. Compare
            speeds by it: the elapsed time of an item is up to 10 ms longer, because the
            program sleeps. On Linux this wait does not occur at 0-ply, as long as no
            other work fills the program's processor.

    Raises:
        GammonError: by `open`, the program is not installed or does not start; by any
            method, it has ended or refuses a request.
        IllegalPositionError, SettingError: by any method, an argument is impossible. The
            program is not asked.
    """

    def __init__(self, program: str = "gnubg", start_seconds: float = 30.0) -> None:
        self.program = program
        self.start_seconds = start_seconds
        self.version = ""
        self.cpu_seconds = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: socket.socket | None = None
        self._replies: Any = None

    @staticmethod
    def available() -> bool:
        """Tell whether the program is installed."""
        return find_program() is not None

    def open(self) -> None:
        """Start the program; whoever calls this calls `close` too."""
        path = find_program(self.program)
        if path is None:
            raise GammonError(
                f"GNU Backgammon ({self.program!r}) is not installed: "
                "expected the program on the PATH, such as from Debian's package gnubg"
            )
        try:
            self.version = _version(path)
            self._start(path)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _start(self, path: str) -> None:
        token = secrets.token_hex(16)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            # Python's variables would lead the embedded Python into our environment.
            inherited = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
            folder = Path(__file__).resolve().parent
            self._process = subprocess.Popen(
                [path, "-t", "-q", "-r", "-p", str(folder / "server.py")],
                env={
                    **inherited,
                    "GAMMON_GNUBG_PORT": str(listener.getsockname()[1]),
                    "GAMMON_GNUBG_TOKEN": token,
                },
                # The embedded Python looks for modules in `scripts` below the current
                # folder: go where there is none.
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # Ctrl-C must reach only this process; the program ends with the connection.
                start_new_session=True,
            )
            self._connection = self._accept(listener, path)
        self._connection.settimeout(self.start_seconds)
        self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._replies = self._connection.makefile("r", encoding="utf-8")
        try:
            hello = json.loads(self._replies.readline())
        except (OSError, ValueError):
            raise GammonError(self._ended("before it was ready")) from None
        if hello.get("token") != token:
            raise GammonError(f"GNU Backgammon ({path!r}): another program answered for it")
        self._connection.settimeout(None)

    def _accept(self, listener: socket.socket, path: str) -> socket.socket:
        assert self._process is not None
        listener.settimeout(0.1)
        deadline = time.monotonic() + self.start_seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(TimeoutError):
                return listener.accept()[0]
            if self._process.poll() is not None:
                raise GammonError(
                    self._ended("before it was ready")
                    + f"; expected {path!r} to have Python built in"
                )
        raise GammonError(
            f"GNU Backgammon ({path!r}) did not answer in {self.start_seconds:g} seconds"
        )

    def _ended(self, when: str) -> str:
        status = None
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = self._process.wait(1.0)
        return f"GNU Backgammon ended {when} (exit status {status})"

    def close(self) -> None:
        """End the program, if it runs."""
        process, connection, replies = self._process, self._connection, self._replies
        self._process = self._connection = self._replies = None
        if replies is not None:
            replies.close()
        if connection is not None:
            connection.close()
        if process is not None:
            try:
                process.wait(0.0 if connection is None else 2.0)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _ask(self, op: str, items: Sequence[Any], **options: int) -> Iterator[Any]:
        for first in range(0, len(items), BATCH):
            if self._connection is None:
                raise GammonError(
                    "GNU Backgammon is not running: use it in a block "
                    "`with GnuBackgammon() as gnubg:`"
                )
            request = {"op": op, "items": items[first : first + BATCH], **options}
            try:
                self._connection.sendall(json.dumps(request).encode() + b"\n")
                reply = json.loads(self._replies.readline())
            except (OSError, ValueError):
                message = self._ended(f"while it was asked {op!r}")
                self.close()
                raise GammonError(message) from None
            except BaseException:
                self.close()  # a late answer would be taken for that of the next request
                raise
            if "error" in reply:
                raise GammonError(f"GNU Backgammon cannot answer {op!r}: {reply['error']}")
            self.cpu_seconds += reply["cpu_seconds"]
            yield from reply["results"]

    def successor_sets(
        self, positions: Sequence[Sequence[int]], dice: Sequence[Sequence[int]]
    ) -> list[list[Points]]:
        """Return, for each position and roll, the position after each legal play.

        If nothing can be played, this is the position itself.
        """
        items = [
            [_checked_points(points), _checked_dice(roll)]
            for points, roll in zip(positions, dice, strict=True)
        ]
        return [[tuple(row) for row in rows] for rows in self._ask("successors", items)]

    def evaluations(self, positions: Sequence[Sequence[int]], plies: int = 0) -> list[Five]:
        """Return five cumulative probabilities for each position, before its roll.

        Args:
            positions: N positions.
            plies: as GNU Backgammon counts them; 0 is static.

        Returns:
            N tuples (win, win_gammon, win_backgammon, lose_gammon, lose_backgammon),
            for the player on roll.
        """
        items = [_checked_points(points) for points in positions]
        rows = self._ask("evaluate", items, plies=plies)
        return [(row[0], row[1], row[2], row[3], row[4]) for row in rows]

    def best_plays(
        self,
        positions: Sequence[Sequence[int]],
        dice: Sequence[Sequence[int]],
        plies: int = 0,
    ) -> list[Points]:
        """Return the position after the best play of each roll, seen from the mover."""
        items = [
            [_checked_points(points), _checked_dice(roll)]
            for points, roll in zip(positions, dice, strict=True)
        ]
        return [tuple(row) for row in self._ask("best_play", items, plies=plies)]

    def forget(self) -> None:
        """Empty the program's cache, so that no later answer is faster for an earlier one."""
        list(self._ask("forget", [0]))

    def successors(self, points: Sequence[int], dice: Sequence[int]) -> list[Points]:
        """Return `successor_sets` of one position."""
        return self.successor_sets([points], [dice])[0]

    def evaluate(self, points: Sequence[int], plies: int = 0) -> Five:
        """Return `evaluations` of one position."""
        return self.evaluations([points], plies)[0]

    def best_play(self, points: Sequence[int], dice: Sequence[int], plies: int = 0) -> Points:
        """Return `best_plays` of one position."""
        return self.best_plays([points], [dice], plies)[0]
