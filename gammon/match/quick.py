"""Games at depth 1 without the cube, compiled: they measure networks during training.

The games equal those of `gammon.match.game`, with one difference: the first roll may be a
double. They take a quarter of the time and leave no record.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector, Int8Matrix
from gammon.games.backgammon import BACKGAMMON
from gammon.match.result import MatchResult, Numbers, result_of
from gammon.rules.board import OPENING, SIZE
from gammon.rules.dice import throw
from gammon.rules.outcome import IN_PLAY, POINTS
from gammon.rules.outcome import result_of as result_of_game
from gammon.rules.terms import Score
from gammon.search import Evaluator, Problem, problem_of
from gammon.search.evaluation import best_reply
from gammon.search.leaves import copy_state
from gammon.search.workspace import Workspace

_OPENING = np.array([OPENING], np.int8)


@kernel(allocates=True)
def _play_pairs(
    a: Problem, b: Problem, work_a: Workspace, work_b: Workspace, seed: np.uint64,
    starts: Int8Matrix, points: Float64Vector, turns: Float64Vector,
) -> None:  # fmt: skip
    """Play the two games of each pair, with the same start and dice and swapped seats."""
    state = np.empty(SIZE, np.int8)
    for game in range(points.shape[0]):
        copy_state(starts[game // 2 % starts.shape[0]], state)
        a_on_roll = game % 2 == 0
        turn = 0
        result = IN_PLAY
        while result == IN_PLAY:
            roll = throw(seed, np.uint64(game // 2), np.uint64(turn))
            if a_on_roll:
                best, _ = best_reply(a, work_a, state, roll, 0)
                copy_state(work_a.rows[0, best], state)
            else:
                best, _ = best_reply(b, work_b, state, roll, 0)
                copy_state(work_b.rows[0, best], state)
            result = result_of_game(state)
            a_on_roll = not a_on_roll
            turn += 1
        points[game] = POINTS[result] if a_on_roll else -POINTS[result]
        turns[game] = turn


def numbers_at_depth_1(
    a: Evaluator, b: Evaluator, games: int, seed: int, starts: Int8Matrix = _OPENING
) -> Numbers:
    """Play an even number of games of `a` against `b` and return their numbers.

    The games of pair k begin in row k modulo S of `starts`, int8 [S, 26]; `a` is on roll in the
    first game and `b` in the second.
    """
    points, turns = np.zeros((2, games), np.float64)
    problem_a, problem_b = problem_of(BACKGAMMON, a), problem_of(BACKGAMMON, b)
    work_a, work_b = (Workspace.allocate(problem, SIZE, 0, False, None) for problem in (problem_a, problem_b))
    _play_pairs(problem_a, problem_b, work_a, work_b, np.uint64(seed), starts, points, turns)
    none = np.zeros((games, 2), np.float64)
    return Numbers(np.arange(games), points, np.zeros(games), turns, np.ones(games), none, none)


def compare(a: Evaluator, b: Evaluator, games: int, seed: int = 0) -> MatchResult:
    """Play an even number of games of `a` against `b`; the luck of the dice is left in."""
    return result_of(numbers_at_depth_1(a, b, games, seed), Score(live=False))
