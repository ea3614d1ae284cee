"""`gammon analyze`: the best plays of a position or its cube decision, or of each of many."""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gammon.commands.positions import TakesPosition, read_position, texts_from
from gammon.commands.shared import (
    announce_compilation,
    dice_option,
    json_option,
    model_option,
)
from gammon.commands.terms import NOTHING_ASKED, AskedTerms, terms_options, worth_options
from gammon.commands.types import ALGORITHM, DEPTH, FILTER, SEED, SEVERAL
from gammon.errors import GammonError, SettingError
from gammon.views.console import print_view

if TYPE_CHECKING:
    from rich.console import RenderableType

    from gammon.engine import Engine
    from gammon.formats.position import Position

__all__ = ["Question", "analyze", "show_analysis"]


@click.command(cls=TakesPosition)
@click.argument("position", nargs=-1, required=True)
@dice_option()
@click.option(
    "--depth", default="5", show_default=True, type=DEPTH,
    help="Plies to search: 3 takes an instant, 5 a second, 7 a minute.",
)  # fmt: skip
@click.option(
    "--algorithm", default="star2", show_default=True, type=ALGORITHM,
    help="How to search. The answer is the same; star2 is the fastest.",
)  # fmt: skip
@click.option(
    "--top", default=5, show_default=True, metavar="N",
    help="How many of the best plays get exact values; others get an upper bound.",
)  # fmt: skip
@click.option(
    "--play", "plays", multiple=True, metavar="PLAY",
    help='A play that gets an exact value too, such as "13/7 8/7"; may be repeated.',
)  # fmt: skip
@click.option(
    "--noise", default=0.0, show_default=True, metavar="POINTS",
    help="Make the network worse, to see what that changes: errors of this standard deviation "
    "are added to what it says.",
)  # fmt: skip
@click.option(
    "--noise-seed", default=0, show_default=True, type=SEED, metavar="N",
    help="Any number; it picks the errors of --noise. The same number gives the same ones.",
)  # fmt: skip
@model_option()
@click.option(
    "--max-seconds", type=float, metavar="SECONDS",
    help="Take no more time than this for a roll: answer from the last depth of 1, 3, 5, 7 "
    "that is complete.",
)  # fmt: skip
@click.option(
    "--filter", "move_filter", type=FILTER,
    help="Search fewer plays, as GNU Backgammon's move filters do; all unless given.",
)  # fmt: skip
@terms_options
@worth_options
@click.option(
    "--rolls",
    is_flag=True,
    help="Without a roll: show the best play of each of the 21 rolls.",
)
@click.option(
    "--scores", type=click.IntRange(1, 25), metavar="N",
    help="Show the best play, or without a roll the cube decision, at all scores to N away.",
)  # fmt: skip
@click.option(
    "--threads", type=SEVERAL, metavar="N",
    help="Processors that share one roll; all unless given. The answer is the same.",
)  # fmt: skip
@json_option("Write JSON instead of a table.")
def analyze(
    position: tuple[str, ...],
    dice: str | None,
    depth: str,
    algorithm: str,
    top: int,
    plays: tuple[str, ...],
    noise: float,
    noise_seed: int,
    model: str,
    max_seconds: float | None,
    move_filter: str | None,
    asked: AskedTerms,
    cubeless: bool,
    stakes: str | None,
    met: Path | None,
    rolls: bool,
    scores: int | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Find the best plays of POSITION and their exact values.

    POSITION is a GNU Backgammon Position ID, alone or with a Match ID
    ("PositionID:MatchID"), or an XGID, or a pasted text that holds one; "-" reads one from
    each line of standard input and writes one line of JSON for each. Without dice, the
    answer is the cube decision: whether to double, and whether to take.

    \b
    gammon analyze 4HPwATDgc/ABMA --dice 31
    gammon analyze "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
    gammon analyze 2+4NAQwyt8MBIA --match 7 --score 3-5
    """
    from gammon.rules.dice import parse_dice

    roll = None if dice is None else parse_dice(dice)
    parsed = read_position(position, hints=True) if position != ("-",) else None
    if top < 1:
        raise SettingError(f"top {top}: expected 1 or more")

    announce_compilation()
    from gammon.engine import Engine
    from gammon.formats.met_file import read_met

    engine = Engine(
        int(depth), algorithm, model, noise, noise_seed,
        max_seconds=max_seconds, threads=_processors() if threads is None else threads,
        move_filter=move_filter, stakes=stakes, cube=False if cubeless else None,
        met=None if met is None else read_met(met),
    )  # fmt: skip
    ask = Question(asked, roll, top, plays, rolls, scores)
    if parsed is None:
        _analyze_lines(engine, ask)
    else:
        show_analysis(engine, parsed, ask, as_json)


def _processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Question:
    """The question that is asked about each position.

    Attributes:
        asked: the stakes, in place of the position's own.
        roll: in place of the position's own.
        top: plays whose exact value is wanted.
        plays: others whose exact value is wanted.
        rolls: the best play of each of the 21 rolls is wanted, where there is none.
        scores: the answers at all scores to so many points away.
    """

    asked: AskedTerms = NOTHING_ASKED
    roll: tuple[int, int] | None = None
    top: int = 5
    plays: Sequence[str] = ()
    rolls: bool = False
    scores: int | None = None


def show_analysis(
    engine: "Engine", position: "Position", ask: Question, as_json: bool = False
) -> None:
    """Analyze a position and print the answer.

    Args:
        engine: does it.
        position: seen from the player on roll.
        ask: the question.
        as_json: print a line of JSON instead of tables.

    Raises:
        SettingError: there are plays but no dice, or dice where there should be none; or no
            game has such stakes.
    """
    from gammon.text.analysis import analysis_view, roll_table_view
    from gammon.text.cube import cube_view
    from gammon.text.score_grid import play_grid_view, score_grid_view
    from gammon.views.json import (
        analysis_json,
        cube_json,
        play_grid_json,
        roll_table_json,
        score_grid_json,
    )
    from gammon.views.progress import shown

    position = ask.asked.placed(position)
    dice = ask.roll or position.dice
    view: RenderableType
    if dice and ask.rolls:
        raise SettingError(f"--rolls with the roll {dice[0]}{dice[1]}: expected no roll")
    if ask.scores and ask.plays:
        raise SettingError(f"--play {ask.plays[0]!r} with --scores: expected one of the two")
    scores = ask.scores or 0
    if dice and scores:
        plays = shown(lambda bar: engine.plays_by_score(position, dice, scores, bar))
        view, values = play_grid_view(plays), play_grid_json(plays, engine)
    elif dice:
        analysis = shown(lambda bar: engine.analyze(position, dice, ask.top, bar, ask.plays))
        view, values = analysis_view(analysis), analysis_json(analysis, engine)
    elif ask.plays:
        raise SettingError(f"--play {ask.plays[0]!r}: expected a roll too, such as --dice 31")
    elif scores:
        grid = shown(lambda bar: engine.cube_by_score(position, scores, bar))
        view, values = score_grid_view(grid), score_grid_json(grid, engine)
    elif engine.cubeful and not ask.rolls:
        decision = engine.cube(position)
        view, values = cube_view(decision), cube_json(decision, engine)
    else:
        rolls = shown(lambda bar: engine.analyze_rolls(position, bar))
        view, values = roll_table_view(rolls), roll_table_json(rolls, engine)
    if as_json:
        click.echo(json.dumps(values))
    else:
        print_view(view)


def _analyze_lines(engine: "Engine", ask: Question) -> None:
    """Answer each line of standard input with one JSON line; go on after bad ones."""
    from gammon.formats.characters import shortened
    from gammon.formats.position import Position

    failed = 0
    for text in texts_from(sys.stdin.buffer):
        try:
            show_analysis(engine, Position.parse(text), ask, True)
        except GammonError as error:
            failed += 1
            click.echo(json.dumps({"input": shortened(text), "error": str(error)}))
        sys.stdout.flush()
    if failed:
        raise click.ClickException(f"{failed} of the lines could not be analyzed")
