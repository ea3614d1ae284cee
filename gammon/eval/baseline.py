"""A static value without weights: the race, the blots and the points made.

It plays a sensible beginner's game and needs no file. Tests use it where strength does not
matter, and training measures how clearly a network beats it.
"""

import math

import numpy as np

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, UInt64Vector
from gammon.search.game import Evaluator, Rows, State


@kernel()
def evaluate(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write an equity in (-1, 1) for each of n positions; see `search.game.Evaluate`.

    The equity is tanh(score / 50) of a score in pips. The score is the lead in the race, with
    half a roll (4 pips) for being on roll, and for each side

    * 2 for each point made in its own half of the board, 4 in its home;
    * minus 8 for each checker on the bar;
    * minus a share of the pips that each blot would lose, if an opposing checker has still to
      pass it: a fifth for the player on roll, a tenth for the opponent.
    """
    for r in range(n):
        row = rows[r]
        score = 4.0
        rear = 25  # the opponent's rearmost checker; blots in front of it can be hit
        while rear > 0 and row[25 - rear] >= 0:
            rear -= 1
        own_rear = 25
        while own_rear > 0 and row[own_rear] <= 0:
            own_rear -= 1
        for p in range(1, 25):
            own = row[p]
            their = -row[25 - p]  # both by their owner's numbering
            if own > 0:
                score -= p * own
            if their > 0:
                score += p * their
            if own >= 2 and p <= 12:
                score += 4.0 if p <= 6 else 2.0
            if their >= 2 and p <= 12:
                score -= 4.0 if p <= 6 else 2.0
            if own == 1 and p > 25 - rear:
                score -= 0.2 * (25 - p)
            if their == 1 and p > 25 - own_rear:
                score += 0.1 * (25 - p)
        score -= (25 + 8) * row[25]
        score -= (25 + 8) * row[0]  # row[0] is negative: their bar
        out[r, 0] = math.tanh(score / 50.0)


#: The baseline as an evaluator of the search.
BASELINE = Evaluator(evaluate, np.zeros(0, np.float32))
