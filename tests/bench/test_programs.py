"""GNU Backgammon in the benchmark, played by a stand-in: the real one need not be there."""

import subprocess

import pytest

from gammon.bench import rival
from gammon.bench.positions import bench_positions
from gammon.errors import GammonError


class StandIn:
    """A program whose decisions take as many seconds as plies; a full cache makes it quick."""

    def __init__(self):
        self.cpu_seconds = 0.0
        self.cached = False

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def forget(self):
        self.cached = False

    def best_play(self, points, dice, plies):
        self.cpu_seconds += 0 if self.cached else plies
        self.cached = True


def answers(monkeypatch, text):
    """Let the program be found, and print this."""
    monkeypatch.setattr(rival, "find_program", lambda: "gnubg")
    done = subprocess.CompletedProcess([], 0, stdout=text)
    monkeypatch.setattr(rival.subprocess, "run", lambda *arguments, **settings: done)


def test_its_own_measure_of_speed(monkeypatch):
    answers(monkeypatch, "Calibration result: 98765 static evaluations/second.\n")
    assert rival.calibration() == 98765


def test_a_program_that_says_nothing_of_its_speed(monkeypatch):
    answers(monkeypatch, "Unknown keyword `calibrate'.\n")
    with pytest.raises(GammonError, match="does not calibrate"):
        rival.calibration()


def test_a_program_that_is_not_there(monkeypatch):
    monkeypatch.setattr(rival, "find_program", lambda: None)
    with pytest.raises(GammonError, match="not installed"):
        rival.calibration()


def test_processor_time_with_an_empty_cache(monkeypatch):
    monkeypatch.setattr(rival, "GnuBackgammon", StandIn)
    found = rival.costs(bench_positions()[:25])
    assert [cost.name for cost in found] == [f"GNU Backgammon {n}-ply" for n in range(4)]
    assert [cost.decisions for cost in found] == [25, 25, 25, 3]
    assert [cost.median_ms for cost in found] == [0, 1000, 2000, 3000]
    assert [cost.mean_ms for cost in found] == [0, 1000, 2000, 3000]
