"""Why a decision was wrong: figures beside the best one's, in the words of players.

Every clause is a difference that can be counted on the board, or that the search has found;
`reasons_kernel` says which are told. Where nothing is left, nothing is said.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gammon.core.values import write_worths
from gammon.engine.scale import Scale
from gammon.formats.position import Position
from gammon.formats.words import doubling_words
from gammon.rules.board import SIZE
from gammon.rules.outcome import N_RESULTS
from gammon.rules.plays import MAX_ROWS
from gammon_study.reviews.choice import ALIKE, Choice, ChoiceKind, answer_words
from gammon_study.reviews.reasons_kernel import (
    COUNTS,
    COUNTS_TOLD,
    CUBE_TOLD,
    N_COUNTS,
    N_REASONS,
    N_TOLD,
    POINTS_TOLD,
    write_reasons,
)
from gammon_study.reviews.themes import after_play, boards_of, themes_of

#: What the counts are called, in the order of the kernel.
_COUNTS = (
    "checkers off",
    "shots left of 36:",
    "blots",
    "points at home",
    "their checkers on the bar",
    "checkers back",
)
_THEIR_HOME = range(19, 25)


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


def told_of(choice: Choice, position: Position) -> tuple[list[int], list[float]]:
    """Return the numbers of `write_reasons` for the choice of a play."""
    made, best = (
        next(each for each in choice.plays if each.play == name) for name in (choice.made, choice.best)
    )
    before = position.points
    boards = boards_of(before, *(after_play(before, each.play) for each in (made, best)))
    chances = np.array([made.probabilities, best.probabilities], np.float64)
    worth = Scale.at(position.context.terms())
    worths = np.empty(N_RESULTS)
    write_worths(worth.game.stake, worth.game.params, worths)
    told, figures = np.empty(N_REASONS, np.int64), np.empty(N_TOLD + 1)
    write_reasons(
        boards[0],
        boards[1:],
        chances,
        worths,
        worth.terms.dead,
        choice.error,
        np.empty((2, SIZE), np.int8),
        np.empty((MAX_ROWS, SIZE), np.int8),
        np.empty(2),
        told,
        figures,
    )
    return told.tolist(), figures.tolist()


def _play(choice: Choice, position: Position) -> Iterator[str]:
    numbers, amounts = told_of(choice, position)
    lost, saved = (", ".join(_chances(numbers, amounts, sign)) for sign in (-1, 1))
    by_cube = _by_cube(numbers[CUBE_TOLD], amounts[N_TOLD])
    against = lost or by_cube
    if against:
        yield f"{saved}, but {against}" if saved else against
    yield ", ".join(_counted(numbers))
    if lost:
        yield by_cube


def _chances(told: list[int], figures: list[float], sign: int) -> Iterator[str]:
    """Yield how the chances are better than after the best play; with sign -1, worse."""
    for k, (verb, what, less) in enumerate(
        (("wins", "", "less"), ("wins", " gammons", "fewer"), ("loses", " gammons", "fewer"))
    ):
        if told[k] == sign:
            more = "more" if figures[k] > 0 else less
            yield f"{verb} {abs(100.0 * figures[k]):.1f} % {more}{what}"


def _by_cube(told: int, gain: float) -> str:
    """Return that an error is the cube's work, where the play is as good without it."""
    if not told:
        return ""
    beside = "both are worth the same" if told == 1 else f"this is worth {gain:.3f} more"
    return f"the cube makes the difference: without it {beside}"


def _counted(told: list[int]) -> Iterator[str]:
    """Yield what is worse on the board than after the best play: counts of both."""
    for k, name in enumerate(_COUNTS):
        if told[COUNTS_TOLD + k]:
            yield f"{name} {told[COUNTS + k]} (best {told[COUNTS + N_COUNTS + k]})"
    points, made, best = told[POINTS_TOLD:]
    if points:
        yield f"makes {_names(made)} (best {_names(best)})"


def _names(bits: int) -> str:
    """Return points in words: those of the other's home by the name that both have for it."""
    points = [p for p in range(SIZE, 0, -1) if bits >> p & 1]
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
