"""Time two checkouts of gammon in turns on the benchmark's positions.

    git worktree add ../before v0.1
    python scripts/compare_versions.py ../before . --batches 30

Each checkout runs in its own process and searches in turn with the other, three times for each
batch; the best processor time of the three counts. So both are disturbed alike by other programs.
If the leaves of a batch differ, the batch is named.
"""

import os
import statistics
import subprocess
import sys
from pathlib import Path

import click

from gammon.base.errors import GammonError
from gammon.commands.group import OneLine

#: The depth and the number of positions of a batch, by name.
JOBS = {"depth 1": (1, 20), "depth 3": (3, 12), "depth 5": (5, 1)}
_REPEATS = 3

#: The worker answers a line `depth first count` with the seconds and leaves of these decisions.
_WORKER = """
import sys, time
from gammon import search
from gammon_lab.bench.positions import bench_positions
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import BACKGAMMON
leaf, probe = load_evaluator("leaf"), load_evaluator("probe", bearoff=False)
def decide(at, depth):
    table = search.Table.allocate(BACKGAMMON, 1.0) if depth > 3 else None
    if hasattr(search, "TreeSearch"):
        found = search.TreeSearch(BACKGAMMON, leaf, "star2", probe).decide(
            at.points, at.outcome, depth, table=table
        )
    else:  # 0.2 and before
        found = search.decide(
            BACKGAMMON, leaf, at.points, at.outcome, depth, "star2", probe, table=table
        )
    return found.stats.leaves
for line in sys.stdin:
    depth, first, count = map(int, line.split())
    several = bench_positions()[first : first + count]
    begun = time.process_time()
    leaves = sum(decide(at, depth) for at in several)
    print(time.process_time() - begun, leaves, flush=True)
"""


class Worker:
    """A process that imports gammon from one checkout."""

    def __init__(self, checkout: Path) -> None:
        self._name = str(checkout)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _WORKER],
            cwd=checkout,
            env=os.environ | {"PYTHONPATH": str(checkout.resolve())},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, depth: int, first: int, count: int) -> tuple[float, int]:
        """Return the seconds and the leaves of `count` decisions."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{depth} {first} {count}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().split()
        if len(answer) != 2:
            raise GammonError(f"{self._name!r}: the checkout does not search")
        return float(answer[0]), int(answer[1])


@click.command(cls=OneLine)
@click.argument("before", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("after", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--batches", type=click.IntRange(1, 25), default=20, show_default=True)
def main(before: Path, after: Path, batches: int) -> None:
    """Print the time of AFTER relative to BEFORE, by depth."""
    workers = Worker(before), Worker(after)
    for depth, _ in JOBS.values():
        for worker in workers:
            worker.ask(depth, 0, 1)  # compiles or loads kernels
    for name, (depth, count) in JOBS.items():
        ratios, sums = [], [0.0, 0.0]
        for batch in range(batches):
            first = 20 * batch
            best, leaves = [float("inf")] * 2, [0, 0]
            for repeat in range(_REPEATS):
                for side in (0, 1) if repeat % 2 else (1, 0):
                    seconds, leaves[side] = workers[side].ask(depth, first, count)
                    best[side] = min(best[side], seconds)
            if leaves[0] != leaves[1]:
                click.echo(
                    f"{name}, positions from {first} on: {leaves[0]:,} leaves before, {leaves[1]:,} after"
                )
            ratios.append(best[1] / best[0])
            sums = [total + least for total, least in zip(sums, best, strict=True)]
        click.echo(
            f"{name}: median ratio {statistics.median(ratios):.3f}, ratio of sums "
            f"{sums[1] / sums[0]:.3f} ({sums[0]:.2f} s before, {sums[1]:.2f} s after)"
        )


if __name__ == "__main__":
    main()
