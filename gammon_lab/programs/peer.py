"""Another program as a player: its process, and the questions for it.

A `Peer` starts the program with `gammon_lab.programs.server` in the program's Python, and talks to
the server over a loopback socket. gammon works without any of these programs.
"""

import contextlib
import json
import os
import secrets
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from gammon.base.errors import GammonError
from gammon.formats.characters import one_line, visible
from gammon.formats.gnubg_id import format_position_id
from gammon.rules.board import SIZE, Points, check_points
from gammon.rules.dice import checked_dice, outcome_of
from gammon.rules.plays import MAX_ROWS, successors

_FOLDER = Path(__file__).resolve().parent
#: The time for a program to end by itself after its connection is closed. It is shorter
#: than the time that Ctrl-C leaves for all of gammon (`gammon.commands.process`).
_END_SECONDS = 0.5


def first_line(name: str, command: Sequence[str]) -> str:
    """Return the first line that a short command of the program `name` prints, or nothing.

    Raises:
        GammonError: the command cannot be run, or takes more than 10 seconds.
    """
    try:
        process = subprocess.run(
            command, check=False, stdin=subprocess.DEVNULL, capture_output=True, timeout=10.0
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GammonError(f"{name} ({command[0]!r}) does not run: {error}") from None
    return visible(process.stdout.decode(errors="replace").partition("\n")[0]).strip()


def items_of(
    positions: Sequence[Sequence[int]], dice: Sequence[Sequence[int]], *more: int | str
) -> list[list[Any]]:
    """Return a question for each position and roll.

    Impossible boards crash programs, so none may reach them.

    Raises:
        IllegalPositionError, SettingError: a position or a roll is impossible.
    """
    return [
        [check_points(points, str(points)), checked_dice(roll), *more]
        for points, roll in zip(positions, dice, strict=True)
    ]


class Peer(ABC):
    """Another program in a process of its own, from `open` to `close` or in a `with` block.

    It plays for money without the cube, unless a method states otherwise. Positions are 26 counts
    seen from the player on roll, as in `gammon.rules.board`; positions after a play are seen
    from the player who made it. Use a peer from one thread at a time.

    Args:
        start_seconds: the time allowed for the start.
        answer_seconds: the time allowed for the answer to one question.

    Attributes:
        version: the program's name and version, after the start.
        cpu_seconds: the processor time that the program has spent on answers.

    Raises:
        GammonError: by `open`, the program is not installed or does not start; by any
            method, the program has ended, takes too long, refuses a question or breaks the rules.
        IllegalPositionError, SettingError: by any method, an argument is impossible. The
            question is not sent.
    """

    #: The program's name.
    name: str
    #: The file that the server loads, in the folder of this one.
    inside: str
    #: The end of the message "expected the program to ..." if it cannot serve.
    needs: str

    def __init__(self, start_seconds: float = 30.0, answer_seconds: float = 300.0) -> None:
        self.start_seconds = start_seconds
        self.answer_seconds = answer_seconds
        self.version = ""
        self.cpu_seconds = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: socket.socket | None = None
        self._replies: Any = None

    @abstractmethod
    def command(self) -> list[str]:
        """Set the version, and return a command that runs the Python file whose name is appended.

        Raises:
            GammonError: the program is not installed.
        """

    def open(self) -> None:
        """Start the program; the caller must also call `close`."""
        command = self.command()
        try:
            self._start(command)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(self, command: list[str]) -> None:
        token = secrets.token_hex(16)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            # Python's variables would lead the program's Python into our environment.
            inherited = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
            self._process = subprocess.Popen(
                [Path(command[0]).absolute(), *command[1:], _FOLDER / "server.py"],
                env={
                    **inherited,
                    "GAMMON_PEER_PORT": str(listener.getsockname()[1]),
                    "GAMMON_PEER_TOKEN": token,
                    "GAMMON_PEER_FILE": str(_FOLDER / self.inside),
                },
                # GNU Backgammon's Python looks for modules in `scripts` below the current
                # folder: start in a folder without it.
                cwd=_FOLDER,
                stdin=subprocess.PIPE,  # the program ends when this closes, even if we are killed
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # Ctrl-C must reach only this process, which closes the program.
                start_new_session=True,
            )
            self._connection = self._accept(listener, command[0])
        self._connection.settimeout(self.start_seconds)
        self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._replies = self._connection.makefile("r", encoding="utf-8")
        try:
            hello = json.loads(self._replies.readline())
        except TimeoutError:
            raise GammonError(self._silent(command[0])) from None
        except (OSError, ValueError):
            raise GammonError(self._ended_early(command[0])) from None
        if hello != {"token": token}:
            raise GammonError(f"{self.name} ({command[0]!r}): another program answered for it")
        self._connection.settimeout(self.answer_seconds)

    def _accept(self, listener: socket.socket, path: str) -> socket.socket:
        assert self._process is not None
        listener.settimeout(0.1)
        deadline = time.monotonic() + self.start_seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(TimeoutError):
                return listener.accept()[0]
            if self._process.poll() is not None:
                raise GammonError(self._ended_early(path))
        raise GammonError(self._silent(path))

    def _silent(self, path: str) -> str:
        return f"{self.name} ({path!r}) did not answer in {self.start_seconds:g} seconds"

    def _ended(self, when: str) -> str:
        status = None
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                status = self._process.wait(1.0)
        return f"{self.name} ended {when} (exit status {status})"

    def _ended_early(self, path: str) -> str:
        return f"{self._ended('before it was ready')}; expected {path!r} to {self.needs}"

    def close(self) -> None:
        """End the program, if it is running."""
        process, connection, replies = self._process, self._connection, self._replies
        self._process = self._connection = self._replies = None
        if replies is not None:
            replies.close()
        if connection is not None:
            connection.close()
        if process is not None:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(0.0 if connection is None else _END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _ask(self, op: str, items: Sequence[Sequence[Any]]) -> list[Any]:
        """Return the answers to questions in their order; each question is a list of arguments."""
        if self._connection is None:
            raise GammonError(f"{self.name} is not running: use it in a block `with ...:`")
        results = []
        try:
            request = json.dumps({"op": op, "items": items})
            self._connection.sendall(request.encode() + b"\n")
            for _ in items:
                reply = json.loads(self._replies.readline())
                if "error" in reply:  # ends the answers to this request
                    reason = one_line(str(reply["error"]))
                    raise GammonError(f"{self.name} cannot answer {op!r}: {reason}")
                self.cpu_seconds += reply["cpu_seconds"]
                results.append(reply["result"])
        except GammonError:
            raise
        except TimeoutError:
            self.close()
            raise GammonError(
                f"{self.name} did not answer {op!r} in {self.answer_seconds:g} seconds"
            ) from None
        except (OSError, ValueError):
            message = self._ended(f"while it was asked {op!r}")
            self.close()
            raise GammonError(message) from None
        except BaseException:
            self.close()  # a late answer would be taken for the answer to the next request
            raise
        return results

    def successor_sets(
        self, positions: Sequence[Sequence[int]], dice: Sequence[Sequence[int]]
    ) -> list[list[Points]]:
        """Return for each position and roll the position after each play that the program allows.

        If nothing can be played, this is the position itself.
        """
        sets = self._ask("successors", items_of(positions, dice))
        return [[tuple(row) for row in rows] for rows in sets]

    def best_plays(
        self, positions: Sequence[Sequence[int]], dice: Sequence[Sequence[int]], plies: int | str
    ) -> list[Points]:
        """Return the position after the best play of each roll, seen from the mover.

        Args:
            positions: N positions.
            dice: N rolls, two numbers each.
            plies: the depth, as the program counts, or one of the program's levels.

        Raises:
            GammonError: as for all methods, and if an answer is not a legal play.
        """
        return self._legal_plays("best_play", items_of(positions, dice, plies))

    def _legal_plays(self, op: str, items: Sequence[Sequence[Any]]) -> list[Points]:
        """Return the answers to questions for a play, after a check that they are legal.

        Args:
            op: the kind of question.
            items: the questions, each of which begins with 26 counts and the dice.

        Raises:
            GammonError: an answer is not a legal play.
        """
        rows = np.empty((MAX_ROWS, SIZE), np.int8)
        plays = []
        for (points, roll, *_), reply in zip(items, self._ask(op, items), strict=True):
            outcome = outcome_of((roll[0], roll[1]))
            count = successors(np.array(points, np.int8), outcome, rows)
            legal: list[list[int]] = (-rows[:count, ::-1]).tolist()
            if reply not in legal:
                position = format_position_id(tuple(points))
                raise GammonError(
                    f"{self.name} played {roll[0]}{roll[1]} in {position} to "
                    f"{str(reply)[:120]}: expected the 26 counts after a legal play"
                )
            plays.append(tuple(legal[legal.index(reply)]))
        return plays

    def best_play(self, points: Sequence[int], dice: Sequence[int], plies: int | str) -> Points:
        """Return `best_plays` of one position."""
        return self.best_plays([points], [dice], plies)[0]
