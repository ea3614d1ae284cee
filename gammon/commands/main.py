"""The command line. Each command imports what it needs, so that help is instant."""

import json
import os
import sys
from typing import TYPE_CHECKING

import click

from gammon.commands.lab import COMMANDS
from gammon.commands.shared import SEED, SEVERAL, Commands, Compiling, announce_compilation
from gammon.errors import FormatError, GammonError
from gammon.views.console import print_view

if TYPE_CHECKING:
    from gammon.engine import Engine
    from gammon.formats.position import Position

__all__ = ["main"]

#: The opening 31, and a middle game with contact all over.
_DEMO = (
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
    "XGID=-b--B-C-CA-AdC-a-c-e-A--A-:0:0:1:62:0:0:0:0:10",
)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gammon")
def main() -> None:
    """Backgammon analysis by exact full-width *-minimax search."""


def _processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _analyze_one(
    engine: "Engine",
    position: "Position",
    dice: tuple[int, int] | None,
    top: int,
    as_json: bool,
) -> None:
    from gammon.views.analysis import analysis_view, roll_table_view
    from gammon.views.json import analysis_json, roll_table_json
    from gammon.views.progress import shown

    if dice:
        analysis = shown(lambda bar: engine.analyze(position, dice, top, bar))
        if as_json:
            click.echo(json.dumps(analysis_json(analysis, engine)))
        else:
            print_view(analysis_view(analysis, top))
    else:
        rolls = shown(lambda bar: engine.analyze_rolls(position, bar))
        if as_json:
            click.echo(json.dumps(roll_table_json(rolls, engine)))
        else:
            print_view(roll_table_view(rolls))


def _analyze_lines(engine: "Engine", dice: tuple[int, int] | None, top: int) -> None:
    """Answer each line of standard input with one JSON line; go on after bad ones."""
    from gammon.formats.position import Position

    failed = 0
    for line in sys.stdin.buffer:
        text = line.decode(errors="replace").strip()
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
    "--algorithm", default="star2", show_default=True,
    help="star2, star2.5, star1, gamma, expectimax.",
)  # fmt: skip
@click.option("--top", default=5, show_default=True, help="Plays whose exact value is wanted.")
@click.option("--noise", default=0.0, help="Standard deviation of an error on each leaf.")
@click.option("--noise-seed", default=0, type=SEED, help="Which errors.")
@click.option("--model", help="A model file, or the name of a shipped one.")
@click.option(
    "--max-seconds", type=float, help="Stop each roll at the depth that is complete by then."
)
@click.option("--filter", "move_filter", help="Look at fewer plays: tiny, normal, large ...")
@click.option("--threads", type=SEVERAL, help="For one decision; all processors unless given.")
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
    ("PositionID:MatchID"), or an XGID with its "XGID="; "-" reads one from each line of
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

    announce_compilation()
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


@main.command(cls=Compiling)
@click.option("--json", "as_json", is_flag=True, help="Write JSON lines instead of tables.")
def demo(as_json: bool) -> None:
    """Analyze an opening and a middle-game position, as a first look."""
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

    from gammon.eval.model_file import load_model, shipped_models
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


for command in COMMANDS:
    main.add_command(command)
