"""A study: where it lies, what it depends on, and its units of work and matches."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self, TypeVar

from gammon.match.match import MatchSettings, run_match
from gammon.match.result import MatchResult
from gammon.runs.parallel import HERE, OnDone, Pool, run_units
from gammon.runs.store import Fits, Unit
from gammon.search import Options

#: The successors of each node as the game writes them, in one search.
IN_ORDER = Options(static_order=False, deepen=False, divide=False)
#: What the report of a study says that needs no seed.
NOT_RANDOM = "Nothing here is random: the seed is not used."

Step = TypeVar("Step")


@dataclass(frozen=True)
class Study:
    """How to repeat an experiment.

    Attributes:
        out: the folder for its results; an interrupted study resumes from it.
        seed: of everything random.
        quick: a small version, for a look.
        pool: the processes that do the work.
        on_done: called with units done and units in all.
    """

    out: Path
    seed: int = 1
    quick: bool = False
    pool: Pool = HERE
    on_done: OnDone = lambda done, total: None

    def part(self, before: int, total: int) -> Self:
        """Return the same study for a part of its work, which begins after so many units."""
        return replace(self, on_done=lambda done, _: self.on_done(before + done, total))

    def steps(self, steps: Sequence[Step]) -> Iterator[Step]:
        """Give steps of work that this process does alone, and tell of each that is done."""
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
    ) -> list[Any]:
        """Return the results of units, see `run_units`; `name` is that of their file."""
        store = self.out / f"{name}.jsonl"
        return run_units(task, units, store, self.pool, self.on_done, fits=fits)

    def play(self, match: MatchSettings) -> MatchResult:
        """Play a match with the study's seed and processes, in a folder below the study's."""

        def on_result(result: MatchResult) -> None:
            match.on_result(result)
            self.on_done(result.matches, match.games)

        here = replace(
            match, out=self.out / match.out, seed=self.seed, pool=self.pool, on_result=on_result
        )
        return run_match(here)[0]
