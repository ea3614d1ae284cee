"""Reviews as JSON: the match, each player's figures, all choices and the luck of rolls.

Errors are equities, costs chances to win the match or, for money, points. Numbers of games and
actions count from 0.
"""

from typing import NamedTuple

from gammon.formats.context import BOTTOM, Context
from gammon.formats.position import Position
from gammon.rules.match_equity import MatchEquityTable
from gammon.view.entries import Entries
from gammon_study.match_files.stored import StoredAnalysis
from gammon_study.match_files.transcript import GameTranscript
from gammon_study.reviews.choice import Choice, ChoiceKind, worth_of
from gammon_study.reviews.explain import explained
from gammon_study.reviews.review import Review
from gammon_study.reviews.totals import Totals
from gammon_study.view.review import figure_rows, units


class ReviewedPlayer(NamedTuple):
    """A player in the match; results are chances to win it, or points."""

    name: str
    totals: Totals
    result: float | None
    luck_adjusted_result: float | None


class ReviewedGame(NamedTuple):
    """A game of the match, and the figures of both players in it."""

    game: GameTranscript
    players: tuple[Totals, Totals]


class ReviewedChoice(NamedTuple):
    """A decision that a player made.

    Attributes:
        choice: the decision.
        stored: what the match file says of it.
        worth: what the game is worth to the first player after it, by our analysis: a chance to
            win the match, or points.
        why: what an error gave away.
        themes: what the decision is about.
    """

    choice: Choice
    stored: StoredAnalysis | None
    worth: float
    why: str
    themes: tuple[str, ...]


class Figure(NamedTuple):
    """A figure of both players as people read it.

    Attributes:
        name: what it is called.
        part: whether it belongs to the figure above.
        values: of both.
    """

    name: str
    part: bool
    values: tuple[str, str]


def _players(review: Review) -> tuple[ReviewedPlayer, ReviewedPlayer]:
    one, other = (
        ReviewedPlayer(name, review.totals(side), review.result(side), review.adjusted(side))
        for side, name in enumerate(review.transcript.players)
    )
    return one, other


def _figures(review: Review) -> list[Figure]:
    rows = figure_rows(review, (0, 1))
    return [Figure(name.strip(), name[:1] == " ", (one, other)) for name, one, other in rows]


def _units(review: Review) -> str:
    return units(review)


def _details(review: Review) -> dict[str, str]:
    return dict(review.transcript.details)


def _games(review: Review) -> list[ReviewedGame]:
    return [
        ReviewedGame(game, (review.totals(0, number), review.totals(1, number)))
        for number, game in enumerate(review.transcript.games)
    ]


def _choices(review: Review) -> list[ReviewedChoice]:
    return [_reviewed(review, each) for each in review.choices]


def _reviewed(review: Review, choice: Choice) -> ReviewedChoice:
    position = Position.parse(choice.xgid)
    stored = review.transcript.stored.get((choice.game, choice.action))
    worth = _worth(choice, position.context, review.met)
    return ReviewedChoice(choice, stored, worth, *explained(choice, position))


def _worth(choice: Choice, context: Context, met: MatchEquityTable) -> float:
    """Return what a position is worth to the first player after a choice."""
    answers = choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS)
    equity = -choice.equity if answers else choice.equity
    worth = worth_of(equity, context.terms(), met)
    if context.on_roll == BOTTOM:
        return worth
    return 1.0 - worth if context.length else -worth


REVIEW: Entries = (
    ("players", _players), ("figures", _figures), ("units", _units),
    "length=transcript.length", ("details", _details), "warnings=transcript.warnings", "notes",
    "depth", "level", "left", ("games", _games), "stored_by=transcript.stored_by",
    ("choices", _choices), "rolls=lucks",
)  # fmt: skip
