"""Tic-tac-toe with swaps (E. Melko and B. Nagy, 2007, figure 3).

X marks a cell, O marks a cell, and then two cells change their contents: 1 and 4 with
probability 1/2, 2 and 6 with 1/3, 5 and 9 with 1/6. After four such rounds a player who alone has
three in a line wins; otherwise it is a draw. Cells are numbered row by row from 1.

State, int8 [10]: 0 the plies played, the last of which (the ninth) is a pass that lets the
last swap happen; 1..9 the cells, 1 for a mark of the player on roll, -1 for the opponent's.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector
from gammon.search.game import NOT_OVER, Game, Params, Rows, State

WIDTH = 10
#: Plies of a game: four rounds of two marks, and the pass.
PLIES = 9
_PLAYED = 0


_LINES = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 4, 7], [2, 5, 8], [3, 6, 9], [1, 5, 9], [3, 5, 7]])
_SWAPS = np.array([[1, 4], [2, 6], [5, 9]])
_CHANCES = np.array([1 / 2, 1 / 3, 1 / 6])


@kernel()
def outcomes(state: State, params: Params, weight: Float64Vector) -> int:
    """Fill the chances of the swaps after each round, and one outcome elsewhere."""
    if state[_PLAYED] == 0 or state[_PLAYED] % 2 == 1:
        weight[0] = 1.0
        return 1
    for i in range(3):
        weight[i] = _CHANCES[i]
    return 3


@kernel()
def successors(state: State, outcome: int, params: Params, rows: Rows) -> int:
    """Write the boards after the swap and each mark, or after the swap and a pass."""
    played = int(state[_PLAYED])
    n = 0
    for mark in range(1, 10):
        row = rows[n]
        for place in range(1, 10):
            row[place] = -state[place]
        if played > 0 and played % 2 == 0:
            one, other = _SWAPS[outcome, 0], _SWAPS[outcome, 1]
            row[one], row[other] = row[other], row[one]
        row[_PLAYED] = played + 1
        if played == PLIES - 1:
            return 1
        if row[mark] == 0:
            row[mark] = -1
            n += 1
    return n


@kernel()
def terminal(state: State, stake: int, params: Params) -> float:
    """Return 1, 0 or -1 after the last ply: a player who alone has a line wins."""
    if state[_PLAYED] < PLIES:
        return NOT_OVER
    own = 0.0
    their = 0.0
    for line in range(8):
        total = 0
        for k in range(3):
            total += state[_LINES[line, k]]
        if total == 3:
            own = 1.0
        if total == -3:
            their = 1.0
    return own - their


#: A win is worth 1, so that the probability of a win, with half a draw, is (1 + value) / 2.
GAME = Game("tic-tac-toe with swaps", WIDTH, 3, 9, -1.0, 1.0, outcomes, successors, terminal)
#: The empty board; X is to move. The game ends with a decision of depth 2 * `PLIES` - 1.
ROOT = np.zeros(WIDTH, np.int8)


def cell(row: State) -> int:
    """Return the cell of the first mark in a successor of `ROOT`."""
    return int(np.flatnonzero(row[1:])[0]) + 1
