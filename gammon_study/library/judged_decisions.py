"""Judged decisions: the equity of each play, as `gammon reproduce judge` wrote it."""

import csv
import io
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gammon.base.errors import FormatError
from gammon.base.files import regular
from gammon.formats.gnubg_id import format_position_id, parse_position_id
from gammon.rules.board import SIZE, Points, flipped, phase_of
from gammon.rules.dice import ROLLS, outcome_of
from gammon.rules.plays import MAX_ROWS, successors

_FILE = Path(__file__).parents[1] / "data" / "judged_decisions.csv"
#: The unit of the equities in the file, in points.
_UNIT = 1e-4
#: An equity may exceed 3 points slightly: variance reduction leaves an error.
_LARGEST = 3.1 / _UNIT
_COLUMNS = ("position", "dice", "equities", "trials")


class JudgedDecision(NamedTuple):
    """A decision and the equity of each play.

    Attributes:
        points: 26 counts, seen from the player on roll.
        outcome: the roll, 0..20.
        phase: see `gammon.rules.board.PHASES`.
        equities: the equity to the player on roll in points, by the position after the play, seen
            from the same player. Clearly worse plays have an upper bound.
        trials: the rollout's games of each of the best plays; 0 if a search gave the equities.
    """

    points: Points
    outcome: int
    phase: str
    equities: dict[Points, float]
    trials: int = 0

    def loss(self, after: Points) -> float:
        """Return the loss of the play that leads to `after`, in points; a lower bound for bad plays."""
        return max(self.equities.values()) - self.equities[after]


def rounded(equity: float) -> float:
    """Return an equity in points, rounded as in the file, so that equal entries are equal."""
    return _UNIT * round(equity / _UNIT)


def sorted_successors(points: Points, outcome: int) -> list[Points]:
    """Return all positions after a roll, seen from the player who rolled, in sorted order."""
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    n = successors(np.array(points, np.int8), outcome, rows)
    return sorted(flipped(row.tolist()) for row in rows[:n])


@cache
def judged_decisions(path: Path = _FILE) -> tuple[JudgedDecision, ...]:
    """Return all decisions of a file, by default gammon's own.

    Raises:
        FormatError: the file is missing or damaged.
    """
    decisions = []
    try:
        with regular(path).open(newline="", encoding="utf-8") as file:
            rows = csv.DictReader(file)
            for row in rows:
                try:
                    decisions.append(_decision(*(row[name] for name in _COLUMNS)))
                except (KeyError, TypeError, ValueError) as error:
                    reason = str(error)[:100]
                    raise FormatError(
                        f"{str(path)!r} is damaged in line {rows.line_num} ({reason}): "
                        "expected a position, a roll, an equity for each play, games"
                    ) from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FormatError(
            f"{str(path)!r} cannot be read ({error}): expected the decisions that gammon comes with"
        ) from None
    if not decisions:
        raise FormatError(f"{str(path)!r} is empty: expected the decisions")
    return tuple(decisions)


def text_of_decisions(decisions: Iterable[JudgedDecision]) -> str:
    """Return the text of a file with decisions."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(_COLUMNS)
    for decision in decisions:
        plays = sorted_successors(decision.points, decision.outcome)
        numbers = " ".join(str(round(decision.equities[play] / _UNIT)) for play in plays)
        dice = "".join(map(str, ROLLS[decision.outcome]))
        out.writerow([format_position_id(decision.points), dice, numbers, decision.trials])
    return text.getvalue()


def _decision(position: str, dice: str, equities: str, trials: str) -> JudgedDecision:
    """Return the decision of a row.

    Raises:
        TypeError, ValueError: the row is damaged.
    """
    if None in (position, dice, equities, trials):
        raise ValueError("too few columns")
    points = parse_position_id(position)
    if len(dice) != 2:
        raise ValueError(f"dice {dice[:20]!r}")
    outcome = outcome_of((int(dice[0]), int(dice[1])))
    numbers = [int(number) for number in equities.split()]
    after = sorted_successors(points, outcome)
    if len(numbers) != len(after) or max(map(abs, numbers)) > _LARGEST:
        raise ValueError(f"{len(numbers)} equities of {len(after)} plays, -3 to 3 points")
    worth = {play: _UNIT * number for play, number in zip(after, numbers, strict=True)}
    if int(trials) < 0:
        raise ValueError(f"{trials[:20]} games")
    return JudgedDecision(points, outcome, phase_of(points), worth, int(trials))
