"""Themes of decisions and explanations of errors, in the words of players.

Themes follow from rules for the board; docs/review.md defines them in words. Every clause of an
explanation is a difference in the search's chances, or one that can be counted on the board. If
there is none, the text is empty. The rules for both are kernels (`reasons_kernel`), so that C and the
page without a server use them, too.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.core.values import write_result_equities
from gammon.engine.scale import Scale
from gammon.formats.context import doubling_words
from gammon.formats.notation import parse_play
from gammon.formats.position import Position
from gammon.rules.board import OFF, SIZE, THEIR_BAR, Points, flipped, phase_of
from gammon.rules.outcome import N_RESULTS
from gammon.rules.plays import MAX_ROWS
from gammon.rules.terms import Terms
from gammon_study.reviews.choice import ALIKE, Choice, ChoiceKind, answer_words
from gammon_study.reviews.names import PHASES, THEMES
from gammon_study.reviews.reasons_kernel import (
    COUNTS,
    COUNTS_TOLD,
    CUBE_TOLD,
    N_COUNTS,
    N_REASONS,
    N_TOLD,
    POINTS_TOLD,
    cube_bits,
    play_bits,
    position_bits,
    score_bits,
    write_reasons,
)


def boards_of(*points: Points) -> npt.NDArray[np.int8]:
    """Return boards as kernels take them, int8 [N, 26]."""
    return np.array(points, np.int8)


def _named(bits: int) -> list[str]:
    return [theme for k, theme in enumerate(THEMES) if bits >> k & 1]


def _of_position(points: Points) -> int:
    themes: int = position_bits(boards_of(points, flipped(points)))
    return themes


def _of_score(terms: Terms) -> int:
    """Return the themes of a score, from the terms of the player who decides."""
    themes: int = score_bits(terms.length, *terms.away, terms.cube)
    return themes


def game_phase(points: Points) -> str:
    """Return the phase of a position, one of `PHASES`; takes 26 counts, seen from either side."""
    if "opening" in _named(_of_position(points)):
        return PHASES[0]
    return {"race": "race", "bearoff": "bear-off"}.get(phase_of(points), PHASES[1])


def after_play(points: Points, play: str) -> Points:
    """Return the position after a play in our notation, still seen from the player who made it.

    Args:
        points: 26 counts before the play.
        play: the notation of the play, with all hits; whether it is legal is not checked.
    """
    after = list(points)
    for source, target, hit in parse_play(play):
        after[source] -= 1
        if hit:  # an earlier item of the notation may have put an own checker on the target
            after[target] += 1
            after[THEIR_BAR] -= 1
        if target != OFF:
            after[target] += 1
    return tuple(after)


def _of_plays(points: Points, plays: Sequence[str]) -> int:
    """Return the themes in which plays differ.

    Args:
        points: 26 counts before the plays.
        plays: the plays to compare, in our notation.
    """
    after = boards_of(*(after_play(points, play) for play in plays))
    themes: int = play_bits(boards_of(points)[0], after)
    return themes


def position_themes(position: Position) -> list[str]:
    """Return the themes of a position and of its score, for the player on roll, in the order of `THEMES`."""
    return _named(_of_position(position.points) | _of_score(position.context.terms()))


def themes_of(choice: Choice, position: Position) -> list[str]:
    """Return the themes of a decision, in the order of `THEMES`.

    Args:
        choice: the decision.
        position: the position of its XGID.
    """
    themes = _of_position(position.points)
    terms = position.context.terms()
    if choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS):
        terms = terms.for_opponent()
    themes |= _of_score(terms)
    if choice.values is not None:
        themes |= cube_bits(choice.kind.number, *choice.values, choice.error)
    elif len(choice.plays) > 1:
        themes |= _of_plays(
            position.points, [*(play.play for play in choice.plays[:2]), choice.best, choice.made]
        )
    return _named(themes)


#: The names of the counts, in the order of the kernel.
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

    The text is empty if the choice was right, or if neither the chances nor the board give a
    reason.

    Args:
        choice: the decision.
        position: the position of its XGID.
    """
    if choice.error < ALIKE:
        return ""
    clauses = _play(choice, position) if choice.values is None else _cube(choice, position)
    return " ".join(f"{clause[:1].upper()}{clause[1:]}." for clause in clauses if clause)


class Explained(NamedTuple):
    """The explanation of a choice.

    Attributes:
        text: what an error gave away; empty if the choice was right.
        themes: what the decision is about.
    """

    text: str
    themes: tuple[str, ...]


def explained(choice: Choice, position: Position) -> Explained:
    """Return the explanation of a choice.

    Args:
        choice: the decision.
        position: the position of its XGID.
    """
    return Explained(why(choice, position), tuple(themes_of(choice, position)))


def reasons_of(choice: Choice, position: Position) -> tuple[list[int], list[float]]:
    """Return the reasons and the figures that `write_reasons` writes for a play."""
    made, best = (
        next(play for play in choice.plays if play.play == name) for name in (choice.made, choice.best)
    )
    before = position.points
    boards = boards_of(before, *(after_play(before, play.play) for play in (made, best)))
    chances = np.array([made.probabilities, best.probabilities], np.float64)
    scale = Scale.at(position.context.terms())
    result_equities = np.empty(N_RESULTS)
    write_result_equities(scale.game.stake, scale.game.params, result_equities)
    reasons, figures = np.empty(N_REASONS, np.int64), np.empty(N_TOLD + 1)
    write_reasons(
        boards[0],
        boards[1:],
        chances,
        result_equities,
        scale.terms.dead,
        choice.error,
        np.empty((2, SIZE), np.int8),
        np.empty((MAX_ROWS, SIZE), np.int8),
        np.empty(2),
        reasons,
        figures,
    )
    return reasons.tolist(), figures.tolist()


def _play(choice: Choice, position: Position) -> Iterator[str]:
    numbers, amounts = reasons_of(choice, position)
    lost, saved = (", ".join(_chances(numbers, amounts, sign)) for sign in (-1, 1))
    by_cube = _by_cube(numbers[CUBE_TOLD], amounts[N_TOLD])
    against = lost or by_cube
    if against:
        yield f"{saved}, but {against}" if saved else against
    yield ", ".join(_counted(numbers))
    if lost:
        yield by_cube


def _chances(reasons: list[int], figures: list[float], sign: int) -> Iterator[str]:
    """Yield the chances that are better than after the best play; with sign -1, worse."""
    for k, (verb, what, less) in enumerate(
        (("wins", "", "less"), ("wins", " gammons", "fewer"), ("loses", " gammons", "fewer"))
    ):
        if reasons[k] == sign:
            more = "more" if figures[k] > 0 else less
            yield f"{verb} {abs(100.0 * figures[k]):.1f} % {more}{what}"


def _by_cube(reason: int, gain: float) -> str:
    """Return a clause if only the cube makes the play an error; else an empty text."""
    if not reason:
        return ""
    beside = "both are worth the same" if reason == 1 else f"this is worth {gain:.3f} more"
    return f"the cube makes the difference: without it {beside}"


def _counted(reasons: list[int]) -> Iterator[str]:
    """Yield the counts on the board that are worse than after the best play, with its counts."""
    for k, name in enumerate(_COUNTS):
        if reasons[COUNTS_TOLD + k]:
            yield f"{name} {reasons[COUNTS + k]} (best {reasons[COUNTS + N_COUNTS + k]})"
    points, made, best = reasons[POINTS_TOLD:]
    if points:
        yield f"makes {_names(made)} (best {_names(best)})"


def _names(bits: int) -> str:
    """Return points in words; points in the opponent's home get the opponent's numbers."""
    points = [p for p in range(SIZE, 0, -1) if bits >> p & 1]
    names = [f"their {25 - p}-point" if p in _THEIR_HOME else f"the {p}-point" for p in points]
    return " and ".join(names) or "no point"


def _cube(choice: Choice, position: Position) -> Iterator[str]:
    values, chances = choice.values, choice.chances
    assert values is not None and chances is not None, "a choice about the cube has them"
    answers = choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS)
    who = "the doubler" if answers else "the player on roll"
    win, won, _, lost, _ = (f"{100.0 * chance:.0f} %" for chance in chances)
    text = f"{who} wins {win}"
    if {won, lost} != {"0 %"}:
        text += f", {won} with a gammon, and loses {lost} with one"
    yield text
    own, their = position.pips
    yield f"pips {own} to {their}"
    if answers:
        yield answer_words(-values.double_take)
        return
    answer = "pass" if values.double_take > values.double_pass else "take"
    text = f"no double is worth {values.no_double:+z.3f}, a double {values.doubled:+z.3f}"
    yield f"{doubling_words(text, position.context.terms().owner)} ({answer})"
