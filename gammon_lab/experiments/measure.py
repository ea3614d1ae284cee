"""The cost of searches: measurements that experiments average over positions."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from gammon.base.store import Unit, are_numbers
from gammon.search import Decision, Filter, Game, Options, Table
from gammon_lab.report import Cell, Sheet

Floats = npt.NDArray[np.float64]


class Variant(NamedTuple):
    """A variant of search: the algorithm, its options, the megabytes of its table, the filter."""

    algorithm: str
    options: Options = Options()
    megabytes: float = 0
    filter: Filter = Filter()

    def table(self, game: Game) -> Table | None:
        """Return a new transposition table, or None if the variant has none."""
        return Table.allocate(game, self.megabytes) if self.megabytes else None


class Costs(NamedTuple):
    """The costs of searches of P positions, each float64 [P].

    Attributes:
        leaves: leaves evaluated.
        nodes: nodes visited.
        seconds: processor time.
        probes: probes made.
        probe_cuts: probes that ended in a cutoff.
        values: the values of the best plays.
    """

    leaves: Floats
    nodes: Floats
    seconds: Floats
    probes: Floats
    probe_cuts: Floats
    values: Floats

    def first(self, count: int) -> Self:
        """Return the costs of the first `count` positions."""
        return type(self)(*(numbers[:count] for numbers in self))

    @property
    def efficiency(self) -> Floats:
        """The percentage of probes that cut, for each position with probes."""
        probed = self.probes > 0
        return np.asarray(100 * self.probe_cuts[probed] / self.probes[probed])

    def shares(self, other: "Costs") -> tuple[float, float]:
        """Return the mean leaves and the mean time in per cent of the other searches' means."""
        pairs = (self.leaves, other.leaves), (self.seconds, other.seconds)
        leaves, seconds = (100 * float(a.mean() / max(b.mean(), 1e-12)) for a, b in pairs)
        return leaves, seconds


def grouped(
    measured: Iterable[tuple[Unit, Sequence[Any]]], *names: str
) -> dict[tuple[Any, ...], npt.NDArray[Any]]:
    """Return the results of units in an array for each group of units, in the order of their first units.

    Args:
        measured: units, each with its result, all of one shape.
        names: a group has equal values of these in its units; the values are its key.
    """
    groups: dict[tuple[Any, ...], list[Sequence[Any]]] = {}
    for unit, result in measured:
        groups.setdefault(tuple(unit[name] for name in names), []).append(result)
    return {key: np.array(results) for key, results in groups.items()}


class SearchCosts(dict[tuple[Any, ...], Costs]):
    """Costs by a key that identifies the searches; the last part of a key is the variant."""

    @classmethod
    def of(cls, units: Sequence[Unit], rows: Sequence[list[float]], *names: str) -> Self:
        """Return the costs of units, keyed by the values of these names in each unit."""
        groups = grouped(zip(units, rows, strict=True), *names)
        return cls({key: Costs(*some.T) for key, some in groups.items()})

    def spread(self) -> float:
        """Return the largest difference from the values of `expectimax`."""
        pairs = [
            (costs.values, self[*key, "expectimax"].values)
            for (*key, _), costs in self.items()
            if (*key, "expectimax") in self
        ]
        return max(float(np.abs(own - right[: len(own)]).max()) for own, right in pairs)


def measured(search: Callable[[], Decision]) -> list[float]:
    """Search, and return the costs of one position in the order of `Costs`."""
    begun = time.process_time()
    decision = search()
    seconds = time.process_time() - begun
    stats, value = decision.stats, float(decision.values[decision.order[0]])
    return [stats.leaves, stats.nodes, seconds, stats.probes, stats.probe_cuts, value]


def are_costs(unit: Unit, result: Any) -> bool:
    """Return whether a stored value can be a result of `measured`."""
    return are_numbers(result, len(Costs._fields))


def moments(numbers: Floats) -> list[Cell]:
    """Return the mean and the standard deviation, or None for both if there is no number."""
    return [float(numbers.mean()), float(numbers.std())] if len(numbers) else [None, None]


def choices(name: str, title: str, first: str, found: Mapping[str, Costs]) -> Sheet:
    """Return the table of the costs of each variant, over the same positions as the others.

    Its columns: the mean leaves; leaves and time in per cent of `expectimax`; the leaves and the
    time that are added to `star2`, in per cent; and the probe efficiency.

    Args:
        name: the name of the table.
        title: its heading.
        first: the name of its first column.
        found: the costs by variant.
    """
    rows: list[list[Cell]] = [
        [
            variant,
            float(some.leaves.mean()),
            *some.shares(found["expectimax"]),
            *(share - 100 for share in some.shares(found["star2"])),
            moments(some.efficiency)[0],
        ]
        for variant, some in found.items()
        if variant != "expectimax"
    ]
    columns = (first, "leaves", "leaves %", "time %", "leaves +%", "time +%", "probe efficiency %")
    return Sheet(name, title, columns, rows)
