"""A study: its folder, its settings, and its units of work and matches."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from gammon.base.parallel import HERE, OnDone, Pool, run_units
from gammon.base.store import Fits, Unit
from gammon.match.match import MatchSettings, run_match
from gammon.match.result import MatchResult
from gammon.search import Options

#: Options that search the successors of each node in the game's order, in one search.
IN_ORDER = Options(static_order=False, deepen=False, divide=False)
#: A note in the report of a study that needs no seed.
NOT_RANDOM = "Nothing here is random: the seed is not used."

Step = TypeVar("Step")


def _named(task: Callable[[Unit], Any], names: Sequence[str], unit: Unit) -> Any:
    """Return the result of a unit's task, with names."""
    return _with_names(task(unit), names)


def _with_names(result: Any, names: Sequence[str]) -> Any:
    if not names:
        return result
    if result and isinstance(result[0], list):
        return [_with_names(row, names) for row in result]
    return dict(zip(names, result, strict=True)) if result else result


def _without_names(result: Any, names: Sequence[str]) -> Any:
    """Return a result as its task returned it. Files from before 0.4 have no names."""
    if isinstance(result, list) and names:
        return [_without_names(row, names) for row in result]
    if isinstance(result, dict) and list(result) == list(names):
        return list(result.values())
    return result


@dataclass(frozen=True)
class Study:
    """The settings with which to repeat an experiment.

    Attributes:
        out: the folder for its results; an interrupted study resumes from it.
        seed: the seed of everything random.
        quick: whether to run a small version, for a first look.
        pool: the processes that do the work.
        on_done: called with the units done and the total.
    """

    out: Path
    seed: int = 1
    quick: bool = False
    pool: Pool = HERE
    on_done: OnDone = lambda done, total: None

    def part(self, before: int, total: int) -> Self:
        """Return the same study for a part of its work, which begins after `before` units."""
        return replace(self, on_done=lambda done, _: self.on_done(before + done, total))

    def steps(self, steps: Sequence[Step]) -> Iterator[Step]:
        """Yield steps of work that this process does alone, and report each completed step."""
        for done, step in enumerate(steps):
            self.on_done(done, len(steps))
            yield step
        self.on_done(len(steps), len(steps))

    def run(
        self,
        task: Callable[[Unit], Any],
        units: Sequence[Unit],
        name: str,
        fits: Fits = lambda unit, result: True,
        names: Sequence[str] = (),
    ) -> list[Any]:
        """Return the results of units, see `run_units`.

        Args:
            task: a function at the top level of a module, as for `run_units`.
            units: as for `run_units`.
            name: the name of the file of results.
            fits: as for `run_units`.
            names: of the numbers in a result, or in each row of it; only the file has these names.
                Without names a result is stored as it is.
        """

        def fits_named(unit: Unit, result: Any) -> bool:
            return fits(unit, _without_names(result, names))

        results = run_units(
            partial(_named, task, names),
            units,
            self.out / f"{name}.jsonl",
            self.pool,
            self.on_done,
            fits=fits_named,
        )
        return [_without_names(result, names) for result in results]

    def play(self, match: MatchSettings) -> MatchResult:
        """Play a match with the study's seed and processes, in a folder below the study's folder."""

        def on_result(result: MatchResult) -> None:
            match.on_result(result)
            self.on_done(result.matches, match.games)

        settings = replace(
            match, out=self.out / match.out, seed=self.seed, pool=self.pool, on_result=on_result
        )
        return run_match(settings)[0]
