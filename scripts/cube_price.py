"""The price of the cube: the time of searches with the cube relative to searches without it.

    python scripts/cube_price.py --positions 42
    python scripts/cube_price.py --positions 42 --decisions

On positions of the benchmark, spread over all of it, each play is decided without the cube and
with it, in turn, by one thread; the least processor time of several runs counts. Ratios are relative
to the search without the cube: their mean over the positions, their median, and the ratio of the
sums of times. Leaves and evaluations are ratios of sums. With `--decisions`, cube decisions for money
are timed as well.
"""

import statistics
import time
from collections.abc import Callable

import click

from gammon import search
from gammon.commands.group import OneLine
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import leaf_and_probe
from gammon.formats.met_file import read_met
from gammon.games.backgammon import BACKGAMMON, backgammon
from gammon.rules.terms import Terms
from gammon.search import Stats
from gammon_lab.bench.positions import spread_positions

_TERMS = {
    "dead": Terms(live=False),
    "centred": Terms(),
    "mine": Terms(cube=2, owner=1),
    "his": Terms(cube=2, owner=-1),
    "Jacoby": Terms(jacoby=True),
    "7-away 7-away": Terms(7, (7, 7)),
    "3-away 5-away": Terms(7, (3, 5)),
}
_PLAIN = "no cube"


def _fastest(ask: Callable[[], Stats], best: float) -> tuple[float, Stats]:
    """Return the seconds of a search, or `best` if that is less, and its counts."""
    begun = time.process_time()
    stats = ask()
    return min(best, time.process_time() - begun), stats


@click.command(cls=OneLine)
@click.option("--depth", type=click.IntRange(1), default=5, show_default=True)
@click.option("--positions", "count", type=click.IntRange(1, 500), default=42, show_default=True)
@click.option("--repeats", type=click.IntRange(1), default=3, show_default=True)
@click.option("--decisions", is_flag=True, help="Time cube decisions for money, too.")
def main(depth: int, count: int, repeats: int, decisions: bool) -> None:
    """Print the price of the cube, a line for each kind of terms."""
    leaf, probe = leaf_and_probe()
    with_cube = cubeful_evaluator(leaf), cubeful_evaluator(probe)
    games = {_PLAIN: (BACKGAMMON, leaf, probe)}
    met = read_met()
    for name, terms in _TERMS.items():
        games[name] = (backgammon(terms, met), *with_cube)
    money = backgammon(Terms())

    def decide(name: str, number: int) -> Stats:
        game, values, picks = games[name]
        at = positions[number]
        tree = search.TreeSearch(game, values, "star2", picks)
        table = search.Table.at_depth(game, depth)
        return tree.decide(at.points, at.outcome, depth, table=table).stats

    def decide_cube(number: int) -> Stats:
        tree = search.TreeSearch(money, with_cube[0], "star2", with_cube[1])
        table = search.Table.at_depth(money, depth)
        return tree.cube(positions[number].points, depth - 1, table=table).stats

    positions = spread_positions(count)
    for name in games:
        decide(name, 0)  # compiles or loads kernels
    seconds: dict[str, list[float]] = {name: [] for name in games}
    leaves, evaluations = dict.fromkeys(games, 0), dict.fromkeys(games, 0)
    for number in range(count):
        best = dict.fromkeys(games, float("inf"))
        for repeat in range(repeats):
            for name in games if repeat % 2 else reversed(games):
                best[name], stats = _fastest(lambda: decide(name, number), best[name])  # noqa: B023
                if repeat == 0:
                    leaves[name] += stats.leaves
                    evaluations[name] += stats.evaluations
        for name in games:
            seconds[name].append(best[name])
    for name in games:
        ratios = [a / b for a, b in zip(seconds[name], seconds[_PLAIN], strict=True)]
        total = sum(seconds[name])
        click.echo(
            f"{name:14} mean {statistics.mean(ratios):.3f}"
            f"  median {statistics.median(ratios):.3f}"
            f"  sums {total / sum(seconds[_PLAIN]):.3f}"
            f"  leaves {leaves[name] / leaves[_PLAIN]:.3f}"
            f"  evaluations {evaluations[name] / evaluations[_PLAIN]:.3f}"
            f"  ({1000 * statistics.median(seconds[name]):.2f} ms median, "
            f"{1000 * total / count:.2f} mean)"
        )
    if decisions:
        decide_cube(0)
        times = []
        for number in range(count):
            best_time = float("inf")
            for _ in range(repeats):
                best_time, _stats = _fastest(lambda: decide_cube(number), best_time)  # noqa: B023
            times.append(1000 * best_time)
        click.echo(
            f"cube decision for money: {statistics.median(times):.2f} ms median, "
            f"{statistics.mean(times):.2f} mean"
        )


if __name__ == "__main__":
    main()
