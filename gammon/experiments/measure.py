"""The cost of searches: measurements that experiments average over positions."""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.experiments.report import Cell
from gammon.runs.parallel import Unit
from gammon.search import Decision, Filter, Game, Options, Table

__all__ = [
    "CHOICE_COLUMNS", "LEAVES", "NODES", "PROBES", "PROBE_CUTS", "SECONDS", "VALUE",
    "Measurements", "Variant", "are_numbers", "choice_cells", "efficiency", "gathered",
    "is_measurement", "measured",
]  # fmt: skip

#: The columns of a measurement.
LEAVES, NODES, SECONDS, PROBES, PROBE_CUTS, VALUE = range(6)

#: Measurements of P positions, float64 [P, 6].
Measurements = npt.NDArray[np.float64]


class Variant(NamedTuple):
    """One way to search: the algorithm, its options, the megabytes of its table, the filter."""

    algorithm: str
    options: Options = Options()
    megabytes: float = 0
    filter: Filter = Filter()

    def table(self, game: Game) -> Table | None:
        """Return a new table, if there is to be one."""
        return Table.allocate(game, self.megabytes) if self.megabytes else None


def measured(search: Callable[[], Decision]) -> list[float]:
    """Search, and return the columns named above; seconds are the processor's."""
    begun = time.process_time()
    decision = search()
    seconds = time.process_time() - begun
    stats, value = decision.stats, float(decision.values[decision.order[0]])
    return [stats.leaves, stats.nodes, seconds, stats.probes, stats.probe_cuts, value]


def are_numbers(result: Any, count: int) -> bool:
    """Tell whether plain JSON values, such as a file's, are a list of `count` numbers."""
    return (
        isinstance(result, list)
        and len(result) == count
        and all(type(each) in (int, float) and abs(each) < 1 << 63 for each in result)
    )


def is_measurement(unit: Unit, result: Any) -> bool:
    """Tell whether what a file says of a unit can be the columns named above."""
    return are_numbers(result, VALUE + 1)


def gathered(
    units: Sequence[Unit], rows: Sequence[list[float]], **wanted: str | int
) -> Measurements:
    """Return the measurements of the units that have these entries."""
    chosen = [
        row
        for unit, row in zip(units, rows, strict=True)
        if all(unit[name] == value for name, value in wanted.items())
    ]
    return np.array(chosen, np.float64).reshape(-1, VALUE + 1)


def efficiency(found: Measurements) -> npt.NDArray[np.float64]:
    """Return the per cent of probes that cut, for each position that has any."""
    probed = found[found[:, PROBES] > 0]
    return np.asarray(100 * probed[:, PROBE_CUTS] / probed[:, PROBES])


#: The result of `choice_cells`.
CHOICE_COLUMNS = ("leaves", "leaves %", "time %", "leaves +%", "time +%", "probe efficiency %")


def choice_cells(found: Measurements, ours: Measurements, full: Measurements) -> list[Cell]:
    """Return what a choice costs, over the same positions as the two others.

    That is: the mean leaves; leaves and time in per cent of the `full` search; what is
    added to the leaves and to the time of `ours`, in per cent; and the probe efficiency.
    """
    mean, base, all_of_it = (each.mean(axis=0) for each in (found, ours, full))
    probes = efficiency(found)
    return [
        float(mean[LEAVES]),
        float(100 * mean[LEAVES] / all_of_it[LEAVES]),
        float(100 * mean[SECONDS] / all_of_it[SECONDS]),
        float(100 * (mean[LEAVES] / base[LEAVES] - 1)),
        float(100 * (mean[SECONDS] / base[SECONDS] - 1)),
        float(probes.mean()) if len(probes) else None,
    ]
