"""`gammon met`: the match equity table."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gammon.base.files import write_text
from gammon.commands.options import PLACE, Integer, question_options, with_default
from gammon.commands.shared import (
    check_apart,
    check_not_read,
    check_used,
    echo_json,
    json_option,
    model_option,
    print_view,
    threads_option,
)
from gammon.engine.question import Question

if TYPE_CHECKING:
    from gammon.rules.match_equity import MatchEquityTable


@click.command()
@click.argument("file", required=False, type=PLACE)
@click.option(
    "--length",
    default=15,
    show_default=True,
    type=Integer(1, 64),
    metavar="N",
    help="Show the scores of matches to this many points, up to 64.",
)
@click.option(
    "--make",
    is_flag=True,
    help="Compute a table for matches to --length points; show how it differs from the other table.",
)
@question_options(with_default("depth", 3, "With --make: plies of the search of each opening roll."))
@model_option("With --make: the network that evaluates positions")
@threads_option("a search of --make")
@click.option("--out", type=PLACE, metavar="FILE", help="Write the table into a file.")
@json_option("Write the table to 64 points as JSON.")
def met(
    file: Path | None,
    length: int,
    make: bool,
    asked: Question,
    model: str,
    threads: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Show the match equity table.

    The table has the chance of a side to win a match, by the points that both still need. FILE
    is another table: an XML file of GNU Backgammon, or lines of numbers separated by commas
    (docs/files.md). Without FILE the command shows the Kazaross-XG2 table.

    \b
    gammon met --length 7
    gammon met /usr/share/gnubg/met/g11.xml
    gammon met --make --length 9 --out our.csv
    """
    check_used("--make", make, "depth", "model", "threads")
    check_apart("--out", out, "FILE", file)
    check_not_read("--out", out, "model")
    from gammon.formats.met_file import format_met, read_met
    from gammon.view import to_json
    from gammon.view.met import difference_view, met_view

    table = other = read_met(file)
    if make:
        table = _made(length, asked.depth, model, threads)
    if as_json:
        echo_json(to_json(table))
    else:
        print_view(met_view(table, length))
        if make:
            print_view(difference_view(table, other, length))
    if out is not None:
        write_text(out, format_met(table))


def _made(length: int, depth: int, model: str, threads: int) -> "MatchEquityTable":
    from gammon.engine.met_maker import make_met
    from gammon.view.progress import counted

    with counted(1) as show:
        return make_met(length, depth, model, threads, lambda done, total: show(done / total, "scores"))
