"""The benchmark's figures as tables and sentences."""

from typing import Any

import pytest

from gammon_lab.bench.report import bench_report
from gammon_lab.view import report_view
from tests.engine.view.shown import text_of

COST: dict[str, Any] = {
    "median_ms": 1.5, "mean_ms": 2.0, "p95_ms": 9.0, "decisions": 40, "leaves": 106,
    "share": 0.0, "probes_cut": 0.0,
}  # fmt: skip
FOUND: dict[str, Any] = {
    "machine": {
        "processor": "a fast one", "processors": 2, "load": 0.25, "python": "3.11.7",
        "kernels": "x86-64-v3", "programs": {"gnubg": "GNU Backgammon 1.07"},
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
}  # fmt: skip
LEVEL = [
    COST | {"name": "depth 5"},
    COST | {"name": "depth 5, tiny filter", "median_ms": 0.3},
    COST | {"name": "GNU Backgammon 2-ply", "median_ms": 3.0, "mean_ms": 8.0},
]


def test_speeds_costs_calls_and_commands() -> None:
    speeds, decisions, work, arrays, commands = bench_report(FOUND).tables
    assert speeds.rows == [
        ["hashes (the yardstick)", 200.0, 1000.0], ["successors", 5.0, 25.0],
        ["evaluations in search, depth 5", 4.0, 20.0],
    ]  # fmt: skip
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
        "Depth 5, 2 threads, takes 0.60 times as long as one thread at the median (0.50 on "
        "average).",
        "An analysis to depth 5 takes 123 MB of memory at most.",
    ]


def test_other_programs_are_compared_with_the_search_that_looks_as_far() -> None:
    rates = FOUND["per_second"] | {"GNU Backgammon's calibrate": 1e5}
    report = bench_report(FOUND | {"programs": [LEVEL], "per_second": rates})
    times, ratios = report.tables[3:5]
    assert times.rows[2] == ["GNU Backgammon 2-ply", 40, 3.0, 8.0, 9.0]
    assert ratios.rows[0] == ["depth 5", 1.0, 1.0]
    assert ratios.rows[1] == ["depth 5, tiny filter", pytest.approx(0.2), 1.0]
    assert ratios.rows[2] == ["GNU Backgammon 2-ply", 2.0, 4.0]
    assert report.notes[1].endswith(
        "one core evaluates 40.0 times as many positions a second as by GNU Backgammon's "
        "`calibrate`."
    )
    assert report.notes[3] == (
        "Depth 5 takes 0.50 times as long as GNU Backgammon 2-ply at the median (0.25 on "
        "average)."
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
