"""The measures of a library by their definitions, decision by decision, without SQL."""

from collections.abc import Sequence
from math import exp

from gammon.formats.position import Position
from gammon.rules.board import CHECKERS, Points
from gammon_study.library.stats import Error
from gammon_study.reviews.choice import Choice, ChoiceKind, unit_cost
from gammon_study.reviews.explain import after_play, explained
from gammon_study.reviews.review import Review

_ANSWERS = ChoiceKind.TAKE, ChoiceKind.PASS
#: Student's t for 95 %, by the degrees of freedom, from a table of it.
T = {2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706, 9: 2.2622, 19: 2.0930}


def candidates(choice: Choice) -> dict[str, float]:
    """The losses of the candidates by their names."""
    if choice.values is None:
        best = max(play.equity for play in choice.plays)
        return {play.play: best - play.equity for play in choice.plays[:5]}
    stay, taken, passed = choice.values
    names = {"take": -taken, "pass": -passed} if choice.kind in _ANSWERS else {
        "no double": stay, "double": min(taken, passed)
    }  # fmt: skip
    return {name: max(names.values()) - value for name, value in names.items()}


def chances(choice: Choice) -> dict[str, float]:
    """How often a player of PR 5 makes each candidate."""
    weights = {name: exp(-loss / 0.036) for name, loss in candidates(choice).items()}
    return {name: weight / sum(weights.values()) for name, weight in weights.items()}


def difficulty(choice: Choice) -> float:
    return sum(chance * candidates(choice)[name] for name, chance in chances(choice).items())


def recoverable(review: Review, player: int) -> dict[str, float]:
    """What a player could win back in a match, by theme, and in doubles and takes."""
    sums: dict[str, float] = {}
    for choice in review.choices:
        if choice.player == player:
            position = Position.parse(choice.xgid)
            unit = unit_cost(position.context.terms(), review.met)
            names = [*explained(choice, position).themes]
            if choice.kind is not ChoiceKind.PLAY:
                names.append("takes" if choice.kind in _ANSWERS else "doubles")
            for name in names:
                sums[name] = sums.get(name, 0.0) + (choice.error - difficulty(choice)) * unit
    return sums


def _blots(choice: Choice, play: str) -> int:
    """How many of a player's blots outside the other home board can still be hit, after a play."""
    points = after_play(Position.parse(choice.xgid).points, play)
    return sum(points[place] == 1 and any(count < 0 for count in points[:place]) for place in range(1, 19))


def side(choice: Choice, name: str) -> int:
    """The side of a candidate: 1 for a take, a double, or more blots than the best play; 0 if right."""
    if choice.kind is ChoiceKind.PLAY:
        more = _blots(choice, name) - _blots(choice, choice.best)
        return (more > 0) - (more < 0)
    return 0 if candidates(choice)[name] == 0 else 1 if name in ("take", "double") else -1


def lean(matches: Sequence[Sequence[Choice]], weights: Sequence[float]) -> float:
    """The mean signed loss, less that of a player without a bias who loses as much.

    Args:
        matches: the decisions that can lean, by match.
        weights: how often each match counts.
    """
    signed = expected = lost = hard = number = 0.0
    for choices, weight in zip(matches, weights, strict=True):
        for choice in choices:
            made = choice.made.replace("redouble", "double")
            signed += weight * side(choice, made) * choice.error
            for name, chance in chances(choice).items():
                expected += weight * side(choice, name) * chance * candidates(choice)[name]
            lost += weight * choice.error
            hard += weight * difficulty(choice)
            number += weight
    return (signed - lost / hard * expected) / number


def lean_interval(matches: Sequence[Sequence[Choice]]) -> tuple[float, float, float]:
    """The lean and its interval, from how much each match moves it."""
    ones, step = [1.0] * len(matches), 1e-6
    value, counts = lean(matches, ones), [len(choices) for choices in matches]
    sides = []
    for number, count in enumerate(counts):
        more = [1.0 + step * (number == other) for other in range(len(matches))]
        slope = (lean(matches, more) - value) / step
        sides.append(slope * sum(counts) + value * count)
    return interval(sides, counts)


def can_lean(choice: Choice) -> set[str]:
    """The biases that a decision can show."""
    if not choice.counted:
        return set()
    if choice.kind is ChoiceKind.PLAY:
        plays = {*[play.play for play in choice.plays[:5]], choice.made}
        return {"blots"} if len({_blots(choice, play) for play in plays}) > 1 else set()
    if choice.kind in _ANSWERS:
        return {"takes"}
    assert choice.values is not None
    stay, taken, passed = choice.values
    if stay > passed and taken > passed:
        return set()
    terms = Position.parse(choice.xgid).context.terms()
    if not terms.length:
        return {"doubles", "doubles for money"}
    own, their = terms.away
    score = "ahead" if own < their else "behind" if own > their else "at an even score"
    return {"doubles", f"doubles {score}"}


def pips_apart(first: Points, second: Points) -> int:
    """The pips to move the checkers of both sides from one board to the other; off is past the end."""
    pips = 0
    for sign, off in ((1, 0), (-1, 25)):
        boards = []
        for points in (first, second):
            places = [place for place, count in enumerate(points) for _ in range(max(sign * count, 0))]
            boards.append(sorted(places + [off] * (CHECKERS - len(places))))
        pips += sum(abs(a - b) for a, b in zip(*boards, strict=True))
    return pips


def cover(errors: Sequence[Error], reach: int) -> list[tuple[Error, int]]:
    """Greedy cover: each time the error with the largest loss left around it, and how many that are."""

    def parts(kind: str) -> str:
        return {"no double": "double", "pass": "take"}.get(kind, kind)

    boards = [Position.parse(error.xgid).points for error in errors]
    near = [
        {
            other
            for other in range(len(errors))
            if parts(errors[other].kind) == parts(error.kind)
            if pips_apart(board, boards[other]) <= reach
        }
        for error, board in zip(errors, boards, strict=True)
    ]
    left, chosen = set(range(len(errors))), []
    while left:
        around = [left & neighbours for neighbours in near]
        best = max(range(len(errors)), key=lambda n: round(sum(errors[k].error for k in around[n]), 9))
        chosen.append((errors[best], len(around[best])))
        left -= around[best]
    return chosen


def interval(sums: Sequence[float], counts: Sequence[float]) -> tuple[float, float, float]:
    """A ratio of totals and its interval: the wider of Student's and of Hall's, solved by bisection."""
    n, ratio = len(sums), sum(sums) / sum(counts)
    off = [(x - ratio * count) * n / sum(counts) for x, count in zip(sums, counts, strict=True)]
    spread = (sum(value**2 for value in off) / (n - 1)) ** 0.5
    skew = sum(value**3 for value in off) / n / spread**3 if spread else 0.0
    ends = []
    for way in (1, -1):
        low, high = -1e4, 1e4  # Hall's polynomial of the studentized mean rises everywhere
        while high - low > 1e-10:
            t = (low + high) / 2
            root = n**0.5
            hall = t + skew * t**2 / (3 * root) + skew**2 * t**3 / (27 * n) + skew / (6 * root)
            low, high = (t, high) if hall < way * T[n - 1] else (low, t)
        furthest = max(way * low, T[n - 1])
        ends.append(ratio - way * furthest * spread / n**0.5)
    return ratio, ends[0], ends[1]
