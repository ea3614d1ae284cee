"""Which rules and random numbers fit Ballard's table 2? A second implementation of Star1.

    python scripts/ballard_rules.py --trees 5000

Star1 searches many random trees for each N, by the rules with which `gammon reproduce ballard` makes
table 2, and then with one rule changed: whether a tie ends a node, whether a leaf of value L ends a
- node, or the source of the permutations. The script shows the mean leaves and, in brackets, by how
much the printed mean exceeds it, in units of the error of both means and of the rounding. It does
not use the package's search.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import click
import numpy as np
import numpy.typing as npt
from numba import njit

from gammon.commands.group import OneLine
from gammon_lab.experiments.ballard import _LEAVES_2, _SIZES

Compiled = TypeVar("Compiled", bound=Callable[..., Any])
#: Generators of random numbers: a good one, and two of UNIX: `rand` of the 7th edition, and `rand`
#: of 4BSD, whose lower digits repeat soon.
GOOD, SEVENTH, BSD = range(3)


class Rules(NamedTuple):
    """The rules that can be changed.

    Attributes:
        node_tie: whether a - node also ends at a leaf of value alpha.
        star_tie: whether a * node also ends at alpha.
        ends_at_least: whether a - node ends at a leaf of value L.
        generator: the generator of the permutations.
        naive: whether each arc is swapped with any other arc, which makes some
            permutations likelier than others.
    """

    node_tie: bool = True
    star_tie: bool = True
    ends_at_least: bool = False
    generator: int = GOOD
    naive: bool = False


RULES = {
    "as in the experiment": Rules(),
    "L ends a - node": Rules(ends_at_least=True),
    "a tie does not end a - node": Rules(node_tie=False),
    "a tie does not end a * node": Rules(star_tie=False),
    "no tie ends a node": Rules(node_tie=False, star_tie=False),
    "rand of the 7th edition": Rules(generator=SEVENTH),
    "rand of 4BSD": Rules(generator=BSD),
    "naive permutations": Rules(naive=True),
}


def compiled(function: Compiled) -> Compiled:
    """Return the function, to be compiled at its first call."""
    return cast("Compiled", njit(function))


@compiled
def number(state: npt.NDArray[np.uint64], generator: int) -> np.int64:
    """Return the next random number, 0 or more."""
    if generator == GOOD:
        state[0] += np.uint64(0x9E3779B97F4A7C15)
        z = state[0]
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.int64((z ^ (z >> np.uint64(31))) >> np.uint64(33))
    state[0] = (state[0] * np.uint64(1103515245) + np.uint64(12345)) & np.uint64(0xFFFFFFFF)
    if generator == SEVENTH:
        return np.int64((state[0] >> np.uint64(16)) & np.uint64(0x7FFF))
    return np.int64(state[0] & np.uint64(0x7FFFFFFF))


@compiled
def permute(arcs: npt.NDArray[np.int64], state: npt.NDArray[np.uint64], rules: Rules) -> None:
    """Fill N arcs with 0..N-1 in random order."""
    n = len(arcs)
    for i in range(n):
        arcs[i] = i
    for i in range(n - 1, -1, -1):
        j = number(state, rules.generator) % (n if rules.naive else i + 1)
        arcs[i], arcs[j] = arcs[j], arcs[i]


@compiled
def star1(n: int, state: npt.NDArray[np.uint64], rules: Rules) -> int:
    """Return the number of leaves that Star1 evaluates in a random tree."""
    top = 3.0 * (n - 1)
    root, outcomes, last = np.zeros((3, n), np.int64)
    permute(root, state, rules)
    leaves, best = 0, -1.0
    for arc in root:
        permute(outcomes, state, rules)
        alpha, total = n * (best - top) + top, 0.0
        for outcome in outcomes:
            permute(last, state, rules)
            bound = max(alpha, 0.0) if rules.ends_at_least else alpha
            value = top + 1
            for leaf in last:
                leaves += 1
                value = min(value, float(arc + outcome + leaf))
                if value < bound or (rules.node_tie and value == bound):
                    break
            if value < alpha or (rules.star_tie and value == alpha):
                total = -1.0
                break
            total += value
            alpha += top - value
        best = max(best, total / n)
    return leaves


@compiled
def searched(n: int, trees: int, seed: int, rules: Rules) -> npt.NDArray[np.float64]:
    """Return the numbers of leaves in some trees."""
    state = np.array([seed], np.uint64)
    leaves = np.zeros(trees)
    for tree in range(trees):
        leaves[tree] = star1(n, state, rules)
    return leaves


@click.command(cls=OneLine)
@click.option("--trees", type=int, default=5000, show_default=True, help="Trees of each N.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the generators.")
def main(trees: int, seed: int) -> None:
    """Show which rules fit the printed means."""
    click.echo(f"| rules | {' | '.join(f'N = {n}' for n in _SIZES)} |")
    click.echo(f"|---|{'--:|' * len(_SIZES)}")
    for name, rules in RULES.items():
        cells = []
        for n, printed in zip(_SIZES, _LEAVES_2, strict=True):
            leaves = searched(n, trees, seed, rules)
            step = 0.1 if isinstance(printed, float) else 1.0
            variance = leaves.var(ddof=1) * (1 / 1000 + 1 / trees) + step**2 / 12
            apart = (printed - leaves.mean()) / variance**0.5
            cells.append(f"{leaves.mean():,.{1 if n > 4 else 2}f} ({apart:+.1f})")
        click.echo(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
