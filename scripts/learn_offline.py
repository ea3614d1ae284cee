"""Learn from a fixed set of positions, to compare networks, optimizers and targets.

    python scripts/learn_offline.py make runs/samples
    python scripts/learn_offline.py learn runs/samples recipe.toml --out runs/other.safetensors
    gammon match depth=1,model=runs/other.safetensors depth=1 --games 10000 --out runs/match

`make` writes 3.3 million positions from games of the leaf network, with their exact targets
one turn ahead: 11 minutes on two cores. `learn` learns from four fifths of them as the last
stage of a recipe says (but for its positions), and then tells of the rest how much further
than the leaf network it is from the results of those games without their luck (mean square
in points, times 10,000), and how far from the leaf network's own exact targets (root of the
mean square). Of races and contact the former is told apart.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt

from gammon.commands.shared import Commands
from gammon.commands.types import SEVERAL
from gammon.eval import nnue
from gammon.eval.evaluators import evaluator_of, load_evaluator
from gammon.eval.model_file import save_model
from gammon.eval.packed import rounded
from gammon.extras import extra
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import OPENING, SIZE, has_contact
from gammon.search import problem_of
from gammon.train.selfplay import EXACT, start_turns

GAMES = 1024
SEED = 4242
#: Turns between those that are learned from and the others: no game is on both sides.
APART = 100
#: Games of so many last turns have no result yet.
UNFINISHED = 100
PAYOFFS = np.array([-3, -2, -1, 1, 2, 3], np.float32)

Rows = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]


def chances(rows: Rows, weights: Floats) -> Floats:
    """Return a network's chances of the six results [..., 6] of positions [..., 26]."""
    return nnue.results_of(rows.reshape(-1, SIZE), weights).reshape(*rows.shape[:-1], 6)


def traced(samples: Rows, targets: Floats, believed: Floats, trace: float) -> Floats:
    """Return targets [T, G, 6] that take up a share of the later turns' surprises."""
    begins = (samples == np.array(OPENING, np.int8)).all(axis=-1)
    out = targets.copy()
    for t in range(len(out) - 2, -1, -1):
        surprise = (out[t + 1] - believed[t + 1])[:, ::-1]
        out[t] += trace * np.where(begins[t + 1, :, None], 0.0, surprise)
    return out


@click.group(cls=Commands)
def main() -> None:
    """Learn from a fixed set of positions."""


@main.command()
@click.argument("folder", type=Path)
@click.option(
    "--turns", type=click.IntRange(2000), default=3200, show_default=True,
    help=f"Of each of {GAMES} games.",
)  # fmt: skip
@click.option("--threads", type=SEVERAL, default=2, show_default=True)
def make(folder: Path, turns: int, threads: int) -> None:
    """Write positions and what the leaf network makes of them to FOLDER."""
    leaf = load_evaluator("leaf")
    states = np.tile(np.array(OPENING, np.int8), (GAMES, 1))
    numbers, played = np.arange(GAMES, dtype=np.uint64), np.zeros(GAMES, np.uint64)
    with ThreadPoolExecutor(threads) as pool:
        samples, targets = start_turns(
            pool,
            4 * threads,
            problem_of(BACKGAMMON, leaf),
            states,
            numbers,
            played,
            turns,
            SEED,
            EXACT,
        )()
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "samples.npy", samples)
    np.save(folder / "targets.npy", targets)
    np.save(folder / "believed.npy", chances(samples, leaf.weights))


@main.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("recipe")
@click.option("--out", type=Path, required=True, help="Model file.")
def learn(folder: Path, recipe: str, out: Path) -> None:
    """Learn from the positions of FOLDER as the last stage of RECIPE says."""
    with extra("train", "learn_offline.py"):
        import torch

        from gammon.eval.network import tensors
        from gammon.train.first_network import first_network
        from gammon.train.learner import Learner
        from gammon.train.recipe import find_recipe, read_recipe

    torch.set_num_threads(1)
    plan = read_recipe(find_recipe(recipe))
    samples, targets, believed = (
        np.load(folder / f"{name}.npy") for name in ("samples", "targets", "believed")
    )
    n = GAMES * (len(samples) * 4 // 5)
    stage = plan.stages[-1].changed(positions=n, games=n, turns=1, memory=0)
    x = samples.reshape(-1, SIZE)
    y = traced(samples, targets, believed, stage.trace).reshape(-1, 6)
    learner = Learner(first_network(plan))
    learner.start(stage.optimizer, stage.average)
    random = np.random.default_rng(plan.seed)
    for update in range(stage.updates):
        chosen = random.integers(n, size=stage.batch)
        learner.learn(x[chosen], y[chosen], stage.rate_at(update))
    weights = rounded(tensors(learner.mean))
    save_model(out, weights, {"origin": "scripts/learn_offline.py", "recipe": plan.as_dict()})

    kept = slice(n // GAMES + APART, len(samples) - UNFINISHED)
    results = traced(samples, targets, believed, 1.0)[kept] @ PAYOFFS
    said = chances(samples[kept], evaluator_of(weights).weights) @ PAYOFFS
    further = 1e4 * ((said - results) ** 2 - (believed[kept] @ PAYOFFS - results) ** 2)
    race = np.array([[not has_contact(row) for row in turn] for turn in samples[kept].tolist()])
    for name, where in (("all", np.ones_like(race)), ("contact", ~race), ("race", race)):
        turns = [float(f[w].mean()) for f, w in zip(further, where, strict=True) if w.any()]
        error = np.std(turns) / len(turns) ** 0.5
        click.echo(f"{name}: {further[where].mean():+.1f} +- {error:.1f} further from results")
    ahead = np.sqrt(np.mean((said - targets[kept] @ PAYOFFS) ** 2))
    click.echo(f"one turn ahead: {ahead:.4f}")


if __name__ == "__main__":
    main()
