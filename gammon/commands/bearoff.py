"""`gammon bearoff`: the chances and the rolls of a race, and the making of the tables."""

from pathlib import Path

import click

from gammon.commands.group import Commands
from gammon.commands.positions import TakesPosition, read_position
from gammon.commands.shared import json_option
from gammon.commands.types import PLACE
from gammon.view.console import print_answer


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


@bearoff.command(cls=TakesPosition)
@click.argument("position", nargs=-1, required=True)
@json_option("Write JSON instead of tables.")
def show(position: tuple[str, ...], as_json: bool) -> None:
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
