"""Work in a thread, with a bar that only terminals see."""

import io
import threading

import pytest

from gammon.base.errors import FormatError
from gammon.view import progress


def test_result_and_errors_come_through(capsys: pytest.CaptureFixture[str]) -> None:
    assert progress.with_bar(lambda bar: bar.tolist()) == [0, 0]

    def fails(bar: progress.Bar) -> None:
        raise FormatError("no")

    with pytest.raises(FormatError, match="no"):
        progress.with_bar(fails)
    assert capsys.readouterr().err == ""


def test_a_bar_is_drawn_for_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = threading.Event()

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            if "searching" in text:
                drawn.set()
            return len(text)

    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr("sys.stderr", Terminal())

    def work(bar: progress.Bar) -> str:
        bar[:] = 3, 6
        return "done" if drawn.wait(60) else "no bar"

    assert progress.with_bar(work) == "done"


def test_a_terminal_alone_sees_how_much_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    for stream, seen in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr("sys.stderr", stream)
        with progress.counted(2) as show:
            show(1, "game 1")
        assert ("game 1" in stream.getvalue()) == seen
