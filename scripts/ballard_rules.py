"""Which rules and random numbers fit Ballard's table 2? Star1 written a second time.

    python scripts/ballard_rules.py --trees 5000

Star1 searches many random trees for each N, by the rules that `gammon reproduce ballard` takes
for table 2, and then with one thing changed: whether a tie ends a node, whether a leaf worth L
ends a - node, or where permutations are from. It shows the mean leaves and, in brackets, how
far the printed mean lies above it: in standard errors of both, and of the rounding. Nothing
here is of the package's search.
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
#: Random numbers: a good generator, and those of UNIX: `rand` of the 7th edition, and of 4BSD,
#: whose lower digits repeat soon.
GOOD, SEVENTH, BSD = range(3)


class Rules(NamedTuple):
    """What can be changed.

    Attributes:
        node_tie: whether a - node ends with a leaf that is worth alpha, too.
        star_tie: whether a * node ends at alpha, too.
        ends_at_least: whether a - node ends with a leaf that is worth L.
        generator: of the permutations.
        naive: whether each arc changes places with any other one, which makes some
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
    """Return the function, compiled at its first call."""
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
    """Return the leaves that Star1 looks at in a random tree."""
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
    """Return the leaves of a number of trees."""
    state = np.array([seed], np.uint64)
    found = np.zeros(trees)
    for tree in range(trees):
        found[tree] = star1(n, state, rules)
    return found


@click.command(cls=OneLine)
@click.option("--trees", type=int, default=5000, show_default=True, help="Trees of each N.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the generators.")
def main(trees: int, seed: int) -> None:
    """Show which rules fit the printed means."""
    click.echo(f"| rules | {' | '.join(f'N = {n}' for n in _SIZES)} |")
    click.echo(f"|---|{'--:|' * len(_SIZES)}")
    for name, rules in RULES.items():
        cells = []
        for n, printed in zip(_SIZES, _LEAVES_2, strict=True):
            found = searched(n, trees, seed, rules)
            step = 0.1 if isinstance(printed, float) else 1.0
            variance = found.var(ddof=1) * (1 / 1000 + 1 / trees) + step**2 / 12
            apart = (printed - found.mean()) / variance**0.5
            cells.append(f"{found.mean():,.{1 if n > 4 else 2}f} ({apart:+.1f})")
        click.echo(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
