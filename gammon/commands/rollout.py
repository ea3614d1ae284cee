"""`gammon rollout`: what a decision is worth, by games that are played from it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gammon.answers.question import Question
from gammon.commands.options import STAKE, question_options
from gammon.commands.positions import TakesPosition, read_position
from gammon.commands.shared import (
    announce_rollouts,
    json_option,
    model_option,
    pool_options,
    resume_option,
    seed_option,
)
from gammon.commands.types import FILTER, ROLLOUT_DEPTH
from gammon.shown.console import echo_json, print_view

if TYPE_CHECKING:
    from gammon.rollouts.answer import Rollout

__all__ = ["rollout"]


@click.command(cls=TakesPosition)
@click.argument("position", nargs=-1, required=True)
@click.option(
    "--play", "--plays", "plays", multiple=True, metavar="PLAY",
    help='A play to roll out, such as "8/5 6/5"; may be repeated, or several be parted by ;. '
    "Unless given, the best ones of a search to depth 3.",
)  # fmt: skip
@click.option(
    "--top", default=5, show_default=True, metavar="N", help="How many of the best ones."
)
@click.option(
    "--trials", default=1296, show_default=True, metavar="N",
    help="Games of each candidate, a multiple of 36.",
)  # fmt: skip
@click.option(
    "--depth", default="1", show_default=True, type=ROLLOUT_DEPTH,
    help="Plies of each play: 3 takes six times as long as 1, 5 a hundred times.",
)  # fmt: skip
@click.option(
    "--cube-depth", type=ROLLOUT_DEPTH,
    help="Plies of each decision about the cube; as --depth unless given.",
)  # fmt: skip
@click.option(
    "--filter", "move_filter", type=FILTER,
    help="Of plays deeper than 1: search fewer, as GNU Backgammon's move filters do.",
)  # fmt: skip
@click.option(
    "--truncate", type=int, metavar="N",
    help="End games after so many turns, with what the network says; whole games unless given.",
)  # fmt: skip
@click.option(
    "--until-se", type=float, metavar="NUMBER",
    help="End early, once no standard error is larger than this, such as 0.005.",
)  # fmt: skip
@click.option(
    "--until-jsd", type=float, metavar="NUMBER",
    help="End early, once the best candidate beats each other one by so many standard errors "
    "of their difference, such as 3.",
)  # fmt: skip
@click.option(
    "--max-seconds", type=float, metavar="SECONDS",
    help="End after so long, with whole blocks of 36 trials; the result then depends on the "
    "machine.",
)  # fmt: skip
@click.option(
    "--keep", is_flag=True,
    help="Roll all candidates out to the end; else those that are more than 2.33 standard "
    "errors behind after 324 trials are given up.",
)  # fmt: skip
@model_option("The network that plays")
@question_options("dice", *STAKE)
@seed_option("all dice")
@pool_options
@resume_option()
@click.option(
    "--text", "as_text", is_flag=True, help="Write lines to be pasted in a forum, no board."
)
@json_option("Write JSON instead of a table.")
def rollout(
    position: tuple[str, ...],
    plays: tuple[str, ...],
    asked: Question,
    keep: bool,
    depth: str,
    cube_depth: str | None,
    out: Path | None,
    as_text: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Play games from a position to judge plays, or a double.

    It shows what each candidate wins on average. With a roll, the candidates are plays.
    Without one, they are no double, and double and take, if the player on roll may double. All
    candidates get the same dice, which are spread evenly, and the luck of each roll is taken
    out. That divides the standard errors by six or more.

    \b
    gammon rollout 4HPwATDgc/ABMA --dice 21 --play "13/11 6/5" --play "13/10"
    gammon rollout d7xBAAPuzRkABA:cAngADAAIAAE --trials 5184
    """
    from gammon.rollouts.rollout import rollout as roll_out
    from gammon.shown import to_json
    from gammon.shown.rollout import forum_text, rollout_view, watched

    placed = replace(asked, position=read_position(position, hints=True)).placed()
    named = [play for text in plays for play in text.split(";") if play.strip()]
    announce_rollouts()
    with watched() as show:
        found: Rollout = roll_out(
            placed, None, named if plays else None, cube=not asked.cubeless,
            stakes=asked.stakes, met=asked.met, out=out, drop=not keep,
            depth=int(depth), cube_depth=None if cube_depth is None else int(cube_depth),
            on_result=show, **settings,
        )  # fmt: skip
    if out is not None:
        from gammon.base.files import write_text

        write_text(out / "result.json", json.dumps(to_json(found)) + "\n")
    if as_json:
        echo_json(to_json(found))
    elif as_text:
        click.echo(forum_text(found))
    else:
        print_view(rollout_view(found))
