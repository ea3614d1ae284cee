"""Learn the efficiency of the cube in contact, and hold it against a fixed one.

    python scripts/learn_cube.py learn models/cube.network --seed 1
    python scripts/learn_cube.py roll models/cube.network --positions 1000
    python scripts/learn_cube.py play models/cube.network --games 8000 --only cubes
    python scripts/learn_cube.py play models/cube.network --games 4000 --length 7

`learn` begins with the efficiency .68 everywhere. `roll` tells how far static values are from
the means of some games, less their luck, from each position, and how much decisions about the
cube lose by these. In `play` two players of the same depth meet, one with the efficiencies of
the file and one with .68 in contact; the luck of the dice is out. All but matches is money
without the Jacoby rule. Values are in points of the cube, for three owners: the player on roll,
nobody, the opponent.
"""

import time
from functools import partial
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt
from cubes.judge import Distance, losses, rolled_values, static_values
from cubes.learner import Sweeps, leaf_with, sweep

from gammon.base.errors import ModelError
from gammon.base.extras import extra
from gammon.base.mean import mean_and_error
from gammon.commands.group import Commands
from gammon.commands.types import MODEL, SEED
from gammon.compiled.records import Float32Vector
from gammon.engine.luck import luck_at
from gammon.eval import kept
from gammon.eval.cube_network import N_LEARNED
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.efficiency import CONTACT
from gammon.eval.model_file import load_model
from gammon.match.game import play_pairs
from gammon.match.player import Mind, OwnMind, Player
from gammon.match.result import Numbers, result_of
from gammon.rules.board import has_contact
from gammon.rules.terms import Score
from gammon.train.selfplay import played_positions

CUBE = click.argument("cube", type=click.Path(dir_okay=False, path_type=Path))
LEAF = click.option("--model", default="leaf", show_default=True, type=MODEL, help="The leaf.")
COUNT = click.IntRange(1, 10_000_000)
#: Pairs of games that are played at a time.
_PAIRS = 250


@click.group(cls=Commands)
def main() -> None:
    """Learn the efficiency of the cube, and hold it against a fixed one."""


def read(path: Path) -> Float32Vector:
    """Return the numbers of a file that `learn` wrote."""
    try:
        found = kept.sound(path, N_LEARNED)
    except OSError as error:
        raise ModelError(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    if found is None:
        raise ModelError(f"{str(path)!r}: expected a network of the cube, which `learn` wrote")
    return found


@main.command()
@CUBE
@LEAF
@click.option("--sweeps", type=COUNT, default=40, show_default=True, help="Of 65,536 positions each.")
@click.option("--seed", type=SEED, default=1, show_default=True)
def learn(cube: Path, model: str, sweeps: int, seed: int) -> None:
    """Learn the efficiency, and write its network to the file CUBE after each sweep."""
    with extra("train", "learn_cube.py"):
        import torch
    torch.set_num_threads(1)
    begun = time.perf_counter()
    learned = sweep(load_model(model).weights, Sweeps(sweeps, seed=seed))
    for number, (numbers, missed) in enumerate(learned, 1):
        kept.write(cube, numbers)
        spent = time.perf_counter() - begun
        click.echo(f"sweep {number} of {sweeps}: missed by {missed:.4f}, {spent:.0f} s")


def of(numbers: npt.NDArray[np.float64], form: str = ".4f") -> str:
    """Return numbers as text."""
    return " ".join(f"{number:{form}}" for number in numbers.tolist())


def tell(name: str, values: npt.ArrayLike, better: npt.ArrayLike) -> None:
    """Print the distance of values from better ones."""
    found = Distance.of(values, better)
    click.echo(
        f"{name:>10}: rms {of(found.rms)}  mean {of(found.mean, '+.4f')} +- {of(found.error)}  "
        f"lost x 10,000 {of(1e4 * found.lost, '.1f')} +- {of(1e4 * found.lost_error, '.1f')}"
    )


def contrast(ours: npt.ArrayLike, theirs: npt.ArrayLike, better: npt.ArrayLike) -> None:
    """Print by how much less the first values miss better ones, and lose, than the second.

    The slope is how far values should move from the second ones, by what the first ones do.
    """
    first, second, right = (np.asarray(each, np.float64) for each in (ours, theirs, better))
    squares = (second - right) ** 2 - (first - right) ** 2
    less = np.array([mean_and_error(column) for column in squares.T]).T
    gain = np.array([mean_and_error(c) for c in (losses(second, right) - losses(first, right)).T]).T
    click.echo(
        f"{'learned':>10}: nearer (mean square x 10,000) {of(1e4 * less[0], '+.2f')} +- "
        f"{of(1e4 * less[1], '.2f')}  loses less x 10,000 {of(1e4 * gain[0], '+.1f')} +- "
        f"{of(1e4 * gain[1], '.1f')}"
    )
    moved, due = first - second, right - second
    slope = (moved * due).sum(axis=0) / (moved**2).sum(axis=0)
    error = np.sqrt(((due - slope * moved) ** 2 * moved**2).sum(axis=0))
    error /= (moved**2).sum(axis=0)
    click.echo(f"{'slope':>10}: {of(slope, '.2f')} +- {of(error, '.2f')}")


@main.command()
@CUBE
@LEAF
@click.option("--positions", type=COUNT, default=500, show_default=True)
@click.option("--trials", type=COUNT, default=12, show_default=True, help="Games from each, for each owner.")
@click.option("--depth", default=1, show_default=True, help="Plies of a play.")
@click.option("--cube-depth", default=3, show_default=True, help="Plies of a double.")
@click.option(
    "--by",
    type=click.Choice(["fixed", "learned"]),
    default="fixed",
    show_default=True,
    help="The efficiency of those who play.",
)
@click.option("--seed", type=SEED, default=2001, show_default=True)
def roll(
    cube: Path, model: str, positions: int, trials: int, depth: int, cube_depth: int, by: str, seed: int
) -> None:
    """Hold the static values of CUBE against the means of games."""
    weights = load_model(model).weights
    fixed, learned = (cubeful_evaluator(leaf_with(weights, n)) for n in (None, read(cube)))
    rows = played_positions(leaf_with(weights, None), seed)
    rows = rows[np.random.default_rng(seed).permutation(len(rows))]
    rows = np.array([row for row in rows if has_contact(tuple(row.tolist()))][:positions])
    rolled = rolled_values(learned if by == "learned" else fixed, rows, trials, (depth, cube_depth), seed)
    theirs, ours = static_values(fixed, rows), static_values(learned, rows)
    click.echo(f"{len(rows)} positions in contact, by {trials} games of the {by} efficiency")
    tell(f"{CONTACT}", theirs, rolled)
    tell("learned", ours, rolled)
    contrast(ours, theirs, rolled)


class Mixed:
    """A player that plays as one player does, and doubles and answers as another."""

    def __init__(self, plays: Mind, cubes: Mind) -> None:
        self.plays, self.cubes = plays.plays, cubes.cubes
        self.cpu_seconds = plays.cpu_seconds  # both play in this process


@main.command()
@CUBE
@LEAF
@click.option(
    "--games",
    type=click.IntRange(2, 10_000_000),
    default=10_000,
    show_default=True,
    help="Games or matches, an even number; one more than an odd one.",
)
@click.option("--depth", default=1, show_default=True, help="Plies of both players.")
@click.option("--length", type=click.IntRange(0, 64), default=0, help="Of matches; 0 for money.")
@click.option(
    "--only", type=click.Choice(["plays", "cubes"]), help="The learned efficiency decides about these alone."
)
@click.option("--seed", type=SEED, default=1, show_default=True)
def play(cube: Path, model: str, games: int, depth: int, length: int, only: str | None, seed: int) -> None:
    """Play games of CUBE against the fixed efficiency, each pair with the same dice."""
    weights = load_model(model).weights
    leaves = [leaf_with(weights, numbers) for numbers in (read(cube), None)]
    ours, theirs = (OwnMind(Player(depth), leaf) for leaf in leaves)
    mixed: dict[str | None, Mind] = {None: ours, "plays": Mixed(ours, theirs), "cubes": Mixed(theirs, ours)}
    players = mixed[only], theirs
    score = Score(length)
    judge, played = partial(luck_at, leaves[1]), list[Numbers]()
    total = (games + 1) // 2
    for first in range(0, total, _PAIRS):
        pairs = range(first, min(first + _PAIRS, total))
        played.append(Numbers.of(play_pairs(players, pairs, seed, judge, score).games))
        result = result_of(Numbers.joined(played), score)
        click.echo(
            f"{result}; doubles a game {of(np.array(result.doubles), '.3f')}, takes "
            f"{of(np.array(result.takes), '.3f')}, cube {result.cube:.2f}"
        )


if __name__ == "__main__":
    main()
