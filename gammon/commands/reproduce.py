"""`gammon reproduce`: the papers' experiments."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gammon.commands.shared import (
    Compiling,
    out_option,
    pool_options,
    seed_option,
    show_report,
)

if TYPE_CHECKING:
    from gammon.experiments.report import Report
    from gammon.views.progress import Bar

__all__ = ["reproduce"]

_EXPERIMENTS = ("alphabeta", "ballard", "dice", "hauk", "iterated", "nim", "tictactoe")


@click.command(cls=Compiling)
@click.argument("name", type=click.Choice(_EXPERIMENTS))
@out_option()
@seed_option("Of everything random.")
@click.option("--quick", is_flag=True, help="A small version, for a look.")
@pool_options
def reproduce(
    name: str, out: Path, seed: int, quick: bool, workers: int, scheduler: str | None
) -> None:
    """Repeat an experiment of the papers and compare the figures.

    Writes CSV tables, plots and a page into OUT. A run that was interrupted resumes, if it
    is given the same folder and options.
    """
    import importlib

    from gammon.experiments.report import ReproductionSettings
    from gammon.parallel import Pool
    from gammon.run_folder import run_folder
    from gammon.views.progress import shown

    experiment = importlib.import_module(f"gammon.experiments.{name}")

    def work(bar: "Bar") -> "Report":
        def on_done(done: int, total: int) -> None:
            bar[:] = done, total

        found: Report = experiment.reproduce(
            ReproductionSettings(out, seed, quick, Pool(workers, scheduler), on_done)
        )
        return found

    facts = {"experiment": name, "seed": seed, "quick": quick}
    title = f"the experiment {name}{' --quick' if quick else ''}, seed {seed}"
    with run_folder(out, title, facts):
        show_report(shown(work), out)
