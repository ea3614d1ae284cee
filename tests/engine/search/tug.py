"""A tug of war whose results are worth another amount to each side: for tests of stakes.

State, int8 [1]: how far the player on roll is ahead; the game is over from 5 on. A die of
1, 2 or 3 says how far a player may pull; or the player gives way by 1. Both sides come to the
same states at the same depth, so that a table must tell the stakes of a state apart.

Parameters, float64 [4]: what being ahead is worth to the player at whose stake is 1, what a
crooked rope is worth to that player, and both to the other one.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, Float64Vector, UInt64Vector
from gammon.search import Evaluator, Game
from gammon.search.game import NOT_OVER, Params, Rows, State

END = 5


@kernel()
def outcomes(state: State, params: Params, weight: Float64Vector) -> int:
    weight[0], weight[1], weight[2] = 1 / 2, 1 / 3, 1 / 6
    return 3


@kernel()
def successors(state: State, outcome: int, params: Params, rows: Rows) -> int:
    rows[0, 0] = -(state[0] + outcome + 1)
    rows[1, 0] = -(state[0] - 1)
    return 2


@kernel()
def _worth(ahead: float, crooked: float, stake: int, params: Params) -> float:
    first = 2 if stake < 0 else 0
    worth: float = ahead * params[first] + crooked * params[first + 1]
    return worth


@kernel()
def terminal(state: State, stake: int, params: Params) -> float:
    if abs(state[0]) < END:
        return NOT_OVER
    return _worth(1.0 if state[0] > 0 else -1.0, 0.0, stake, params)


@kernel()
def evaluate(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    for j in range(n):
        out[j, 0] = rows[j, 0] / END
        out[j, 1] = weights[rows[j, 0] + 2 * END]


@kernel()
def fold(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    for j in range(n):
        values[j] = _worth(float(outputs[j, 0]), float(outputs[j, 1]), stake, params)


#: How crooked the rope is, for each state.
_CROOKED = np.random.default_rng(2).uniform(-1, 1, 4 * END).astype(np.float32)
LEAF = Evaluator(evaluate, _CROOKED, 2, fold)


def game(*worth: float) -> Game:
    """The game for four parameters; at its root the player with the stake of 1 decides."""
    params = np.array(worth, np.float64)
    most = 2 * float(np.abs(params).max())
    return Game("tug of war", 1, 3, 2, -most, most, outcomes, successors, terminal, params=params, stake=1)


def root(ahead: int) -> State:
    return np.array([ahead], np.int8)
