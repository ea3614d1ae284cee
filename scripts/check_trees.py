"""Check all exact algorithms against plain expectimax on random trees, with and without a table.

    python scripts/check_trees.py --trees 100000 --workers 2
    python scripts/check_trees.py --trees 20000 --doubles

Trees have 1 to 4 outcomes of unequal probabilities, some of them 0, and 1 to 4 successors; depth 2
to 6; bounds of every sign; at random they have equal values, narrower bounds on the way down, or
noise. Every algorithm searches each tree with random options, once without a table and twice with
one. A value that differs by more than 1e-9 is printed with the tree's number; then the exit code
is 1.

With `--doubles`, players may double before they roll, as for money or as in matches. The Star
algorithms then search each tree for the value of rolling and for the value before the turn, and also in a
narrow window, where bounds must hold.
"""

from functools import partial

import click
import numpy as np

from gammon import search
from gammon.base.parallel import in_processes
from gammon.base.store import Unit
from gammon.commands.group import OneLine
from gammon.commands.options import SEVERAL
from gammon.search import Options, Table
from gammon_lab.games import offers, synthetic

TOLERANCE = 1e-9
STARS = ("star1", "star2", "star2.5")
_BLOCK = 500


def tree_case(seed: int) -> tuple[tuple[int, int], int, int, float, Options]:
    """Return the bounds, features, depth, noise and options that a seed determines."""
    random = np.random.default_rng([77, seed])
    low = int(random.integers(-100, 100))
    bounds = (low, low + int(random.integers(2, 27)))
    features = synthetic.FINISHES
    features |= synthetic.TIES * int(random.integers(2))
    features |= synthetic.NARROWS * int(random.integers(2))
    names = [name for name in Options._fields if isinstance(getattr(Options(), name), bool)]
    switches = {name: bool(random.integers(2)) for name in names}
    options = Options(probes=int(random.integers(1, 5)), **switches)
    depth = int(random.choice([2, 4, 6]))
    return bounds, features, depth, float(random.choice([0.0, 0.5])), options


def check(first: int, last: int) -> tuple[int, list[str]]:
    """Search trees first..last-1; return the number of searches compared, and a line for each difference."""
    compared, wrong = 0, []
    for seed in range(first, last):
        bounds, features, depth, sigma, options = tree_case(seed)
        game = synthetic.game(*bounds)
        root = synthetic.root(*bounds, seed, features)
        searcher = partial(
            search.TreeSearch,
            game,
            synthetic.LEAF,
            probe=synthetic.PROBE,
            sigma=sigma,
            noise_seed=seed,
            options=options,
        )
        oracle = searcher("expectimax").value(root, depth).value
        for algorithm in search.ALGORITHMS:
            table = Table.allocate(game, 0.02)
            for name, used in (("no", None), ("a new", table), ("a used", table)):
                compared += 1
                value = searcher(algorithm).value(root, depth, table=used).value
                if not abs(value - oracle) <= TOLERANCE:
                    wrong.append(f"tree {seed}, {algorithm}, {name} table: {value}, {oracle=}")
    return compared, wrong


def check_doubles(first: int, last: int) -> tuple[int, list[str]]:
    """Check trees with doubles as `check` checks trees without."""
    compared, wrong = 0, []
    for seed in range(first, last):
        bounds, features, depth, sigma, options = tree_case(seed)
        random = np.random.default_rng([78, seed])
        family, plain = offers.FAMILIES[random.integers(len(offers.FAMILIES))]
        game = offers.game(*bounds, family, plain)
        root = synthetic.root(*bounds, seed, features)
        searches = {
            algorithm: search.TreeSearch(
                game, offers.LEAF, algorithm, offers.PROBE, sigma=sigma, noise_seed=seed, options=options
            )
            for algorithm in ("expectimax", *STARS)
        }
        for on_turn in (False, True):
            oracle = searches["expectimax"].value(root, depth, on_turn=on_turn).value
            low = oracle + random.normal(0.0, 0.1) * (bounds[1] - bounds[0])
            window = (low, low + random.exponential(0.1) * (bounds[1] - bounds[0]))
            for algorithm in STARS:
                table = Table.allocate(game, 0.02)
                find = partial(searches[algorithm].value, root, depth, on_turn=on_turn)
                for used in (None, table, table):
                    compared += 2
                    exact = find(table=used).value
                    value = find(table=used, window=window).value
                    missed = abs(exact - oracle)
                    if value <= window[0]:
                        missed = max(missed, oracle - value)
                    elif value >= window[1]:
                        missed = max(missed, value - oracle)
                    else:
                        missed = max(missed, abs(value - oracle))
                    if not missed <= TOLERANCE:
                        wrong.append(f"tree {seed}, {algorithm}, {on_turn=}: off by {missed}")
    return compared, wrong


def check_block(unit: Unit) -> tuple[int, list[str]]:
    """Check a block of trees; see `check`."""
    return (check_doubles if unit["doubles"] else check)(unit["begin"], unit["end"])


@click.command(cls=OneLine)
@click.option("--trees", type=click.IntRange(1), default=100_000, show_default=True)
@click.option("--first", type=click.IntRange(0), default=0, help="Seed of the first tree.")
@click.option("--doubles", is_flag=True, help="Trees in which players may double.")
@click.option("--workers", type=SEVERAL, default=1, show_default=True, help="Processes.")
def main(trees: int, first: int, doubles: bool, workers: int) -> None:
    """Search random trees by all exact algorithms; the exit code is 1 if two disagree."""
    last = first + trees
    units = [
        {"begin": begin, "end": min(begin + _BLOCK, last), "doubles": doubles}
        for begin in range(first, last, _BLOCK)
    ]
    blocks = [result for _, result in in_processes(check_block, units, workers)]
    compared = sum(count for count, _ in blocks)
    wrong = [line for _, lines in blocks for line in lines]
    for line in wrong[:20]:
        click.echo(line)
    click.echo(f"{trees:,} trees, {compared:,} searches compared, {len(wrong)} differences")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
