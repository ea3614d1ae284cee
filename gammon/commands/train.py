"""`gammon train`: a network from self-play."""

from pathlib import Path

import click

from gammon.commands.shared import SEVERAL, Compiling, out_option
from gammon.errors import SettingError
from gammon.extras import extra

__all__ = ["train"]


@click.command(cls=Compiling)
@click.argument("recipe")
@out_option("Folder of the run.")
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    help="Stop after this time; the same command resumes.",
)
@click.option("--threads", default=2, show_default=True, type=SEVERAL, help="Of self-play.")
@click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"]),
    help="Where the learner works. [default: cuda where there is one]",
)
def train(
    recipe: str, out: Path, minutes: float | None, threads: int, device: str | None
) -> None:
    """Train a network by self-play, by RECIPE.

    RECIPE is a TOML file, or the name of one that comes with gammon: early, large, leaf,
    plans, probe, probe-taught.

    The folder OUT holds the run: a checkpoint, from which the same command resumes,
    and the network so far as OUT/model.safetensors, with its card.
    """
    with extra("train", "gammon train"):
        import torch

        from gammon.train.recipe import find_recipe, read_recipe
        from gammon.train.training import Training

    has_gpu = torch.cuda.is_available()
    if device == "cuda" and not has_gpu:
        raise SettingError("device 'cuda': expected a GPU, and torch finds none")
    plan = read_recipe(find_recipe(recipe))
    run = Training(plan, out, threads, device or ("cuda" if has_gpu else "cpu"))
    for progress in run.steps(float("inf") if minutes is None else 60 * minutes):
        click.echo(progress)
    click.echo(f"wrote {run.export()}")
