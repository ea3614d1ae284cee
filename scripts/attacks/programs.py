"""Programs that an attack starts, with all that they say in files, and what is left of them."""

import atexit
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.processes import ROOT, members

#: The program `gammon`, of this checkout.
GAMMON = "from gammon.commands.main import main; main()"


_STARTED: list[subprocess.Popen[bytes]] = []


@atexit.register
def _end_all() -> None:
    """End what still runs, as after an interrupt of an attack."""
    for process in _STARTED:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@dataclass(frozen=True)
class Program:
    """A program that was started, in a process group of its own.

    Attributes:
        process: the first of its processes.
        said: the file of its standard output.
        errors: the file of its standard error.
    """

    process: subprocess.Popen[bytes]
    said: Path
    errors: Path

    def ended(self, seconds: float | None = None) -> bool:
        """Wait for the end, up to a time, and tell whether it came."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def left(self) -> list[str]:
        """Return a line for each of its processes that still runs."""
        return members(self.process.pid)

    def last_error(self) -> str:
        """Return the last line of its standard error, or nothing."""
        return next(iter(self.errors.read_text(errors="replace").splitlines()[-1:]), "")


def start(
    arguments: Sequence[str],
    notes: Path,
    code: str = GAMMON,
    environment: dict[str, str] | None = None,
    waits: bool = False,
) -> Program:
    """Start Python code, `gammon` unless given.

    Args:
        arguments: of the program.
        notes: a path; `.out` and `.err` are added to it for what the program says.
        code: what Python runs.
        environment: variables to be set beside those of this process.
        waits: its standard input stays open; otherwise it is empty.
    """
    said, errors = (notes.with_name(notes.name + end) for end in (".out", ".err"))
    with said.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            cwd=notes.parent,
            stdout=out,
            stderr=err,
            env=os.environ | {"PYTHONPATH": str(ROOT)} | (environment or {}),
            stdin=subprocess.PIPE if waits else subprocess.DEVNULL,
            start_new_session=True,
        )
    _STARTED.append(process)
    return Program(process, said, errors)
