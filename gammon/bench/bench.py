"""One run of the benchmark: check, then measure, from the small to the large."""

from collections.abc import Callable
from typing import Any, NamedTuple

from gammon.bench import rival
from gammon.bench.checks import check_counts
from gammon.bench.decisions import Cost, cost_of
from gammon.bench.positions import BenchPosition, bench_positions
from gammon.bench.processes import peak_megabytes, start_up
from gammon.bench.speed import evaluators, speeds, yardstick
from gammon.errors import SettingError

__all__ = ["BenchSettings", "run_bench"]

Say = Callable[[str], None]


class BenchSettings(NamedTuple):
    """The measurements of a run.

    Attributes:
        positions: at depth 1, 3 and 5, of the 500.
        deep: of these, at depth 7.
        model: the leaf network.
        threads: where more than one is used.
        gnubg: whether GNU Backgammon is measured too.
    """

    positions: int = 500
    deep: int = 50
    model: str = "leaf"
    threads: int = 2
    gnubg: bool = False


def _spread(count: int) -> list[BenchPosition]:
    """Return so many of the positions, from all parts of the list."""
    every = bench_positions()
    return [every[k * len(every) // count] for k in range(count)]


def _costs(settings: BenchSettings, say: Say) -> list[Cost]:
    few, some = _spread(max(settings.deep, 1)), _spread(settings.positions)
    players, threads = evaluators(settings.model), settings.threads
    many = f"{threads} threads"
    cost_of("warm", players, few[:1], 5, threads)  # loads compiled code and models
    found = []

    def add(name: str, decisions: list[BenchPosition], depth: int, *more: Any) -> None:
        say(f"{len(decisions)} decisions at {name}")
        found.append(cost_of(name, players, decisions, depth, *more))

    for depth in (1, 3, 5):
        add(f"depth {depth}", some, depth)
    add(f"depth 5, {many}", some, 5, threads)
    if settings.deep:
        add(f"depth 7, {many}", few, 7, threads)
        for name in ("normal", "tiny"):
            add(f"depth 7, {name} filter, {many}", few, 7, threads, name)
    return found


def run_bench(settings: BenchSettings, say: Say = lambda text: None) -> dict[str, Any]:
    """Measure, and return plain JSON values.

    Args:
        settings: what is measured.
        say: called with a line before each part.

    Raises:
        GammonError: a count is wrong, or GNU Backgammon is not there.
        SettingError: more positions than there are, or none.
    """
    if not 1 <= settings.positions <= len(bench_positions()):
        raise SettingError(
            f"positions {settings.positions}: expected 1 to {len(bench_positions())}"
        )
    if not 0 <= settings.deep <= settings.positions:
        raise SettingError(f"deep {settings.deep}: expected 0 to {settings.positions}")
    evaluators(settings.model)  # one that is not there ends the run before all work
    say("counts")
    check_counts()
    say("speeds")
    found: dict[str, Any] = {
        "yardstick": yardstick(),
        "per_second": speeds(settings.model, settings.threads),
    }
    if settings.gnubg:
        found["per_second"]["GNU Backgammon's calibrate"] = rival.calibration()
    costs = _costs(settings, say)
    if settings.gnubg:
        say("GNU Backgammon")
        costs += rival.costs(_spread(settings.positions))
    found["decisions"] = [cost._asdict() for cost in costs]
    say("start-up and memory")
    return found | {"start_up_seconds": start_up(), "peak_mb": peak_megabytes()}
