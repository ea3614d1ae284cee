"""Learn the cube efficiency in contact, and compare it with a fixed efficiency.

    python scripts/learn_cube.py learn models/cube.network --seed 1
    python scripts/learn_cube.py roll models/cube.network --positions 1000
    python scripts/learn_cube.py play models/cube.network --games 8000 --only cubes
    python scripts/learn_cube.py play models/cube.network --games 4000 --length 7

`learn` begins with the efficiency 0.68 everywhere. `roll` prints how far static values are from the
means of games, luck taken out, from each position, and how much cube decisions lose by these means.
In `play` two players of the same depth meet, one with the efficiencies of the file and one with 0.68
in contact; the luck of the dice is taken out. All but matches is for money without the Jacoby rule.
Values are in points of the cube, for three owners: the player on roll, nobody, the opponent.
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
from gammon.commands.options import MODEL, SEED
from gammon.compiled.records import Float32Vector
from gammon.engine.luck import luck_at
from gammon.eval import array_cache
from gammon.eval.cube_network import N_LEARNED
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.efficiency import CONTACT
from gammon.eval.model_file import load_model
from gammon.match.game import play_matches
from gammon.match.player import DepthPlayer, MatchPlayer, Player
from gammon.match.result import Numbers, result_of
from gammon.rules.board import has_contact
from gammon.rules.terms import Score
from gammon_lab.train.selfplay import played_positions

CUBE = click.argument("cube", type=click.Path(dir_okay=False, path_type=Path))
LEAF = click.option("--model", default="leaf", show_default=True, type=MODEL, help="The leaf.")
COUNT = click.IntRange(1, 10_000_000)
#: Pairs of games that are played together.
_PAIRS = 250


@click.group(cls=Commands)
def main() -> None:
    """Learn the cube efficiency, and compare it with a fixed one."""


def read(path: Path) -> Float32Vector:
    """Return the numbers of a file that `learn` wrote."""
    try:
        numbers = array_cache.read_array(path, N_LEARNED)
    except OSError as error:
        raise ModelError(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    if numbers is None:
        raise ModelError(f"{str(path)!r}: expected a network of the cube, which `learn` wrote")
    return numbers


@main.command()
@CUBE
@LEAF
@click.option("--sweeps", type=COUNT, default=40, show_default=True, help="Sweeps of 65,536 positions.")
@click.option("--seed", type=SEED, default=1, show_default=True)
def learn(cube: Path, model: str, sweeps: int, seed: int) -> None:
    """Learn the efficiency, and write its network to the file CUBE after each sweep."""
    with extra("train", "learn_cube.py"):
        import torch
    torch.set_num_threads(1)
    begun = time.perf_counter()
    learned = sweep(load_model(model).weights, Sweeps(sweeps, seed=seed))
    for number, (numbers, missed) in enumerate(learned, 1):
        array_cache.write_array(cube, numbers)
        spent = time.perf_counter() - begun
        click.echo(f"sweep {number} of {sweeps}: missed by {missed:.4f}, {spent:.0f} s")


def text_of(numbers: npt.NDArray[np.float64], form: str = ".4f") -> str:
    """Return numbers as text."""
    return " ".join(f"{number:{form}}" for number in numbers.tolist())


def print_distance(name: str, values: npt.ArrayLike, better: npt.ArrayLike) -> None:
    """Print the distance of values from better ones."""
    distance = Distance.of(values, better)
    click.echo(
        f"{name:>10}: rms {text_of(distance.rms)}  mean {text_of(distance.mean, '+.4f')} +- "
        f"{text_of(distance.error)}  "
        f"lost x 10,000 {text_of(1e4 * distance.lost, '.1f')} +- {text_of(1e4 * distance.lost_error, '.1f')}"
    )


def contrast(ours: npt.ArrayLike, theirs: npt.ArrayLike, better: npt.ArrayLike) -> None:
    """Print by how much less the first values miss better values, and lose, than the second.

    The slope is the factor on the change from the second to the first values that comes closest to
    the better values.
    """
    first, second, right = (np.asarray(array, np.float64) for array in (ours, theirs, better))
    squares = (second - right) ** 2 - (first - right) ** 2
    less = np.array([mean_and_error(column) for column in squares.T]).T
    gain = np.array([mean_and_error(c) for c in (losses(second, right) - losses(first, right)).T]).T
    click.echo(
        f"{'learned':>10}: nearer (mean square x 10,000) {text_of(1e4 * less[0], '+.2f')} +- "
        f"{text_of(1e4 * less[1], '.2f')}  loses less x 10,000 {text_of(1e4 * gain[0], '+.1f')} +- "
        f"{text_of(1e4 * gain[1], '.1f')}"
    )
    moved, due = first - second, right - second
    slope = (moved * due).sum(axis=0) / (moved**2).sum(axis=0)
    error = np.sqrt(((due - slope * moved) ** 2 * moved**2).sum(axis=0))
    error /= (moved**2).sum(axis=0)
    click.echo(f"{'slope':>10}: {text_of(slope, '.2f')} +- {text_of(error, '.2f')}")


@main.command()
@CUBE
@LEAF
@click.option("--positions", type=COUNT, default=500, show_default=True)
@click.option(
    "--trials", type=COUNT, default=12, show_default=True, help="Games from each position and owner."
)
@click.option("--depth", default=1, show_default=True, help="Plies of a play.")
@click.option("--cube-depth", default=3, show_default=True, help="Plies of a double.")
@click.option(
    "--by",
    type=click.Choice(["fixed", "learned"]),
    default="fixed",
    show_default=True,
    help="The efficiency of the players in the games.",
)
@click.option("--seed", type=SEED, default=2001, show_default=True)
def roll(
    cube: Path, model: str, positions: int, trials: int, depth: int, cube_depth: int, by: str, seed: int
) -> None:
    """Compare the static values of CUBE with the means of games."""
    weights = load_model(model).weights
    fixed, learned = (cubeful_evaluator(leaf_with(weights, n)) for n in (None, read(cube)))
    rows = played_positions(leaf_with(weights, None), seed)
    rows = rows[np.random.default_rng(seed).permutation(len(rows))]
    rows = np.array([row for row in rows if has_contact(tuple(row.tolist()))][:positions])
    rolled = rolled_values(learned if by == "learned" else fixed, rows, trials, (depth, cube_depth), seed)
    theirs, ours = static_values(fixed, rows), static_values(learned, rows)
    click.echo(f"{len(rows)} positions in contact, by {trials} games of the {by} efficiency")
    print_distance(f"{CONTACT}", theirs, rolled)
    print_distance("learned", ours, rolled)
    contrast(ours, theirs, rolled)


class Mixed:
    """A player that moves like one player, and makes cube decisions like another."""

    def __init__(self, plays: MatchPlayer, cubes: MatchPlayer) -> None:
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
    help="Games or matches; an odd number is rounded up.",
)
@click.option("--depth", default=1, show_default=True, help="Plies of both players.")
@click.option("--length", type=click.IntRange(0, 64), default=0, help="Points of a match; 0 for money.")
@click.option(
    "--only", type=click.Choice(["plays", "cubes"]), help="Use the learned efficiency only for these."
)
@click.option("--seed", type=SEED, default=1, show_default=True)
def play(cube: Path, model: str, games: int, depth: int, length: int, only: str | None, seed: int) -> None:
    """Play games of CUBE against the fixed efficiency, each pair with the same dice."""
    weights = load_model(model).weights
    leaves = [leaf_with(weights, numbers) for numbers in (read(cube), None)]
    ours, theirs = (DepthPlayer(Player(depth), leaf) for leaf in leaves)
    mixed: dict[str | None, MatchPlayer] = {
        None: ours,
        "plays": Mixed(ours, theirs),
        "cubes": Mixed(theirs, ours),
    }
    players = mixed[only], theirs
    score = Score(length)
    judge, played = partial(luck_at, leaves[1]), list[Numbers]()
    total = (games + 1) // 2
    for first in range(0, total, _PAIRS):
        pairs = range(first, min(first + _PAIRS, total))
        played.append(Numbers.of(play_matches(players, pairs, seed, judge, score).games))
        result = result_of(Numbers.joined(played), score)
        click.echo(
            f"{result}; doubles a game {text_of(np.array(result.doubles), '.3f')}, takes "
            f"{text_of(np.array(result.takes), '.3f')}, cube {result.cube:.2f}"
        )


if __name__ == "__main__":
    main()
