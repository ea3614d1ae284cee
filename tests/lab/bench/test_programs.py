"""Programs that are asked in turns, by stand-ins: the real ones need not be there."""

import subprocess
from typing import ClassVar

import pytest

from gammon import Engine
from gammon.base.errors import GammonError
from gammon_lab.bench import programs
from gammon_lab.bench.positions import bench_positions
from gammon_lab.bench.programs import calibration, costs_in_turns, started
from gammon_lab.programs import gnubg

SOME = bench_positions()[:6]


class StandIn:
    """A program whose decisions take as many seconds as plies; a full cache makes it quick."""

    name = "stand-in"
    asked: ClassVar[list[tuple[str, int]]] = []
    running = 0

    def __init__(self):
        self.cpu_seconds = 0.0
        self.cached = False
        self.version = ""

    def __enter__(self):
        StandIn.running += 1
        self.version = f"{self.name} 1.0"
        return self

    def __exit__(self, *error):
        StandIn.running -= 1

    def forget(self):
        self.cached = False

    def best_play(self, points, dice, plies):
        self.cpu_seconds += 0 if self.cached else plies
        self.cached = self.name == "gnubg"
        StandIn.asked.append((self.name, plies))


class Gnubg(StandIn):
    name = "gnubg"


class Bgsage(StandIn):
    name = "bgsage"


class Broken(StandIn):
    def __enter__(self):
        raise GammonError("bgsage does not start")


@pytest.fixture
def stand_ins(monkeypatch):
    """Two programs that keep a list of what they are asked; ours looks 3 plies at most."""

    def quick(plies, **more):
        StandIn.asked.append(("gammon", plies))
        return Engine(min(plies, 3), **more)

    monkeypatch.setattr(programs, "Engine", quick)
    monkeypatch.setattr(StandIn, "asked", [])
    monkeypatch.setattr(programs, "OTHERS", {"gnubg": Gnubg, "bgsage": Bgsage})
    monkeypatch.setattr(programs, "GnuBackgammon", Gnubg)
    return StandIn.asked


def test_each_level_has_the_players_that_look_equally_far(stand_ins):
    with started(["gnubg", "bgsage"]) as peers:
        assert [peer.version for peer in peers.values()] == ["gnubg 1.0", "bgsage 1.0"]
        levels = costs_in_turns(peers, "leaf", SOME[:2], SOME[:1])
    assert StandIn.running == 0
    names = [[cost.name for cost in level] for level in levels]
    assert names[0] == ["depth 1", "GNU Backgammon 0-ply", "bgsage level 1"]
    assert names[2] == [
        "depth 5", "depth 5, tiny filter", "GNU Backgammon 2-ply", "bgsage level 3",
    ]  # fmt: skip
    assert [[cost.decisions for cost in level] for level in levels] == [
        [2] * 3, [2] * 3, [2] * 4, [1] * 4,
    ]  # fmt: skip
    # Processor time, with an empty cache each time.
    assert [level[-2].median_ms for level in levels] == [0, 1000, 2000, 3000]
    assert [level[-1].median_ms for level in levels] == [1000, 2000, 3000, 4000]
    assert all(level[0].median_ms > 0 for level in levels)
    ours = [plies for name, plies in stand_ins if name == "gammon"]
    assert ours == [1, 3, 5, 5, 7, 7]


def test_another_one_begins_in_each_position(stand_ins):
    with started(["gnubg", "bgsage"]) as peers:
        (level,) = costs_in_turns(peers, "leaf", SOME, [])[:1]
    assert [cost.decisions for cost in level] == [6, 6, 6]
    asked = [name for name, _ in stand_ins[1 : 2 * 7]]
    warm, first, second, third = asked[:2], asked[2:4], asked[4:6], asked[6:8]
    assert warm == ["gnubg", "bgsage"]
    assert (first, second, third) == (
        ["gnubg", "bgsage"], ["gnubg", "bgsage"], ["bgsage", "gnubg"],
    )  # fmt: skip


def test_only_what_was_asked_for_decides_and_no_deep_level_without_positions(stand_ins):
    with started(["bgsage"]) as peers:
        levels = costs_in_turns(peers, "leaf", SOME[:1], [])
    assert [level[1].name for level in levels[:2]] == ["bgsage level 1", "bgsage level 2"]
    assert len(levels) == 3
    assert {name for name, _ in stand_ins} == {"gammon", "bgsage"}


def test_a_program_that_does_not_start_leaves_none_behind(monkeypatch):
    monkeypatch.setattr(programs, "OTHERS", {"gnubg": Gnubg, "bgsage": Broken})
    with (
        pytest.raises(GammonError, match="does not start"),
        started(["gnubg", "bgsage"]),
    ):
        pass
    assert StandIn.running == 0


def answers(monkeypatch, text):
    """Let the program be found, and print this."""
    monkeypatch.setattr(programs, "installed_program", lambda: "gnubg")
    done = subprocess.CompletedProcess([], 0, stdout=text)
    monkeypatch.setattr(programs.subprocess, "run", lambda *arguments, **settings: done)


def test_its_own_measure_of_speed(monkeypatch):
    answers(monkeypatch, "Calibration result: 98765 static evaluations/second.\n")
    assert calibration() == 98765


def test_a_program_that_says_nothing_of_its_speed(monkeypatch):
    answers(monkeypatch, "Unknown keyword `calibrate'.\n")
    with pytest.raises(GammonError, match="does not calibrate"):
        calibration()


def test_a_program_that_is_not_there(monkeypatch):
    monkeypatch.setattr(gnubg, "find_program", lambda program: None)
    with pytest.raises(GammonError, match="not installed: expected the program on the PATH"):
        calibration()
