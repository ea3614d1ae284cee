"""`gammon train`: train a network by self-play."""

from pathlib import Path

import click

from gammon.base.errors import SettingError
from gammon.base.extras import extra
from gammon.commands.group import Commands
from gammon.commands.options import SEVERAL, Decimal, Shipped
from gammon.commands.shared import out_option

#: A recipe for training.
RECIPE = Shipped("expert", "first", "large", "leaf", "master", "probe", "teacher", "width")

_threads = click.option(
    "--threads",
    default=2,
    show_default=True,
    type=SEVERAL,
    metavar="N",
    help="Processors that play the games.",
)


@click.group(cls=Commands)
def train() -> None:
    """Train a network on games against itself.

    A RECIPE is a TOML file with the settings, or the name of one that comes with gammon:
    expert, first, large, leaf, master, probe, teacher, width.
    """


@train.command()
@click.argument("recipe", type=RECIPE)
@out_option("The folder of the samples.")
@_threads
def make(recipe: str, out: Path, threads: int) -> None:
    """Make the training samples of a RECIPE.

    A sample is a position of a game with its target, the chances that the network learns. Only
    recipes with [[samples]] need this command. After an interruption, the same command continues.
    """
    with extra("train", "gammon train"):
        from gammon_lab.train.recipe import find_recipe, read_recipe

    from gammon_lab.train.sample_folder import make_pieces, samples_folder

    plan = read_recipe(find_recipe(recipe))
    with samples_folder(plan, out):
        for done, total in make_pieces(plan, out, threads):
            click.echo(f"{done} of {total} pieces")


@train.command()
@click.argument("recipe", type=RECIPE)
@out_option("The folder of the run.")
@click.option(
    "--samples",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The samples of the recipe, which `gammon train make` made.",
)
@click.option(
    "--minutes",
    type=Decimal(0, min_open=True),
    metavar="MINUTES",
    help="Stop after this time; the same command continues from there.",
)
@_threads
@click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"]),
    help="The device for training; unless given, cuda if there is a GPU.",
)
def learn(
    recipe: str, out: Path, samples: Path | None, minutes: float | None, threads: int, device: str | None
) -> None:
    """Train a network by a RECIPE.

    The folder has the checkpoint of the run and the network so far, model.safetensors, with its
    card. After an interruption, the same command continues from the last checkpoint, which is at
    most a minute or a round old. With --samples, some of the samples with exact targets are kept for
    a test. The last lines show how far the network is from these targets, and from the results of
    the same games less the luck; or, for a network of widths, how well its widths fit the positions
    of the test.
    """
    with extra("train", "gammon train"):
        import torch

    from gammon_lab.train.recipe import find_recipe, read_recipe
    from gammon_lab.train.sample_folder import check_samples, measures
    from gammon_lab.train.training import Training, training_folder

    has_gpu = torch.cuda.is_available()
    if device == "cuda" and not has_gpu:
        raise SettingError("device 'cuda': expected a GPU, and torch finds none")
    plan = read_recipe(find_recipe(recipe))
    if samples is not None:
        check_samples(plan, samples)
    with training_folder(plan, out):
        run = Training(plan, out, threads, device or ("cuda" if has_gpu else "cpu"), samples)
        for progress in run.steps(float("inf") if minutes is None else 60 * minutes):
            click.echo(progress)
        click.echo(f"wrote {run.export()}")
        if samples is not None:
            for line in measures(plan, samples, run.weights()):
                click.echo(line)
