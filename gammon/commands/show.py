"""`gammon show`: a position as a board in text, SVG or PNG."""

from dataclasses import replace
from pathlib import Path

import click

from gammon.base.errors import SettingError
from gammon.base.files import write_bytes, write_text
from gammon.commands.options import question_options
from gammon.commands.positions import TakesPosition, read_position
from gammon.commands.shared import check_apart, check_used
from gammon.commands.types import COLOURS, PLACE
from gammon.engine.question import TERMS, Question
from gammon.view.console import print_view


@click.command(cls=TakesPosition)
@click.argument("position", nargs=-1, required=True)
@click.option("--play", metavar="PLAY", help='A play that the drawing shows by arrows, such as "8/5 6/5".')
@click.option("--turned", is_flag=True, help="Show the board from the other player's side.")
@click.option("--svg", type=PLACE, metavar="FILE", help="Draw the board as SVG into a file.")
@click.option("--png", type=PLACE, metavar="FILE", help="Draw the board as PNG (docs/files.md).")
@click.option(
    "--colours",
    default="light",
    show_default=True,
    type=COLOURS,
    help="The colours of the drawing; print is black and white.",
)
@question_options("dice", *TERMS)
def show(
    position: tuple[str, ...],
    play: str | None,
    turned: bool,
    svg: Path | None,
    png: Path | None,
    colours: str,
    asked: Question,
) -> None:
    """Show POSITION: the board, its IDs, the pips and the score.

    POSITION is written as for `gammon analyze`; standard input is not read.

    \b
    gammon show 4HPwATDgc/ABMA
    gammon show 4HPwATDgc/ABMA --dice 31 --play "8/5 6/5" --svg board.svg
    gammon show 4HPwATDgc/ABMA --match 7 --score 3-5 --png board.png
    """
    check_used("--svg or --png", bool(svg or png), "colours")
    check_apart("--png", png, "--svg", svg)
    from rich.console import Group

    from gammon.formats.play import find_play
    from gammon.view.heading import heading, terms_words
    from gammon.view.svg.drawing import turn_words

    placed = replace(asked, position=read_position(position)).placed()
    title, shown_play = turn_words(placed), None
    if play is not None:
        if placed.dice is None:
            raise SettingError(f"--play {play!r}: expected a roll too, such as --dice 31")
        shown_play = find_play(placed, placed.dice, play)
        title += f": {shown_play}"
    terms_line = terms_words(placed.context.terms(), placed.context)
    lines = []
    if svg or png:
        from gammon.view.svg import board
        from gammon.view.svg import png as as_png

        drawing = board(placed, play=shown_play, colours=colours, turned=turned)
        if svg:
            write_text(svg, drawing)
        if png:
            write_bytes(png, as_png(drawing))
        lines = [f"wrote {path}" for path in (svg, png) if path]
    print_view(Group(*heading(placed, title, [terms_line], turned)))
    for line in lines:
        click.echo(line)
