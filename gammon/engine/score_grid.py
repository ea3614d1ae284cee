"""Answers about one position at many scores, and with each owner of the cube."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from gammon.base.checks import whole
from gammon.base.errors import SettingError
from gammon.base.showing import Rendered
from gammon.base.stop import check_stop
from gammon.engine.analysis import Analysis
from gammon.engine.cube import CubeDecision
from gammon.engine.question import MOST_AWAY
from gammon.formats.play import Play
from gammon.formats.position import Position
from gammon.rules.terms import Terms
from gammon.search import Stop
from gammon.search.checks import check_progress

Answer = TypeVar("Answer", CubeDecision, Analysis)
#: The points that the player on roll and the opponent still need.
Score = tuple[int, int]

#: The named scores beside money. Nobody can double at them.
_NAMED = {
    "dmp": Terms(1, (1, 1)),
    "gammon-go": Terms(2, (2, 1), crawford=True),
    "gammon-save": Terms(2, (1, 2), crawford=True),
}


def _money(terms: Terms) -> Terms:
    """Return terms for money with the same cube and owner."""
    return terms._replace(length=0, away=(0, 0), crawford=False, live=True)


def _owned(terms: Terms) -> dict[str, Terms]:
    """Return the terms with the cube in the centre, and with each side as its owner.

    Raises:
        SettingError: the terms are of the Crawford game.
    """
    if terms.crawford:
        raise SettingError("owners in the Crawford game: expected a game with the cube")
    turned = max(terms.cube, 2)
    return {
        "cube-centred": terms._replace(cube=1, owner=0),
        "cube-mine": terms._replace(cube=turned, owner=1),
        "cube-theirs": terms._replace(cube=turned, owner=-1),
    }


def _terms_at(terms: Terms, score: Score) -> Terms:
    """Return the terms at a match score, with the cube and the owner of `terms`.

    If a side is 1-away, the game is after the Crawford game.
    """
    cube, owner = (terms.cube, terms.owner) if terms.owner else (1, 0)
    return Terms(max(score), score, cube=cube, owner=owner)


@dataclass(frozen=True, repr=False)
class _Grid(Rendered, Generic[Answer]):
    """Answers by score.

    Attributes:
        position: the position; its cube and owner stay.
        away: each side needs 1 to this many points; 0 without scores.
        scores: the answers by score; if a side needs 1 point, for a game after the Crawford game.
        named: with scores, the answers for "money", at double match point ("dmp"), "gammon-go"
            and "gammon-save"; with owners, the answers by the owner of the cube: "cube-centred",
            "cube-mine" (the player on roll), "cube-theirs".
        seconds: wall time.
    """

    position: Position
    away: int
    scores: Mapping[Score, Answer]
    named: Mapping[str, Answer]
    seconds: float

    @property
    def every(self) -> list[Answer]:
        """All answers, the named ones first."""
        return list(chain(self.named.values(), self.scores.values()))

    @property
    def depth(self) -> int:
        """The plies of the answers; the fewest if a time limit reduced some."""
        return min(answer.depth for answer in self.every)

    @property
    def level(self) -> str | None:
        """The level that rolls out close choices, or None."""
        return self.every[0].level

    @property
    def algorithm(self) -> str | None:
        """The algorithm of the searches, or None where there was no search."""
        return self.every[0].algorithm

    @property
    def noise_note(self) -> str:
        """See `Question.noise_note`."""
        return self.every[0].noise_note

    def __repr__(self) -> str:
        names = [f"to {self.away}-away"] * bool(self.away) + list(self.named)
        return f"<{type(self).__name__} of {self.position.xgid}: {', '.join(names)}>"


class ScoreGrid(_Grid[CubeDecision]):
    """Cube decisions by score, in `scores` and `named`. Its `str` is a table for people."""


class PlayGrid(_Grid[Analysis]):
    """The best plays of a roll by score: `scores` and `named` have analyses.

    The first analysis in `named` is for money or with the cube in the centre. The others also have a
    value of full depth for its best play. Its `str` is a table for people.
    """

    @property
    def plays(self) -> list[str]:
        """The plays that are best in some answer, in the order of the answers."""
        return list(dict.fromkeys(answer.candidates[0].play.notation for answer in self.every))


def naming_the_first(ask: Callable[..., Analysis]) -> Callable[[Position], Analysis]:
    """Return `ask` such that later calls name the best play of the first call in `plays`."""
    first: list[Play] = []

    def named(position: Position) -> Analysis:
        analysis = ask(position, plays=first)
        first[:] = first or [analysis.candidates[0].play]
        return analysis

    return named


def by_score(
    ask: Callable[[Position], Answer],
    ask_named: Callable[[Position], Answer],
    position: Position,
    away: int,
    owners: bool,
    progress: npt.NDArray[np.int64] | None,
    stop: Stop | None = None,
) -> tuple[dict[Score, Answer], dict[str, Answer], float]:
    """Return the answers by score, the named answers, and the wall time.

    Args:
        ask: returns the answer at a score.
        ask_named: returns a named answer; the first call is for money, or with the cube in the
            centre, before all other calls.
        position: its cube and owner stay.
        away: the most points a side needs, from 1 to `MOST_AWAY`; with `owners` also 0, for no
            scores.
        owners: whether to answer with each owner of the cube.
        progress: int64 [2], kept at (answers done, total answers), or None.
        stop: another thread sets it to end the work.

    Raises:
        SettingError: `away` is out of range, no game has such a cube, or `owners` are given for
            the Crawford game.
        UnfinishedError: the stop was set before all answers were complete.
    """
    away = whole("away", away, 0 if owners else 1, MOST_AWAY)
    if progress is not None:
        check_progress(progress)
    check_stop(stop)
    begun = time.perf_counter()
    terms, aways = position.context.terms(), range(1, away + 1)
    named_terms = {"money": _money(terms), **_NAMED} if away else {}
    named_terms |= _owned(terms) if owners else {}
    scores: dict[Score, Answer] = {}
    named: dict[str, Answer] = {}

    def report() -> None:
        if progress is not None:
            progress[:] = len(scores) + len(named), away * away + len(named_terms)

    def at(terms: Terms) -> Position:
        if stop is not None:
            stop.check()
        return position.with_terms(terms)

    for name, its_terms in named_terms.items():
        named[name] = ask_named(at(its_terms))
        report()
    for score in ((own, their) for own in aways for their in aways):
        scores[score] = ask(at(_terms_at(terms, score)))
        report()
    return scores, named, time.perf_counter() - begun
