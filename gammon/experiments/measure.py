"""The cost of searches: measurements that experiments average over positions."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.experiments.report import Cell, Sheet
from gammon.runs.parallel import Unit
from gammon.runs.store import are_numbers
from gammon.search import Decision, Filter, Game, Options, Table

__all__ = [
    "LEAVES", "NODES", "PROBES", "PROBE_CUTS", "SECONDS", "VALUE", "Measurements", "Variant",
    "choices", "efficiency", "grouped", "is_measurement", "measured", "spread",
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


def is_measurement(unit: Unit, result: Any) -> bool:
    """Tell whether what a file says of a unit can be the columns named above."""
    return are_numbers(result, VALUE + 1)


def grouped(
    units: Sequence[Unit], rows: Sequence[list[float]], *names: str
) -> dict[tuple[Any, ...], Measurements]:
    """Return the measurements of units by their entries of these names."""
    found: dict[tuple[Any, ...], list[list[float]]] = {}
    for unit, row in zip(units, rows, strict=True):
        found.setdefault(tuple(unit[name] for name in names), []).append(row)
    return {key: np.array(some, np.float64) for key, some in found.items()}


def spread(results: Mapping[tuple[Any, ...], Measurements]) -> float:
    """Return the largest difference to the values of `expectimax`, the last part of a key."""
    return max(
        float(np.abs(found - results[*key, "expectimax"][: len(found)])[:, VALUE].max())
        for (*key, _), found in results.items()
        if (*key, "expectimax") in results
    )


def efficiency(found: Measurements) -> npt.NDArray[np.float64]:
    """Return the per cent of probes that cut, for each position that has any."""
    probed = found[found[:, PROBES] > 0]
    return np.asarray(100 * probed[:, PROBE_CUTS] / probed[:, PROBES])


def choices(name: str, title: str, first: str, found: Mapping[str, Measurements]) -> Sheet:
    """Return the table of what each variant costs, over the same positions as the others.

    That is: the mean leaves; leaves and time in per cent of `expectimax`; what is added to the
    leaves and to the time of `star2`, in per cent; and the probe efficiency.

    Args:
        name: of the table.
        title: its heading.
        first: the name of its first column.
        found: the measurements by variant.
    """
    means = {variant: some[:, : SECONDS + 1].mean(axis=0) for variant, some in found.items()}
    full, ours = means["expectimax"], means["star2"]
    rows: list[list[Cell]] = []
    for variant, some in found.items():
        if variant == "expectimax":
            continue
        mean, probes = means[variant], efficiency(some)
        share, more = 100 * mean / full, 100 * (mean / ours - 1)
        rows.append([
            variant, float(mean[LEAVES]), float(share[LEAVES]), float(share[SECONDS]),
            float(more[LEAVES]), float(more[SECONDS]),
            float(probes.mean()) if len(probes) else None,
        ])  # fmt: skip
    columns = (
        first, "leaves", "leaves %", "time %", "leaves +%", "time +%", "probe efficiency %"
    )  # fmt: skip
    return Sheet(name, title, columns, rows)
