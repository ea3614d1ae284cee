"""`gammon show` and `gammon bearoff`: a position without a search, as a board or as a race."""

from dataclasses import replace
from pathlib import Path

import click

from gammon.base.errors import SettingError
from gammon.base.files import write_bytes, write_text
from gammon.commands.group import Commands
from gammon.commands.options import COLOURS, PLACE, question_options
from gammon.commands.shared import (
    TakesPosition,
    check_apart,
    check_used,
    json_option,
    print_answer,
    print_view,
    read_position,
)
from gammon.engine.question import TERMS, Question


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


class _Positions(Commands):
    """A group in which `show` may be left out before its arguments."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, with `show` before them if it is left out."""
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Positions, subcommand_metavar="POSITION [--json]")
def bearoff() -> None:
    """Show the chances and the rolls of a race or a bearoff.

    POSITION is written as for `gammon analyze`; standard input is not read. The answer has the
    chances of both players before the roll, and the mean number of rolls in which each player
    bears off all checkers. No search is needed. `gammon bearoff POSITION` is short for
    `gammon bearoff show POSITION`.

    \b
    gammon bearoff t20PAADbtg8AAA
    """


@bearoff.command("show", cls=TakesPosition)
@click.argument("position", nargs=-1, required=True)
@json_option("Write JSON instead of tables.")
def show_race(position: tuple[str, ...], as_json: bool) -> None:
    """Show the chances and the rolls of POSITION.

    The chances are exact if each side has 6 checkers or fewer, all at home. Otherwise they
    assume that each side plays for the fewest rolls on average, and a note below the table
    mentions it. If a side has more than three checkers, and not all of them at home, a network
    estimates its rolls. A ~ marks numbers that depend on this estimate, and a note has its
    error. Rolls are the mean number of rolls in which a side bears off all checkers. EPC, the
    effective pip count, is this number times 49/6, the mean pips of a roll. Wastage is EPC less
    the pip count.
    """
    from gammon.engine import bearoff as race

    print_answer(race.bearoff(read_position(position)), as_json)


@bearoff.command()
@click.option("--out", type=PLACE, metavar="FILE", help="Write only the tables of chances, to this file.")
def build(out: Path | None) -> None:
    """Build the tables again. They are also built on first use."""
    import time

    from gammon.eval.array_cache import write_array
    from gammon.eval.bearoff import N_NUMBERS
    from gammon.eval.bearoff_file import bearoff_tables, build_again, tables_path

    begun = time.perf_counter()
    if out is None:
        build_again()
    else:
        write_array(out, bearoff_tables()[:N_NUMBERS])
    path = out or tables_path()
    megabytes = path.stat().st_size / 1e6
    click.echo(f"wrote {path}: {megabytes:.1f} MB in {time.perf_counter() - begun:.1f} s")
