"""Why a decision was wrong: figures beside the best one's, in the words of players.

Every clause is a difference that can be counted on the board, or that the search has found, and
it speaks against what was done. Differences too small to matter are left out; where nothing is
left, nothing is said.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from gammon.engine.scale import Scale
from gammon.eval.equity import Probabilities
from gammon.formats.position import Position
from gammon.formats.words import doubling_words
from gammon.rules.board import CHECKERS, SIZE, THEIR_BAR, Points, flipped, has_contact
from gammon.rules.dice import N_ROLLS, WEIGHTS
from gammon.rules.plays import MAX_ROWS, successors
from gammon.rules.terms import Terms
from gammon_study.reviews.choice import ALIKE, Choice, ChoiceKind, answer_words
from gammon_study.reviews.themes import after_play, made_points, themes_of

#: Chances that differ by less are not told.
_LEAST = 0.005
#: Shots of 36 that differ by fewer are not told.
_LEAST_SHOTS = 3
#: Gammons count where a chance of them is worth so much equity.
_LEAST_WORTH = 0.05
#: What the cube adds to an error is not told if it is less.
_LEAST_BY_CUBE = 0.01
_BOARD = range(1, 25)
_HOME, _THEIR_HOME = range(1, 7), range(19, 25)
#: Where a blot that is hit loses much: not in the opponent's home board.
_FEARED = range(1, 19)


def shots_left(points: Points) -> int:
    """Return how many of the opponent's 36 rolls can hit, by the whole rules.

    Blots in the opponent's home board do not count: a hit there costs a few pips.

    Args:
        points: 26 counts after a play, still seen from the player who made it; the game is
            not over.
    """
    blots = _blots(points)
    if not blots or not has_contact(points):
        return 0
    board, rows = np.array(flipped(points), np.int8), np.empty((MAX_ROWS, SIZE), np.int8)
    found = 0
    for roll in range(N_ROLLS):
        after = rows[: successors(board, roll, rows)]
        found += WEIGHTS[roll] * bool((after[:, blots] < 1).any())
    return found


def _blots(points: Points) -> list[int]:
    return [place for place in _FEARED if points[place] == 1]


def why(choice: Choice, position: Position) -> str:
    """Return why a choice was wrong, in a sentence or two.

    It is nothing where the choice was right, or where neither the chances nor the board tell.

    Args:
        choice: the decision.
        position: that of its XGID.
    """
    if choice.error < ALIKE:
        return ""
    said = _play(choice, position) if choice.values is None else _cube(choice, position)
    return " ".join(f"{each[:1].upper()}{each[1:]}." for each in said if each)


class Explained(NamedTuple):
    """The words on a choice.

    Attributes:
        why: what an error gave away; nothing of a choice that was right.
        themes: what the decision is about.
    """

    why: str
    themes: tuple[str, ...]


def explained(choice: Choice, position: Position) -> Explained:
    """Return the words on a choice.

    Args:
        choice: the decision.
        position: that of its XGID.
    """
    return Explained(why(choice, position), tuple(themes_of(choice, position)))


def _play(choice: Choice, position: Position) -> Iterator[str]:
    made, best = (
        next(each for each in choice.plays if each.play == name)
        for name in (choice.made, choice.best)
    )
    terms = position.context.terms()
    lost, gained = _chances(made.probabilities, best.probabilities, terms)
    before = position.points
    one, other = (after_play(before, each.play) for each in (made, best))
    against, saved = ", ".join(lost), ", ".join(gained)
    by_cube = _by_cube(choice.error, made.probabilities, best.probabilities, terms)
    if against:
        yield f"{saved}, but {against}" if saved else against
        yield ", ".join(_counted(before, one, other))
        yield by_cube
    elif by_cube:
        yield f"{saved}, but {by_cube}" if saved else by_cube
    elif not saved:
        yield ", ".join(_counted(before, one, other))


def _chances(
    made: Probabilities, best: Probabilities, terms: Terms
) -> tuple[list[str], list[str]]:
    """Return how the chances of a play are worse than the best one's, and how they are better.

    Gammons that change nothing at this score are left out.
    """
    lost: list[str] = []
    gained: list[str] = []
    certain = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 1, 0]])
    win, win_gammon, lose, lose_gammon = Scale.at(terms).without_cube(
        certain.astype(np.float64)
    )
    for verb, what, index, worth in (
        ("wins", "", 0, 1.0),
        ("wins", "gammons ", 1, win_gammon - win),
        ("loses", "gammons ", 3, lose - lose_gammon),
    ):
        difference = made[index] - best[index]
        if abs(difference) >= _LEAST and worth >= _LEAST_WORTH:
            more = "more" if difference > 0 else "less" if not what else "fewer"
            worse = (difference < 0) == (verb == "wins")
            said = f"{verb} {abs(100.0 * difference):.1f} % {more} {what}".strip()
            (lost if worse else gained).append(said)
    return lost, gained


def _by_cube(error: float, made: Probabilities, best: Probabilities, terms: Terms) -> str:
    """Return that an error is the cube's work, where the play is as good without it."""
    one, other = Scale.at(terms).without_cube(np.array([made, best], np.float64))
    gain = one - other
    if terms.dead or error + gain < _LEAST_BY_CUBE or gain < -0.5 * ALIKE:
        return ""
    beside = "both are worth the same" if gain < ALIKE else f"this is worth {gain:.3f} more"
    return f"the cube makes the difference: without it {beside}"


class _Count(NamedTuple):
    """A count of a position after a play.

    Attributes:
        name: what it is called.
        of: counts it.
        worse: 1 if more is worse, -1 if less is.
        least: smaller differences are not told.
    """

    name: str
    of: Callable[[Points], int]
    worse: int
    least: int = 1


_COUNTS = (
    _Count("shots left of 36:", shots_left, 1, _LEAST_SHOTS),
    _Count("blots", lambda points: len(_blots(points)) if shots_left(points) else 0, 1),
    _Count("points at home", lambda points: sum(points[at] >= 2 for at in _HOME), -1),
    _Count("their checkers on the bar", lambda points: -points[THEIR_BAR], -1),
    _Count("checkers back", lambda points: sum(max(count, 0) for count in points[19:]), 1),
)


def _counted(before: Points, made: Points, best: Points) -> Iterator[str]:
    """Yield what is worse on the board than after the best play: counts of both."""
    if not has_contact(before):
        own, better = (
            CHECKERS - sum(max(count, 0) for count in after) for after in (made, best)
        )
        if own < better:
            yield f"checkers off {own} (best {better})"
        return
    for name, count, worse, least in _COUNTS:
        one, other = count(made), count(best)
        if worse * (one - other) >= least:
            yield f"{name} {one} (best {other})"
    points, others = (made_points(before, after, _BOARD) for after in (made, best))
    if not set(others) <= set(points):
        yield f"makes {_names(points)} (best {_names(others)})"


def _names(points: list[int]) -> str:
    """Return points in words: those of the other's home by the name that both have for it."""
    names = [f"their {25 - p}-point" if p in _THEIR_HOME else f"the {p}-point" for p in points]
    return " and ".join(names) or "no point"


def _cube(choice: Choice, position: Position) -> Iterator[str]:
    values, chances = choice.values, choice.chances
    assert values is not None and chances is not None, "those of a choice about the cube"
    answers = choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS)
    who = "the doubler" if answers else "the player on roll"
    win, won, _, lost, _ = (f"{100.0 * chance:.0f} %" for chance in chances)
    said = f"{who} wins {win}"
    if {won, lost} != {"0 %"}:
        said += f", {won} with a gammon, and loses {lost} with one"
    yield said
    own, their = position.pips
    yield f"pips {own} to {their}"
    if answers:
        yield answer_words(-values.double_take)
        return
    answer = "pass" if values.double_take > values.double_pass else "take"
    said = f"no double is worth {values.no_double:+z.3f}, a double {values.doubled:+z.3f}"
    yield f"{doubling_words(said, position.context.terms().owner)} ({answer})"
