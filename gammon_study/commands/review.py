"""`gammon review`: what the errors of a match cost."""

from pathlib import Path

import click

from gammon.base.settings import settings_of
from gammon.commands.options import PLACE, option_of, question_options, with_default
from gammon.commands.shared import (
    check_apart,
    check_not_read,
    check_seeds,
    check_used,
    json_option,
    model_option,
    player_named,
    pool_options,
    print_answer,
    resume_option,
)
from gammon.engine.question import Question, RolloutSettings
from gammon.formats.context import several
from gammon_study.commands.study import number_option


def _one_file(context: click.Context, option: click.Parameter, files: tuple[Path, ...]) -> Path:
    """Return the only file on the command line, or refuse several."""
    if len(files) > 1:
        raise click.UsageError(
            f"one match at a time: `gammon study add {' '.join(map(str, files[:2]))}"
            f"{' ...' * (len(files) > 2)}` reviews several into a library"
        )
    return files[0]


@click.command()
@click.argument("file", metavar="FILE", nargs=-1, required=True, type=PLACE, callback=_one_file)
@click.option("--player", metavar="NAME", help="Show this player alone; the name's beginning will do.")
@question_options(
    with_default("depth", 5, "Plies to search: 5 takes half a minute or so, 3 takes seconds."),
    "level",
    "seed",
    "met",
)
@model_option()
@number_option("worst", 10, "How many of the worst decisions to show.")
@pool_options
@resume_option()
@click.option(
    "--rollout-over",
    type=float,
    metavar="EQUITY",
    help="Also roll out the decisions that lost this much or more, such as 0.05.",
)
@option_of(
    settings_of(RolloutSettings)["trials"]._replace(
        text="Games of each candidate of such a rollout, rounded up to a multiple of 36."
    )
)
@click.option(
    "--imported",
    is_flag=True,
    help="Take the file's own analysis of a decision where it is as deep as asked.",
)
@click.option(
    "--html",
    type=PLACE,
    metavar="FILE",
    help="Write a report for browsers too: one file with all decisions and their boards.",
)
@json_option()
def review(
    file: Path,
    player: str | None,
    asked: Question,
    model: str,
    worst: int,
    workers: int,
    scheduler: str | None,
    out: Path | None,
    rollout_over: float | None,
    trials: int,
    imported: bool,
    html: Path | None,
    as_json: bool,
) -> None:
    """Analyze a match: what each decision cost.

    FILE is a match as text (.mat), as most programs and sites export it, GNU Backgammon's
    .sgf, BGBlitz's .bgf, eXtreme Gammon's .xg, OpenGammon's .ogxm, or gammonview's .gvab. Every
    play and every decision about the cube is analyzed. For each player the tables have the
    errors, PR (performance rating), GNU Backgammon's and Snowie's rates, and the luck of the
    dice; then come the worst decisions, each with its XGID. docs/review.md explains the figures,
    docs/glossary.md the words.

    \b
    gammon review match.mat --html report.html
    gammon review match.sgf --player Ann --depth 5 --out runs/match
    """
    check_used("--rollout-over", rollout_over is not None, "trials")
    check_seeds(asked)
    check_used("tables (--json leaves them out)", not as_json, "worst")
    check_used("tables or --html (--json is whole)", not as_json or html is not None, "player")
    check_apart("--html", html, "FILE", file)
    check_not_read("--html", html, "met", "model")
    if html is not None and out is not None:
        from gammon.base.folder import is_own_file

        if is_own_file(html, out):
            raise click.UsageError(f"--html {str(html)!r}: expected a file that --out does not keep")
    from gammon.view.progress import counted
    from gammon_study.match_files.match_file import read_transcript
    from gammon_study.reviews.review import review as reviewed

    with counted(0) as show:
        transcript = read_transcript(
            file, lambda number: show(number, f"reading the file, {several(number, 'game')}")
        )
    side = None
    if player is not None:
        side = transcript.players.index(player_named(player, transcript.players))
    with counted(1) as show:
        analysis = reviewed(
            transcript,
            asked.depth,
            workers,
            model,
            out,
            scheduler,
            on_done=lambda done, total: show(done / max(total, 1), f"{done} of {total}"),
            rollout_over=rollout_over,
            trials=trials,
            met=asked.met,
            level=asked.level,
            seed=asked.seed,
            imported=imported,
        )
    print_answer(analysis, as_json, side, worst)
    if html is not None:
        from gammon.base.files import write_text

        write_text(html, analysis.page(side))
