"""Analyses as plain JSON values, for programs."""

from typing import Any

from gammon.analysis import Analysis, Candidate, RollTable
from gammon.engine import Engine
from gammon.formats.position import Position
from gammon.rules.dice import PROBABILITIES
from gammon.text.notes import notes

__all__ = ["analysis_json", "roll_table_json"]


def _candidate_json(candidate: Candidate) -> dict[str, Any]:
    return {
        "play": candidate.play.notation,
        "points": list(candidate.play.points),
        "equity": candidate.equity,
        "loss": candidate.loss,
        "exact": candidate.exact,
        "kind": candidate.kind.value,
        "depth": candidate.depth,
        "probabilities": candidate.probabilities._asdict(),
        "probabilities_depth": candidate.probabilities_depth,
        "named": candidate.named,
    }


def _header(
    position: Position, dice: tuple[int, int] | None, depth: int, engine: Engine
) -> dict[str, Any]:
    return {
        "position_id": position.position_id,
        "match_id": position.match_id,
        "xgid": position.xgid,
        "dice": f"{dice[0]}{dice[1]}" if dice else None,
        "depth": depth,
        "algorithm": engine.algorithm,
        "worth": engine.stakes._asdict(),
        "cubeful": False,
        "notes": notes(position, engine.stakes),
    }


def analysis_json(analysis: Analysis, engine: Engine) -> dict[str, Any]:
    """Return a decision's analysis; equities are the mover's, in the unit of `worth`."""
    return {
        **_header(analysis.position, analysis.dice, analysis.depth, engine),
        "candidates": [_candidate_json(candidate) for candidate in analysis.candidates],
        "stats": analysis.stats._asdict(),
        "seconds": analysis.seconds,
    }


def roll_table_json(rolls: RollTable, engine: Engine) -> dict[str, Any]:
    """Return a position's analysis before the roll: its equity, and each roll's best play."""
    return {
        **_header(rolls.position, None, rolls.depth, engine),
        "equity": rolls.equity,
        "probabilities": rolls.probabilities._asdict(),
        "rolls": [
            {
                "dice": f"{analysis.dice[0]}{analysis.dice[1]}",
                "probability": float(probability),
                **_candidate_json(analysis.candidates[0]),
            }
            for probability, analysis in zip(PROBABILITIES, rolls.analyses, strict=True)
        ],
        "stats": rolls.stats._asdict(),
        "seconds": rolls.seconds,
    }
