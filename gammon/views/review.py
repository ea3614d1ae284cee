"""Reviews as plain JSON values, for programs."""

from typing import Any

from gammon.reviews.choice import Choice, Luck
from gammon.reviews.review import Review
from gammon.reviews.totals import Errors, Totals

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
                **_totals_json(review.totals(side)),
                "result": review.result(side),
                "luck_adjusted_result": review.adjusted(side),
            }
            for side, name in enumerate(match.players)
        ],
        "length": match.length,
        "details": dict(match.details),
        "warnings": list(match.warnings),
        "depth": review.depth,
        "games": [
            {
                "score": list(game.score.points),
                "crawford": game.score.crawford,
                "jacoby": game.score.jacoby,
                "winner": game.winner,
                "points": game.points,
                "players": [_totals_json(review.totals(side, number)) for side in (0, 1)],
            }
            for number, game in enumerate(match.games)
        ],
        "choices": [_choice_json(choice) for choice in review.choices],
        "rolls": [_luck_json(luck) for luck in review.lucks],
    }


def _totals_json(totals: Totals) -> dict[str, Any]:
    return {
        "pr": totals.all.pr,
        "snowie_rate": totals.snowie,
        "rating": totals.rating,
        "all": _errors_json(totals.all),
        "plays": _errors_json(totals.plays),
        "cube": _errors_json(totals.cube),
        "kinds": {kind.value: _errors_json(each) for kind, each in totals.kinds.items()},
        "luck": totals.luck,
        "luck_worth": totals.luck_worth,
    }


def _errors_json(errors: Errors) -> dict[str, Any]:
    return {**errors._asdict(), "marks": list(errors.marks), "rate": errors.rate}


def _choice_json(choice: Choice) -> dict[str, Any]:
    values = None if choice.values is None else choice.values._asdict()
    return {**choice._asdict(), "kind": choice.kind.value, "values": values}


def _luck_json(luck: Luck) -> dict[str, Any]:
    return luck._asdict()
