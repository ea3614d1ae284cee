"""The command line. Each command imports what it needs, so that help is instant."""

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gammon.errors import FormatError, GammonError

if TYPE_CHECKING:
    from gammon.engine import Engine
    from gammon.formats.position import Position

__all__ = ["main"]

#: The opening 31, and a middle game with contact all over.
_DEMO = (
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
    "XGID=-b--B-C-CA-AdC-a-c-e-A--A-:0:0:1:62:0:0:0:0:10",
)


#: The modules of gammon.experiments that `reproduce` runs.
_EXPERIMENTS = ("alphabeta", "ballard", "dice", "hauk", "iterated", "nim", "tictactoe")


class _Commands(click.Group):
    """A group that turns gammon's own errors into one line and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except GammonError as error:
            raise click.ClickException(str(error)) from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gammon")
def main() -> None:
    """Backgammon analysis by exact full-width *-minimax search."""


def _print(view: Any) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=120, color_system=None)
    console.print(view)


def _processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _announce_compilation() -> None:
    """Say why the first start takes so long."""
    from gammon.kernel import cache_folder

    if not any(cache_folder().iterdir()):
        click.echo("Compiling the engine; this takes half a minute, once ...", err=True)


def _analyze_one(
    engine: "Engine",
    position: "Position",
    dice: tuple[int, int] | None,
    top: int,
    as_json: bool,
) -> None:
    from gammon.progress import shown
    from gammon.render import analysis_view, roll_table_view
    from gammon.report import analysis_json, roll_table_json

    if dice:
        analysis = shown(lambda bar: engine.analyze(position, dice, top, bar))
        if as_json:
            click.echo(json.dumps(analysis_json(analysis, engine)))
        else:
            _print(analysis_view(analysis, top))
    else:
        rolls = shown(lambda bar: engine.analyze_rolls(position, bar))
        if as_json:
            click.echo(json.dumps(roll_table_json(rolls, engine)))
        else:
            _print(roll_table_view(rolls))


def _analyze_lines(engine: "Engine", dice: tuple[int, int] | None, top: int) -> None:
    """Answer each line of standard input with one JSON line; go on after bad ones."""
    from gammon.formats.position import Position

    failed = 0
    for line in sys.stdin:
        text = line.strip()
        if not text:
            continue
        try:
            position = Position.parse(text)
            _analyze_one(engine, position, dice or position.dice, top, as_json=True)
        except GammonError as error:
            failed += 1
            click.echo(json.dumps({"input": text, "error": str(error)}))
        sys.stdout.flush()
    if failed:
        raise click.ClickException(f"{failed} of the lines could not be analyzed")


@main.command()
@click.argument("position")
@click.option("--dice", help="The roll, such as 31. Default: the dice in the XGID or Match ID.")
@click.option("--depth", default=5, show_default=True, help="Plies: 1, 3, 5 or 7.")
@click.option(
    "--algorithm", default="star2", show_default=True, help="star2, star1, expectimax."
)
@click.option("--top", default=5, show_default=True, help="Plays whose exact value is wanted.")
@click.option("--noise", default=0.0, help="Standard deviation of an error on each leaf.")
@click.option("--noise-seed", default=0, help="Which errors.")
@click.option("--model", help="A model file, or the name of a shipped one.")
@click.option("--max-seconds", type=float, help="Stop at the depth that is complete by then.")
@click.option("--filter", "move_filter", help="Look at fewer plays: tiny, normal, large ...")
@click.option("--threads", type=int, help="For one decision; all processors unless given.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of a table.")
def analyze(
    position: str,
    dice: str | None,
    depth: int,
    algorithm: str,
    top: int,
    noise: float,
    noise_seed: int,
    model: str | None,
    max_seconds: float | None,
    move_filter: str | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Find the best plays of POSITION and their exact values.

    POSITION is a GNU Backgammon Position ID, alone or with a Match ID
    ("PositionID:MatchID"), or an XGID; "-" reads one from each line of
    standard input and writes one line of JSON for each. Without dice, the
    answer is the best play for each of the 21 rolls.

    \b
    gammon analyze 4HPwATDgc/ABMA --dice 31
    gammon analyze "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
    """
    from gammon.formats.position import Position
    from gammon.rules.dice import parse_dice

    roll = parse_dice(dice) if dice else None
    parsed = Position.parse(position) if position != "-" else None
    if top < 1:
        raise FormatError(f"top {top}: expected 1 or more")

    _announce_compilation()
    from gammon.engine import Engine

    engine = Engine(
        depth, algorithm, model, noise, noise_seed,
        max_seconds=max_seconds, threads=_processors() if threads is None else threads,
        move_filter=move_filter,
    )  # fmt: skip
    if parsed is None:
        _analyze_lines(engine, roll, top)
    else:
        _analyze_one(engine, parsed, roll or parsed.dice, top, as_json)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Write JSON lines instead of tables.")
def demo(as_json: bool) -> None:
    """Analyze an opening and a middle-game position, as a first look."""
    _announce_compilation()
    from gammon.engine import Engine
    from gammon.formats.position import Position

    engine = Engine(depth=3)
    for text in _DEMO:
        position = Position.parse(text)
        if as_json:
            _analyze_one(engine, position, position.dice, 5, as_json)
            continue
        click.echo(f'$ gammon analyze "{text}" --depth 3\n')
        _analyze_one(engine, position, position.dice, 5, as_json)
        click.echo()


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of text.")
def info(as_json: bool) -> None:
    """Show versions, the models and their cards, and where compiled code is kept."""
    import importlib.metadata
    import platform

    from gammon.eval.weights import load_model, shipped_models
    from gammon.kernel import cache_folder

    versions = {"python": platform.python_version()}
    for package in ("gammon", "numpy", "numba", "torch"):
        versions[package] = importlib.metadata.version(package)
    models = [load_model(path) for path in shipped_models()]
    if as_json:
        cards = {str(model.path): model.card for model in models}
        click.echo(
            json.dumps({"versions": versions, "models": cards, "cache": str(cache_folder())})
        )
        return
    for package, version in versions.items():
        click.echo(f"{package:8} {version}")
    click.echo(f"{'cache':8} {cache_folder()}")
    for model in models:
        click.echo(f"\nmodel {model.path.stem if model.path else ''}: {model.path}")
        for name, value in model.card.items():
            click.echo(f"  {name}: {value}")


@main.command()
@click.argument("name", type=click.Choice(_EXPERIMENTS))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Results folder.")
@click.option("--seed", default=1, show_default=True, help="Of everything random.")
@click.option("--quick", is_flag=True, help="A small version, for a look.")
@click.option("--workers", default=1, show_default=True, help="Processes.")
def reproduce(name: str, out: Path, seed: int, quick: bool, workers: int) -> None:
    """Repeat an experiment of the papers and compare the figures.

    Writes CSV tables and plots into OUT. A run that was interrupted goes on
    where it stopped, if it is given the same folder and options.
    """
    import importlib

    from gammon.experiments.report import Settings
    from gammon.progress import Bar, shown
    from gammon.render import report_view

    experiment = importlib.import_module(f"gammon.experiments.{name}")

    def work(bar: Bar) -> Any:
        def on_done(done: int, total: int) -> None:
            bar[:] = done, total

        return experiment.run(Settings(out, seed, quick, workers, on_done))

    report = shown(work)
    _print(report_view(report))
    for path in report.write(out):
        click.echo(f"wrote {path}")


@main.command()
@click.option("--positions", default=500, show_default=True, help="At depth 1, 3 and 5.")
@click.option("--deep", default=8, show_default=True, help="At depth 7; 0 for none.")
@click.option("--model", default="leaf", show_default=True, help="The leaf network.")
@click.option("--threads", default=2, show_default=True, help="Where more than one is used.")
@click.option("--against", type=click.Choice(["gnubg"]), help="Measure this program too.")
@click.option("--quick", is_flag=True, help="Ten positions, none at depth 7.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of tables.")
def bench(
    positions: int,
    deep: int,
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

    if quick:
        positions, deep = 10, 0
    settings = Settings(positions, deep, model, threads, gnubg=against is not None)
    found = run_bench(settings, lambda text: click.echo(f"{text} ...", err=True))
    if as_json:
        click.echo(json.dumps(found))
        return
    from gammon.bench import bench_view

    _print(bench_view(found))


@main.command()
@click.argument("a")
@click.argument("b")
@click.option("--games", default=1000, show_default=True, help="At most; pairs, so even.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Results folder.")
@click.option("--seed", default=1, show_default=True, help="Of dice and noise.")
@click.option("--workers", default=1, show_default=True, help="Processes.")
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
    from gammon.match.view import estimate, match_view
    from gammon.progress import counted

    players = parse_player(a), parse_player(b)
    with counted(games) as show:
        result, work = run_match(
            Settings(
                *players, games, out, seed, workers, None if luck == "none" else luck, until_se,
                mat,
                on_result=lambda result: show(result.games, estimate(result)),
            )
        )  # fmt: skip
    _print(match_view(*players, result, work))


@main.command()
@click.argument("recipe", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder of the run."
)
@click.option("--minutes", type=float, help="Stop after so long; the same command goes on.")
@click.option("--threads", default=2, show_default=True, help="Of self-play.")
def train(recipe: Path, out: Path, minutes: float | None, threads: int) -> None:
    """Train a network by self-play, by RECIPE (a TOML file, see scripts/).

    The run lives in the folder OUT: a checkpoint that the same command goes on
    from, and the network so far as OUT/model.safetensors, with its card.
    """
    from gammon.train.config import read_recipe
    from gammon.train.run import Run

    run = Run(read_recipe(recipe), out, threads)
    for progress in run.steps(60 * minutes if minutes else float("inf")):
        click.echo(progress)
    click.echo(f"wrote {run.export()}")
