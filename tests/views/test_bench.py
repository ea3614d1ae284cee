"""The benchmark's figures as text."""

from typing import Any

from gammon.views.bench import bench_view
from tests.views.text import text_of

COST = {"median_ms": 1.5, "mean_ms": 2.25, "p95_ms": 9.0, "decisions": 40}
FOUND: dict[str, Any] = {
    "yardstick": 2e8,
    "per_second": {"plays": 5e6},
    "decisions": [
        COST | {"name": "depth 1", "leaves": 0, "share": None, "probes_cut": None},
        COST | {"name": "depth 5", "leaves": 12_345, "share": 0.0625, "probes_cut": 0.5},
    ],
    "start_up_seconds": {"gammon info": 0.75},
    "peak_mb": 123.4,
}


def test_speeds_costs_and_commands() -> None:
    lines = [" ".join(line.split()) for line in text_of(bench_view(FOUND))]
    assert lines == [
        "In a second millions per 1000 hashes",
        "hashes (the yardstick) 200.00 1000.00",
        "plays 5.00 25.00",
        "",
        "A decision number median ms mean ms 95 % ms",
        "depth 1 40 1.50 2.25 9.00",
        "depth 5 40 1.50 2.25 9.00",
        "",
        "A decision leaves of all probes cut",
        "depth 5 12,345 6.25 % 50.00 %",
        "",
        "A whole command seconds",
        "gammon info 0.75",
        "",
        "peak memory at depth 5: 123 MB",
    ]


def test_a_terminal_of_60_characters_shows_all() -> None:
    cost = COST | {"name": "depth 5, 2 threads", "leaves": 70_639_666, "share": 0.1234}
    found = FOUND | {"decisions": [cost | {"probes_cut": 0.5, "median_ms": 1234.5}]}
    text = "\n".join(text_of(bench_view(found), 60))
    assert "\u2026" not in text
    assert text.count("depth 5, 2 threads") == 2


def test_memory_that_is_not_known_is_not_shown() -> None:
    lines = text_of(bench_view(FOUND | {"peak_mb": None}))
    assert lines[-1].startswith("gammon info")
