"""The end of a game: its result, one of six, and its payoff for money.

The six results are numbered in ascending order of what they pay the player on roll:
backgammon, gammon and single game lost, then single game, gammon and backgammon won. The
loser of a gammon has borne off nothing; of a backgammon, neither, and has a checker on the
bar or in the winner's home board.
"""

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.vector import bits, load
from gammon.rules.board import CHECKERS, OWN_BAR, SIZE, THEIR_BAR, Rows, State

N_RESULTS = 6
#: The payoff of each result to the player on roll for money, in points of the cube.
POINTS = np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])
#: The value of `result_of` while the game goes on.
IN_PLAY = -1


@kernel(inline=True)
def _checkers(state: State) -> tuple[int, int]:
    """Return the checkers of each side on the board, the player on roll first."""
    own = 0
    their = 0
    for point in range(SIZE):
        count = int(state[point])
        own += max(count, 0)
        their -= min(count, 0)
    return own, their


@kernel(inner=True)
def _finished(state: State) -> int:
    """Return the result of a finished game, as `result_of` does."""
    own, their = _checkers(state)
    if their == 0:
        if own < CHECKERS:
            return 2
        for point in range(19, SIZE):  # the winner's home board, and the bar
            if state[point] > 0:
                return 0
        return 1
    if their < CHECKERS:
        return 3
    for point in range(7):
        if state[point] < 0:
            return 5
    return 4


@kernel()
def count_possible(boards: Rows, over: bool) -> int:
    """Return the number of boards before the first impossible one, or of all.

    Args:
        boards: int8 [N, 26].
        over: whether the game may be over: one side has no checkers left.
    """
    least = 0 if over else 1
    for number in range(len(boards)):
        board = boards[number]
        own, their = _checkers(board)
        possible = board[OWN_BAR] >= 0 and board[THEIR_BAR] <= 0
        possible &= least <= own <= CHECKERS and least <= their <= CHECKERS and own + their > 0
        if not possible:
            return number
    return len(boards)


@kernel()
def result_of(state: State) -> int:
    """Return the result of a finished game, 0..5, or `IN_PLAY`.

    Args:
        state: int8 [26], seen from the player on roll. In play the player on roll has always
            lost, because the opponent has just borne off the last checker; the mirror case is
            handled all the same.
    """
    first, last = load(state, 0, 16), load(state, 10, 16)  # all 26 counts, some twice
    if bits((first > 0) | (last > 0)) and bits((first < 0) | (last < 0)):
        return IN_PLAY
    return _finished(state)


def points_of(state: State) -> int:
    """Return the points of a finished game, int8 [26], to the player on roll: -3..3, never 0."""
    return int(POINTS[result_of(state)])


@kernel()
def results_left(state: State) -> tuple[int, int]:
    """Return the lowest and the highest result that a game can still have.

    A player who has borne off a checker cannot lose a gammon.

    Args:
        state: int8 [26], seen from the player on roll; the game is not over.
    """
    own, their = _checkers(state)
    return 2 if own < CHECKERS else 0, 3 if their < CHECKERS else 5
