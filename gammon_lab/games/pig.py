"""Pig: throw a die as often as you like, or hold; a one ends the turn with nothing.

Before a turn the points that it holds so far are at risk: holding adds them to the score, a one
takes them away, and another number adds to them. Whoever holds the goal wins. Since turns of a
search alternate, the opponent passes between two throws of one turn.

State, int8 [4]: the score of the player on roll, the opponent's, the points at risk, and whether the
player on roll passes. Parameters: the goal, at most 120.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, Float64Matrix, Float64Vector, UInt64Vector
from gammon.search.game import NOT_OVER, Evaluator, Game, Params, Rows, State, first_false

WIDTH = 4
#: The goal of the game as it is usually played.
GOAL = 100
_OWN, _THEIR, _RISK, _PASS = range(WIDTH)
_SIDES = 6
#: A sweep that changes no chance by more ends the iteration.
_ENOUGH = 1e-13


@kernel()
def outcomes(state: State, params: Params, weight: Float64Vector) -> int:
    """Fill the chances of the numbers, or one outcome for a pass."""
    if state[_PASS]:
        weight[0] = 1.0
        return 1
    for side in range(_SIDES):
        weight[side] = 1.0 / _SIDES
    return _SIDES


@kernel()
def successors(state: State, outcome: int, params: Params, rows: Rows) -> int:
    """Write the states after a one, or after holding and after the decision to throw again."""
    for j in range(2):
        rows[j, _OWN], rows[j, _THEIR] = state[_THEIR], state[_OWN]
        rows[j, _RISK] = rows[j, _PASS] = 0
    if state[_PASS]:
        rows[0, _RISK] = state[_RISK]
        return 1
    if outcome == 0:
        return 1
    risk = min(int(state[_RISK]) + outcome + 1, int(params[0]) - state[_OWN])
    rows[0, _THEIR] = state[_OWN] + risk
    rows[1, _RISK], rows[1, _PASS] = risk, 1
    return 2


@kernel()
def terminal(state: State, stake: int, params: Params) -> float:
    """Return a loss for the player on roll if the opponent holds the goal."""
    return -1.0 if state[_THEIR] >= params[0] else NOT_OVER


@kernel()
def evaluate(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write the lead as a share of the goal, the points at risk by half."""
    for j in range(n):
        risk = np.float32(0.5) * rows[j, _RISK]
        lead = np.float32(rows[j, _OWN] - rows[j, _THEIR]) + (-risk if rows[j, _PASS] else risk)
        out[j, 0] = lead * weights[0]


def fits(game: Game, states: Rows) -> int:
    """Count the states before the first one with a score or points at risk that no game has."""
    numbers, goal = states.astype(np.int64), int(game.params[0])
    mover = np.where(numbers[:, _PASS] == 1, numbers[:, _THEIR], numbers[:, _OWN])
    inside = (numbers >= 0).all(axis=1) & (numbers[:, _OWN] < goal) & (numbers[:, _THEIR] <= goal)
    return first_false(inside & (mover + numbers[:, _RISK] <= goal) & (numbers[:, _PASS] <= 1))


def game(goal: int = GOAL) -> Game:
    """Return Pig to a goal, 2 to 120; the state of zeros is its start."""
    return Game(
        "Pig", WIDTH, _SIDES, 2, -1.0, 1.0, outcomes, successors, terminal,
        params=np.array([goal], np.float64), fits=fits,
    )  # fmt: skip


def leaf(goal: int = GOAL) -> Evaluator:
    """Return a simple evaluator: the lead as a share of the goal."""
    return Evaluator(evaluate, np.array([0.4 / goal], np.float32))


GAME, LEAF = game(), leaf()


@kernel()
def _sweep(goal: int, chances: Float64Matrix, more: Float64Vector) -> float:
    """Compute all chances anew from high scores to low ones, in place; return the greatest change."""
    greatest = 0.0
    for total in range(2 * goal - 2, -1, -1):
        for own in range(max(total - goal + 1, 0), min(total, goal - 1) + 1):
            their = total - own
            lost = 1.0 - chances[their, own]
            for risk in range(goal - own - 1, -1, -1):
                summed = lost
                for number in range(2, _SIDES + 1):
                    at_risk = risk + number
                    if own + at_risk >= goal:
                        summed += 1.0
                    else:
                        summed += max(1.0 - chances[their, own + at_risk], more[at_risk])
                more[risk] = summed / _SIDES
            greatest = max(greatest, abs(more[0] - chances[own, their]))
            chances[own, their] = more[0]
    return greatest


def solve(goal: int = GOAL) -> Float64Matrix:
    """Return the chance that a player wins who begins a turn, if both play best.

    Args:
        goal: 2 to 120.

    Returns:
        float64 [goal, goal], by the player's score and the opponent's.
    """
    chances, more = np.full((goal, goal), 0.5), np.zeros(goal + _SIDES)
    while _sweep(goal, chances, more) > _ENOUGH:
        pass
    return chances
