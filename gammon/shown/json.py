"""Analyses as plain JSON values, for programs."""

from dataclasses import asdict
from math import isfinite
from typing import Any

from gammon.answers.analysis import Analysis, RollTable
from gammon.answers.cube import CubeDecision
from gammon.answers.score_grid import PlayGrid, ScoreGrid
from gammon.formats.position import Position
from gammon.rollouts.answer import RolledCandidate, Rollout
from gammon.rules.dice import PROBABILITIES
from gammon.rules.stakes import Stakes
from gammon.rules.terms import Terms
from gammon.shown.entries import encoded
from gammon.shown.heading import notes
from gammon.shown.rollout import ROLLING
from gammon.shown.stakes import stakes_json

__all__ = [
    "analysis_json", "cube_json", "play_grid_json", "roll_table_json", "rollout_json",
    "score_grid_json",
]  # fmt: skip


def _asked(
    position: Position, dice: tuple[int, int] | None, stakes: Stakes | None, terms: Terms | None
) -> dict[str, Any]:
    """Return what was asked about."""
    return {
        "position_id": position.position_id,
        "match_id": position.match_id,
        "xgid": position.xgid,
        "dice": f"{dice[0]}{dice[1]}" if dice else None,
        "worth": None if stakes is None else stakes._asdict(),
        "cubeful": stakes is None,
        "stakes": None if terms is None else stakes_json(terms),
    }


def _header(
    answer: Analysis | RollTable | CubeDecision | ScoreGrid | PlayGrid,
    dice: tuple[int, int] | None,
    stakes: Stakes | None = None,
    terms: Terms | None = None,
) -> dict[str, Any]:
    return {
        **_asked(answer.position, dice, stakes, terms),
        "depth": answer.depth,
        "algorithm": answer.algorithm,
        "notes": notes(answer.position, stakes),
    }


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """Return a decision's analysis; equities are the mover's, those of `Candidate`."""
    return {
        **_header(analysis, analysis.dice, analysis.stakes, analysis.terms),
        "candidates": encoded(analysis.candidates),
        "stats": analysis.stats._asdict(),
        "seconds": analysis.seconds,
    }


def roll_table_json(rolls: RollTable) -> dict[str, Any]:
    """Return a position's analysis before the roll: its equity, and each roll's best play."""
    return {
        **_header(rolls, None, rolls.stakes, rolls.terms),
        "equity": rolls.equity,
        "probabilities": rolls.probabilities._asdict(),
        "rolls": [
            {
                "dice": f"{analysis.dice[0]}{analysis.dice[1]}",
                "probability": float(probability),
                **encoded(analysis.candidates[0]),
            }
            for probability, analysis in zip(PROBABILITIES, rolls.analyses, strict=True)
        ],
        "stats": rolls.stats._asdict(),
        "seconds": rolls.seconds,
    }


def cube_json(decision: CubeDecision) -> dict[str, Any]:
    """Return a decision about the cube; equities are those of the player on roll."""
    return {
        **_header(decision, None, None, decision.terms),
        "cube": encoded(decision),
        "equity": decision.equity,
        "probabilities": decision.probabilities._asdict(),
        "stats": None if decision.stats is None else decision.stats._asdict(),
        "seconds": decision.seconds,
    }


def score_grid_json(grid: ScoreGrid) -> dict[str, Any]:
    """Return cube decisions by score: a list, and an object by name."""
    return {
        **_header(grid, None),
        "scores": [
            {"away": list(score), "cube": encoded(decision)}
            for score, decision in grid.scores.items()
        ],
        "named": encoded(grid.named),
        "seconds": grid.seconds,
    }


def play_grid_json(grid: PlayGrid) -> dict[str, Any]:
    """Return the best plays by score: a list, and an object by name with two plays each.

    The second play of a name is the best one for money, where that is another.
    """
    named = {
        name: encoded([c for n, c in enumerate(analysis.candidates) if not n or c.named])
        for name, analysis in grid.named.items()
    }
    return {
        **_header(grid, grid.position.dice),
        "scores": [
            {"away": list(score), **encoded(analysis.candidates[0])}
            for score, analysis in grid.scores.items()
        ],
        "named": named,
        "seconds": grid.seconds,
    }


def rollout_json(rollout: Rollout) -> dict[str, Any]:
    """Return a rollout; equities are those of the player whose decision it is."""
    settings = asdict(rollout.settings)
    return {
        **_asked(rollout.position, rollout.dice, rollout.stakes, rollout.terms),
        "notes": notes(rollout.position, rollout.stakes, ROLLING),
        "settings": settings | {"model": str(settings["model"])},
        "candidates": [_rolled_json(candidate) for candidate in rollout.candidates],
        "cube": encoded(rollout.cube),
        "equity": rollout.equity,
        "trials": rollout.trials,
        "games": rollout.games,
        "turns": rollout.turns,
        "whole": rollout.whole,
        "seconds": rollout.seconds,
    }


def _rolled_json(candidate: RolledCandidate) -> dict[str, Any]:
    """Return a candidate; a number that is infinite, or none, is null."""
    numbers = {
        "equity": candidate.equity,
        "error": candidate.error,
        "interval": list(candidate.interval),
        "loss": candidate.loss,
        "jsd": candidate.jsd if isfinite(candidate.jsd) else None,
        "may_be_best": candidate.may_be_best,
        "mwc": candidate.mwc,
        "mwc_error": candidate.mwc_error,
        "plain": candidate.plain._asdict(),
    }
    return {
        "name": candidate.name,
        "points": None if candidate.play is None else list(candidate.play.points),
        **numbers,
        "probabilities": candidate.probabilities._asdict(),
        "trials": candidate.trials,
        "out": candidate.out,
    }
