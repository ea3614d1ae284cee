"""The values and plays of networks in drawn positions: back games, containment, snakes and others.

    python scripts/judge_families.py leaf large
    python scripts/judge_families.py leaf --against runs/before/model.safetensors

By default it compares the static values of networks with bgsage's truncated rollouts
(`GAMMON_BGSAGE` is the path of bgsage's Python). It prints the root mean square of the error in
points, with the error of the rollouts taken out, and the bias for the holder of the structure, with
its standard error. bgsage's own static values stand beside them; 1,400 positions take some ten
minutes. With `--against`, games at depth 1 are played from such positions instead, each twice with
the same dice and swapped seats, and the points a game are printed. The positions are described in
`gammon_lab.train.starts`.
"""

from collections.abc import Callable, Mapping

import click
import numpy as np
import numpy.typing as npt

from gammon.commands.group import OneLine
from gammon.commands.options import Integer
from gammon.eval.evaluators import load_evaluator
from gammon.eval.integer_network_kernel import results_of
from gammon.match.quick import numbers_at_depth_1
from gammon.rules.outcome import POINTS
from gammon_lab.programs import Bgsage
from gammon_lab.train.starts import FAMILIES, draw_families, holder_of

SEED = 777
#: The level of bgsage for truncated rollouts, and its static level.
_ROLLOUTS, _STATIC = "truncated1", "1ply"

Floats = npt.NDArray[np.float64]
Chosen = npt.NDArray[np.bool_]


def by_family(numbers: npt.NDArray[np.int64], line: Callable[[Chosen], str]) -> None:
    """Print a line for each family, and for all positions."""
    for k, name in enumerate(FAMILIES):
        print(f"{name:20}{line(numbers == k)}", flush=True)
    print(f"{'all':20}{line(numbers >= 0)}")


def judge(models: tuple[str, ...], positions: int) -> None:
    """Compare static values with bgsage's rollouts."""
    rows, numbers = draw_families(positions * len(FAMILIES), SEED)
    holders = np.array([holder_of(FAMILIES[k], row) for k, row in zip(numbers, rows, strict=True)])
    with Bgsage() as bgsage:
        truth, errors = np.array(bgsage.values(rows.tolist(), _ROLLOUTS)).T
        values_of: Mapping[str, Floats] = {
            "bgsage": np.array(bgsage.values(rows.tolist(), _STATIC))[:, 0],
            **{name: results_of(rows, load_evaluator(name).weights) @ POINTS for name in models},
        }

    def line(chosen: Chosen) -> str:
        text = ""
        for values in values_of.values():
            off = (values - truth)[chosen]
            of_rollouts = (errors[chosen] ** 2).mean()
            bias = off * holders[chosen]
            size = np.sqrt(max((off**2).mean() - of_rollouts, 0.0))
            error = bias.std() / np.sqrt(len(bias))
            text += f"  {size:.3f} {bias.mean():+.3f} +- {error:.3f}"
        return text

    print(" " * 20 + "".join(f"  {name[-21:]:22}" for name in values_of))
    by_family(numbers, line)


def play(model: str, other: str, pairs: int) -> None:
    """Play games from the positions: one network against another."""
    rows, numbers = draw_families(pairs * len(FAMILIES), SEED)
    batch = numbers_at_depth_1(load_evaluator(model), load_evaluator(other), 2 * len(rows), SEED, rows)
    points = batch.points.reshape(-1, 2).mean(axis=1)

    def line(chosen: Chosen) -> str:
        some = points[chosen]
        return f"{some.mean():+.4f} +- {some.std() / np.sqrt(len(some)):.4f}"

    by_family(numbers, line)


@click.command(cls=OneLine, help=__doc__)
@click.argument("models", nargs=-1, required=True)
@click.option("--positions", default=100, show_default=True, type=Integer(1, 10_000))
@click.option("--against", metavar="MODEL")
@click.option("--pairs", default=4000, show_default=True, type=Integer(1, 1_000_000))
def main(models: tuple[str, ...], positions: int, against: str | None, pairs: int) -> None:
    """See the docstring of this file."""
    if against is None:
        judge(models, positions)
    else:
        for model in models:
            play(model, against, pairs)


if __name__ == "__main__":
    main()
