"""The cost of searches: measurements that experiments average over positions."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from gammon.base.store import Unit, are_numbers
from gammon.search import Decision, Filter, Game, Options, Table
from gammon_lab.reports.report import Cell, Sheet

Floats = npt.NDArray[np.float64]


class Variant(NamedTuple):
    """One way to search: the algorithm, its options, the megabytes of its table, the filter."""

    algorithm: str
    options: Options = Options()
    megabytes: float = 0
    filter: Filter = Filter()

    def table(self, game: Game) -> Table | None:
        """Return a new table, if there is to be one."""
        return Table.allocate(game, self.megabytes) if self.megabytes else None


class Costs(NamedTuple):
    """The costs of searches of P positions, each float64 [P].

    Attributes:
        leaves: evaluated.
        nodes: looked at.
        seconds: the processor's.
        probes: made.
        probe_cuts: probes that ended in a cutoff.
        values: what the best plays are worth.
    """

    leaves: Floats
    nodes: Floats
    seconds: Floats
    probes: Floats
    probe_cuts: Floats
    values: Floats

    @classmethod
    def of(cls, rows: Sequence[Sequence[float]]) -> Self:
        """Return the costs of rows, as `measured` gives them."""
        return cls(*np.array(rows, np.float64).T)

    def first(self, count: int) -> Self:
        """Return those of the first positions."""
        return type(self)(*(each[:count] for each in self))

    @property
    def efficiency(self) -> Floats:
        """The per cent of probes that cut, for each position that has any."""
        probed = self.probes > 0
        return np.asarray(100 * self.probe_cuts[probed] / self.probes[probed])

    def shares(self, other: "Costs") -> tuple[float, float]:
        """Return the mean leaves and the mean time in per cent of those of other searches."""
        pairs = (self.leaves, other.leaves), (self.seconds, other.seconds)
        leaves, seconds = (100 * float(a.mean() / max(b.mean(), 1e-12)) for a, b in pairs)
        return leaves, seconds


class Results(dict[tuple[Any, ...], Costs]):
    """Costs by what tells searches apart; a variant is the last part of a key."""

    @classmethod
    def of(cls, units: Sequence[Unit], rows: Sequence[list[float]], *names: str) -> Self:
        """Return the costs of units by their entries of these names."""
        found: dict[tuple[Any, ...], list[list[float]]] = {}
        for unit, row in zip(units, rows, strict=True):
            found.setdefault(tuple(unit[name] for name in names), []).append(row)
        return cls({key: Costs.of(some) for key, some in found.items()})

    def spread(self) -> float:
        """Return the largest difference to the values of `expectimax`."""
        pairs = [
            (each.values, self[*key, "expectimax"].values)
            for (*key, _), each in self.items()
            if (*key, "expectimax") in self
        ]
        return max(float(np.abs(own - right[: len(own)]).max()) for own, right in pairs)


def measured(search: Callable[[], Decision]) -> list[float]:
    """Search, and return a position's numbers in the order of `Costs`."""
    begun = time.process_time()
    decision = search()
    seconds = time.process_time() - begun
    stats, value = decision.stats, float(decision.values[decision.order[0]])
    return [stats.leaves, stats.nodes, seconds, stats.probes, stats.probe_cuts, value]


def cost_names(unit: Unit) -> Sequence[str]:
    """Return the names of the numbers that `measured` returns."""
    return Costs._fields


def are_costs(unit: Unit, result: Any) -> bool:
    """Tell whether what a file says of a unit can be what `measured` returns."""
    return are_numbers(result, len(Costs._fields))


def moments(numbers: Floats) -> list[Cell]:
    """Return the mean and the standard deviation, or nothing twice where there is no number."""
    return [float(numbers.mean()), float(numbers.std())] if len(numbers) else [None, None]


def choices(name: str, title: str, first: str, found: Mapping[str, Costs]) -> Sheet:
    """Return the table of what each variant costs, over the same positions as the others.

    That is: the mean leaves; leaves and time in per cent of `expectimax`; what is added to the
    leaves and to the time of `star2`, in per cent; and the probe efficiency.

    Args:
        name: of the table.
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
