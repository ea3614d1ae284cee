"""`gammon reproduce`: the papers' experiments; and `gammon noise`, a study with settings of your own."""

import shlex
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gammon.base.errors import FormatError, SettingError
from gammon.commands import shared
from gammon.commands.options import Integer
from gammon_lab.commands import reporting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gammon.base.parallel import Pool
    from gammon.view.progress import Bar
    from gammon_lab.experiments.study import Study
    from gammon_lab.experiments.subjects import Foreign
    from gammon_lab.report import Report

#: The last three need PyTorch and other programs, so they end a run of `all`.
_EXPERIMENTS = (
    "alphabeta", "ballard", "compare", "cube", "dice", "front", "hauk", "hypergammon", "iterated", "nim",
    "openings", "pig", "tictactoe", "truth", "strength", "noise", "judge", "families",
)  # fmt: skip
_ALL, _COMPARE = "all", "compare"
_NOTHING: "Mapping[str, Any]" = {}
_SMALL = (
    "This is the small version, to see what the tables hold: its figures come from few games and "
    "positions. A mean of fewer than ten has no standard error, except over seeds."
)


@click.command()
@click.argument("name", metavar="NAME", type=click.Choice([*_EXPERIMENTS, _ALL]))
@shared.out_option()
@shared.seed_option("all random trees, positions and dice")
@click.option("--quick", is_flag=True, help="A small version, for a first look.")
@reporting.pages_option()
@click.option("--game", default="", metavar="M:NAME", help="With compare: a `Game` of a module M.")
@click.option("--evaluator", default="", metavar="M:NAME", help="With compare: an `Evaluator`.")
@click.option(
    "--algorithm", multiple=True, metavar="M:NAME", help="With compare: an `Algorithm`; repeatable."
)
@shared.pool_options
def reproduce(
    name: str,
    out: Path,
    seed: int,
    quick: bool,
    pages: Path | None,
    game: str,
    evaluator: str,
    algorithm: tuple[str, ...],
    workers: int,
    scheduler: str | None,
) -> None:
    """Repeat an experiment of the papers and compare the figures.

    NAME is one of

    \b
    alphabeta    leaves of alpha-beta, the best move first (lecture notes)
    ballard      cutoffs of Star1 and Star2 in random trees (Ballard, AAAI-82)
    compare      which search a program should use, at equal time (our own)
    cube         what depth is worth with the cube (our own)
    dice         what *-minimax saves in the Game of Dice (Hauk et al.)
    families     who errs least in back games and other rare positions (our own)
    front        loss against time: bounded search and move filters (our own)
    hauk         what *-minimax saves in backgammon (Hauk et al.)
    hypergammon  the exact value of every position of hypergammon (Keith)
    iterated     the best choice of risk in a series of games (Melko, Nagy 2007)
    judge        who errs least, beside GNU Backgammon and bgsage (our own)
    nim          Nim with chance, and misere Nim (Melko and Nagy 2007)
    noise        whether depth matters, and for which errors (our own)
    openings     a book of the 15 opening rolls and their replies (our own)
    pig          Pig solved (Neller, Presser 2004), and a small EinStein
    strength     whether opponents play at the strength they are set to (our own)
    tictactoe    tic-tac-toe with chance: value, best cell (Melko, Nagy 2007)
    truth        depth and errors where every value is known (our own)
    all          all of these, each in a folder of its own inside the folder

    Writes CSV tables, plots and a page into the folder. An interrupted run continues if you give
    the same folder and options. Plots need the extra plots.
    """
    from gammon.base.parallel import Pool
    from gammon_lab.experiments.subjects import Foreign
    from gammon_study.view.plot import check_plots

    check_plots("gammon reproduce")
    if quick and pages is not None:
        raise click.UsageError("--pages with --quick: pages have figures of the whole version")
    pool = Pool(workers, scheduler)
    foreign = Foreign(game, evaluator, algorithm)
    given = foreign.options()
    if given and name != _COMPARE:
        raise SettingError(f"--{next(iter(given))} with {name}: expected {_COMPARE}")
    foreign.check()  # a wrong name must not reserve a folder
    if name != _ALL:
        _reproduce(name, out, seed, quick, pages, pool, foreign if given else None)
        return
    with _reserved(name, out, seed, quick):
        for experiment in _EXPERIMENTS:
            _reproduce(experiment, out / experiment, seed, quick, pages, pool)


def _reserved(
    name: str, out: Path, seed: int, quick: bool, more: "Mapping[str, Any]" = _NOTHING
) -> AbstractContextManager[None]:
    """Return a context manager that reserves the folder of a run, see `gammon.base.folder`."""
    from gammon.base.folder import run_folder

    title = "all experiments" if name == _ALL else f"the experiment {name}"
    facts = {"experiment": name, "seed": seed, "quick": quick, **more}
    return run_folder(out, f"{title}{' --quick' if quick else ''}, seed {seed}", facts)


def experiments() -> "dict[str, Callable[[Study], Report]]":
    """Import all experiments, and return their `reproduce` functions by name."""
    from gammon_lab.experiments import (
        alphabeta,
        ballard,
        compare,
        cube,
        dice,
        families,
        front,
        hauk,
        hypergammon,
        judge,
        noise,
        openings,
        small_games,
        strength,
        truth,
    )

    return {
        "alphabeta": alphabeta.reproduce,
        "ballard": ballard.reproduce,
        "compare": compare.reproduce,
        "cube": cube.reproduce,
        "dice": dice.reproduce,
        "front": front.reproduce,
        "hauk": hauk.reproduce,
        "hypergammon": hypergammon.reproduce,
        "iterated": small_games.solve_iterated,
        "nim": small_games.solve_nim,
        "openings": openings.reproduce,
        "pig": small_games.solve_pig,
        "tictactoe": small_games.solve_tictactoe,
        "truth": truth.reproduce,
        "strength": strength.reproduce,
        "noise": noise.reproduce,
        "judge": judge.reproduce,
        "families": families.reproduce,
    }


def _reproduce(
    name: str,
    out: Path,
    seed: int,
    quick: bool,
    pages: Path | None,
    pool: "Pool",
    foreign: "Foreign | None" = None,
) -> None:
    """Repeat one experiment; of these, `compare` takes objects of other programs."""
    from gammon.view.progress import with_bar
    from gammon_lab.experiments.study import Study

    experiment: Callable[..., Report] = experiments()[name]
    given, sources = {}, {}
    if foreign is not None:
        experiment = partial(experiment, foreign=foreign)
        given, sources = foreign.options(), foreign.sources()

    def work(bar: "Bar") -> "Report":
        def on_done(done: int, total: int) -> None:
            bar[:] = done, total

        report = experiment(Study(out, seed, quick, pool, on_done))
        return replace(report, notes=[*report.notes, _SMALL]) if quick else report

    options = ["--quick"] if quick else []
    for option, value in given.items():
        options += [f"--{option} {own}" for own in ([value] if isinstance(value, str) else value)]
    command = " ".join(["gammon reproduce", name, *options, f"--seed {seed}"])
    with _reserved(name, out, seed, quick, {**given, **sources}):
        reporting.show_report(with_bar(work), out, command, pages)


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
    help="Depths of the deeper players to try: 1, 3, 5, 7 or 9.",
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
    from gammon_lab.experiments.noise import NoiseGrid, grid_folder, play_grid
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
