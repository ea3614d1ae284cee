"""Learn from a fixed set of positions, to compare networks, optimizers and targets.

    python scripts/learn_offline.py make runs/samples
    python scripts/learn_offline.py learn runs/samples recipe.toml --out runs/other.safetensors
    gammon match depth=1,model=runs/other.safetensors depth=1 --games 10000 --out runs/match

`make` writes positions from games of a network, with their exact targets one turn ahead, in
pieces of a million: 2 minutes each on two cores. One piece more is kept apart. The same command
goes on where it was interrupted, and adds pieces if it is asked for more positions. `learn`
learns as the last stage of a recipe says (but for its positions). Of the piece that is kept
apart it then tells how much further than the network that played it is from the results of the
games without their luck (mean square in points, times 10,000), and how far from the exact
targets (root of the mean square), by the phases of the game. The last line is the same in JSON.
"""

import json
from dataclasses import asdict
from pathlib import Path

import click

from gammon.base.extras import extra
from gammon.commands.group import Commands
from gammon.commands.types import SEED, SEVERAL
from gammon.eval.model_file import save_model
from gammon.shown.progress import counted

SHARE = click.FloatRange(0.0, 1.0)


@click.group(cls=Commands)
def main() -> None:
    """Learn from a fixed set of positions."""


@main.command()
@click.argument("folder", type=Path)
@click.option(
    "--positions", type=click.IntRange(1), default=4_000_000, show_default=True,
    help="To learn from; made in whole pieces.",
)  # fmt: skip
@click.option(
    "--model", default="leaf", show_default=True, help="Who plays, and gives the targets."
)
@click.option("--seed", type=SEED, default=4242, show_default=True)
@click.option(
    "--starts", type=SHARE, default=0.0, show_default=True,
    help="The share of games that begin in drawn positions.",
)  # fmt: skip
@click.option(
    "--deep", type=SHARE, default=0.0, show_default=True,
    help="The share of targets that look two turns ahead, which takes eighty times as long.",
)  # fmt: skip
@click.option("--threads", type=SEVERAL, default=2, show_default=True)
def make(
    folder: Path,
    positions: int,
    model: str,
    seed: int,
    starts: float,
    deep: float,
    threads: int,
) -> None:
    """Write positions and what a network makes of them to FOLDER."""
    with extra("train", "learn_offline.py"):
        from gammon.train.sample_folder import SampleSettings, make_pieces, samples_folder

    settings = SampleSettings(model, seed, starts, deep)
    with samples_folder(settings, folder):
        for done, total in make_pieces(settings, folder, positions, threads):
            click.echo(f"{done} of {total} pieces")


@main.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("recipe")
@click.option("--out", type=Path, required=True, help="Model file.")
@click.option("--positions", type=click.IntRange(1), help="Learn from the first of them only.")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
def learn(folder: Path, recipe: str, out: Path, positions: int | None, device: str) -> None:
    """Learn from the positions of FOLDER as the last stage of RECIPE says."""
    with extra("train", "learn_offline.py"):
        import torch

        from gammon.train import offline
        from gammon.train.recipe import find_recipe, read_recipe

    torch.set_num_threads(1)
    plan = read_recipe(find_recipe(recipe))
    lesson = offline.Lesson.of(folder, plan.stages[-1].trace, positions)
    with counted(1) as show:
        weights = offline.learn(
            plan, lesson, device, lambda done, total: show(done / total, "learning")
        )
    weights, card = offline.finished(plan, weights, folder, len(lesson.samples))
    save_model(out, weights, card)
    measures = offline.Judge(folder).measures(weights)
    for name, measure in measures.items():
        click.echo(f"{name:>{max(map(len, measures))}}: {measure}")
    facts = {"model": str(out), "positions": len(lesson.samples)}
    groups = {name: asdict(measure) for name, measure in measures.items()}
    click.echo(json.dumps({**facts, "groups": groups}))


if __name__ == "__main__":
    main()
