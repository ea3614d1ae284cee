"""Analyses as JSON: the entries of each kind of answer, with its heading."""

from dataclasses import asdict
from typing import Any, NamedTuple

from gammon.engine.analysis import Analysis, Candidate, Evaluation, RollTable
from gammon.engine.bearoff import Bearoff
from gammon.engine.boards import Evaluations, PlayValues
from gammon.engine.cube import CubeDecision
from gammon.engine.rolled import Rollout
from gammon.engine.score_grid import PlayGrid, ScoreGrid
from gammon.formats.position import Position
from gammon.rules.dice import PROBABILITIES
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Terms
from gammon.view.arrays import EVALUATIONS, PLAY_VALUES
from gammon.view.bearoff import BEAROFF
from gammon.view.entries import IDS, Entries
from gammon.view.heading import notes
from gammon.view.met import MET
from gammon.view.rollout import ROLLING


class BestOfRoll(NamedTuple):
    """The best play of a roll.

    Attributes:
        dice: the roll, such as `31`.
        probability: its chance.
        best: the play.
    """

    dice: str
    probability: float
    best: Candidate


class BestAtScore(NamedTuple):
    """The best play at a score.

    Attributes:
        away: the points that the player on roll and the opponent still need.
        best: the play.
    """

    away: tuple[int, int]
    best: Candidate


class CubeAtScore(NamedTuple):
    """The decision about the cube at a score.

    Attributes:
        away: the points that the player on roll and the opponent still need.
        cube: the decision.
    """

    away: tuple[int, int]
    cube: CubeDecision


def _text(dice: tuple[int, int]) -> str:
    return f"{dice[0]}{dice[1]}"


def _roll(analysis: Analysis) -> str:
    return _text(analysis.dice)


def _roll_or_none(rollout: Rollout) -> str | None:
    return _text(rollout.dice) if rollout.dice else None


def _roll_of_grid(grid: PlayGrid) -> str | None:
    return _text(grid.position.dice) if grid.position.dice else None


def _none(answer: Any) -> None:
    return None


def _cubeful(answer: Analysis | RollTable | Rollout) -> bool:
    return not answer.terms.cubeless


def _stakes(answer: Analysis | RollTable | Rollout) -> Terms | None:
    """What is at stake for the player on roll with the cube; None: cubeless."""
    return None if answer.terms.cubeless else answer.terms


def _with_cube(answer: Any) -> bool:
    return True


def _notes(answer: Analysis | RollTable) -> list[str]:
    return [*notes(answer.position, answer.terms), *_errs(answer)]


def _errs(
    answer: Analysis | RollTable | CubeDecision | ScoreGrid | PlayGrid,
) -> list[str]:
    return [answer.errs] if answer.errs else []  # with the cube nothing is left out


def _rolling_notes(rollout: Rollout) -> list[str]:
    return notes(rollout.position, rollout.terms, ROLLING)


def _decision(answer: CubeDecision) -> CubeDecision:
    return answer


def _rolls(rolls: RollTable) -> list[BestOfRoll]:
    return [
        BestOfRoll(_text(each.dice), float(probability), each.candidates[0])
        for probability, each in zip(PROBABILITIES, rolls.analyses, strict=True)
    ]


def _cubes(grid: ScoreGrid) -> list[CubeAtScore]:
    return [CubeAtScore(score, decision) for score, decision in grid.scores.items()]


def _named_cubes(grid: ScoreGrid) -> dict[str, CubeDecision]:
    return dict(grid.named)


def _plays(grid: PlayGrid) -> list[BestAtScore]:
    return [BestAtScore(score, each.candidates[0]) for score, each in grid.scores.items()]


def _named_plays(grid: PlayGrid) -> dict[str, list[Candidate]]:
    """The best play, and the one that is best for money where that is another."""
    return {
        name: [c for n, c in enumerate(analysis.candidates) if not n or c.named]
        for name, analysis in grid.named.items()
    }


def _settings(rollout: Rollout) -> dict[str, Any]:
    return asdict(rollout.settings) | {"model": str(rollout.settings.model)}


_BEFORE_A_ROLL: Entries = (*IDS, ("dice", _none), "depth", "algorithm", "level")
_STAKES: Entries = ("worth=terms.payoffs", ("cubeful", _cubeful), ("stakes", _stakes))
_ONLY_CUBE: Entries = (("worth", _none), ("cubeful", _with_cube))

ANALYSIS: Entries = (
    *IDS, ("dice", _roll), "depth", "algorithm", "level", *_STAKES, ("notes", _notes),
    "candidates", "sure", "stats", "seconds",
)  # fmt: skip
ROLL_TABLE: Entries = (
    *_BEFORE_A_ROLL, *_STAKES, ("notes", _notes), "equity", "probabilities",
    ("rolls", _rolls), "stats", "seconds",
)  # fmt: skip
CUBE: Entries = (
    *_BEFORE_A_ROLL, *_ONLY_CUBE, "stakes=terms", ("notes", _errs), ("cube", _decision),
    "equity", "mwc", "probabilities", "stats", "seconds",
)  # fmt: skip
SCORE_GRID: Entries = (
    *_BEFORE_A_ROLL, *_ONLY_CUBE, ("stakes", _none), ("notes", _errs),
    ("scores", _cubes), ("named", _named_cubes), "seconds",
)  # fmt: skip
PLAY_GRID: Entries = (
    *IDS, ("dice", _roll_of_grid), "depth", "algorithm", "level", *_ONLY_CUBE,
    ("stakes", _none), ("notes", _errs), ("scores", _plays), ("named", _named_plays),
    "seconds",
)  # fmt: skip
ROLLOUT: Entries = (
    *IDS, ("dice", _roll_or_none), *_STAKES, ("notes", _rolling_notes), ("settings", _settings),
    "candidates", "cube", "equity", "trials", "games", "turns", "whole", "seconds",
)  # fmt: skip
EVALUATION: Entries = ("equity", "mwc", "probabilities", "stats", "seconds")
POSITION: Entries = (
    "position_id", "match_id", "xgid", "ogid", "points", "dice", "pips", "off", "is_over",
)  # fmt: skip

#: The entries of answers by their types, those that are shown by modules of their own apart.
_ENTRIES: dict[type, Entries] = {
    Analysis: ANALYSIS, CubeDecision: CUBE, Evaluation: EVALUATION, PlayGrid: PLAY_GRID,
    Position: POSITION, RollTable: ROLL_TABLE, Rollout: ROLLOUT, ScoreGrid: SCORE_GRID,
    Evaluations: EVALUATIONS, PlayValues: PLAY_VALUES, Bearoff: BEAROFF, MatchEquityTable: MET,
}  # fmt: skip


def entries_of(kind: type) -> Entries | None:
    """Return the entries of a type of answers; None: it has none."""
    return _ENTRIES.get(kind)
