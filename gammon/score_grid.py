"""The cube decision of one position at many scores: when is it a double, when a take?"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gammon.cube import CubeDecision, decision_terms
from gammon.formats.position import Position
from gammon.rules.terms import Terms

__all__ = ["Score", "ScoreGrid", "decide_by_score"]

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


def _terms_at(terms: Terms, score: Score) -> Terms:
    """Return the terms of a score of a match, with the cube and the owner of other terms.

    Where a side is 1-away, it is a game after the Crawford game.
    """
    cube, owner = (terms.cube, terms.owner) if terms.owner else (1, 0)
    return Terms(max(score), score, cube=cube, owner=owner)


@dataclass(frozen=True, repr=False)
class ScoreGrid:
    """Cube decisions by score. Its `str` is a table for people.

    Attributes:
        position: where they are made.
        away: both sides need from 1 to so many points.
        decisions: by score.
        named: for money, at double match point ("dmp"), "gammon-go" and "gammon-save".
        seconds: wall time.
    """

    position: Position
    away: int
    decisions: Mapping[Score, CubeDecision]
    named: Mapping[str, CubeDecision]
    seconds: float

    @property
    def depth(self) -> int:
        """The plies of all decisions."""
        return min(each.depth for each in self.decisions.values())

    def __str__(self) -> str:
        from gammon.text.plain import plain_text
        from gammon.text.score_grid import score_grid_view

        return plain_text(score_grid_view(self))

    def __repr__(self) -> str:
        return f"<ScoreGrid of {self.position.position_id}: to {self.away}-away>"


def decide_by_score(
    decide: Callable[[Position], CubeDecision],
    position: Position,
    away: int,
    on_decision: Callable[[int, int], None],
) -> ScoreGrid:
    """Return the decisions of a position at all scores to so many points away.

    Args:
        decide: makes a decision.
        position: its cube and owner stay.
        away: the points.
        on_decision: called with the decisions made, and their number.

    Raises:
        SettingError: see `gammon.cube.decision_terms`.
    """
    begun = time.perf_counter()
    terms, aways = decision_terms(position), range(1, away + 1)
    others = {"money": _money(terms), **_NAMED}
    total = away * away + len(others)
    found: dict[Score, CubeDecision] = {}
    for score in ((own, their) for own in aways for their in aways):
        found[score] = decide(position.with_terms(_terms_at(terms, score)))
        on_decision(len(found), total)
    named: dict[str, CubeDecision] = {}
    for name, each in others.items():
        named[name] = decide(position.with_terms(each))
        on_decision(len(found) + len(named), total)
    return ScoreGrid(position, away, found, named, time.perf_counter() - begun)
