"""Why a decision was wrong: figures beside the best one's, in the words of players.

Every clause is a difference that can be counted on the board, or that the search has found.
Differences too small to matter are left out.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from gammon.eval.equity import Probabilities
from gammon.formats.position import Position
from gammon.formats.words import doubling_words
from gammon.reviews.choice import ALIKE, Choice, ChoiceKind
from gammon.reviews.themes import after_play, made_points, themes_of
from gammon.rules.board import OWN_BAR, SIZE, THEIR_BAR, Points, flipped, has_contact
from gammon.rules.dice import N_ROLLS, WEIGHTS
from gammon.rules.plays import MAX_ROWS, successors

#: Chances that differ by less are not told.
_LEAST = 0.005
_BOARD = range(1, 25)
_HOME, _THEIR_HOME = range(1, 7), range(19, 25)


def shots_left(points: Points) -> int:
    """Return how many of the opponent's 36 rolls can hit, by the whole rules.

    Args:
        points: 26 counts after a play, still seen from the player who made it; the game is
            not over.
    """
    if all(points[place] != 1 for place in _BOARD) or not has_contact(points):
        return 0
    board, rows = np.array(flipped(points), np.int8), np.empty((MAX_ROWS, SIZE), np.int8)
    found = 0
    for roll in range(N_ROLLS):
        count = successors(board, roll, rows)
        found += WEIGHTS[roll] * bool(rows[:count, OWN_BAR].max() > points[OWN_BAR])
    return found


def why(choice: Choice, position: Position) -> str:
    """Return why a choice was wrong, in a sentence or two; nothing where it was right.

    Args:
        choice: the decision.
        position: that of its XGID.
    """
    if choice.error < ALIKE:
        return ""
    said = _play(choice, position) if choice.values is None else _cube(choice, position)
    return ". ".join(f"{each[:1].upper()}{each[1:]}" for each in said if each) + "."


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
    yield ", ".join(_chances(made.probabilities, best.probabilities))
    before = position.points
    one, other = (after_play(before, each.play) for each in (made, best))
    yield ", ".join(_counted(before, one, other))


def _chances(made: Probabilities, best: Probabilities) -> Iterator[str]:
    """Yield how the chances of two plays differ."""
    for verb, what, index in (
        ("wins", "", 0),
        ("wins", "gammons ", 1),
        ("loses", "gammons ", 3),
    ):
        difference = made[index] - best[index]
        if abs(difference) >= _LEAST:
            more = "more" if difference > 0 else "less" if not what else "fewer"
            yield f"{verb} {abs(100.0 * difference):.1f} % {more} {what}".strip()


#: Counts of a position after a play: what they are called, and what counts them.
_COUNTS: tuple[tuple[str, Callable[[Points], int]], ...] = (
    ("shots left of 36:", shots_left),
    ("blots", lambda points: sum(points[place] == 1 for place in _BOARD)),
    ("points at home", lambda points: sum(points[place] >= 2 for place in _HOME)),
    ("theirs on the bar", lambda points: -points[THEIR_BAR]),
    ("checkers back", lambda points: sum(max(count, 0) for count in points[19:])),
)  # fmt: skip


def _counted(before: Points, made: Points, best: Points) -> Iterator[str]:
    """Yield how two plays differ on the board: counts of the one, then of the best one."""
    for name, count in _COUNTS:
        one, other = count(made), count(best)
        if one != other:
            yield f"{name} {one} (best {other})"
    own, better = (_names(made_points(before, after, _BOARD)) for after in (made, best))
    if own != better:
        yield f"makes {own} (best {better})"


def _names(points: list[int]) -> str:
    """Return points in words: those of the other's home by the name that both have for it."""
    names = [f"their {25 - p}-point" if p in _THEIR_HOME else f"the {p}-point" for p in points]
    return " and ".join(names) or "no point"


def _cube(choice: Choice, position: Position) -> Iterator[str]:
    values, chances = choice.values, choice.chances
    assert values is not None and chances is not None, "those of a choice about the cube"
    answers = choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS)
    who = "the doubler" if answers else "the player on roll"
    yield (
        f"{who} wins {100.0 * chances[0]:.0f} %, {100.0 * chances[1]:.0f} % with a gammon, and "
        f"loses {100.0 * chances[3]:.0f} % with one"
    )
    own, their = position.pips
    yield f"pips {own} to {their}"
    if answers:
        yield (
            f"a take is worth {-values.double_take:+z.3f}, a pass {-values.double_pass:+z.3f}"
        )
        return
    answer = "pass" if values.double_take > values.double_pass else "take"
    said = f"no double is worth {values.no_double:+z.3f}, a double {values.doubled:+z.3f}"
    yield f"{doubling_words(said, position.context.terms().owner)} ({answer})"
