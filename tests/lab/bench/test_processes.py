"""Whole processes: what their answers become."""

import sys
from pathlib import Path

import pytest

from gammon.base.errors import GammonError
from gammon_lab.bench import processes


def test_a_command_that_fails_is_named_with_its_complaint(monkeypatch):
    monkeypatch.setattr(processes, "_RUN", "raise SystemExit('no board today')")
    with pytest.raises(GammonError, match=r"^gammon --help: no board today$"):
        processes.start_up()


def test_a_first_start_finds_an_empty_cache(monkeypatch, tmp_path):
    seen = tmp_path / "seen"
    monkeypatch.setattr(
        processes, "_RUN",
        "import os; from pathlib import Path; cache = Path(os.environ['GAMMON_CACHE'])\n"
        f"Path({str(seen)!r}).write_text(str(cache) + ' ' + str(list(cache.iterdir())))",
    )  # fmt: skip
    assert processes.first_start() > 0
    cache, rest = seen.read_text().split(" ", 1)
    assert rest == "[]"
    assert not Path(cache).exists()


def test_memory_is_in_megabytes(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(
        processes, "_PEAK", r"print('VmPeak:\t9 kB\nVmHWM:\t  2560 kB\nVmRSS: 1')"
    )
    assert processes.peak_megabytes() == 2.5


def test_memory_is_known_on_linux_only(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert processes.peak_megabytes() is None
