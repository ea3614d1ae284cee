"""Programs that an attack starts, with their output in files, and their surviving processes."""

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
    """End the programs that still run, such as after an interrupt of an attack."""
    for process in _STARTED:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@dataclass(frozen=True)
class Program:
    """A started program in its own process group.

    Attributes:
        process: the first of its processes.
        output: the file of its standard output.
        errors: the file of its standard error.
    """

    process: subprocess.Popen[bytes]
    output: Path
    errors: Path

    def ended(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most for this time, and return whether the program ended."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def left(self) -> list[str]:
        """Return a line for each process of the program that still runs."""
        return members(self.process.pid)

    def last_error(self) -> str:
        """Return the last line of its standard error, or an empty text."""
        return next(iter(self.errors.read_text(errors="replace").splitlines()[-1:]), "")


def start(
    arguments: Sequence[str],
    notes: Path,
    code: str = GAMMON,
    environment: dict[str, str] | None = None,
    waits: bool = False,
) -> Program:
    """Start Python code, by default `gammon`.

    Args:
        arguments: the arguments of the program.
        notes: a path; with `.out` and `.err` added it names the files of the output.
        code: the Python code.
        environment: variables to set beside the variables of this process.
        waits: whether its standard input stays open; otherwise it is empty.
    """
    output, errors = (notes.with_name(notes.name + end) for end in (".out", ".err"))
    with output.open("wb") as out, errors.open("wb") as err:
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
    return Program(process, output, errors)
