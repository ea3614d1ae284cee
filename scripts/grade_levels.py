"""How much do levels give away, and how long do they take? In decisions that were rolled out.

    python scripts/grade_levels.py depth=5 level=roller --every 3 --out runs/levels

The decisions are those of `gammon grade` in contact, back games and crashed positions, in which
strong players differ, so that their plays were rolled out; of these each third, say. It resumes
in its folder. After a change of the levels it needs another one.
"""

from pathlib import Path

import click
import numpy as np

from gammon.answers.analysis import RATING
from gammon.commands.group import OneLine
from gammon.experiments.asked import answer_of, ask, question
from gammon.match.reference import reference_decisions
from gammon.runs.parallel import run_units

_PHASES = ("contact", "back game or crashed")


@click.command(cls=OneLine)
@click.argument("players", nargs=-1, required=True)
@click.option("--every", default=3, show_default=True, help="Take one of so many decisions.")
@click.option("--out", required=True, type=click.Path(path_type=Path))
def main(players: tuple[str, ...], every: int, out: Path) -> None:
    """Print the PR of PLAYERS, their times, and what each loses less than the one before."""
    out.mkdir(parents=True, exist_ok=True)
    disputed = [r for r in reference_decisions() if r.trials and r.phase in _PHASES][::every]
    before = None
    for player in players:
        units = [question(player, each.points, each.outcome) for each in disputed]
        answers = map(answer_of, run_units(ask, units, out / "answers.jsonl"))
        pairs = list(zip(disputed, answers, strict=True))
        losses = RATING * np.array([each.loss(found.after) for each, found in pairs])
        seconds = np.mean([found.seconds for _, found in pairs])
        words = f"{player}: PR {_mean(losses)}, {seconds:.2f} s a decision"
        if before is not None:
            words += f", less than the one before by {_mean(before - losses)}"
        click.echo(f"{words}, {len(pairs)} decisions")
        before = losses


def _mean(values: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> str:
    """Return the mean with its standard error."""
    return f"{values.mean():.3f} ± {values.std(ddof=1) / np.sqrt(len(values)):.3f}"


if __name__ == "__main__":
    main()
