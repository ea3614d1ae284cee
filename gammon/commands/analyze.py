"""`gammon analyze`: the best plays, or the cube decision, of one position or of many; and `demo`."""

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from gammon.base.errors import SettingError
from gammon.commands.options import SEVERAL, THREADS, question_options
from gammon.commands.process import input_lines
from gammon.commands.shared import (
    TakesPosition,
    check_rules,
    check_seeds,
    check_used,
    echo_json,
    json_option,
    model_option,
    print_answer,
    print_view,
    processors,
    read_position,
)
from gammon.engine.question import Question
from gammon.view import to_json

if TYPE_CHECKING:
    from gammon.engine.engine import Engine
    from gammon.formats.position import Position
    from gammon.search import Stop


@click.command(cls=TakesPosition)
@click.argument("position", nargs=-1, required=True)
@question_options()
@model_option()
@click.option(
    "--threads",
    type=THREADS,
    metavar="N",
    help="Processors for one roll; all unless given. The answer is the same.",
)
@click.option(
    "--workers",
    type=SEVERAL,
    metavar="N",
    help='With "-": analyze this many positions at the same time; one unless given.',
)
@click.option(
    "--stats",
    is_flag=True,
    help="Also show the bounds of the plays that were searched less deep, and the work of the search: nodes, "
    "leaves, probes, cutoffs, time, and the width of the position.",
)
@json_option("Write JSON instead of a table.")
def analyze(
    position: tuple[str, ...],
    asked: Question,
    model: str,
    threads: int | None,
    workers: int | None,
    stats: bool,
    as_json: bool,
) -> None:
    """Find the best plays of POSITION and their values.

    POSITION is a GNU Backgammon Position ID, alone or with its Match ID
    ("PositionID:MatchID"), an XGID, an OGID, or pasted text that contains one of them. Without
    dice, the answer is the decision about the cube: whether to double, and whether to take.
    With --cubeless or --stakes it is the best play of each roll. docs/analyze.md explains how to
    read the answer, docs/glossary.md its words.

    With "-", each line of standard input is a position, or a query in JSON
    (docs/embed.md), and each answer is a line of JSON.

    \b
    gammon analyze 4HPwATDgc/ABMA --dice 31
    gammon analyze "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
    gammon analyze d7xBAAPuzRkABA --match 7 --score 4-3
    """
    parsed = read_position(position, hints=True) if position != ("-",) else None
    if parsed is not None and workers is not None:
        raise SettingError(f'--workers {workers}: expected "-" in place of the position')
    if parsed is not None:
        _check_used(asked, parsed)
    workers = workers or 1

    from gammon.engine.engine import Engine

    engine = Engine(model=model, threads=threads or max(1, processors() // workers))
    engine.check(asked)
    if parsed is None:
        _analyze_lines(engine, asked, workers)
    else:
        show_answer(engine, replace(asked, position=parsed), as_json, stats)


def _check_used(asked: Question, position: "Position") -> None:
    """Raise a usage error if an option has no effect.

    This is not done for lines of input, whose settings may give the option an effect.

    Args:
        asked: the question without its position.
        position: the position.
    """
    check_seeds(asked)
    check_rules(asked, "met")
    check_used("a depth of 3 or more", asked.depth > 1, "move_filter")
    is_single, dice = asked.scores is None and not asked.owners, asked.dice or position.dice
    check_used("the plays of one roll", is_single and dice is not None, "top")
    length = position.context.length if asked.match is None else asked.match
    check_used("a match", asked.scores is not None or length > 0, "met")


def show_answer(engine: "Engine", question: Question, as_json: bool = False, stats: bool = False) -> None:
    """Print the answer to a question.

    Args:
        engine: the engine that answers.
        question: the question.
        as_json: print a line of JSON instead of tables.
        stats: also print the work of the search.

    Raises:
        GammonError: see `Engine.answer`.
    """
    from gammon.view.progress import with_bar

    answer = with_bar(lambda bar: engine.answer(question, bar))
    print_answer(answer, as_json)
    work = getattr(answer, "stats", None)  # answers from exact tables, and grids, have none
    if stats and work is not None and not as_json:
        from gammon.engine.analysis import Analysis
        from gammon.view.analysis import bounds_table, work_line
        from gammon.view.tables import indented

        bounds = bounds_table(answer) if isinstance(answer, Analysis) else None
        width = engine.width(question)
        for view in (bounds and indented(bounds), work_line(work, answer.seconds, width)):
            if view is not None:
                click.echo()
                print_view(view)


def _analyze_lines(engine: "Engine", asked: Question, workers: int) -> None:
    """Answer each line of standard input with lines of JSON; continue after bad lines."""
    from gammon.commands.stream import answers_to

    def answer(question: Question, stop: "Stop") -> dict[str, Any]:
        return to_json(engine.answer(question, stop=stop))

    failed = 0
    for values in answers_to(input_lines(), answer, asked, workers):
        failed += "error" in values and "terminated" not in values
        echo_json(values)
        sys.stdout.flush()
    if failed:
        raise click.ClickException(f"{failed} of the lines could not be analyzed")


#: The opening 31, a middle game with much contact, and a cube decision in a match.
_POSITIONS = (
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
    "XGID=-b--B-C-CA-AdC-a-c-e-A--A-:0:0:1:62:0:0:0:0:10",
    "XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:4:3:0:7:10",
)
_DEPTH = 3


@click.command()
@json_option("Write JSON lines instead of tables.")
def demo(as_json: bool) -> None:
    """Analyze three positions, as a first look."""
    from gammon.engine.engine import Engine
    from gammon.formats.position import Position

    engine = Engine()
    for text in _POSITIONS:
        position = Position.parse(text)
        if not as_json:
            click.echo(f'$ gammon analyze "{text}" --depth {_DEPTH}\n')
        show_answer(engine, Question(position=position, depth=_DEPTH), as_json)
        if not as_json:
            click.echo()
