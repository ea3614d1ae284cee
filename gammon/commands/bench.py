"""`gammon bench`: the speed of this machine."""

import json

import click

from gammon.commands.shared import SEVERAL, Compiling, json_option
from gammon.views.console import print_view

__all__ = ["bench"]


@click.command(cls=Compiling)
@click.option("--positions", type=int, help="Positions at depth 1, 3 and 5.  [default: 500]")
@click.option("--deep", type=int, help="Positions at depth 7; 0 for none.  [default: 8]")
@click.option("--model", default="leaf", show_default=True, help="The leaf network.")
@click.option(
    "--threads",
    default=2,
    show_default=True,
    type=SEVERAL,
    help="Of the decisions that use several.",
)
@click.option("--against", type=click.Choice(["gnubg"]), help="Another program to measure.")
@click.option("--quick", is_flag=True, help="Ten positions, none at depth 7, unless given.")
@json_option()
def bench(
    positions: int | None,
    deep: int | None,
    model: str,
    threads: int,
    against: str | None,
    quick: bool,
    as_json: bool,
) -> None:
    """Measure speed on this machine. Counts are checked first.

    The positions are 500 fixed contact positions of self-play. GNU Backgammon's times
    are processor time, because its calls also wait in steps of 10 ms.
    """
    from gammon.bench import BenchSettings, run_bench
    from gammon.views.bench import bench_view

    several = {"positions": 10, "deep": 0} if quick else {}
    for name, given in (("positions", positions), ("deep", deep)):
        if given is not None:
            several[name] = given
    settings = BenchSettings(model=model, threads=threads, gnubg=against is not None, **several)
    found = run_bench(settings, lambda text: click.echo(f"{text} ...", err=True))
    if as_json:
        click.echo(json.dumps(found))
    else:
        print_view(bench_view(found))
