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
from gammon.views.console import print_view

__all__ = ["match"]


@click.command(cls=Compiling)
@click.argument("a")
@click.argument("b")
@click.option("--games", default=1000, show_default=True, help="Games at most, an even number.")
@out_option()
@seed_option("Of dice and noise.")
@pool_options
@click.option(
    "--until-se",
    type=float,
    help="End once the standard error is this small, in points a game.",
)
@click.option(
    "--luck", default="leaf", show_default=True, help="Network that values the rolls, or none."
)
@stakes_option("to A, such as 1,2,3,-1,-2,-3")
@click.option("--mat", is_flag=True, help="Write OUT/games.mat, which other programs import.")
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
    """Play player A against player B, such as depth=3,noise=0.03 and gnubg=0.

    Settings of a player: depth, algorithm, model, noise, filter; or gnubg=PLIES alone,
    which is GNU Backgammon, where it is installed. Single games without the cube; each
    sequence of dice is played twice with the seats swapped. From each result the luck of
    the dice is taken out: what the rolls were worth beyond their mean.

    Every game is recorded in OUT/games.jsonl. A match that was interrupted resumes, if it is
    given the same folder and options.
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
