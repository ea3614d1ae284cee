"""`gammon match`: one player against another."""

from pathlib import Path

import click

from gammon.commands import shared
from gammon.commands.options import MODEL_OR_NONE, Integer, question_options
from gammon.commands.shared import print_view
from gammon.engine.question import Question


@click.command()
@click.argument("a")
@click.argument("b")
@click.option(
    "--games",
    default=1000,
    show_default=True,
    type=Integer(4, 10_000_000),
    metavar="N",
    help="The most games, or matches; an even number.",
)
@click.option(
    "--length",
    default=0,
    show_default=True,
    metavar="N",
    help="Play matches to this many points, 64 at most, with the cube; 0 for single games.",
)
@click.option("--cubeful", is_flag=True, help="Play single games with the cube, for money.")
@click.option("--jacoby", is_flag=True, help="With --cubeful: gammons count only after the cube is turned.")
@shared.out_option()
@shared.seed_option("all dice and errors")
@shared.pool_options
@click.option(
    "--until-se",
    type=float,
    metavar="NUMBER",
    help="End early, once the standard error is this or less: in points a game, or with --length as a "
    "share of the matches, such as 0.01; after 200 games or matches at the earliest.",
)
@click.option(
    "--luck",
    default="leaf",
    show_default=True,
    type=MODEL_OR_NONE,
    metavar="NAME|FILE",
    help="The network that measures the luck of rolls: leaf, probe, large, or a file; none "
    "leaves the luck in.",
)
@shared.stakes_option("player A")
@question_options("met")
@click.option(
    "--start",
    default="backgammon",
    show_default=True,
    metavar="NAME|ID",
    help="Where games begin: backgammon, nackgammon, longgammon, or a position seen from the player "
    "who begins.",
)
@click.option(
    "--mat", is_flag=True, help="Also write OUT/games.mat, or OUT/matches/*.mat, which other programs import."
)
def match(
    a: str,
    b: str,
    games: int,
    length: int,
    cubeful: bool,
    jacoby: bool,
    out: Path,
    seed: int,
    workers: int,
    scheduler: str | None,
    until_se: float | None,
    luck: str,
    stakes: str,
    asked: Question,
    start: str,
    mat: bool,
) -> None:
    """Play a match of player A against player B.

    A player is a list of settings, such as depth=3,noise=0.03. The settings depth, level,
    strength, algorithm, model, noise, noise_seed and filter are options of `gammon analyze`.
    errors=KIND sets the kind of the noise, as in `gammon noise`; without noise_seed the
    errors change from game to game. With max_evaluations, no deeper search begins after that
    many evaluations.

    A player can also be another installed program: gnubg=0 is GNU Backgammon at 0-ply, bgsage=1
    is bgsage at level 1 (1T to 3T are levels with rollouts). The variable GAMMON_BGSAGE names the
    Python in which bgsage is installed.

    Players play single games without the cube, unless --length (matches) or --cubeful (money)
    is given; bgsage plays only without the cube. Each sequence of dice is played twice, with
    the seats swapped. The luck of a roll is its value less the mean over all rolls; it is
    subtracted from each result.

    The file games.jsonl in the folder records every game. With the same folder and options, an
    interrupted match continues.

    \b
    gammon match depth=3 depth=1 --games 200 --out deeper
    gammon match depth=1 gnubg=0 --length 7 --games 400 --out sevens
    """
    shared.check_used("single games", not length, "cubeful")
    from gammon.base.parallel import Pool
    from gammon.match import MatchSettings, has_one_connection, parse_player, run_match
    from gammon.rules.terms import parse_stakes
    from gammon.view.match import match_view
    from gammon.view.progress import counted

    players, terms = (parse_player(a), parse_player(b)), parse_stakes(stakes)
    if any(map(has_one_connection, players)) and not shared.is_given("workers"):
        workers = 1
    judge = None if luck == "none" else luck
    with counted(games) as show:
        result, effort = run_match(
            MatchSettings(
                *players, games, out, seed, Pool(workers, scheduler), judge, until_se, mat,
                terms, length, cubeful, jacoby, asked.met, start,
                on_result=lambda result: show(result.matches, str(result)),
            )
        )  # fmt: skip
    print_view(match_view(*players, result, effort, terms, asked.met, judge is not None))
