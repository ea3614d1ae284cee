"""Learn a cube from self-play, and hold it against Janowski's formula at the same leaf.

    python scripts/learn_cube.py learn runs/cube.npz --seed 1
    python scripts/learn_cube.py judge runs/cube.npz --seed 1001
    python scripts/learn_cube.py roll runs/cube.npz --seed 2001
    python scripts/learn_cube.py play runs/cube.npz --games 10000 --seed 1
    python scripts/learn_cube.py cost runs/cube.npz

All is money without the Jacoby rule. `learn` begins with Janowski's values. `judge` tells how
far static values are from the exact ones of bearoffs of six checkers a side, which neither side
then knows, and from searches whose leaves are Janowski's or learned; and what decisions about
the cube lose by these. `roll` does so for the means of some games, less their luck, from each
position. In `play` both play with the same plies and the exact bearoffs; the luck of the dice
is out. Values are in points of the cube, for three owners: the player on roll, nobody, the
opponent.
"""

import time
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt
from cubes.judge import (
    Distance,
    classes,
    deep_values,
    known_values,
    losses,
    rolled_values,
    static_values,
)
from cubes.learned import (
    learned_evaluator,
    nothing,
    read_cube,
    save_cube,
)

from gammon.answers.luck import judges_of
from gammon.base.extras import extra
from gammon.base.mean import mean_and_error
from gammon.commands.group import Commands
from gammon.commands.types import MODEL, SEED
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import load_evaluator
from gammon.eval.model_file import check_network, load_model
from gammon.games.cubeful import cubeful_backgammon
from gammon.match.cube import OwnMind
from gammon.match.game import play_pairs
from gammon.match.player import Mind, Player
from gammon.match.result import Numbers, result_of
from gammon.rules.score import Score
from gammon.rules.terms import Terms
from gammon.search import Evaluator, Setup
from gammon.train.selfplay import played_positions

CUBE = click.argument("cube", type=click.Path(dir_okay=False, path_type=Path))
LEAF = click.option("--model", default="leaf", show_default=True, type=MODEL, help="The leaf.")
COUNT = click.IntRange(1, 10_000_000)
UNITS = click.IntRange(4, 512)
#: Batches of positions for known bearoffs, and pairs of games played at a time.
_BATCHES, _PAIRS = 8, 250
#: How often the time is taken; the shortest counts.
_TIMES = 5

Rows = npt.NDArray[np.int8]


@click.group(cls=Commands)
def main() -> None:
    """Learn a cube, and hold it against Janowski's formula."""


@main.command()
@CUBE
@LEAF
@click.option(
    "--kind", type=click.Choice(["own", "trunk", "formula"]), default="own", show_default=True,
    help="Signs of a network of its own, of the leaf's hidden layers as they are, or none.",
)  # fmt: skip
@click.option(
    "--hidden1",
    type=UNITS,
    default=64,
    show_default=True,
    help="First layer of its own network.",
)
@click.option("--hidden2", type=UNITS, default=16, show_default=True, help="Second layer.")
@click.option(
    "--sweeps", type=COUNT, default=16, show_default=True, help="Of 65,536 positions each."
)
@click.option("--seed", type=SEED, default=1, show_default=True)
def learn(
    cube: Path, model: str, kind: str, hidden1: int, hidden2: int, sweeps: int, seed: int
) -> None:
    """Learn a cube, and write it to the file CUBE after each sweep."""
    with extra("train", "learn_cube.py"):
        import torch
        from cubes.learner import CubeModule, Sweeps, sweep

        from gammon.eval.network import Network, network_of, tensors

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    network = None
    if kind != "formula":
        trunk = kind == "trunk"
        network = network_of(load_model(model).weights) if trunk else Network(hidden1, hidden2)
        check_network(tensors(network), "the cube network")
    module, begun = CubeModule(network, kind == "trunk"), time.perf_counter()
    learned = sweep(load_evaluator(model), module, Sweeps(sweeps, seed=seed))
    for number, (found, missed) in enumerate(learned, 1):
        save_cube(cube, found)
        spent = time.perf_counter() - begun
        click.echo(f"sweep {number} of {sweeps}: missed by {missed:.4f}, {spent:.0f} s")


def drawn(leaf: Evaluator, count: int, seed: int) -> Rows:
    """Return a number of positions of self-play."""
    rows = played_positions(leaf, seed)
    return rows[np.random.default_rng(seed).permutation(len(rows))[:count]]


def of(numbers: npt.NDArray[np.float64], form: str = ".4f") -> str:
    """Return numbers as text."""
    return " ".join(f"{number:{form}}" for number in numbers.tolist())


def tell(name: str, values: npt.ArrayLike, better: npt.ArrayLike) -> None:
    """Print the distance of values from better ones."""
    found = Distance.of(values, better)
    click.echo(
        f"{name:>34}: rms {of(found.rms)}  mean {of(found.mean, '+.4f')} +- {of(found.error)}  "
        f"lost x 10,000 {of(1e4 * found.lost, '.1f')} +- {of(1e4 * found.lost_error, '.1f')}"
    )


def contrast(
    name: str, ours: npt.ArrayLike, theirs: npt.ArrayLike, better: npt.ArrayLike
) -> None:
    """Print by how much less the first values miss better ones, and lose, than the second."""
    first, second, right = (np.asarray(each, np.float64) for each in (ours, theirs, better))
    squares = (second - right) ** 2 - (first - right) ** 2
    less = np.array([mean_and_error(column) for column in squares.T]).T
    gain = np.array(
        [mean_and_error(c) for c in (losses(second, right) - losses(first, right)).T]
    ).T
    click.echo(
        f"{name:>34}: nearer (mean square x 10,000) {of(1e4 * less[0], '+.2f')} +- "
        f"{of(1e4 * less[1], '.2f')}  loses less x 10,000 {of(1e4 * gain[0], '+.1f')} +- "
        f"{of(1e4 * gain[1], '.1f')}"
    )


@main.command()
@CUBE
@LEAF
@click.option(
    "--positions", type=COUNT, default=4000, show_default=True, help="That are searched."
)
@click.option("--depth", default=4, show_default=True, help="Plies of these searches, even.")
@click.option("--seed", type=SEED, default=1001, show_default=True)
def judge(cube: Path, model: str, positions: int, depth: int, seed: int) -> None:
    """Hold the static values of CUBE against exact ones and searches."""
    leaf, found = load_evaluator(model), read_cube(cube)
    players = {"Janowski": nothing(), "learned": found}
    free = {name: learned_evaluator(leaf, each, exact=False) for name, each in players.items()}
    rows = np.concatenate([played_positions(leaf, seed + k) for k in range(1, 1 + _BATCHES)])
    known, exact = known_values(leaf, rows)
    click.echo(f"{known.sum()} bearoffs with exact values")
    static = {name: static_values(each, rows[known]) for name, each in free.items()}
    for name, values in static.items():
        tell(name, values, exact)
    contrast("learned", static["learned"], static["Janowski"], exact)
    rows = drawn(leaf, positions, seed)
    static = {name: static_values(each, rows) for name, each in free.items()}
    for searched, each in players.items():
        deep = deep_values(learned_evaluator(leaf, each), rows, depth)
        for group, where in {"all": np.full(len(rows), True), **classes(rows)}.items():
            click.echo(f"{where.sum()} positions, {group}, by depth {depth} of {searched}")
            for name, values in static.items():
                tell(name, values[where], deep[where])
            contrast(
                "learned", static["learned"][where], static["Janowski"][where], deep[where]
            )


@main.command()
@CUBE
@LEAF
@click.option("--positions", type=COUNT, default=500, show_default=True)
@click.option(
    "--trials",
    type=COUNT,
    default=12,
    show_default=True,
    help="Games from each, for each owner.",
)
@click.option("--depth", default=1, show_default=True, help="Plies of a play.")
@click.option("--cube-depth", default=3, show_default=True, help="Plies of a double.")
@click.option(
    "--by", type=click.Choice(["Janowski", "learned"]), default="Janowski", show_default=True,
    help="Whose leaf plays.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=2001, show_default=True)
def roll(
    cube: Path, model: str, positions: int, trials: int, depth: int, cube_depth: int, by: str,
    seed: int,
) -> None:  # fmt: skip
    """Hold the static values of CUBE against the means of games."""
    leaf, found = load_evaluator(model), read_cube(cube)
    rows = drawn(leaf, positions, seed)
    player = learned_evaluator(leaf, found) if by == "learned" else cubeful_evaluator(leaf)
    rolled = rolled_values(player, rows, trials, (depth, cube_depth), seed)
    ours = static_values(learned_evaluator(leaf, found, exact=False), rows)
    theirs = static_values(learned_evaluator(leaf, nothing(), exact=False), rows)
    for group, where in {"all": np.full(len(rows), True), **classes(rows)}.items():
        click.echo(f"{where.sum()} positions, {group}, by {trials} games of {by}")
        tell("Janowski", theirs[where], rolled[where])
        tell("learned", ours[where], rolled[where])
        contrast("learned", ours[where], theirs[where], rolled[where])


class Mixed:
    """A player that plays as one player does, and doubles and answers as another."""

    def __init__(self, plays: Mind, cubes: Mind) -> None:
        self.plays, self.cubes = plays.plays, cubes.cubes


@main.command()
@CUBE
@LEAF
@click.option(
    "--games", type=click.IntRange(2, 10_000_000), default=10_000, show_default=True,
    help="An even number; one more than an odd one.",
)  # fmt: skip
@click.option("--depth", default=1, show_default=True, help="Plies of both players.")
@click.option(
    "--against", type=click.Path(dir_okay=False, path_type=Path),
    help="Another learned cube; Janowski's formula unless given.",
)  # fmt: skip
@click.option(
    "--only", type=click.Choice(["plays", "cubes"]),
    help="The cube decides about these alone, and the other one about the rest.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=1, show_default=True)
def play(
    cube: Path, model: str, games: int, depth: int, against: Path | None, only: str | None,
    seed: int,
) -> None:  # fmt: skip
    """Play money games of CUBE against Janowski's formula, each pair with the same dice."""
    leaf = load_evaluator(model)
    cubes = read_cube(cube), nothing() if against is None else read_cube(against)
    ours, theirs = (OwnMind(Player(depth), learned_evaluator(leaf, c)) for c in cubes)
    mixed: dict[str | None, Mind] = {
        None: ours,
        "plays": Mixed(ours, theirs),
        "cubes": Mixed(theirs, ours),
    }
    players = mixed[only], theirs
    judges, played = judges_of(leaf, None), list[Numbers]()
    total = (games + 1) // 2
    for first in range(0, total, _PAIRS):
        pairs = range(first, min(first + _PAIRS, total))
        played.append(Numbers.of(play_pairs(players, pairs, seed, judges, Score()).games))
        result = result_of(Numbers.joined(played), Score())
        click.echo(
            f"{result}; doubles a game {of(np.array(result.doubles), '.3f')}, takes "
            f"{of(np.array(result.takes), '.3f')}, cube {result.cube:.2f}"
        )


@main.command()
@CUBE
@LEAF
@click.option("--positions", type=COUNT, default=1000, show_default=True)
@click.option("--seed", type=SEED, default=77, show_default=True)
def cost(cube: Path, model: str, positions: int, seed: int) -> None:
    """Tell how long a decision about a double takes by Janowski's formula and by CUBE."""
    leaf = load_evaluator(model)
    rows, game = drawn(leaf, positions, seed), cubeful_backgammon(Terms())
    players = {
        "Janowski": cubeful_evaluator(leaf),
        "a formula of zeros": learned_evaluator(leaf, nothing()),
        "learned": learned_evaluator(leaf, read_cube(cube)),
    }
    for depth in (0, 2):
        for name, evaluator in players.items():
            times = []
            for _ in range(_TIMES):
                begun = time.process_time()
                Setup(game, evaluator).cubes(rows, depth)
                times.append(time.process_time() - begun)
            click.echo(
                f"{name}, depth {depth}: {1e6 * min(times) / len(rows):.1f} microseconds"
            )


if __name__ == "__main__":
    main()
