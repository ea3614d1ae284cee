"""`gammon match`: one player against another."""

from pathlib import Path

import click

from gammon.commands.shared import (
    Compiling,
    out_option,
    pool_options,
    seed_option,
    stakes_option,
)
from gammon.commands.types import MODEL_OR_NONE
from gammon.views.console import print_view

__all__ = ["match"]


@click.command(cls=Compiling)
@click.argument("a")
@click.argument("b")
@click.option(
    "--games", default=1000, show_default=True, type=click.IntRange(max=10_000_000),
    metavar="N", help="Games at most, an even number.",
)  # fmt: skip
@out_option()
@seed_option("all dice and errors")
@pool_options
@click.option(
    "--until-se", type=float, metavar="POINTS",
    help="End the match early, once the standard error is as small as this, in points a game.",
)  # fmt: skip
@click.option(
    "--luck", default="leaf", show_default=True, type=MODEL_OR_NONE, metavar="NAME|FILE",
    help="The network that says how lucky a roll was: leaf, probe, large, or a file; none "
    "leaves the luck in.",
)  # fmt: skip
@stakes_option("player A")
@click.option(
    "--mat", is_flag=True, help="Write OUT/games.mat too, which other programs import."
)
def match(
    a: str,
    b: str,
    games: int,
    out: Path,
    seed: int,
    workers: int,
    scheduler: str | None,
    until_se: float | None,
    luck: str,
    stakes: str,
    mat: bool,
) -> None:
    """Play a match of player A against player B.

    A player is a list of settings, such as depth=3,noise=0.03: depth, algorithm, model, noise
    and filter, as the options of `gammon analyze`. Or it is another program that is installed,
    with its number of plies: gnubg=0 is GNU Backgammon, bgsage=1 is bgsage, and GAMMON_BGSAGE
    names the Python that has it. They play single games without the cube. Each sequence of dice
    is played twice, with the seats swapped. From each result the luck of the dice is taken out:
    what the rolls were worth beyond their mean.

    Every game is recorded in games.jsonl in the folder. A match that was interrupted goes on,
    if it is given the same folder and options.

    \b
    gammon match depth=3 depth=1 --games 200 --out deeper
    """
    from gammon.match import MatchSettings, parse_player, run_match
    from gammon.match.result import estimate
    from gammon.parallel import Pool
    from gammon.rules.stakes import parse_stakes
    from gammon.views.match import match_view
    from gammon.views.progress import counted

    players, worth = (parse_player(a), parse_player(b)), parse_stakes(stakes)
    with counted(games) as show:
        result, effort = run_match(
            MatchSettings(
                *players, games, out, seed, Pool(workers, scheduler),
                None if luck == "none" else luck, until_se, mat, worth,
                on_result=lambda result: show(result.games, estimate(result)),
            )
        )  # fmt: skip
    print_view(match_view(*players, result, effort, worth))
