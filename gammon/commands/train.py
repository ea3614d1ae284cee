"""`gammon train`: a network from self-play."""

from pathlib import Path

import click

from gammon.base.errors import SettingError
from gammon.base.extras import extra
from gammon.commands.group import Commands
from gammon.commands.shared import out_option
from gammon.commands.types import RECIPE, SEVERAL, Decimal

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

    A RECIPE is a TOML file that says how, or the name of one that comes with gammon: anew,
    anew-leaf, further, further-leaf, large, leaf, plans, probe, rare, rare-leaf, small, wide.
    """


@train.command()
@click.argument("recipe", type=RECIPE)
@out_option("The folder of the samples.")
@_threads
def make(recipe: str, out: Path, threads: int) -> None:
    """Make the samples that a RECIPE learns from.

    They are positions of games, with targets. The same command goes on where it was
    interrupted. Only recipes with [[samples]] need it.
    """
    with extra("train", "gammon train"):
        from gammon.train.recipe import find_recipe, read_recipe

    from gammon.train.sample_folder import make_pieces, samples_folder

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
    help="Those of the recipe, which `gammon train make` made.",
)
@click.option(
    "--minutes",
    type=Decimal(0, min_open=True),
    metavar="MINUTES",
    help="Stop after this time; the same command goes on from there.",
)
@_threads
@click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"]),
    help="Where the network learns; cuda, where there is one, unless given.",
)
def learn(
    recipe: str, out: Path, samples: Path | None, minutes: float | None, threads: int, device: str | None
) -> None:
    """Learn a network as a RECIPE says.

    The folder holds the run: a checkpoint, from which the same command goes on, and the network
    so far as model.safetensors, with its card. An interrupted run goes on from the last
    checkpoint, a minute or a round old at most. Of samples with exact targets some are kept
    apart. The last lines say how far the network is from them and from the results of their
    games, less the luck.
    """
    with extra("train", "gammon train"):
        import torch

    from gammon.train.lesson import measures
    from gammon.train.recipe import find_recipe, read_recipe
    from gammon.train.sample_folder import check_samples
    from gammon.train.training import Training, training_folder

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
