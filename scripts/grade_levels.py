"""How much do levels give away, and how long do they take, in decisions that were rolled out?

    python scripts/grade_levels.py depth=5 level=roller --every 3 --out runs/levels

The decisions are decisions of `gammon grade` in contact, back games and crashed positions, in which
strong players differ, so that their plays were rolled out; with `--every 3` each third of them. It
resumes in its folder. After a change of the levels use another folder.

These rollouts are our own. With `--sage` bgsage judges, too: where the players do not all agree, it
plays this many games from each of their plays (`GAMMON_BGSAGE` is the path of its Python).
"""

from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt

from gammon.base.parallel import run_units
from gammon.base.rating import RATING
from gammon.commands.group import OneLine
from gammon.rules.board import Points
from gammon_lab.experiments.decision import answer_of, ask, question
from gammon_lab.experiments.families import worths_of_bgsage, worths_unit
from gammon_study.library.reference import Reference, reference_decisions

Floats = npt.NDArray[np.float64]
_PHASES = ("contact", "back game or crashed")


@click.command(cls=OneLine)
@click.argument("players", nargs=-1, required=True)
@click.option("--sage", type=click.IntRange(0), default=0, help="Games of bgsage from each play; 0: none.")
@click.option("--every", default=3, show_default=True, help="Take one decision in this many.")
@click.option("--out", required=True, type=click.Path(path_type=Path))
def main(players: tuple[str, ...], sage: int, every: int, out: Path) -> None:
    """Print the PR of PLAYERS, their times, and how much less each loses than the player before."""
    out.mkdir(parents=True, exist_ok=True)
    disputed = [r for r in reference_decisions() if r.trials and r.phase in _PHASES][::every]
    played: dict[str, list[Points]] = {}
    before = None
    for player in players:
        units = [question(player, decision.points, decision.outcome) for decision in disputed]
        answers = list(map(answer_of, run_units(ask, units, out / "answers.jsonl")))
        played[player] = [answer.after for answer in answers]
        losses = RATING * np.array(
            [decision.loss(after) for decision, after in zip(disputed, played[player], strict=True)]
        )
        seconds = np.mean([answer.seconds for answer in answers])
        words = f"{player}: PR {_mean(losses)}, {seconds:.2f} s a decision"
        _print_rating(words, losses, before)
        before = losses
    if sage:
        _judge_by_bgsage(disputed, played, sage, out)


def _judge_by_bgsage(
    disputed: Sequence[Reference], played: dict[str, list[Points]], games: int, out: Path
) -> None:
    """Print the PR of the players by games of bgsage, relative to the best of their plays.

    Args:
        disputed: the decisions.
        played: for each player the positions after its plays.
        games: games from each play.
        out: the folder.
    """
    plays = [sorted(set(after_plays)) for after_plays in zip(*played.values(), strict=True)]
    apart = [n for n, positions in enumerate(plays) if len(positions) > 1]
    units = [worths_unit(disputed[n].points, disputed[n].outcome, f"games:{games}", plays[n]) for n in apart]
    results = run_units(worths_of_bgsage, units, out / "bgsage.jsonl")
    losses = {player: np.zeros(len(disputed)) for player in played}
    for n, worths in zip(apart, results, strict=True):
        worth = dict(zip(plays[n], worths, strict=True))
        for player, after in played.items():
            losses[player][n] = RATING * (max(worths) - worth[after[n]])
    before = None
    for player, lost in losses.items():
        _print_rating(f"by {games} games of bgsage, {player}: PR {_mean(lost)}", lost, before)
        before = lost


def _print_rating(words: str, losses: Floats, before: Floats | None) -> None:
    """Print a player's rating, and how much less it loses than the player before."""
    if before is not None:
        words += f", less than the player before by {_mean(before - losses)}"
    click.echo(f"{words}, {len(losses)} decisions")


def _mean(values: Floats) -> str:
    """Return the mean with its standard error."""
    return f"{values.mean():.3f} ± {values.std(ddof=1) / np.sqrt(len(values)):.3f}"


if __name__ == "__main__":
    main()
