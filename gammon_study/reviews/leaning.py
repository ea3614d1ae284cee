"""To which side decisions lean: to take or pass, to double early or late, to many blots or few."""

from typing import NamedTuple

from gammon.formats.position import Position
from gammon.rules.board import Points
from gammon_study.reviews.choice import Choice, ChoiceKind
from gammon_study.reviews.difficulty import CANDIDATES, difficulty, losses_of, reference_chances
from gammon_study.reviews.explain import after_play

#: Blots on points from this one on, in the opponent's home board, lose little by a hit.
_END = 19


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
