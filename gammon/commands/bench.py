"""`gammon bench`: the speed of this machine."""

import json

import click

from gammon.commands.shared import Compiling, json_option, model_option
from gammon.commands.types import SEVERAL
from gammon.views.console import print_view

__all__ = ["bench"]


@click.command(cls=Compiling)
@click.option(
    "--positions", type=int, metavar="N",
    help="Positions to search to depth 1, 3 and 5.  [default: 500]",
)  # fmt: skip
@click.option(
    "--deep", type=int, metavar="N",
    help="Positions to search to depth 7; 0 for none.  [default: 8]",
)  # fmt: skip
@model_option()
@click.option(
    "--threads", default=2, show_default=True, type=SEVERAL, metavar="N",
    help="Processors that share a decision, where several do.",
)  # fmt: skip
@click.option(
    "--against", type=click.Choice(["gnubg"]),
    help="Measure GNU Backgammon too, where it is installed.",
)  # fmt: skip
@click.option(
    "--quick", is_flag=True,
    help="Only ten positions and none at depth 7, for a first look.",
)  # fmt: skip
@click.option(
    "--signature", is_flag=True,
    help="Measure nothing, and print one number: it changes with the nodes that are searched.",
)  # fmt: skip
@json_option()
def bench(
    positions: int | None,
    deep: int | None,
    model: str,
    threads: int,
    against: str | None,
    quick: bool,
    signature: bool,
    as_json: bool,
) -> None:
    """Measure the speed of this machine.

    The positions are 500 fixed contact positions of self-play. Before anything is timed, known
    counts of plays and of leaves are checked. GNU Backgammon's times are processor time,
    because its calls also wait in steps of 10 ms.
    """
    from gammon.bench import BenchSettings, run_bench
    from gammon.bench.checks import signature as signature_of
    from gammon.views.bench import bench_view

    if signature:
        click.echo(signature_of())
        return
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
