"""The uniform tree in the order that is best for alpha-beta: b successors, always.

There is no chance. Whoever takes successor j loses j points, so that the first one is the
best at every node, and a cutoff follows wherever one can. D. E. Knuth and R. W. Moore, "An
analysis of alpha-beta pruning" (1975), have the count of leaves: `fewest_leaves`.

State, int8 [2]: b, and the points of the player on roll.
"""

import numpy as np
import numpy.typing as npt

from gammon.kernel import kernel
from gammon.search.game import (
    NOT_OVER,
    OUTCOMES_SIGNATURE,
    SUCCESSORS_SIGNATURE,
    TERMINAL_SIGNATURE,
    VALUES_SIGNATURE,
    Evaluator,
    Game,
)

__all__ = ["LEAF", "fewest_leaves", "game", "root"]

_B, _POINTS = 0, 1

State = npt.NDArray[np.int8]


@kernel(OUTCOMES_SIGNATURE)
def outcomes(state: State, weight: npt.NDArray[np.float64]) -> int:
    """Fill the one outcome of a game without chance."""
    weight[0] = 1.0
    return 1


@kernel(SUCCESSORS_SIGNATURE)
def successors(state: State, outcome: int, rows: State) -> int:
    """Write b successors, best first."""
    b = int(state[_B])
    for j in range(b):
        rows[j, _B] = b
        rows[j, _POINTS] = j - int(state[_POINTS])
    return b


@kernel(TERMINAL_SIGNATURE)
def terminal(state: State) -> float:
    """Return that the game goes on, to whatever depth it is searched."""
    return NOT_OVER


@kernel(VALUES_SIGNATURE)
def values(
    parent: State,
    rows: State,
    n: int,
    weights: npt.NDArray[np.float32],
    out: npt.NDArray[np.float32],
) -> None:
    """Write the points."""
    for j in range(n):
        out[j] = float(rows[j, _POINTS])


#: The points of the player on roll.
LEAF = Evaluator(values, np.zeros(1, np.float32))


def game(b: int) -> Game:
    """Return the uniform tree of branching factor b."""
    return Game(f"uniform {b}-ary tree", 2, 1, b, -127.0, 127.0, outcomes, successors, terminal)


def root(b: int) -> State:
    """Return the root, where nobody has points. Below it, b times the depth is at most 127."""
    return np.array([b, 0], np.int8)


def fewest_leaves(b: int, moves: int) -> int:
    """Return how many leaves alpha-beta looks at in the best case, `moves` below the root.

    Knuth and Moore: b^ceil(d/2) + b^floor(d/2) - 1.
    """
    return int(b ** ((moves + 1) // 2) + b ** (moves // 2) - 1)
