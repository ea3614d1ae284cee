"""The process that the program is: how signals and its standard streams end it.

An interrupt (Ctrl-C) and a request to end raise SystemExit where the program is, so that it
cleans up. Python does so only between two of its own instructions, and waits for its threads
at the end. Where compiled code runs for longer than that, one more thread ends the process.
"""

import codecs
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import NoReturn

import click

#: The exit code of a program that a closed pipe ends.
CLOSED_PIPE = 128 + 13
#: Bytes of standard input that are read at a time, and characters of a line: ten times those of
#: the longest text of a position. Most of what comes behind them is left out.
_PIECE, _LONGEST = 1 << 16, 200_000
#: Seconds that the main thread has to notice a signal, and again to end.
_PATIENCE = 1.0
#: A progress bar hides the cursor of a terminal, and may not come to show it again.
_SHOW_CURSOR = "\x1b[?25h"
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def _say(number: int) -> None:
    """Say that it was an interrupt, below the `^C` of a terminal."""
    if number == signal.SIGINT:
        click.echo("\nInterrupted", err=True)


def watch_signals() -> None:
    """End the program with code 130 on an interrupt and 143 on SIGTERM, without a traceback.

    A second signal ends it at once. Signals that it was started to ignore stay ignored.
    """
    seen = threading.Event()
    ours, theirs = os.pipe()
    if hasattr(os, "set_blocking"):  # which Python asks for where it is there
        os.set_blocking(theirs, False)

    def end(number: int, frame: FrameType | None) -> None:
        seen.set()
        for each in _SIGNALS:
            signal.signal(each, signal.SIG_DFL)
        # In a callback, or while the compiler's objects are removed, Python cannot pass on what
        # is raised here, and would tell of it by a traceback; `watch` ends the program then.
        sys.unraisablehook = lambda unraisable: None
        # The compiler may take what is raised here for an error of its own, and raise that.
        sys.excepthook = lambda *raised: os._exit(128 + number)
        _say(number)
        raise SystemExit(128 + number)

    def watch() -> None:
        number = os.read(ours, 1)[0]
        if number not in _SIGNALS:
            return
        if seen.wait(_PATIENCE):
            time.sleep(_PATIENCE)  # to clean up
        else:
            if sys.stderr.isatty():
                click.echo(_SHOW_CURSOR, err=True, nl=False)
            _say(number)
        os._exit(128 + number)

    for each in _SIGNALS:
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, end)
    signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    with suppress(RuntimeError):  # the system has no more threads: Python alone ends the program
        threading.Thread(target=watch, daemon=True).start()


class _Output(io.TextIOWrapper):
    """Standard output, which ends the program where it cannot be written."""

    def write(self, text: str, /) -> int:
        """Write text, and return its length."""
        try:
            return super().write(text)
        except OSError as error:
            self._end(error)

    def flush(self) -> None:
        """Write what was kept back."""
        try:
            super().flush()
        except OSError as error:
            self._end(error)

    def _end(self, error: OSError) -> NoReturn:
        # The rest of the output goes nowhere, without another word.
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
        if isinstance(error, BrokenPipeError):
            raise SystemExit(CLOSED_PIPE) from None
        reason = f"standard output cannot be written: {error.strerror}"
        click.echo(f"Error: {reason}", err=True)
        raise SystemExit(1) from None


def prepare_streams() -> None:
    """Make the standard streams of this process fit to be used, or end the program.

    Standard input or standard error that is closed is as if it were empty or unread. An
    answer that nobody can get is an error. Letters that the output has no code for are
    written as escapes.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115 (open to the end)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        click.echo("Error: standard output is closed: expected a place to write to", err=True)
        raise SystemExit(1)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout is sys.__stdout__:
        raw = io.FileIO(sys.stdout.fileno(), "w", closefd=False)
        sys.stdout = _Output(
            io.BufferedWriter(raw), sys.stdout.encoding, "backslashreplace", line_buffering=raw.isatty()
        )


def input_lines() -> Iterator[str]:
    """Return the lines of standard input, as they come, for any thread to read.

    They are read past Python's own buffer: a thread that waits there when the program ends
    would have Python abort.
    """
    try:
        read: Callable[[int], bytes] = partial(os.read, sys.stdin.fileno())
    except OSError:  # a test's, which is not a file
        read = sys.stdin.buffer.read
    return _lines(read)


def _lines(read: Callable[[int], bytes]) -> Iterator[str]:
    """Yield the lines of a text, UTF-8 or, by its mark, UTF-16.

    Args:
        read: returns the next bytes, up to a number, and none at the end.
    """
    rest, data = "", read(_PIECE)
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    decoder = codecs.getincrementaldecoder("utf-16" if wide else "utf-8-sig")("replace")
    while data:
        *lines, rest = (rest + decoder.decode(data)).split("\n")
        yield from lines
        rest, data = rest[:_LONGEST], read(_PIECE)
    if rest:
        yield rest
