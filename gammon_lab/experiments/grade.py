"""Grades of a player: the equity that its plays give away, by phase of the game."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from gammon.base.mean import mean_and_error
from gammon.match.player import Player, match_player_of
from gammon.rules.board import PHASES
from gammon.rules.terms import CUBELESS
from gammon_study.library.judged_decisions import JudgedDecision, judged_decisions
from gammon_study.reviews.rates import RATING

#: The grade of all phases together; each decision counts the same.
ALL = "all"
#: A blunder is a play that loses more than this, in points.
_BLUNDER = 0.08
#: Decisions between two reports of progress.
_AT_ONCE = 16


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
    player: Player,
    decisions: Sequence[JudgedDecision] | None = None,
    seed: int = 1,
    on_done: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Grade]:
    """Let a player decide, and return its grades by phase, `ALL` last.

    Args:
        player: the player to grade.
        decisions: the decisions; by default the decisions that gammon comes with.
        seed: the seed of a noisy player's errors.
        on_done: called with the decisions done and all decisions, for progress.

    Raises:
        SettingError, ModelError, GammonError: there is no such player.
    """
    decisions = judged_decisions() if decisions is None else decisions
    seeds = np.random.default_rng(seed).integers(0, 2**63, len(decisions))
    match_player = match_player_of(player)
    losses: dict[str, list[float]] = {}
    for begin in range(0, len(decisions), _AT_ONCE):
        some = decisions[begin : begin + _AT_ONCE]
        plays = match_player.plays(
            np.array([decision.points for decision in some], np.int8),
            [decision.outcome for decision in some],
            [CUBELESS] * len(some),
            seeds[begin : begin + _AT_ONCE].tolist(),
        )
        for decision, after in zip(some, plays.tolist(), strict=True):
            for name in (decision.phase, ALL):
                losses.setdefault(name, []).append(decision.loss(tuple(after)))
        on_done(begin + len(some), len(decisions))
    return {name: _grade(losses[name]) for name in (*PHASES, ALL) if name in losses}
