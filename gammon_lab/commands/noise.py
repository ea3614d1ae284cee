"""`gammon noise`: how much search depth matters with a noisy evaluator."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from gammon.base.errors import FormatError
from gammon.commands import shared
from gammon.commands.options import Integer
from gammon_lab.commands import reporting


def _numbers(text: str, kind: type[int] | type[float], what: str) -> list[Any]:
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        raise FormatError(f"{what} {text!r}: expected numbers such as 1,3,5") from None


@click.command()
@shared.out_option()
@click.option(
    "--sigma",
    default="0,0.01,0.02,0.03,0.05,0.1",
    show_default=True,
    metavar="N,N,...",
    help="Sizes of the errors to try: standard deviations, in points of equity.",
)
@click.option(
    "--depth",
    default="1,3,5",
    show_default=True,
    metavar="N,N,...",
    help="Depths of the deeper players to try: 1, 3, 5 or 7.",
)
@click.option(
    "--games",
    default=5000,
    show_default=True,
    type=Integer(4, 10_000_000),
    metavar="N",
    help="Games of each match at most, an even number.",
)
@click.option(
    "--until-se",
    type=float,
    metavar="POINTS",
    help="End a match early, once its standard error is this or less, in points a game; from depth 5 "
    "on, twice this or less. After 200 games at the earliest.",
)
@shared.seed_option("all dice and errors")
@shared.pool_options
@shared.model_option("The network of all players")
@click.option(
    "--errors",
    default="equity",
    show_default=True,
    metavar="KIND",
    help="equity: errors of the equity; outputs: errors of each of the network's five outputs; "
    "alike-1 to alike-25: errors of the equity that are alike in similar positions.",
)
def noise(
    out: Path,
    sigma: str,
    depth: str,
    games: int,
    until_se: float | None,
    seed: int,
    workers: int,
    scheduler: str | None,
    model: str,
    errors: str,
) -> None:
    """Study how much depth matters when the network errs.

    For each size of errors and each depth, a player with such errors plays two matches: against
    depth 1 with errors of the same size, and against depth 1 without errors. The command writes
    tables, plots and a page into the folder. With the same folder and options, an interrupted run
    continues.
    `gammon reproduce noise` is the whole study, with all kinds of errors. Plots need the extra
    plots.
    """
    from gammon.base.parallel import Pool
    from gammon.view.progress import counted
    from gammon_lab.experiments.noise_grid import NoiseGrid, grid_folder, play_grid
    from gammon_lab.experiments.study import Study
    from gammon_study.view.plot import check_plots

    check_plots("gammon noise")
    sigmas, depths = _numbers(sigma, float, "sigma"), _numbers(depth, int, "depth")
    grid = NoiseGrid(sigmas, depths, games, until_se, model, errors)
    study = Study(out, seed, pool=Pool(workers, scheduler))
    with grid_folder(study, grid):
        with counted(1) as show:
            shown = replace(study, on_done=lambda done, total: show(done / total, None))
            report = play_grid(shown, grid, lambda line: show(None, line))
        words = ["gammon", "noise", "--sigma", sigma, "--depth", depth, "--games", str(games)]
        words += ["--seed", str(seed), "--model", model, "--errors", errors]
        words += [] if until_se is None else ["--until-se", str(until_se)]
        reporting.show_report(report, out, shlex.join(words))
