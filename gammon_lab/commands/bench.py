"""`gammon bench` and `gammon grade`: the speed of this machine, and how well players play."""

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gammon.base.errors import SettingError
from gammon.commands.options import SEVERAL
from gammon.commands.shared import check_used, echo_json, json_option, model_option, print_view, seed_option
from gammon_lab.commands.reporting import pages_option, updated_pages

if TYPE_CHECKING:
    from gammon.match.player import Player
    from gammon_lab.bench import BenchSettings
    from gammon_lab.experiments.grade import Grade

#: The settings of a first look.
_QUICK: dict[str, Any] = {"positions": 10, "deep": 0}


class _Programs(click.Choice):  # type: ignore[type-arg]  # click 8.1 has none
    """Names of other programs, separated by commas, each at most once."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the names."""
        names = tuple(super(_Programs, self).convert(n, param, ctx) for n in value.split(","))
        if len(set(names)) < len(names):
            self.fail(f"{value!r}: expected each program once", param, ctx)
        return names


@click.command()
@click.option(
    "--positions", type=int, metavar="N", help="Positions to search to depth 1, 3 and 5.  [default: 500]"
)
@click.option(
    "--deep", type=int, metavar="N", help="Positions to search to depth 7; 0 for none.  [default: 50]"
)
@model_option()
@click.option(
    "--threads",
    default=2,
    show_default=True,
    type=SEVERAL,
    metavar="N",
    help="Threads in the measurements that share a decision.",
)
@click.option(
    "--against",
    type=_Programs(["gnubg", "bgsage"]),
    metavar="PROGRAM,...",
    help="Measure other programs in the same run, where they are installed: gnubg, bgsage, or gnubg,bgsage.",
)
@click.option("--quick", is_flag=True, help="Only ten positions and none at depth 7, for a first look.")
@click.option(
    "--signature",
    is_flag=True,
    help="Measure nothing, and print one number: it changes with the nodes that are searched.",
)
@click.option(
    "--variant",
    metavar="NAME",
    help="The variant of the kernels: x86-64-v2 or another one that this processor can run, or "
    "numba. The best one unless given.",
)
@pages_option()
@json_option()
def bench(
    positions: int | None,
    deep: int | None,
    model: str,
    threads: int,
    against: tuple[str, ...] | None,
    quick: bool,
    signature: bool,
    variant: str | None,
    pages: Path | None,
    as_json: bool,
) -> None:
    """Measure the speed of this machine.

    The positions are 500 fixed contact positions of self-play. Before any timing, known counts of
    plays and of leaves are checked. Other programs decide the same positions in turns with gammon,
    through their own Python interfaces and with an empty cache. Their times are processor time of
    all threads.
    """
    check_used(
        "measurements", not signature, "positions", "deep", "model", "threads", "against",
        "quick", "pages", "as_json",
    )  # fmt: skip
    if variant is not None:
        _use(variant)
    from gammon_lab.bench import BenchSettings, bench_report, run_bench
    from gammon_lab.bench.positions import signature as signature_of
    from gammon_lab.report import Origin
    from gammon_lab.view import report_view

    if signature:
        click.echo(signature_of())
        return
    chosen = dict(_QUICK) if quick else {}
    for name, value in (("positions", positions), ("deep", deep)):
        if value is not None:
            chosen[name] = value
    settings = BenchSettings(
        model=model, threads=threads, against=against or (), first_start=not quick, **chosen
    )
    results = run_bench(settings, lambda text: click.echo(f"{text} ...", err=True))
    report = bench_report(results)
    if as_json:
        echo_json(results)
    else:
        print_view(report_view(report))
    for path in updated_pages(pages, report, Origin.of(_typed(settings, quick, variant))):
        click.echo(f"wrote {path}", err=as_json)


def _use(variant: str) -> None:
    """Select the form of the kernels for this process and the processes that it starts.

    Raises:
        SettingError: this machine lacks that form, or another form is in use already.
    """
    os.environ["GAMMON_KERNELS"] = variant  # read when the first kernel is imported
    from gammon.compiled import kernel

    if kernel.variant() != variant:
        raise SettingError(f"variant {variant!r}: this process uses {kernel.variant()}")


def _typed(settings: "BenchSettings", quick: bool, variant: str | None) -> str:
    """Return the command as it is typed, without options that have their default values."""
    from gammon_lab.bench import BenchSettings

    default = BenchSettings(**(_QUICK if quick else {}))
    words = ["gammon", "bench", *(["--quick"] if quick else [])]
    for name in ("positions", "deep", "model", "threads"):
        if getattr(settings, name) != getattr(default, name):
            words += [f"--{name}", str(getattr(settings, name))]
    if variant is not None:
        words += ["--variant", variant]
    if settings.against:
        words += ["--against", ",".join(settings.against)]
    return shlex.join(words)


@click.command()
@click.argument("players", nargs=-1, required=True)
@seed_option("the errors of players with noise")
@json_option()
def grade(players: tuple[str, ...], seed: int, as_json: bool) -> None:
    """Measure how much the plays of PLAYERS give away.

    The decisions are fixed positions of self-play, none of them forced. Where strong players of
    three programs differ, rollouts judge their plays; elsewhere a search to depth 5 judges.
    PR (performance rating) is 500 times the mean loss of equity, in points: 0 is perfect. It
    is given for each phase of the game. PLAYERS are written as for `gammon match`.

    \b
    gammon grade depth=1 depth=3
    """
    from gammon.match.player import match_player_of, parse_player
    from gammon_lab.view import grade_view

    parsed = [parse_player(player) for player in players]
    for player in parsed:
        match_player_of(player)  # reports a player that cannot play before any is graded
    grades = {player: _graded(player, seed) for player in parsed}
    if as_json:
        plain = {
            str(player): {phase: result._asdict() for phase, result in by_phase.items()}
            for player, by_phase in grades.items()
        }
        echo_json({"players": plain})
    else:
        print_view(grade_view(grades))


def _graded(player: "Player", seed: int) -> "dict[str, Grade]":
    """Return the grades of a player; show how many decisions are done."""
    from gammon.view.progress import counted
    from gammon_lab.experiments.grade import grade as graded
    from gammon_study.library.judged_decisions import judged_decisions

    decisions = judged_decisions()
    with counted(len(decisions)) as show:
        return graded(player, decisions, seed, lambda done, _: show(done, str(player)))
