"""The difficulty of decisions, and the figures of a match that say what to look at.

The *difficulty* of a decision is the mean loss of a *reference player* of PR 5, who makes each
candidate with a chance proportional to exp(-loss / temperature), as in blunderDB (its decision
record 0076). Candidates are the five best plays, or the two actions about the cube. The *avoidable
loss* of a decision is its loss minus its difficulty. It is negative where a player does better than
the reference player, who has 0 on average.

Decisions also *lean* to a side: to take or pass, to double early or late, to many blots or few.
"""

from collections.abc import Iterable
from math import exp
from typing import NamedTuple

from gammon.base.mean import Interval
from gammon.formats.position import Position
from gammon.rules.board import Points
from gammon_study.reviews.choice import Choice, ChoiceKind
from gammon_study.reviews.explain import after_play
from gammon_study.reviews.names import KINDS_BY_PART
from gammon_study.reviews.rates import pr_interval
from gammon_study.reviews.review import Review

#: The equity by which a play must be worse for the reference player to make it 1/e as often. With
#: all plays as candidates, blunderDB's 0.025 has PR 5.8 in the judged decisions of `gammon grade`;
#: with the five best, 0.036 has PR 5.1, and PR 4.9 in the matches of tests/golden.
TEMPERATURE = 0.036
#: The candidates of a play.
CANDIDATES = 5
#: The number of decisions to look at.
_LOOK_AT = 3
#: Blots on points from this one on, in the opponent's home board, lose little by a hit.
_END = 19


def difficulty(choice: Choice) -> float:
    """Return the equity that the reference player loses on average at a decision."""
    chances = reference_chances(losses := losses_of(choice))
    return sum(chance * loss for chance, loss in zip(chances, losses, strict=True))


def reference_chances(losses: list[float]) -> list[float]:
    """Return the chances with which the reference player makes candidates of these losses."""
    weights = [exp(-loss / TEMPERATURE) for loss in losses]
    return [weight / sum(weights) for weight in weights]


def losses_of(choice: Choice) -> list[float]:
    """Return the losses of a decision's candidates: of plays, or of the right and the wrong cube action."""
    if choice.values is None:
        equities = [play.equity for play in choice.plays[:CANDIDATES]]
        return [max(equities[0] - equity, 0.0) for equity in equities]  # a less deep one may be larger
    stay, taken, passed = choice.values
    answers = choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS)
    return [0.0, abs(taken - passed) if answers else abs(min(taken, passed) - stay)]


class PlayerIntervals(NamedTuple):
    """The figures of a player in a match, with intervals from the variation between games.

    Attributes:
        name: the name of the player.
        pr: the PR; None with fewer than three games.
        plays: the PR of plays; None also without decisions that count.
        doubles: the PR of decisions to double or not.
        takes: the PR of decisions to take or to pass.
        look_at: the three decisions with the largest avoidable losses, the largest first.
    """

    name: str
    pr: Interval | None
    plays: Interval | None
    doubles: Interval | None
    takes: Interval | None
    look_at: list["AvoidableLoss"]


class AvoidableLoss(NamedTuple):
    """A decision of a review that lost more than it is difficult.

    Attributes:
        choice: the index of the decision among the choices of the review.
        error: the lost equity.
        difficulty: the mean loss of the reference player.
    """

    choice: int
    error: float
    difficulty: float


def intervals_of(review: Review, player: int) -> PlayerIntervals:
    """Return the figures of a player of a review.

    Args:
        review: the review.
        player: 0 or 1.
    """
    own = [choice for choice in review.choices if choice.player == player]
    plays, doubles, takes = (
        _pr_of_games(choice for choice in own if choice.kind in kinds) for kinds in KINDS_BY_PART.values()
    )
    name = review.transcript.players[player]
    return PlayerIntervals(name, _pr_of_games(own), plays, doubles, takes, look_at_of(review, player))


def look_at_of(review: Review, player: int) -> list[AvoidableLoss]:
    """Return the three decisions of a player with the largest avoidable losses, the largest first."""
    losses = [
        AvoidableLoss(number, choice.error, difficulty(choice))
        for number, choice in enumerate(review.choices)
        if choice.player == player
    ]
    losses.sort(key=lambda loss: loss.difficulty - loss.error)
    return [loss for loss in losses[:_LOOK_AT] if loss.error > loss.difficulty]


def _pr_of_games(choices: Iterable[Choice]) -> Interval | None:
    """Return the PR of decisions, with an interval from its variation between games."""
    games: dict[int, tuple[float, int]] = {}
    for choice in choices:
        error, counted = games.get(choice.game, (0.0, 0))
        games[choice.game] = error + choice.error, counted + choice.counted
    errors, counts = ([game[k] for game in games.values()] for k in (0, 1))
    return pr_interval(errors, counts)


class Lean(NamedTuple):
    """A decision that can lean to one of two sides.

    Attributes:
        loss: the lost equity, with the sign of the side.
        expected: the mean of that for the reference player.
    """

    loss: float
    expected: float


def leanings(choice: Choice, position: Position) -> dict[str, Lean]:
    """Return to which side a decision leans, by the names of `names.BIASES`.

    The sign of an error is + for a take, a double, or a play that leaves more blots than the best one,
    and - for a pass, no double, or fewer blots. Decisions that do not count, or cannot lean, have no
    entry; nor have positions too good to double, where an error has another cause.

    Args:
        choice: the decision.
        position: the position of its XGID.
    """
    if not choice.counted:
        return {}
    if choice.values is None:
        return _blots(choice, position.points)
    stay, taken, passed = choice.values
    if choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS):
        return {"takes": _lean(choice, taken >= passed)}
    if min(stay, taken) > passed:
        return {}
    lean, terms = _lean(choice, stay >= min(taken, passed)), position.context.terms()
    own, their = terms.away
    at = "ahead" if own < their else "behind" if own > their else "at an even score"
    return {"doubles": lean, f"doubles {at if terms.length else 'for money'}": lean}


def _lean(choice: Choice, plus: bool) -> Lean:
    sign = 1.0 if plus else -1.0
    return Lean(sign * choice.error, sign * difficulty(choice))


def _blots(choice: Choice, points: Points) -> dict[str, Lean]:
    names = [play.play for play in choice.plays[:CANDIDATES]]
    counts = {name: exposed_blots(after_play(points, name)) for name in (*names, choice.best, choice.made)}
    if len(set(counts.values())) == 1:
        return {}
    fewest = counts[choice.best]
    signs = {name: (count > fewest) - (count < fewest) for name, count in counts.items()}
    losses = losses_of(choice)
    expected = sum(
        chance * loss * signs[name]
        for chance, loss, name in zip(reference_chances(losses), losses, names, strict=True)
    )
    return {"blots": Lean(choice.error * signs[choice.made], expected)}


def exposed_blots(points: Points) -> int:
    """Return how many blots outside the opponent's home board a checker can still hit.

    Args:
        points: 26 counts, seen from the owner of the blots.
    """
    front = next((place for place, count in enumerate(points) if count < 0), len(points))
    return sum(points[place] == 1 for place in range(front + 1, _END))
