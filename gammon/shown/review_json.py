"""Reviews as plain JSON values, for programs."""

from typing import Any

from gammon.eval.equity import Probabilities
from gammon.formats.stored import StoredAnalysis, StoredCube, StoredPlay
from gammon.reviews.choice import Choice, ReviewedPlay
from gammon.reviews.review import Review
from gammon.reviews.rolled import RolledChoice, RolledPlay
from gammon.shown.entries import encoded
from gammon.shown.review import figure_rows, units

__all__ = ["review_json"]


def review_json(review: Review) -> dict[str, Any]:
    """Return a review: the match, each player's figures, all choices and the luck of rolls.

    Errors are equities, costs chances to win the match or, for money, points. Numbers of games
    and actions count from 0.
    """
    match = review.transcript
    return {
        "players": [
            {
                "name": name,
                **encoded(review.totals(side)),
                "result": review.result(side),
                "luck_adjusted_result": review.adjusted(side),
            }
            for side, name in enumerate(match.players)
        ],
        "figures": [
            {"name": name.strip(), "part": name[:1] == " ", "values": values}
            for name, *values in figure_rows(review, (0, 1))
        ],
        "units": units(review),
        "length": match.length,
        "details": dict(match.details),
        "warnings": list(match.warnings),
        "notes": review.notes,
        "depth": review.depth,
        "games": [
            {
                "score": list(game.score.points),
                "crawford": game.score.crawford,
                "jacoby": game.score.jacoby,
                "winner": game.winner,
                "points": game.points,
                "players": [encoded(review.totals(side, number)) for side in (0, 1)],
            }
            for number, game in enumerate(match.games)
        ],
        "stored_by": match.stored_by,
        "choices": [
            _choice_json(choice, match.stored.get((choice.game, choice.action)))
            for choice in review.choices
        ],
        "rolls": encoded(review.lucks),
    }


def _choice_json(choice: Choice, stored: StoredAnalysis | None) -> dict[str, Any]:
    """Return a choice; what a rollout and the file say of it stands apart."""
    return {
        **encoded(choice),
        "plays": [_with_chances(play) for play in choice.plays],
        "rollout": _rollout_json(choice.rollout),
        "stored": _stored_json(stored),
    }


def _rollout_json(rollout: RolledChoice | None) -> dict[str, Any] | None:
    """Return what a rollout says of a choice."""
    if rollout is None:
        return None
    candidates = [_with_chances(each) for each in rollout.candidates]
    return {**rollout._asdict(), "candidates": candidates}


def _stored_json(stored: StoredAnalysis | None) -> dict[str, Any] | None:
    """Return what the file says of a choice."""
    if stored is None:
        return None
    return {
        "plays": [_with_chances(play) for play in stored.plays],
        "cube": None if stored.cube is None else _with_chances(stored.cube),
        "luck": stored.luck,
    }


def _with_chances(found: ReviewedPlay | RolledPlay | StoredPlay | StoredCube) -> dict[str, Any]:
    """Return a record whose chances have their names."""
    return {**encoded(found), "probabilities": encoded(Probabilities(*found.probabilities))}
