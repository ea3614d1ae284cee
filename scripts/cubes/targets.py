"""Targets of a leaf with the cube: values one turn ahead, for each owner of the cube.

They are for money. The value of rolling is the mean over the 21 rolls of the value of the best reply
before the opponent's turn: the opponent may double, and the player then takes or passes.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Int8Matrix
from gammon.eval.bearoff import N_OWNERS
from gammon.games.backgammon import backgammon
from gammon.rules.board import SIZE
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.match_equity import params_of
from gammon.rules.terms import Terms
from gammon.search import Evaluator, Problem, problem_of
from gammon.search.evaluation import evaluate_leaves, fold_leaves
from gammon.search.game import NOT_OVER
from gammon.search.workspace import Workspace

#: The owners of the cube in the order of the values; for money they are the stakes.
OWNERS = (1, 0, -1)
_TOGETHER = 4096


@kernel()
def _write_targets(problem: Problem, work: Workspace, states: Int8Matrix, out: Float32Matrix) -> None:
    """Write the values of rolling in positions for each owner of the cube.

    Args:
        problem: backgammon with the cube for money.
        work: buffers for any depth.
        states: int8 [N, 26], each seen from its player on roll.
        out: float32 [N, 3], to the player on roll who owns the cube, if it is centred, and if
            the opponent owns it.
    """
    rows, values = work.rows[0], work.values[0]
    out[:] = 0.0
    for s in range(states.shape[0]):
        for roll in range(N_ROLLS):
            n = problem.successors(states[s], roll, problem.params, rows)
            evaluate_leaves(problem, work, states[s], rows, n, work.outputs)
            for k in range(N_OWNERS):
                stake = 1 - k
                fold_leaves(problem, work, work.outputs, n, stake, values)
                best = np.inf
                for j in range(n):
                    payoff = problem.terminal(rows[j], -stake, problem.params)
                    value = np.float64(values[j]) if payoff == NOT_OVER else payoff
                    best = min(best, value)
                out[s, k] -= PROBABILITIES[roll] * best


def cube_targets(evaluator: Evaluator, rows: Int8Matrix) -> Float32Matrix:
    """Return the values of rolling one turn ahead, float32 [N, 3], in points of the cube.

    Args:
        evaluator: an evaluator with the cube, for money.
        rows: int8 [N, 26], each seen from its player on roll; no game is over.

    Returns:
        Values to the player on roll: who owns the cube, if it is centred, if the opponent owns it.
    """
    problem = problem_of(backgammon(Terms()), evaluator)
    work = Workspace.allocate(problem, SIZE, 0, False, None)
    rows = np.ascontiguousarray(rows, np.int8)
    out = np.empty((len(rows), N_OWNERS), np.float32)
    _write_targets(problem, work, rows, out)
    return out


def static_outputs(evaluator: Evaluator, rows: Int8Matrix) -> Float32Matrix:
    """Return an evaluator's outputs for positions, float32 [N, K].

    Args:
        evaluator: any evaluator.
        rows: int8 [N, 26], each seen from its player on roll; no game is over.
    """
    rows = np.ascontiguousarray(rows, np.int8)
    out, scratch = np.empty((len(rows), evaluator.outputs), np.float32), evaluator.new_scratch()
    for first in range(0, len(rows), _TOGETHER):
        some = rows[first : first + _TOGETHER]
        evaluator.evaluate(
            some[0], some, len(some), evaluator.weights, out[first : first + _TOGETHER], scratch
        )
    return out


def folded(player: Evaluator, outputs: Float32Matrix) -> Float32Matrix:
    """Return the values of rolling for money for each owner of the cube, float32 [N, 3].

    Args:
        player: an evaluator with the cube.
        outputs: float32 [N, 10], the evaluator's outputs for positions.
    """
    params, values = params_of(Terms()), np.empty((N_OWNERS, len(outputs)), np.float32)
    for k, owner in enumerate(OWNERS):
        player.fold(outputs, len(outputs), owner, params, values[k])
    return np.ascontiguousarray(values.T)
