"""Compare values with the cube in races with exact bearoffs, without a search.

    python scripts/judge_race_cube.py --positions 200000 --seed 1

Pairs of sides with up to six checkers at home are drawn, all equally likely. Pairs count in which
each side needs 2.2 rolls or more on average, and the player on roll wins 3 to 97 %. For Janowski's
model with an efficiency of 0.60 and for a race of two checkers (`gammon/eval/race_cube.py`), the
script prints the root mean square of the errors by the owner of the cube, and the loss of decisions:
in points times 10,000 a position, for money.
"""

import click
import numpy as np
import numpy.typing as npt

from gammon.commands.options import SEED
from gammon.eval.bearoff import N_NUMBERS, N_OWNERS, N_WITH_CUBE, ROLLS_KEPT
from gammon.eval.bearoff_build import parts_of
from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.efficiency import BEAROFF
from gammon.eval.janowski import money_value
from gammon.eval.race_cube import with_two_checkers
from gammon.rules.home import N_TWO_SIDED
from gammon.rules.terms import Terms

#: The owners of the cube: the player on roll, nobody, the opponent.
OWNERS = (1, 0, -1)
Values = npt.NDArray[np.float64]


def janowski(win: float) -> list[float]:
    """Return the values of Janowski's model, by owner, without gammons."""
    results = [0.0, 0.0, 1.0 - win, win, 0.0, 0.0]
    terms = (Terms(cube=2 if owner else 1, owner=owner) for owner in OWNERS)
    return [money_value(results, at, BEAROFF) for at in terms]


def two_checkers(rolls: float, win: float, table: npt.NDArray[np.float32]) -> list[float]:
    """Return the values of a race of two checkers, by owner."""
    out = np.empty(N_OWNERS, np.float32)
    with_two_checkers(rolls, win, table, 0, out)
    return out.tolist()


def losses(values: Values, exact: Values) -> list[float]:
    """Return the mean losses, times 10,000, of decisions to redouble, to double first, and to answer.

    Args:
        values: float64 [N, 3], the values by which the decisions are made.
        exact: float64 [N, 3], the exact values.
    """
    lost = []
    doubled = np.minimum(2.0 * exact[:, 2], 1.0)
    for owner in (0, 1):
        best = np.maximum(exact[:, owner], doubled)
        doubles = np.minimum(2.0 * values[:, 2], 1.0) > values[:, owner]
        lost.append(np.mean(best - np.where(doubles, doubled, exact[:, owner])))
    answered = np.where(2.0 * values[:, 2] < 1.0, 2.0 * exact[:, 2], 1.0)
    lost.append(np.mean(np.where(doubled > exact[:, 0], answered - doubled, 0.0)))
    return [1e4 * loss for loss in lost]


@click.command()
@click.option("--positions", default=200_000, show_default=True, help="Pairs to draw.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="Seed of the draw.")
def main(positions: int, seed: int) -> None:
    """Compare values with the cube in races with exact ones."""
    off, _, wins = parts_of(bearoff_tables())
    tables = bearoff_tables()[N_NUMBERS:]
    values = tables[:N_WITH_CUBE].reshape(N_TWO_SIDED, N_TWO_SIDED, N_OWNERS)
    two = np.array(tables[N_WITH_CUBE:])
    rolls = off[:N_TWO_SIDED] @ np.arange(1.0, ROLLS_KEPT + 1)
    random = np.random.default_rng(seed)
    own, their = (random.integers(0, N_TWO_SIDED, positions) for _ in range(2))
    win = wins[own, their].astype(np.float64)
    some = (win > 0.03) & (win < 0.97) & (np.minimum(rolls[own], rolls[their]) > 2.2)
    own, their, win = own[some], their[some], win[some]
    exact = values[own, their].astype(np.float64)
    both = {
        "Janowski's model": [janowski(chance) for chance in win.tolist()],
        "two checkers": [
            two_checkers(length, chance, two)
            for length, chance in zip((rolls[own] + rolls[their]).tolist(), win.tolist(), strict=True)
        ],
    }
    click.echo(f"{len(win):,} bearoffs")
    for name, by_model in both.items():
        errors = np.sqrt(np.mean((np.array(by_model) - exact) ** 2, axis=0))
        lost = losses(np.array(by_model), exact)
        click.echo(f"{name}: rms {errors.round(4).tolist()}, lost {np.round(lost, 1).tolist()}")


if __name__ == "__main__":
    main()
