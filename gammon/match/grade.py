"""Grades of a player: the equity that its plays give away, by the phase of the game."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gammon.answers.analysis import RATING
from gammon.base.mean import mean_and_error
from gammon.match.player import Player, mind_of
from gammon.match.reference import Reference, reference_decisions
from gammon.rules.phase import PHASES

#: The grade of all phases together; each decision counts the same.
ALL = "all"
#: A blunder is a play that loses more than this, in points.
_BLUNDER = 0.08


class Grade(NamedTuple):
    """The grade of a player's plays in one phase.

    Attributes:
        decisions: the number of decisions, none of them forced.
        rating: 500 times the mean loss of equity, in points; 0 is perfect.
        error: the rating's standard error.
        best: the share of plays that are the best one.
        blunders: the share of plays that lose more than 0.08 points.
    """

    decisions: int
    rating: float
    error: float
    best: float
    blunders: float


def _grade(losses: Sequence[float]) -> Grade:
    values = np.array(losses, np.float64)
    mean, error = mean_and_error(values)
    return Grade(
        len(values),
        RATING * mean,
        RATING * error,
        float((values <= 0.0).mean()),
        float((values > _BLUNDER).mean()),
    )


def grade(
    player: Player, decisions: Sequence[Reference] | None = None, seed: int = 1
) -> dict[str, Grade]:
    """Let a player decide, and return its grades by phase, with `ALL` last.

    Args:
        player: the player to grade.
        decisions: the decisions; by default those of the reference file.
        seed: the seed of a noisy player's errors.

    Raises:
        SettingError, ModelError, GammonError: there is no such player.
    """
    decisions = reference_decisions() if decisions is None else decisions
    seeds = np.random.default_rng(seed).integers(0, 2**63, len(decisions))
    plays = mind_of(player).best(
        [each.points for each in decisions],
        [each.outcome for each in decisions],
        seeds.tolist(),
    )
    losses: dict[str, list[float]] = {}
    for each, after in zip(decisions, plays.tolist(), strict=True):
        for name in (each.phase, ALL):
            losses.setdefault(name, []).append(each.loss(tuple(after)))
    return {name: _grade(losses[name]) for name in (*PHASES, ALL) if name in losses}
