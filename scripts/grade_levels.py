"""How much do levels give away, and how long do they take, in decisions that were rolled out?

    python scripts/grade_levels.py depth=5 level=roller --every 2 --sage truncated1 --out runs/levels

The decisions are decisions of `gammon grade` in contact, back games and crashed positions, in which
strong players differ, so that their plays were rolled out; with `--every 2` each second one. It
resumes in its folder. After a change of the levels use another folder.

These rollouts are our own. With `--sage` bgsage judges, too: where the players do not all agree, its
rollouts at this level, or this many of its games (`games:324`), value each of their plays
(`GAMMON_BGSAGE` is the path of its Python). Then a last table has the mean of both judges.
"""

from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt

from gammon.base.parallel import run_units
from gammon.commands.group import OneLine
from gammon.rules.board import Points
from gammon_lab.experiments.decision import answer_of, ask, question
from gammon_lab.experiments.families import worths_of_bgsage, worths_unit
from gammon_study.library.judged_decisions import JudgedDecision, judged_decisions
from gammon_study.reviews.rates import RATING

Floats = npt.NDArray[np.float64]
_PHASES = ("contact", "back game or crashed")
#: Samples of the bootstrap.
_RESAMPLES = 4000


@click.command(cls=OneLine)
@click.argument("players", nargs=-1, required=True)
@click.option("--sage", help="The level at which bgsage judges, such as truncated1 or games:324.")
@click.option("--every", default=3, show_default=True, help="Take one decision in this many.")
@click.option("--out", required=True, type=click.Path(path_type=Path))
def main(players: tuple[str, ...], sage: str | None, every: int, out: Path) -> None:
    """Print the PR of PLAYERS, their times, and what each loses relative to the player before."""
    out.mkdir(parents=True, exist_ok=True)
    disputed = [r for r in judged_decisions() if r.trials and r.phase in _PHASES][::every]
    played: dict[str, list[Points]] = {}
    losses: dict[str, Floats] = {}
    for player in players:
        units = [question(player, decision.points, decision.outcome) for decision in disputed]
        answers = list(map(answer_of, run_units(ask, units, out / "answers.jsonl")))
        played[player] = [answer.after for answer in answers]
        losses[player] = RATING * np.array(
            [decision.loss(after) for decision, after in zip(disputed, played[player], strict=True)]
        )
        click.echo(f"{player}: {np.mean([answer.seconds for answer in answers]):.2f} s a decision")
    _print_ratings("our rollouts", losses)
    if sage is not None:
        others = _losses_by_bgsage(disputed, played, sage, out)
        _print_ratings(f"bgsage, {sage}", others)
        _print_ratings("both", {player: (losses[player] + others[player]) / 2 for player in players})


def _losses_by_bgsage(
    disputed: Sequence[JudgedDecision], played: dict[str, list[Points]], level: str, out: Path
) -> dict[str, Floats]:
    """Return the losses of the players by bgsage's rollouts, relative to the best of their plays.

    Args:
        disputed: the decisions.
        played: for each player the positions after its plays.
        level: a level of bgsage, or `games:` and how many from each play.
        out: the folder.
    """
    plays = [sorted(set(after_plays)) for after_plays in zip(*played.values(), strict=True)]
    apart = [n for n, positions in enumerate(plays) if len(positions) > 1]
    units = [worths_unit(disputed[n].points, disputed[n].outcome, level, plays[n]) for n in apart]
    results = run_units(worths_of_bgsage, units, out / "bgsage.jsonl")
    losses = {player: np.zeros(len(disputed)) for player in played}
    for n, worths in zip(apart, results, strict=True):
        worth = dict(zip(plays[n], worths, strict=True))
        for player, after in played.items():
            losses[player][n] = RATING * (max(worths) - worth[after[n]])
    return losses


def _print_ratings(judge: str, losses: dict[str, Floats]) -> None:
    """Print each player's rating by a judge, and what it loses relative to the player before."""
    before = None
    for player, lost in losses.items():
        words = f"by {judge}, {player}: PR {_mean(lost)}"
        if before is not None:
            low, high = _ratios(lost, before)
            words += f", {lost.mean() / before.mean():.2f} of the player before ({low:.2f} to {high:.2f})"
        click.echo(f"{words}, {len(lost)} decisions")
        before = lost


def _ratios(lost: Floats, before: Floats) -> tuple[float, float]:
    """Return the 95 % interval of the ratio of two mean losses in the same decisions, by bootstrap."""
    chosen = np.random.default_rng(1).integers(len(lost), size=(_RESAMPLES, len(lost)))
    low, high = np.percentile(lost[chosen].mean(axis=1) / before[chosen].mean(axis=1), (2.5, 97.5))
    return float(low), float(high)


def _mean(values: Floats) -> str:
    """Return the mean with its standard error."""
    return f"{values.mean():.3f} ± {values.std(ddof=1) / np.sqrt(len(values)):.3f}"


if __name__ == "__main__":
    main()
