"""One run of the benchmark: check, then measure, from the small to the large."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from gammon.base.errors import SettingError
from gammon.eval.evaluators import leaf_and_probe
from gammon.formats.words import several
from gammon_lab.bench.arrays import array_speeds
from gammon_lab.bench.checks import check_counts
from gammon_lab.bench.decisions import Cost, cost_of
from gammon_lab.bench.machine import machine
from gammon_lab.bench.positions import BenchPosition, bench_positions, spread_positions
from gammon_lab.bench.processes import first_start, peak_megabytes, start_up
from gammon_lab.bench.programs import OTHERS, calibration, costs_in_turns, started
from gammon_lab.bench.speed import speeds, yardstick
from gammon_lab.programs import Peer

Say = Callable[[str], None]
#: The most positions of the arrays that are searched to each depth.
_ARRAYS = {1: 500, 3: 60}


class BenchSettings(NamedTuple):
    """The measurements of a run.

    Attributes:
        positions: at depth 1, 3 and 5, of the 500.
        deep: of these, at depth 7.
        model: the leaf network.
        threads: where more than one is used.
        against: other programs that are measured too, names of `OTHERS`.
        first_start: whether a start with an empty cache is measured.
    """

    positions: int = 500
    deep: int = 50
    model: str = "leaf"
    threads: int = 2
    against: Sequence[str] = ()
    first_start: bool = True


def _costs(settings: BenchSettings, say: Say) -> list[Cost]:
    """Return what decisions cost at all depths."""
    few, some = spread_positions(max(settings.deep, 1)), spread_positions(settings.positions)
    players, threads = leaf_and_probe(settings.model), settings.threads
    many = several(threads, "thread")
    cost_of("warm", players, few[:1], 5, threads)  # loads compiled code and models
    found = []

    def add(name: str, decisions: list[BenchPosition], depth: int, *more: Any) -> None:
        say(f"{len(decisions)} decisions at {name}")
        found.append(cost_of(name, players, decisions, depth, *more))

    for depth in (1, 3, 5):
        add(f"depth {depth}", some, depth)
    if threads > 1:
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
        GammonError: a count is wrong, or another program is not there.
        SettingError: more positions than there are, or none; or no such program.
    """
    if not 1 <= settings.positions <= len(bench_positions()):
        raise SettingError(f"positions {settings.positions}: expected 1 to {len(bench_positions())}")
    if not 0 <= settings.deep <= settings.positions:
        raise SettingError(f"deep {settings.deep}: expected 0 to {settings.positions}")
    for name in settings.against:
        if name not in OTHERS:
            raise SettingError(f"against {name!r}: expected {' or '.join(OTHERS)}")
    leaf_and_probe(settings.model)  # what is not there ends the run before all work
    with started(settings.against) as peers:
        return _measured(settings, peers, say)


def _measured(settings: BenchSettings, peers: Mapping[str, Peer], say: Say) -> dict[str, Any]:
    """Measure everything, in the order of the report."""
    versions = {name: peer.version for name, peer in peers.items()}
    found: dict[str, Any] = {"machine": machine() | {"programs": versions}}
    say("counts")
    check_counts()
    say("speeds")
    found["yardstick"] = yardstick()
    found["per_second"] = speeds(settings.model, settings.threads)
    if "gnubg" in peers:
        found["per_second"]["GNU Backgammon's calibrate"] = calibration()
    found["decisions"] = [cost._asdict() for cost in _costs(settings, say)]
    some, found["programs"] = spread_positions(settings.positions), []
    if peers:
        say("all programs in turns")
        few = spread_positions(settings.deep) if settings.deep else []
        levels = costs_in_turns(peers, settings.model, some, few)
        found["programs"] = [[cost._asdict() for cost in level] for level in levels]
    say("arrays")
    found["arrays"] = {
        f"depth {depth}": array_speeds(settings.model, depth, some[:most]) for depth, most in _ARRAYS.items()
    }
    say("start-up and memory")
    found["start_up_seconds"] = start_up()
    if settings.first_start:
        found["start_up_seconds"]["gammon analyze, the first start"] = first_start()
    return found | {"peak_mb": peak_megabytes()}
