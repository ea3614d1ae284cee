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
from gammon.base.showing import Shown
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

#: Scores that people name, beside money. Nobody can double there.
_NAMED = {
    "dmp": Terms(1, (1, 1)),
    "gammon-go": Terms(2, (2, 1), crawford=True),
    "gammon-save": Terms(2, (1, 2), crawford=True),
}


def _money(terms: Terms) -> Terms:
    """Return the terms of money, with the cube and the owner of other terms."""
    return terms._replace(length=0, away=(0, 0), crawford=False, live=True)


def _owned(terms: Terms) -> dict[str, Terms]:
    """Return the terms with the cube in the centre, and turned once or more for each side.

    Raises:
        SettingError: it is the Crawford game.
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
    """Return the terms of a score of a match, with the cube and the owner of other terms.

    Where a side is 1-away, it is a game after the Crawford game.
    """
    cube, owner = (terms.cube, terms.owner) if terms.owner else (1, 0)
    return Terms(max(score), score, cube=cube, owner=owner)


@dataclass(frozen=True, repr=False)
class _Grid(Shown, Generic[Answer]):
    """Answers by score.

    Attributes:
        position: what they are about; its cube and owner stay.
        away: both sides need from 1 to this number of points; 0 where no scores were asked for.
        scores: the answers by score; where a side needs 1, of a game after the Crawford game.
        named: beside scores, those for money, at double match point ("dmp"), "gammon-go" and
            "gammon-save"; and those by the cube's place: "cube-centred", "cube-mine" (of the
            player on roll), "cube-theirs".
        seconds: wall time.
    """

    position: Position
    away: int
    scores: Mapping[Score, Answer]
    named: Mapping[str, Answer]
    seconds: float

    @property
    def every(self) -> list[Answer]:
        """All answers, those of `named` first."""
        return list(chain(self.named.values(), self.scores.values()))

    @property
    def depth(self) -> int:
        """The plies of all answers, or the fewest where time was over."""
        return min(each.depth for each in self.every)

    @property
    def level(self) -> str | None:
        """The level that plays games where choices are close, or None."""
        return self.every[0].level

    @property
    def algorithm(self) -> str | None:
        """The algorithm of the searches, or None where there was no search."""
        return self.every[0].algorithm

    @property
    def errs(self) -> str:
        """See `Question.errs`."""
        return self.every[0].errs

    def __repr__(self) -> str:
        names = [f"to {self.away}-away"] * bool(self.away) + list(self.named)
        return f"<{type(self).__name__} of {self.position.xgid}: {', '.join(names)}>"


class ScoreGrid(_Grid[CubeDecision]):
    """Cube decisions by score, in `scores` and `named`. Its `str` is a table for people."""


class PlayGrid(_Grid[Analysis]):
    """The best plays of a roll by score: `scores` and `named` have analyses.

    Those of `named` have an exact value of the play that is best in the first one, too: for
    money, or with the cube in the centre. Its `str` is a table for people.
    """

    @property
    def plays(self) -> list[str]:
        """The plays that are best somewhere, beginning with that of the first answer."""
        return list(dict.fromkeys(each.candidates[0].play.notation for each in self.every))


def naming_the_first(ask: Callable[..., Analysis]) -> Callable[[Position], Analysis]:
    """Return `ask`, with the best play of its first answer among the `plays` of others."""
    first: list[Play] = []

    def named(position: Position) -> Analysis:
        found = ask(position, plays=first)
        first[:] = first or [found.candidates[0].play]
        return found

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
    """Return the answers at all scores to `away` points, at the named ones, and the time.

    Args:
        ask: gives an answer at a score.
        ask_named: gives one that has a name; that for money, or with the cube in the centre,
            comes first of all.
        position: its cube and owner stay.
        away: the points, from 1 to `MOST_AWAY`; 0 for no scores, with `owners`.
        owners: whether answers by the cube's place are asked for.
        progress: int64 [2], kept at (answers given, answers in all), or None.
        stop: another thread sets it to end the work.

    Raises:
        SettingError: `away` is out of range, or no game has such a cube; or owners are asked
            for in the Crawford game.
        UnfinishedError: the stop was set before all answers were there.
    """
    away = whole("away", away, 0 if owners else 1, MOST_AWAY)
    if progress is not None:
        check_progress(progress)
    check_stop(stop)
    begun = time.perf_counter()
    terms, aways = position.context.terms(), range(1, away + 1)
    others = {"money": _money(terms), **_NAMED} if away else {}
    others |= _owned(terms) if owners else {}
    scores: dict[Score, Answer] = {}
    named: dict[str, Answer] = {}

    def told() -> None:
        if progress is not None:
            progress[:] = len(scores) + len(named), away * away + len(others)

    def at(terms: Terms) -> Position:
        if stop is not None:
            stop.check()
        return position.with_terms(terms)

    for name, each in others.items():
        named[name] = ask_named(at(each))
        told()
    for score in ((own, their) for own in aways for their in aways):
        scores[score] = ask(at(_terms_at(terms, score)))
        told()
    return scores, named, time.perf_counter() - begun
