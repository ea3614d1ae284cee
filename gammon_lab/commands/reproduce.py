"""`gammon reproduce`: the papers' experiments."""

from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gammon.base.errors import SettingError
from gammon.commands import shared
from gammon_lab.commands import reporting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gammon.base.parallel import Pool
    from gammon.view.progress import Bar
    from gammon_lab.experiments.study import Study
    from gammon_lab.reports.report import Report

#: The last three need PyTorch and other programs, so they end a run of `all`.
_EXPERIMENTS = (
    "alphabeta", "ballard", "compare", "cube", "dice", "front", "hauk", "hypergammon", "iterated", "nim",
    "openings", "pig", "tictactoe", "truth", "strength", "noise", "judge", "families",
)  # fmt: skip
_ALL, _COMPARE = "all", "compare"
_NOTHING: "Mapping[str, Any]" = {}
_SMALL = (
    "This is the small version, to see what the tables hold: its figures come from few games and "
    "positions. A mean of fewer than ten has no standard error."
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
    from gammon_study.view.plot import check_plots

    check_plots("gammon reproduce")
    pool = Pool(workers, scheduler)
    own = {"game": game, "evaluator": evaluator, "algorithm": list(algorithm)}
    foreign = {option: value for option, value in own.items() if value}
    if foreign and name != _COMPARE:
        raise SettingError(f"--{next(iter(foreign))} with {name}: expected {_COMPARE}")
    if name != _ALL:
        _reproduce(name, out, seed, quick, pages, pool, foreign)
        return
    with _reserved(name, out, seed, quick):
        for experiment in _EXPERIMENTS:
            _reproduce(experiment, out / experiment, seed, quick, pages, pool)


def _reserved(
    name: str, out: Path, seed: int, quick: bool, foreign: "Mapping[str, Any]" = _NOTHING
) -> AbstractContextManager[None]:
    """Return a context manager that reserves the folder of a run, see `gammon.base.folder`."""
    from gammon.base.folder import run_folder

    title = "all experiments" if name == _ALL else f"the experiment {name}"
    facts = {"experiment": name, "seed": seed, "quick": quick, **foreign}
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
        iterated,
        judge,
        nim,
        noise,
        openings,
        pig,
        strength,
        tictactoe,
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
        "iterated": iterated.reproduce,
        "nim": nim.reproduce,
        "openings": openings.reproduce,
        "pig": pig.reproduce,
        "tictactoe": tictactoe.reproduce,
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
    foreign: "Mapping[str, Any]" = _NOTHING,
) -> None:
    """Repeat one experiment; `foreign` has the names of other programs' objects, by option."""
    from gammon.view.progress import with_bar
    from gammon_lab.experiments.study import Study

    experiment: Callable[..., Report] = partial(experiments()[name], **foreign)

    def work(bar: "Bar") -> "Report":
        def on_done(done: int, total: int) -> None:
            bar[:] = done, total

        report = experiment(Study(out, seed, quick, pool, on_done))
        return replace(report, notes=[*report.notes, _SMALL]) if quick else report

    options = ["--quick"] if quick else []
    for option, value in foreign.items():
        options += [f"--{option} {own}" for own in ([value] if isinstance(value, str) else value)]
    command = " ".join(["gammon reproduce", name, *options, f"--seed {seed}"])
    with _reserved(name, out, seed, quick, foreign):
        reporting.show_report(with_bar(work), out, command, pages)
