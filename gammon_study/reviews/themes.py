"""Themes: what a decision is about, by rules for the board. docs/study.md defines them in words.

The rules are kernels (`reasons_kernel`), so that C and the page without a server use them, too.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gammon.formats.notation import parse_play
from gammon.formats.position import Position
from gammon.rules.board import OFF, THEIR_BAR, Points, flipped, phase_of
from gammon.rules.terms import Terms
from gammon_study.reviews.choice import Choice, ChoiceKind
from gammon_study.reviews.names import PHASES, THEMES
from gammon_study.reviews.reasons_kernel import cube_bits, play_bits, position_bits, score_bits


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
