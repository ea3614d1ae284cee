"""The benchmark measures what it says; its speeds are nobody's promise."""

import itertools
import json
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest
from click.testing import CliRunner

from gammon import Engine, search
from gammon.base.errors import GammonError, SettingError
from gammon.commands.main import main
from gammon.eval.baseline import BASELINE
from gammon.games.backgammon import BACKGAMMON
from gammon.games.nothing import NOTHING
from gammon.rules.board import has_contact
from gammon.search import Stats
from gammon_lab.bench import BenchSettings, bench, bench_report, decisions, positions, run_bench, speed
from gammon_lab.bench.bench import machine
from gammon_lab.bench.decisions import calibration, cost_of, costs_in_turns, started, summary
from gammon_lab.bench.positions import bench_positions
from gammon_lab.programs import gnubg
from gammon_lab.view import report_view
from tests.engine.view.shown import text_of

# The benchmark measures what it says; its speeds are nobody's promise.


def test_bench_counts_and_speeds(monkeypatch):
    """Each thing is done once, where a benchmark takes the median of several times."""
    monkeypatch.setattr(speed.median_seconds, "__defaults__", (1,))
    monkeypatch.setattr(speed, "_EVERY", 500)  # one position is searched
    monkeypatch.setattr(bench, "_wall", lambda *command: len(bench._call(bench._RUN, *command)))
    found = run_bench(BenchSettings(positions=1, deep=0, first_start=False))
    assert all(speed > 0 for speed in found["per_second"].values())
    assert [cost["name"] for cost in found["decisions"]] == [
        "depth 1",
        "depth 3",
        "depth 5",
        "depth 5, exact",
        "depth 5, 2 threads",
    ]
    one, exact, two = found["decisions"][2:]
    assert one["leaves"] == two["leaves"] < exact["leaves"]
    assert 0 < exact["share"] < 0.15
    assert found["programs"] == []
    assert list(found["arrays"]) == ["depth 1", "depth 3"]
    assert bench_report(found).title == "The benchmark"
    assert found["peak_mb"] is None or 20 < found["peak_mb"] < 500
    json.dumps(found)


def test_one_thread_is_not_compared_with_itself(monkeypatch):
    monkeypatch.setattr(bench, "cost_of", lambda name, *more: name)
    names = bench._costs(BenchSettings(positions=1, deep=1, threads=1), lambda text: None)
    assert names == ["depth 1", "depth 3", "depth 5", "depth 5, exact", "depth 7", "depth 7, exact, 1 thread"]


@pytest.mark.parametrize("change", [{"positions": 0}, {"positions": 501}, {"deep": 501}, {"against": ["xg"]}])
def test_bad_settings_are_refused(change):
    with pytest.raises(SettingError, match="expected"):
        run_bench(BenchSettings(**change))


# Speeds: the work that was done by the time that it took.


def test_a_median_of_nine_repetitions(monkeypatch):
    ticks = iter(range(100))
    waits = [5, 1, 9, 2, 8, 3, 7, 4, 6]
    clock = iter([time for wait in waits for time in (0, wait)])
    monkeypatch.setattr(speed.time, "perf_counter", lambda: next(clock))
    assert speed.median_seconds(lambda: next(ticks)) == 5
    assert next(ticks) == len(waits)


def test_speeds_are_work_by_time(monkeypatch):
    monkeypatch.setattr(speed, "median_seconds", lambda work: (work(), 0.5)[1])
    monkeypatch.setattr(speed, "_EVERY", 500)  # one position is searched
    found = speed.speeds("leaf", 2)
    assert found["successors"] == 2 * speed.SECOND_TURN
    # All three evaluate the same successors, however many threads share them.
    assert found["leaf evaluations"] == found["leaf evaluations, 2 threads"] > 0
    assert found["leaf evaluations"] == found["probe evaluations"]


# The cost of a decision: times in milliseconds, and the work of the same searches.


def test_times_are_in_milliseconds():
    found = summary("player", [0.001, 0.006, 0.002])
    assert found[:2] == ("player", 3)
    assert found[2:5] == pytest.approx((2.0, 3.0, 5.6))


def test_leaves_are_those_of_the_searches():
    some = bench_positions()[:3]
    found = cost_of("player", (BASELINE, BASELINE), some, 3)
    works = [
        search.TreeSearch(BACKGAMMON, BASELINE).decide(each.points, each.outcome, 3).stats for each in some
    ]
    assert found.decisions == 3
    assert found.leaves == sum(work.leaves for work in works)
    assert found.share == found.leaves / sum(each.leaves[3] for each in some)
    probes = sum(work.probes for work in works)
    assert found.probes_cut == sum(work.probe_cuts for work in works) / probes


def test_algorithms_differ_in_leaves():
    some, players = bench_positions()[:3], (BASELINE, BASELINE)
    every, few = (cost_of("player", players, some, 3, algorithm=name) for name in ("expectimax", "star2"))
    assert 0 < few.leaves < every.leaves == sum(each.leaves[3] for each in some)


def test_no_share_where_the_full_tree_is_not_known():
    found = cost_of("player", (BASELINE, BASELINE), bench_positions()[:2], 1)
    assert found.leaves > 0
    assert found.share == found.probes_cut == 0


# Calls from Python: what was done by the time that it took.


def test_rates_are_the_positions_by_the_best_time(monkeypatch):
    times = itertools.accumulate(itertools.cycle([0.0, 4.0, 0.0, 2.0, 0.0, 8.0]))
    monkeypatch.setattr(bench.time, "process_time", lambda: next(times))
    found = bench.array_speeds("leaf", 1, bench_positions()[:4])
    assert len(found) == 5
    assert set(found.values()) == {2.0}


# The positions of the benchmark.


def test_positions_are_contact_positions_with_their_leaves():
    positions = bench_positions()
    assert len(positions) == 500
    assert len({each[:2] for each in positions}) == 498  # two openings came up twice
    assert all(has_contact(each.points) for each in positions)
    small = min(positions, key=lambda each: each.leaves[5])
    for points, _, outcome, leaves in (*positions[7::100], small):
        for depth, expected in leaves.items():
            if expected < 2_000_000:
                found = search.TreeSearch(BACKGAMMON, NOTHING, "expectimax").decide(points, outcome, depth)
                assert found.stats.leaves == expected
    assert small.leaves[5] < 2_000_000


# The machine in words.


def test_it_says_what_times_depend_on():
    found = machine()
    assert found["python"] == platform.python_version()
    assert found["processors"] >= 1
    assert found["processor"].strip()
    json.dumps(found)


def test_a_system_that_tells_less(monkeypatch):
    monkeypatch.setattr(bench.sys, "platform", "darwin")
    monkeypatch.setattr(bench.platform, "processor", lambda: "")
    monkeypatch.setattr(bench.platform, "machine", lambda: "arm64")
    monkeypatch.delattr(bench.os, "getloadavg", raising=False)
    found = machine()
    assert found["processor"] == "arm64"
    assert found["load"] is None


# The counts that come before any timing.

QUICK = positions.Case(3, 2)


@pytest.mark.smoke
@pytest.mark.parametrize("case", positions.FINGERPRINT, ids=str)
def test_the_search_does_what_it_always_does(case):
    assert positions.fingerprint(case) == positions.FINGERPRINT[case]


@pytest.mark.parametrize(
    ("module", "name", "value", "words"),
    [
        (speed, "SECOND_TURN", 183_631, "generator is wrong"),
        (positions, "FINGERPRINT", {QUICK: Stats(*[1] * 7)}, "not what it was"),
    ],
)
def test_wrong_counts_are_not_timed(monkeypatch, module, name, value, words):
    monkeypatch.setattr(module, name, value)
    done = CliRunner().invoke(main, ["bench", "--quick"])
    assert done.exit_code == 1
    assert words in done.stderr


# Whole processes: what their answers become.


def test_a_command_that_fails_is_named_with_its_complaint(monkeypatch):
    monkeypatch.setattr(bench, "_RUN", "raise SystemExit('no board today')")
    with pytest.raises(GammonError, match=r"^gammon --help: no board today$"):
        bench.start_up()


def test_a_first_start_finds_an_empty_cache(monkeypatch, tmp_path):
    seen = tmp_path / "seen"
    monkeypatch.setattr(
        bench,
        "_RUN",
        "import os; from pathlib import Path; cache = Path(os.environ['GAMMON_CACHE'])\n"
        f"Path({str(seen)!r}).write_text(str(cache) + ' ' + str(list(cache.iterdir())))",
    )
    assert bench.first_start() > 0
    cache, rest = seen.read_text().split(" ", 1)
    assert rest == "[]"
    assert not Path(cache).exists()


def test_memory_is_in_megabytes(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(bench, "_PEAK", r"print('VmPeak:\t9 kB\nVmHWM:\t  2560 kB\nVmRSS: 1')")
    assert bench.peak_megabytes() == 2.5


def test_memory_is_known_on_linux_only(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert bench.peak_megabytes() is None


# Programs that are asked in turns, by stand-ins: the real ones need not be there.

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

    def quick(plies, *more, **others):
        StandIn.asked.append(("gammon", plies))
        return Engine(min(plies, 3), *more, **others)

    monkeypatch.setattr(decisions, "Engine", quick)
    monkeypatch.setattr(StandIn, "asked", [])
    monkeypatch.setattr(decisions, "OTHERS", {"gnubg": Gnubg, "bgsage": Bgsage})
    monkeypatch.setattr(decisions, "GnuBackgammon", Gnubg)
    return StandIn.asked


def test_each_level_has_the_players_that_look_equally_far(stand_ins):
    with started(["gnubg", "bgsage"]) as peers:
        assert [peer.version for peer in peers.values()] == ["gnubg 1.0", "bgsage 1.0"]
        levels = costs_in_turns(peers, "leaf", SOME[:2], SOME[:1])
    assert StandIn.running == 0
    names = [[cost.name for cost in level] for level in levels]
    assert names[0] == ["depth 1", "GNU Backgammon 0-ply", "bgsage level 1"]
    assert names[2] == ["depth 5", "depth 5, exact", "GNU Backgammon 2-ply", "bgsage level 3"]
    assert [[cost.decisions for cost in level] for level in levels] == [[2] * 3, [2] * 3, [2] * 4, [1] * 4]
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
    assert (first, second, third) == (["gnubg", "bgsage"], ["gnubg", "bgsage"], ["bgsage", "gnubg"])


def test_only_what_was_asked_for_decides_and_no_deep_level_without_positions(stand_ins):
    with started(["bgsage"]) as peers:
        levels = costs_in_turns(peers, "leaf", SOME[:1], [])
    assert [level[1].name for level in levels[:2]] == ["bgsage level 1", "bgsage level 2"]
    assert len(levels) == 3
    assert {name for name, _ in stand_ins} == {"gammon", "bgsage"}


def test_a_program_that_does_not_start_leaves_none_behind(monkeypatch):
    monkeypatch.setattr(decisions, "OTHERS", {"gnubg": Gnubg, "bgsage": Broken})
    with pytest.raises(GammonError, match="does not start"), started(["gnubg", "bgsage"]):
        pass
    assert StandIn.running == 0


def answers(monkeypatch, text):
    """Let the program be found, and print this."""
    monkeypatch.setattr(decisions, "installed_program", lambda: "gnubg")
    done = subprocess.CompletedProcess([], 0, stdout=text)
    monkeypatch.setattr(decisions.subprocess, "run", lambda *arguments, **settings: done)


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


# The benchmark's figures as tables and sentences.

COST: dict[str, Any] = {
    "median_ms": 1.5,
    "mean_ms": 2.0,
    "p95_ms": 9.0,
    "decisions": 40,
    "leaves": 106,
    "share": 0.0,
    "probes_cut": 0.0,
}
FOUND: dict[str, Any] = {
    "machine": {
        "processor": "a fast one",
        "processors": 2,
        "load": 0.25,
        "python": "3.11.7",
        "kernels": "x86-64-v3",
        "programs": {"gnubg": "GNU Backgammon 1.07"},
    },
    "yardstick": 2e8,
    "per_second": {"successors": 5e6, "evaluations in search, depth 5": 4e6},
    "decisions": [
        COST | {"name": "depth 1"},
        COST | {"name": "depth 5", "leaves": 12_345, "share": 0.0625, "probes_cut": 0.5},
        COST | {"name": "depth 5, 2 threads", "median_ms": 0.9, "mean_ms": 1.0},
    ],
    "programs": [],
    "arrays": {"depth 1": {"best_plays": 31_000.0}, "depth 3": {"best_plays": 1_170.0}},
    "start_up_seconds": {"gammon --help": 0.75},
    "peak_mb": 123.4,
}
LEVEL = [
    COST | {"name": "depth 5"},
    COST | {"name": "depth 5, exact", "median_ms": 0.3},
    COST | {"name": "GNU Backgammon 2-ply", "median_ms": 3.0, "mean_ms": 8.0},
]


def test_speeds_costs_calls_and_commands() -> None:
    speeds, decisions, work, arrays, commands = bench_report(FOUND).tables
    assert speeds.rows == [
        ["hashes (the yardstick)", 200.0, 1000.0],
        ["successors", 5.0, 25.0],
        ["evaluations in search, depth 5", 4.0, 20.0],
    ]
    assert decisions.rows[1] == ["depth 5", 40, 1.5, 2.0, 9.0]
    assert work.rows[:2] == [["depth 1", 106, None, None], ["depth 5", 12_345, 6.25, 50.0]]
    assert arrays.columns == ("call", "depth 1", "depth 3")
    assert arrays.rows == [["best_plays", 31_000.0, 1_170.0]]
    assert commands.rows == [("gammon --help", 0.75)]


def test_sentences_have_the_tables_figures() -> None:
    assert bench_report(FOUND).notes == [
        "2 processors, a fast one; Python 3.11.7, kernels x86-64-v3, GNU Backgammon 1.07. The "
        "load was 0.2 at the start.",
        "An evaluation takes 250 ns inside the search, all else included.",
        "Depth 5, 2 threads, takes 0.60 times as long as depth 5 at the median (0.50 on average).",
        "An analysis to depth 5 takes 123 MB of memory at most.",
    ]


def test_other_programs_are_compared_with_the_search_that_looks_as_far() -> None:
    rates = FOUND["per_second"] | {"GNU Backgammon's calibrate": 1e5}
    report = bench_report(FOUND | {"programs": [LEVEL], "per_second": rates})
    times, ratios = report.tables[3:5]
    assert times.rows[2] == ["GNU Backgammon 2-ply", 40, 3.0, 8.0, 9.0]
    assert ratios.rows[0] == ["depth 5", 1.0, 1.0]
    assert ratios.rows[1] == ["depth 5, exact", pytest.approx(0.2), 1.0]
    assert ratios.rows[2] == ["GNU Backgammon 2-ply", 2.0, 4.0]
    assert report.notes[1].endswith(
        "one core evaluates 40.0 times as many positions a second as by GNU Backgammon's `calibrate`."
    )
    assert report.notes[3] == (
        "Depth 5 takes 0.50 times as long as GNU Backgammon 2-ply at the median (0.25 on average)."
    )


def test_a_system_that_knows_less_says_less() -> None:
    machine = FOUND["machine"] | {"load": None}
    notes = bench_report(FOUND | {"peak_mb": None, "machine": machine}).notes
    assert notes[0].endswith("GNU Backgammon 1.07.")
    assert not any("memory" in note for note in notes)


def test_a_terminal_of_60_characters_shows_all() -> None:
    cost = COST | {"name": "depth 5, 2 threads", "leaves": 70_639_666, "share": 0.1234}
    cost |= {"probes_cut": 0.5, "median_ms": 1234.5}
    found = FOUND | {"decisions": [*FOUND["decisions"], cost], "programs": [LEVEL]}
    text = "\n".join(text_of(report_view(bench_report(found)), 60))
    assert "\u2026" not in text
    assert "70,639,666" in text
