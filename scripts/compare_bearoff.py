"""Compare the bearoff tables with GNU Backgammon's, whose own have 16 bits a number.

python scripts/compare_bearoff.py --positions 1000 --seed 3
"""

import click
import numpy as np

from gammon.command import SEED, OneLine
from gammon.eval import nnue
from gammon.eval.bearoff import FIRST_WHOLE, N_SIDES, N_TWO_SIDED
from gammon.eval.bearoff_build import sides
from gammon.eval.evaluators import load_evaluator
from gammon.gnubg import GnuBackgammon

_KINDS = {
    "up to 6 checkers": (1, N_TWO_SIDED),
    "up to 15 checkers": (N_TWO_SIDED, N_SIDES),
    "15 checkers": (FIRST_WHOLE, N_SIDES),
}


@click.command(cls=OneLine)
@click.option(
    "--positions", "count", type=click.IntRange(1), default=1000, show_default=True,
    help="Of each kind.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=3, show_default=True)
def main(count: int, seed: int) -> None:
    """Print the largest and mean difference of each probability, by kind of position."""
    random = np.random.default_rng(seed)
    every = sides()
    weights = load_evaluator("leaf").weights
    with GnuBackgammon() as gnubg:
        for kind, (low, high) in _KINDS.items():
            rows = np.zeros((count, 26), np.int8)
            rows[:, 1:7] = every[random.integers(low, high, len(rows))]
            rows[:, 24:18:-1] = -every[random.integers(low, high, len(rows))]
            ours = nnue.probabilities(rows, weights)
            theirs = np.array(gnubg.evaluations([row.tolist() for row in rows]))
            apart = np.abs(ours - theirs)
            click.echo(f"{kind}: {len(rows)} positions")
            for name, column in (("win", 0), ("win gammon", 1), ("lose gammon", 3)):
                largest, mean = apart[:, column].max(), apart[:, column].mean()
                click.echo(f"  {name:12} largest difference {largest:.1e}, mean {mean:.1e}")


if __name__ == "__main__":
    main()
