"""The laboratory's part of the command line: experiments, matches, speed, training."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from gammon.commands.shared import SEED, SEVERAL, Compiling
from gammon.errors import FormatError
from gammon.views.console import print_view

__all__ = ["COMMANDS"]

F = TypeVar("F", bound=Callable[..., Any])

_EXPERIMENTS = ("alphabeta", "ballard", "dice", "hauk", "iterated", "nim", "tictactoe")


def _pool_options(command: F) -> F:
    """Add who does the work of a long command."""
    workers = click.option(
        "--workers", default=1, show_default=True, type=SEVERAL, help="Processes."
    )
    scheduler = click.option(
        "--scheduler", help="Address of a Dask scheduler whose workers do it instead."
    )
    return workers(scheduler(command))


@click.command(cls=Compiling)
@click.argument("name", type=click.Choice(_EXPERIMENTS))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Results folder.")
@click.option("--seed", default=1, show_default=True, type=SEED, help="Of everything random.")
@click.option("--quick", is_flag=True, help="A small version, for a look.")
@_pool_options
def reproduce(
    name: str, out: Path, seed: int, quick: bool, workers: int, scheduler: str | None
) -> None:
    """Repeat an experiment of the papers and compare the figures.

    Writes CSV tables and plots into OUT. A run that was interrupted goes on
    where it stopped, if it is given the same folder and options.
    """
    import importlib

    from gammon.experiments.report import Settings
    from gammon.parallel import Pool
    from gammon.views.analysis import report_view
    from gammon.views.progress import Bar, shown

    experiment = importlib.import_module(f"gammon.experiments.{name}")

    def work(bar: Bar) -> Any:
        def on_done(done: int, total: int) -> None:
            bar[:] = done, total

        return experiment.run(Settings(out, seed, quick, Pool(workers, scheduler), on_done))

    report = shown(work)
    print_view(report_view(report))
    for path in report.write(out):
        click.echo(f"wrote {path}")


@click.command(cls=Compiling)
@click.option("--positions", type=int, help="At depth 1, 3 and 5.  [default: 500]")
@click.option("--deep", type=int, help="At depth 7; 0 for none.  [default: 8]")
@click.option("--model", default="leaf", show_default=True, help="The leaf network.")
@click.option(
    "--threads", default=2, show_default=True, type=SEVERAL, help="Where more than one is used."
)
@click.option("--against", type=click.Choice(["gnubg"]), help="Measure this program too.")
@click.option("--quick", is_flag=True, help="By default ten positions, none at depth 7.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of tables.")
def bench(
    positions: int | None,
    deep: int | None,
    model: str,
    threads: int,
    against: str | None,
    quick: bool,
    as_json: bool,
) -> None:
    """Measure speed on this machine. Counts are checked first.

    The positions are 500 fixed contact positions of self-play. GNU Backgammon's times
    are processor time: its calls wait in steps of 10 ms, which are left out.
    """
    from gammon.bench import Settings, run_bench

    several = {"positions": 10, "deep": 0} if quick else {}
    for name, given in (("positions", positions), ("deep", deep)):
        if given is not None:
            several[name] = given
    settings = Settings(model=model, threads=threads, gnubg=against is not None, **several)
    found = run_bench(settings, lambda text: click.echo(f"{text} ...", err=True))
    if as_json:
        click.echo(json.dumps(found))
        return
    from gammon.views.bench import bench_view

    print_view(bench_view(found))


@click.command(cls=Compiling)
@click.argument("a")
@click.argument("b")
@click.option("--games", default=1000, show_default=True, help="At most; pairs, so even.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Results folder.")
@click.option("--seed", default=1, show_default=True, type=SEED, help="Of dice and noise.")
@_pool_options
@click.option("--until-se", type=float, help="End at this standard error, of points a game.")
@click.option(
    "--luck", default="leaf", show_default=True, help="Network that judges rolls, or none."
)
@click.option("--mat", is_flag=True, help="Write OUT/games.mat, which other programs import.")
def match(
    a: str,
    b: str,
    games: int,
    out: Path,
    seed: int,
    workers: int,
    scheduler: str | None,
    until_se: float | None,
    luck: str,
    mat: bool,
) -> None:
    """Play player A against player B, such as depth=3,noise=0.03 and gnubg=0.

    Settings of a player: depth, algorithm, model, noise, filter; or gnubg=PLIES alone,
    which is GNU Backgammon, where it is installed. Single games for money, without the
    cube; each sequence of dice is played twice with the seats swapped. From each result
    the luck of the dice is taken out: what the rolls were worth beyond their mean.

    Every game is recorded in OUT/games.jsonl. A match that was interrupted goes on where
    it stopped, if it is given the same folder and options.
    """
    from gammon.match import Settings, parse_player, run_match
    from gammon.match.result import estimate
    from gammon.parallel import Pool
    from gammon.views.match import match_view
    from gammon.views.progress import counted

    players = parse_player(a), parse_player(b)
    with counted(games) as show:
        result, work = run_match(
            Settings(
                *players, games, out, seed, Pool(workers, scheduler),
                None if luck == "none" else luck, until_se, mat,
                on_result=lambda result: show(result.games, estimate(result)),
            )
        )  # fmt: skip
    print_view(match_view(*players, result, work))


@click.command(cls=Compiling)
@click.argument("players", nargs=-1, required=True)
@click.option("--seed", default=1, show_default=True, type=SEED, help="Of noise.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of tables.")
def grade(players: tuple[str, ...], seed: int, as_json: bool) -> None:
    """See how much the plays of PLAYERS give away, by the phase of the game.

    The decisions are 2,100 fixed ones of self-play, none of them forced, whose plays were
    searched to depth 5. PR is 500 times the mean loss of equity, in points. PLAYERS are
    written as for `gammon match`.
    """
    from gammon.match.grade import grade as graded
    from gammon.match.player import parse_player
    from gammon.views.match import grade_view

    found = {player: graded(player, seed=seed) for player in map(parse_player, players)}
    if as_json:
        plain = {
            str(player): {phase: each._asdict() for phase, each in grades.items()}
            for player, grades in found.items()
        }
        click.echo(json.dumps(plain))
        return
    print_view(grade_view(found))


def _numbers(text: str, kind: type[int] | type[float], what: str) -> list[Any]:
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        raise FormatError(f"{what} {text!r}: expected numbers such as 1,3,5") from None


@click.command(cls=Compiling)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Results folder.")
@click.option(
    "--sigma",
    default="0,0.01,0.02,0.03,0.05,0.1",
    show_default=True,
    help="Standard deviations of the errors, in points of equity.",
)
@click.option("--depth", default="1,3,5", show_default=True, help="Of the deeper players.")
@click.option("--games", default=5000, show_default=True, help="Of each match, at most.")
@click.option(
    "--until-se",
    type=float,
    help="End a match at this standard error; from depth 5 on at twice that.",
)
@click.option("--seed", default=1, show_default=True, type=SEED, help="Of dice and errors.")
@_pool_options
@click.option("--model", default="leaf", show_default=True, help="The network of all players.")
@click.option(
    "--on-outputs",
    is_flag=True,
    help="Errors on the equity that are what such errors on each of five outputs come to.",
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
    on_outputs: bool,
) -> None:
    """Study how much depth matters when the evaluator errs.

    For each sigma and depth two matches: against depth 1 with errors of the same size,
    and against depth 1 without. Writes a table, plots and a page into OUT. A run that was
    interrupted goes on where it stopped, if it is given the same folder and options.
    """
    from gammon.experiments.noise import Settings, run
    from gammon.parallel import Pool
    from gammon.views.analysis import report_view
    from gammon.views.progress import counted

    sigmas, depths = _numbers(sigma, float, "sigma"), _numbers(depth, int, "depth")
    with counted(1) as show:
        report = run(
            Settings(
                out, sigmas, depths, games, seed, Pool(workers, scheduler), until_se, model,
                on_outputs,
                lambda done, total, text: show(done / total, text),
            )
        )  # fmt: skip
    print_view(report_view(report))
    for path in report.write(out):
        click.echo(f"wrote {path}")


@click.command(cls=Compiling)
@click.argument("recipe", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder of the run."
)
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    help="Stop after so long; the same command goes on.",
)
@click.option("--threads", default=2, show_default=True, type=SEVERAL, help="Of self-play.")
@click.option(
    "--device",
    type=click.Choice(["cpu", "cuda"]),
    help="Where the learner works. [default: cuda where there is one]",
)
def train(
    recipe: Path, out: Path, minutes: float | None, threads: int, device: str | None
) -> None:
    """Train a network by self-play, by RECIPE (a TOML file, see scripts/).

    The run lives in the folder OUT: a checkpoint that the same command goes on
    from, and the network so far as OUT/model.safetensors, with its card.
    """
    import torch

    from gammon.train.config import read_recipe
    from gammon.train.run import Run

    has_gpu = torch.cuda.is_available()
    if device == "cuda" and not has_gpu:
        raise FormatError("device 'cuda': expected a GPU, and torch finds none")
    run = Run(read_recipe(recipe), out, threads, device or ("cuda" if has_gpu else "cpu"))
    for progress in run.steps(float("inf") if minutes is None else 60 * minutes):
        click.echo(progress)
    click.echo(f"wrote {run.export()}")


@click.group()
def bearoff() -> None:
    """Exact chances of positions in which all checkers are at home."""


@bearoff.command()
@click.option("--out", type=click.Path(path_type=Path), help="A file; the cache by default.")
def build(out: Path | None) -> None:
    """Build the tables anew. Without this, the first use builds them."""
    import time

    from gammon.eval.bearoff_file import build_file, default_path

    begun = time.perf_counter()
    path = build_file(out or default_path())
    megabytes = path.stat().st_size / 1e6
    click.echo(f"wrote {path}: {megabytes:.1f} MB in {time.perf_counter() - begun:.1f} s")


#: All of them, for `gammon.commands.main`.
COMMANDS: tuple[click.Command, ...] = (
    bearoff, reproduce, bench, match, grade, noise, train,
)  # fmt: skip
