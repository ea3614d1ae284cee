"""`gammon analyze`: the best plays of a position or its cube decision, or of each of many."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from gammon.base.errors import SettingError
from gammon.commands.positions import TakesPosition, read_position
from gammon.commands.process import input_lines
from gammon.commands.shared import (
    announce_compilation,
    dice_option,
    json_option,
    model_option,
)
from gammon.commands.terms import NOTHING_ASKED, AskedTerms, terms_options, worth_options
from gammon.commands.types import ALGORITHM, DEPTH, FILTER, SEED, SEVERAL
from gammon.shown import to_json
from gammon.shown.console import echo_json, print_view

if TYPE_CHECKING:
    from rich.console import RenderableType

    from gammon.answers.engine import Engine
    from gammon.formats.position import Position
    from gammon.search import Stop
    from gammon.shown.progress import Bar

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
@click.option(
    "--workers", type=SEVERAL, metavar="N",
    help='With "-": analyze so many positions at the same time; one unless given.',
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
    workers: int | None,
    as_json: bool,
) -> None:
    """Find the best plays of POSITION and their exact values.

    POSITION is a GNU Backgammon Position ID, alone or with a Match ID
    ("PositionID:MatchID"), or an XGID, or a pasted text that holds one; "-" reads one from
    each line of standard input and writes one line of JSON for each; a line may be a query in
    JSON too (docs/protocols.md). Without dice, the answer is the cube decision: whether to
    double, and whether to take.

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
    if parsed is not None and workers is not None:
        raise SettingError(f'--workers {workers}: expected "-" in place of the position')
    workers = workers or 1
    threads = threads or max(1, _processors() // workers)

    announce_compilation()
    from gammon.answers.engine import Engine
    from gammon.formats.met_file import read_met

    table = None if met is None else read_met(met)

    @cache
    def engine_of(depth: int) -> Engine:
        return Engine(
            depth, algorithm, model, noise, noise_seed, max_seconds=max_seconds,
            threads=threads, move_filter=move_filter, stakes=stakes,
            cube=False if cubeless else None, met=table,
        )  # fmt: skip

    engine_of(int(depth))  # which checks the settings
    ask = Question(asked, roll, top, plays, rolls, scores)
    if parsed is None:
        _analyze_lines(engine_of, int(depth), ask, workers)
    else:
        show_analysis(engine_of(int(depth)), parsed, ask, as_json)


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
    from gammon.shown.progress import shown

    answer = shown(lambda bar: _analyzed(engine, position, ask, bar))
    if as_json:
        echo_json(to_json(answer.found))
    else:
        print_view(answer.view(answer.found))


class _Answer(NamedTuple):
    """An answer, and how it is shown.

    Attributes:
        found: the answer.
        view: makes tables of it.
    """

    found: Any
    view: "Callable[[Any], RenderableType]"


def _analyzed(
    engine: "Engine",
    position: "Position",
    ask: Question,
    bar: "Bar | None" = None,
    stop: "Stop | None" = None,
) -> _Answer:
    """Analyze a position; the errors are those of `show_analysis`."""
    from gammon.shown.analysis import analysis_view, roll_table_view
    from gammon.shown.cube import cube_view
    from gammon.shown.score_grid import play_grid_view, score_grid_view

    position = ask.asked.placed(position)
    dice = ask.roll or position.dice
    if dice and ask.rolls:
        raise SettingError(f"--rolls with the roll {dice[0]}{dice[1]}: expected no roll")
    if ask.scores and ask.plays:
        raise SettingError(f"--play {ask.plays[0]!r} with --scores: expected one of the two")
    scores = ask.scores or 0
    if dice and scores:
        return _Answer(engine.plays_by_score(position, dice, scores, bar), play_grid_view)
    if dice:
        found = engine.analyze(position, dice, ask.top, bar, ask.plays, stop)
        return _Answer(found, analysis_view)
    if ask.plays:
        raise SettingError(f"--play {ask.plays[0]!r}: expected a roll too, such as --dice 31")
    if scores:
        return _Answer(engine.cube_by_score(position, scores, bar), score_grid_view)
    if engine.cubeful and not ask.rolls:
        return _Answer(engine.cube(position, stop), cube_view)
    return _Answer(engine.analyze_rolls(position, bar, stop), roll_table_view)


def _analyze_lines(
    engine_of: "Callable[[int], Engine]", depth: int, ask: Question, workers: int
) -> None:
    """Answer the lines of standard input, each with lines of JSON; go on after bad ones."""
    from gammon.protocols.queries import Query
    from gammon.protocols.stream import answers_to

    def answer(position: "Position", query: Query, depth: int, stop: "Stop") -> dict[str, Any]:
        asked = replace(
            ask, roll=query.dice, top=query.top, plays=query.plays, rolls=query.rolls
        )
        return to_json(_analyzed(engine_of(depth), position, asked, stop=stop).found)

    defaults = Query(
        dice=ask.roll, depth=depth, top=ask.top, plays=tuple(ask.plays), rolls=ask.rolls
    )
    failed = 0
    for values in answers_to(input_lines(), answer, defaults, workers):
        failed += "error" in values
        echo_json(values)
        sys.stdout.flush()
    if failed:
        raise click.ClickException(f"{failed} of the lines could not be analyzed")
