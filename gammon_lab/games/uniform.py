"""The uniform tree in the order that is best for alpha-beta: b successors at every node.

There is no chance. A player who takes successor j loses j points, so that the first successor is the
best at every node, and every possible cutoff occurs. D. E. Knuth and R. W. Moore, "An
analysis of alpha-beta pruning" (1975), give the count of leaves: `fewest_leaves`.

State, int8 [1]: the points of the player on roll. Parameter: b.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, UInt64Vector
from gammon.search.game import Evaluator, Game, Params, Rows, State, never_over, one_outcome

_POINTS = 0


@kernel()
def successors(state: State, outcome: int, params: Params, rows: Rows) -> int:
    """Write b successors, best first."""
    b = int(params[0])
    for j in range(b):
        rows[j, _POINTS] = j - int(state[_POINTS])
    return b


@kernel()
def evaluate(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write the points of the player on roll."""
    for j in range(n):
        out[j, 0] = float(rows[j, _POINTS])


#: The evaluator: the points of the player on roll.
LEAF = Evaluator(evaluate, np.zeros(1, np.float32))


def game(b: int) -> Game:
    """Return the uniform tree of branching factor b."""
    return Game(
        f"uniform {b}-ary tree", 1, 1, b, -127.0, 127.0, one_outcome, successors, never_over,
        params=np.array([b], np.float64),
    )  # fmt: skip


def root() -> State:
    """Return the root, where neither player has points. Below it, b times the depth is at most 127."""
    return np.zeros(1, np.int8)


def fewest_leaves(b: int, moves: int) -> int:
    """Return how many leaves alpha-beta evaluates in the best case, `moves` below the root.

    Knuth and Moore: b^ceil(d/2) + b^floor(d/2) - 1.
    """
    return int(b ** ((moves + 1) // 2) + b ** (moves // 2) - 1)
