"""`gammon rollout`: the value of a decision by games played from it."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gammon.commands import shared
from gammon.commands.options import STAKE, question_options, record_options
from gammon.commands.shared import TakesPosition, print_answer, read_position
from gammon.engine.question import Question, RolloutSettings

if TYPE_CHECKING:
    from gammon.engine.rolled import Rollout

#: The settings of a rollout that become options.
_SETTINGS = (
    "trials", "depth", "cube_depth", "move_filter", "truncate", "until_se", "until_jsd",
    "max_seconds", "seed",
)  # fmt: skip


@click.command(cls=TakesPosition)
@click.argument("position", nargs=-1, required=True)
@click.option(
    "--play",
    "--plays",
    "plays",
    multiple=True,
    metavar="PLAY",
    help='A play to roll out, such as "8/5 6/5"; may be repeated, or name several plays with ; between. '
    "Unless given, the best plays of a search to depth 3.",
)
@click.option(
    "--top", default=5, show_default=True, metavar="N", help="How many of the best plays to roll out."
)
@record_options(RolloutSettings, "settings", *_SETTINGS)
@click.option(
    "--keep",
    is_flag=True,
    help="Roll out all candidates to the end. Otherwise, from 324 trials on, candidates are dropped "
    "that are more than 2.33 standard errors (or --until-jsd, if that is larger) behind.",
)
@shared.model_option("The network that plays")
@question_options("dice", *STAKE)
@shared.pool_options
@shared.resume_option()
@click.option("--text", "as_text", is_flag=True, help="Write lines to paste into a forum, without a board.")
@shared.json_option("Write JSON instead of a table.")
def rollout(
    position: tuple[str, ...],
    plays: tuple[str, ...],
    asked: Question,
    settings: RolloutSettings,
    top: int,
    keep: bool,
    model: str,
    workers: int,
    scheduler: str | None,
    out: Path | None,
    as_text: bool,
    as_json: bool,
) -> None:
    """Play games from a position to judge plays, or a double.

    The table shows the mean result of each candidate. With a roll, the candidates are plays.
    Without one, they are no double, and double and take, if the player on roll may double. All
    candidates get the same dice (common random numbers), which are spread evenly, and the luck
    of each roll is subtracted (a control variate). Even dice and subtracted luck divide the
    standard errors by six or more.

    \b
    gammon rollout 4HPwATDgc/ABMA --dice 21 --play "13/11 6/5" --play "13/10"
    gammon rollout d7xBAAPuzRkABA:cAngADAAIAAE --trials 5184
    """
    if as_text and as_json:
        raise click.UsageError("--text with --json: expected one of them")
    shared.check_rules(asked, "cube_depth")
    deepest = max(settings.depth, settings.plies_of_cube)
    shared.check_used("a depth of 3 or more", deepest > 1, "move_filter")
    from gammon.engine.rollout import rollout as roll_out
    from gammon.view import to_json
    from gammon.view.rollout import forum_text, watched

    placed = replace(asked, position=read_position(position, hints=True)).placed()
    named = [play for text in plays for play in text.split(";") if play.strip()]
    shared.check_used("the best plays of a roll", bool(placed.dice) and not named, "top")
    with watched() as show:
        result: Rollout = roll_out(
            placed, None, named if plays else None, top=top, cubeless=bool(asked.cubeless),
            stakes=asked.stakes, met=asked.met, workers=workers, scheduler=scheduler, out=out,
            on_result=show,
            **asdict(settings) | {"model": model, "drop": not keep},
        )  # fmt: skip
    if as_text:
        click.echo(forum_text(result))
    else:
        print_answer(result, as_json)
    if out is not None:
        from gammon.base.files import write_text

        write_text(out / "result.json", json.dumps(to_json(result)) + "\n")
