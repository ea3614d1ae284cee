"""The graph of a match: what the positions were worth to side 0, and where much was lost."""

from collections.abc import Callable, Iterator
from html import escape
from itertools import pairwise
from typing import NamedTuple

from gammon.formats.context import BOTTOM
from gammon.formats.position import Position
from gammon.reviews.choice import Choice, ChoiceKind, worth_of
from gammon.reviews.review import Review
from gammon.rules.match_equity import MatchEquityTable
from gammon.shown.page.parts import MARKS
from gammon.shown.page.turns import turns_of
from gammon.svg.pieces import element, text
from gammon.svg.sheet import THEMED

__all__ = ["Place", "graph", "places_of"]

#: The drawing and the field in it, in units.
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _FOOT = 960.0, 300.0, 58.0, 8.0, 8.0, 26.0
#: The radius of the dot of an error by its mark.
_RADII = 0.0, 4.0, 6.0, 8.0


class Place(NamedTuple):
    """A moment of the match.

    Attributes:
        game: from 0 on.
        worth: to side 0: its chance to win the match or, for money, points of the session.
        choice: what led there; None at the beginning and the end of a game.
        turn: the name of its turn.
    """

    game: int
    worth: float
    choice: Choice | None = None
    turn: str = ""


def places_of(review: Review) -> Iterator[Place]:
    """Yield the moments: the begin of each game, each choice, and the end if it is known."""
    met = review.met
    for number, game in enumerate(review.transcript.games):
        a, b = game.score.points
        before = float(a - b)  # for money
        length = game.score.length
        yield Place(number, met.before(game.score) if length else before)
        for turn in turns_of(review, number):
            for choice in turn.choices:
                worth = _worth(choice, met)
                yield Place(number, worth if length else before + worth, choice, turn.name)
        if game.winner is not None:
            won = game.points if game.winner == 0 else -game.points
            yield Place(number, met.before(game.score.after(won)) if length else before + won)


def _worth(choice: Choice, met: MatchEquityTable) -> float:
    """Return what a position is worth to side 0 after a choice."""
    context = Position.parse(choice.xgid).context
    answers = choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS)
    equity = -choice.equity if answers else choice.equity
    worth = worth_of(equity, context.terms(), met)
    if context.on_roll == BOTTOM:
        return worth
    return 1.0 - worth if context.length else -worth


def graph(review: Review) -> str:
    """Return the drawing: below the line is side 0's part, and dots are errors.

    Its colours are those of `gammon.svg.sheet`, and those of errors the page's own.
    """
    places = list(places_of(review))
    low, high, marks = _range(review, [place.worth for place in places])
    across = (_WIDTH - _LEFT - _RIGHT) / max(len(places) - 1, 1)
    depth = _HEIGHT - _TOP - _FOOT

    def x(number: int) -> float:
        return _LEFT + number * across

    def y(worth: float) -> float:
        return _TOP + depth * (high - worth) / (high - low)

    line = " ".join(f"{x(i):.1f},{y(place.worth):.1f}" for i, place in enumerate(places))
    base = _TOP + depth
    begins = [i for i, p in enumerate(places) if not i or p.game != places[i - 1].game]
    field = {"x": _LEFT, "y": _TOP, "width": x(len(places) - 1) - _LEFT, "height": depth}
    parts = [
        element("rect", **field, fill=THEMED.o.fill),
        element(
            "polygon", points=f"{x(0):.1f},{base:g} {line} {x(len(places) - 1):.1f},{base:g}",
            fill=THEMED.x.fill,
        ),
        *_scale(review, marks, y),
    ]  # fmt: skip
    for begin, end in pairwise([*begins, len(places)]):
        if begin:
            parts.append(element("path", d=f"M{x(begin):.1f} {_TOP:g}V{base:g}", class_="gs"))
        game = places[begin].game
        score = "{}-{}".format(*review.transcript.games[game].score.points)
        label = text(
            0.5 * (x(begin) + x(end - 1)), base + 14, score, 15, text_anchor="middle",
            fill=THEMED.words,
        )  # fmt: skip
        parts.append(f'<a href="#g{game + 1}">{label}</a>')
    parts.append(element("polyline", points=line, class_="gl"))
    for i, place in enumerate(places):
        if place.choice is not None and place.choice.mark:
            parts.append(_dot(review, place, x(i), y(place.worth)))
    parts.append(element("rect", **field, fill="none", stroke=THEMED.edge))
    a, _ = review.transcript.players
    what = f"chance of {a} to win the match" if review.transcript.length else f"points of {a}"
    return element(
        "svg", *parts, viewBox=f"0 0 {_WIDTH:g} {_HEIGHT:g}", class_="graph", role="img",
        aria_label=f"Graph: the {what}",
    )  # fmt: skip


def _range(review: Review, worths: list[float]) -> tuple[float, float, list[float]]:
    """Return the lowest and the highest value shown, and those that get a line."""
    if review.transcript.length:
        return 0.0, 1.0, [0.0, 0.25, 0.5, 0.75, 1.0]
    low, high = min(0.0, *worths) - 0.5, max(0.0, *worths) + 0.5
    step = max(1, round((high - low) / 5))
    return (
        low,
        high,
        [float(each) for each in range(-step * 99, step * 99, step) if low <= each <= high],
    )


def _scale(review: Review, marks: list[float], y: Callable[[float], float]) -> Iterator[str]:
    """Yield the lines across, with what they stand for."""
    for worth in marks:
        said = f"{100 * worth:.0f} %" if review.transcript.length else f"{worth:+.0f}"
        yield element("path", d=f"M{_LEFT:g} {y(worth):.1f}H{_WIDTH - _RIGHT:g}", class_="gg")
        beside = min(max(y(worth), _TOP + 6), _HEIGHT - _FOOT - 6)
        yield text(_LEFT - 6, beside, said, 15, text_anchor="end", fill=THEMED.words)


def _dot(review: Review, place: Place, x: float, y: float) -> str:
    """Return the dot of an error, which leads to its turn: round for X, square for O."""
    choice = place.choice
    assert choice is not None, "a dot is that of a choice"
    player = review.transcript.players[choice.player]
    said = (
        f"{player}: {choice.made}, best {choice.best}, {-choice.error:+.3f}, "
        f"{MARKS[choice.mark]}"
    )
    far, kind = _RADII[choice.mark], f"dot e{choice.mark}"
    title = element("title", escape(said))
    shape = element("circle", title, cx=x, cy=y, r=far, class_=kind)
    if choice.player == 1:
        side = 1.8 * far
        shape = element(
            "rect", title, x=x - side / 2, y=y - side / 2, width=side, height=side, class_=kind
        )
    return f'<a href="#{place.turn}">{shape}</a>'
