"""Does truncation matter to the judge? Decisions rolled out to the end, and truncated.

    python scripts/compare_truncation.py --contact 14 --back-games 6

It takes decisions of `gammon grade` whose two best plays are within 0.02 points, in their order, and
rolls out these two plays. It shows how truncation changes the equity of a play and the difference
between the two plays, beside the change that their standard errors allow.
"""

import click
import numpy as np

from gammon.commands.group import OneLine
from gammon.engine.rollout import rollout
from gammon.formats.play import Play, legal_plays
from gammon.formats.position import Position
from gammon.rules.dice import ROLLS
from gammon_study.library.judged_decisions import JudgedDecision, judged_decisions

#: The number of games, by the turns after which games end; 0 for games played to the end.
PLAYED = {8: 720, 12: 1080, 20: 1440, 0: 2160}
CLOSE = 0.02


def two_best(decision: JudgedDecision) -> list[Play]:
    """Return the two best plays of a decision."""
    worth = decision.equities
    plays = legal_plays(Position(decision.points), ROLLS[decision.outcome])
    return sorted(plays, key=lambda play: -worth[play.points])[:2]


def rolled(decision: JudgedDecision, turns: int, seed: int) -> tuple[float, float, float, float]:
    """Return the best play's equity, its lead over the second play, and the errors of both numbers."""
    analysis = rollout(
        Position(decision.points), ROLLS[decision.outcome], two_best(decision), cubeless=True,
        trials=PLAYED[turns], truncate=turns or None, depth=3, move_filter="tiny",
        model="large", seed=seed, drop=False,
    )  # fmt: skip
    first, second = (
        next(candidate for candidate in analysis.candidates if candidate.name == play.notation)
        for play in two_best(decision)
    )
    worse = analysis.candidates[1]
    error = abs(worse.loss / worse.jsd) if worse.jsd else 0.0
    return first.equity, first.equity - second.equity, first.error, error


@click.command(cls=OneLine)
@click.option("--contact", type=int, default=14, show_default=True, help="Decisions.")
@click.option("--back-games", type=int, default=6, show_default=True, help="Decisions.")
def main(contact: int, back_games: int) -> None:
    """Show the changes due to truncation."""
    wanted = {"contact": contact, "back game or crashed": back_games}
    rows = []
    for seed, decision in enumerate(judged_decisions()):
        values = sorted(decision.equities.values())
        if wanted.get(decision.phase, 0) > 0 and values[-1] - values[-2] < CLOSE:
            wanted[decision.phase] -= 1
            rows.append([rolled(decision, turns, seed) for turns in PLAYED])
    results = np.array(rows)
    for place, turns in enumerate(PLAYED):
        if not turns:
            continue
        for name, column in (("equity", 0), ("difference", 1)):
            change = results[:, place, column] - results[:, -1, column]
            errors = np.hypot(results[:, place, column + 2], results[:, -1, column + 2])
            click.echo(
                f"{turns} turns, {name}: changes by {np.sqrt((change**2).mean()):.4f} (root "
                f"mean square), {np.sqrt((errors**2).mean()):.4f} by the standard errors"
            )


if __name__ == "__main__":
    main()
