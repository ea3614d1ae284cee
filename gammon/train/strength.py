"""A quick look at strength: depth-1 games between two evaluators, duplicate dice."""

from typing import NamedTuple

import numpy as np

from gammon.base.mean import mean_and_error
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import OPENING, SIZE
from gammon.rules.outcome import IN_PLAY, POINTS, result_of
from gammon.rules.throw import throw
from gammon.search import Evaluator, Problem, problem_of
from gammon.search.evaluation import best_reply
from gammon.search.workspace import Workspace

__all__ = ["Strength", "compare"]

_OPENING = np.array(OPENING, np.int8)


class Strength(NamedTuple):
    """Result of a comparison, for the first evaluator.

    Attributes:
        points: mean points a game (cubeless money, gammons and backgammons counted).
        error: its standard error, over pairs of games with the same dice.
        games: the games played.
    """

    points: float
    error: float
    games: int

    def __str__(self) -> str:
        return f"{self.points:+.3f} +- {self.error:.3f} points a game"


@kernel(allocates=True)
def _play_pairs(
    a: Problem, b: Problem, work_a: Workspace, work_b: Workspace, seed: np.uint64,
    points: Float64Vector,
) -> None:  # fmt: skip
    """Play each pair's two games with the same dice and swapped seats; sum A's points."""
    state = np.empty(SIZE, np.int8)
    for pair in range(points.shape[0]):
        points[pair] = 0.0
        for seat in range(2):
            state[:] = _OPENING
            a_on_roll = seat == 0
            turn = 0
            result = IN_PLAY
            while result == IN_PLAY:
                outcome = throw(seed, np.uint64(pair), np.uint64(turn))
                if a_on_roll:
                    best, _ = best_reply(a, work_a, state, outcome, 0)
                    state[:] = work_a.rows[0, best]
                else:
                    best, _ = best_reply(b, work_b, state, outcome, 0)
                    state[:] = work_b.rows[0, best]
                result = result_of(state)
                a_on_roll = not a_on_roll
                turn += 1
            points[pair] += POINTS[result] if a_on_roll else -POINTS[result]


def compare(a: Evaluator, b: Evaluator, games: int, seed: int = 0) -> Strength:
    """Play `games` (an even number) depth-1 games of a against b."""
    pairs = games // 2
    points = np.zeros(pairs, np.float64)
    of_a, of_b = problem_of(BACKGAMMON, a), problem_of(BACKGAMMON, b)
    work_a, work_b = (Workspace.allocate(each, SIZE, 0, False, None) for each in (of_a, of_b))
    _play_pairs(of_a, of_b, work_a, work_b, np.uint64(seed), points)
    return Strength(*mean_and_error(points / 2), 2 * pairs)
