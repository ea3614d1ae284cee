"""The process of the program: its signals and its standard streams.

An interrupt (Ctrl-C) or SIGTERM raises SystemExit in the main thread, so that the program cleans
up. Python can raise it only between two of its own instructions, and waits for threads at the
end. If compiled code takes too long, a watching thread ends the process.
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

#: The exit code of a program that ends because of a closed pipe.
CLOSED_PIPE = 128 + 13
#: Bytes of standard input to read at a time, and the most characters of a line, ten times as many
#: as the longest text of a position has. The rest of a longer line is dropped.
_PIECE, _LONGEST = 1 << 16, 200_000
#: Seconds for the main thread to notice a signal, and as many to end.
_PATIENCE = 1.0
#: Shows the cursor of a terminal, which a progress bar hides.
_SHOW_CURSOR = "\x1b[?25h"
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def _report(number: int) -> None:
    """Print a line after an interrupt, below the `^C` of a terminal."""
    if number == signal.SIGINT:
        click.echo("\nInterrupted", err=True)


def watch_signals() -> None:
    """End the program with code 130 on an interrupt and 143 on SIGTERM, without a traceback.

    A second signal ends it at once. Signals that were ignored at the start stay ignored.
    """
    seen = threading.Event()
    ours, theirs = os.pipe()
    if hasattr(os, "set_blocking"):  # Python requires it on these systems
        os.set_blocking(theirs, False)

    def end(number: int, frame: FrameType | None) -> None:
        seen.set()
        for watched in _SIGNALS:
            signal.signal(watched, signal.SIG_DFL)
        # In a callback or a destructor Python cannot propagate the exception raised below, and
        # would print a traceback; `watch` ends the program then.
        sys.unraisablehook = lambda unraisable: None
        # The compiler may turn the exception into an error of its own.
        sys.excepthook = lambda *raised: os._exit(128 + number)
        _report(number)
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
            _report(number)
        os._exit(128 + number)

    for watched in _SIGNALS:
        if signal.getsignal(watched) is not signal.SIG_IGN:
            signal.signal(watched, end)
    signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    with suppress(RuntimeError):  # no more threads: the program ends without `watch`
        threading.Thread(target=watch, daemon=True).start()


class _Output(io.TextIOWrapper):
    """Standard output that ends the program if it cannot be written."""

    def write(self, text: str, /) -> int:
        """Write text, and return its length."""
        try:
            return super().write(text)
        except OSError as error:
            self._end(error)

    def flush(self) -> None:
        """Write the buffered text."""
        try:
            super().flush()
        except OSError as error:
            self._end(error)

    def _end(self, error: OSError) -> NoReturn:
        # The rest of the output is discarded silently.
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
        if isinstance(error, BrokenPipeError):
            raise SystemExit(CLOSED_PIPE) from None
        reason = f"standard output cannot be written: {error.strerror}"
        click.echo(f"Error: {reason}", err=True)
        raise SystemExit(1) from None


def prepare_streams() -> None:
    """Make the standard streams of this process usable, or end the program.

    A closed standard input counts as empty; output to a closed standard error is discarded. A
    closed standard output is an error. Characters that the output cannot encode are written as
    escapes.
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
    """Return the lines of standard input as they arrive, for any thread.

    They bypass Python's own buffer: Python would abort if a thread waited on it at the end of
    the program.
    """
    try:
        read: Callable[[int], bytes] = partial(os.read, sys.stdin.fileno())
    except OSError:  # a test replaced it by something that is not a file
        read = sys.stdin.buffer.read
    return _lines(read)


def _lines(read: Callable[[int], bytes]) -> Iterator[str]:
    """Yield the lines of a text in UTF-8, or in UTF-16 with a byte order mark.

    Args:
        read: returns the next bytes, at most the given number; empty at the end.
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
