"""`gammon train`: a network from self-play."""

from pathlib import Path

import click

from gammon.base.errors import SettingError
from gammon.base.extras import extra
from gammon.commands.shared import out_option
from gammon.commands.types import RECIPE, SEVERAL

__all__ = ["train"]


@click.command()
@click.argument("recipe", type=RECIPE)
@out_option("The folder of the run.")
@click.option(
    "--minutes", type=click.FloatRange(0, min_open=True), metavar="MINUTES",
    help="Stop after this time; the same command goes on from there.",
)  # fmt: skip
@click.option(
    "--threads", default=2, show_default=True, type=SEVERAL, metavar="N",
    help="Processors that play the games.",
)  # fmt: skip
@click.option(
    "--device", type=click.Choice(["cpu", "cuda"]),
    help="Where the network learns; cuda, where there is one, unless given.",
)  # fmt: skip
def train(
    recipe: str, out: Path, minutes: float | None, threads: int, device: str | None
) -> None:
    """Train a network on games against itself.

    RECIPE is a TOML file that says how, or the name of one that comes with gammon: anew,
    anew-leaf, early, further, further-leaf, large, leaf, middle, plans, probe, probe-taught,
    renewed, wide. The folder holds the run: a checkpoint, from which the same command goes on,
    and the network so far as model.safetensors, with its card. An interrupted run goes on from
    the last checkpoint, a minute or a round old at most.
    """
    with extra("train", "gammon train"):
        import torch

    from gammon.train.recipe import find_recipe, read_recipe
    from gammon.train.training import Training, training_folder

    has_gpu = torch.cuda.is_available()
    if device == "cuda" and not has_gpu:
        raise SettingError("device 'cuda': expected a GPU, and torch finds none")
    plan = read_recipe(find_recipe(recipe))
    with training_folder(plan, out):
        run = Training(plan, out, threads, device or ("cuda" if has_gpu else "cpu"))
        for progress in run.steps(float("inf") if minutes is None else 60 * minutes):
            click.echo(progress)
        click.echo(f"wrote {run.export()}")
