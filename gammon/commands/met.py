"""`gammon met`: the match equity table."""

import json
from pathlib import Path

import click

from gammon.commands.shared import OneLine, json_option
from gammon.commands.types import PLACE
from gammon.views.console import print_view

__all__ = ["met"]


@click.command(cls=OneLine)
@click.argument("file", required=False, type=PLACE)
@click.option(
    "--length", default=15, show_default=True, type=click.IntRange(1, 64), metavar="N",
    help="Show the scores of matches to this many points, up to 64.",
)  # fmt: skip
@json_option("Write the table to 64 points as JSON.")
def met(file: Path | None, length: int, as_json: bool) -> None:
    """Show the match equity table.

    It says how likely a side is to win a match, by the points that both still need. FILE is
    another table: in XML as GNU Backgammon has it, or in lines of numbers between commas as
    docs/cube.md describes. Without it, the table is that of Kazaross-XG2.

    \b
    gammon met --length 7
    gammon met /usr/share/gnubg/met/g11.xml
    """
    from gammon.formats.met_file import read_met
    from gammon.views.met import met_json, met_view

    table = read_met(file)
    if as_json:
        click.echo(json.dumps(met_json(table)))
    else:
        print_view(met_view(table, length))
