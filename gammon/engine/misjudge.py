"""Opponents of any strength: what a decision is worth in the eyes of a player who misjudges it.

A player takes a position for better or worse than it is, by an error that the checkers on each
point add up to: `gammon.eval.erring` with a window of one point. So it errs alike in positions
that are alike, and alike for both sides: what it overrates when it has it, it fears when the
opponent has it. Points that stand the same for both sides add nothing, so the opening is judged
rightly, and the end of a race nearly so.

The error is in proportion to how open the game is: to the standard deviation of its result in
points, which is 0 where all is decided. How large it is for a strength, `_SIGMAS` says, which
docs/experiments/strength.md measures.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from gammon.engine.boards import Boards
from gammon.engine.cube import CubeDecision, CubeValue
from gammon.engine.search import Search
from gammon.eval.erring import shared_errors
from gammon.search import Decision

#: The errors of a player, in standard deviations of the result, by the performance rating that
#: they lead to. Between these, it is in proportion. Play at depth 1 without errors has 1.1.
_SIGMAS = (
    (2.0, 0.0365), (3.0, 0.0532), (5.0, 0.0787), (7.0, 0.1013), (10.0, 0.128), (15.0, 0.166),
    (20.0, 0.206), (30.0, 0.28),
)  # fmt: skip
#: The points that share an error.
_WINDOW = 1
#: So that of two errors, of variance 1 each, has variance 1.
_BOTH = float(np.sqrt(0.5))


def sigma_of(strength: float) -> float:
    """Return the size of the errors that lead to a performance rating.

    Args:
        strength: the rating, within the range of `Question.strength`.
    """
    above = next(place for place, (most, _) in enumerate(_SIGMAS) if strength <= most)
    (low, small), (high, large) = _SIGMAS[max(above - 1, 0)], _SIGMAS[max(above, 1)]
    return small + (large - small) * (strength - low) / (high - low)


def spread(chances: Sequence[float]) -> float:
    """Return the standard deviation of a result in points, whose chances these are.

    Args:
        chances: five, as `gammon.Probabilities`.
    """
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances
    mean = 2.0 * win - 1.0 + win_gammon + win_backgammon - lose_gammon - lose_backgammon
    squares = 1.0 + 3.0 * (win_gammon + lose_gammon) + 5.0 * (win_backgammon + lose_backgammon)
    return math.sqrt(max(squares - mean * mean, 0.0))


def position_errors(
    boards: Boards, seed: int, window: int = _WINDOW
) -> npt.NDArray[np.float64]:
    """Return the errors [N] of positions, over all seeds of mean 0.

    Their variance is the share of the 26 points that do not stand the same for both sides.
    Seen from the other side, the same position has the opposite error.

    Args:
        boards: int8 [N, 26], each seen from the player who takes it for so much better.
        seed: which errors, 0 to 2^64 - 1.
        window: the points that share an error, 1 to 26.
    """
    own, theirs = np.empty((2, len(boards)))
    shared_errors(np.ascontiguousarray(boards), np.uint64(seed), window, own)
    turned = np.ascontiguousarray(-boards[:, ::-1])
    shared_errors(turned, np.uint64(seed), window, theirs)
    found: npt.NDArray[np.float64] = (own - theirs) * _BOTH
    return found


def misjudged_plays(search: Search, decision: Decision, strength: float, seed: int) -> Decision:
    """Return a decision of depth 1 with the values that plays have in a player's eyes.

    Args:
        search: whose decision it is.
        decision: its values are those of the search.
        strength: of the player, see `sigma_of`.
        seed: which errors.
    """
    (best,) = search.static_chances(decision.rows[decision.order[:1]]).tolist()
    size = sigma_of(strength) * spread(best) * search.scale.unit
    # The rows are seen from the opponent.
    errors = position_errors(decision.rows, seed)
    return decision._replace(values=decision.values - size * errors)


def misjudged_cube(
    search: Search, decision: CubeDecision, strength: float, seed: int
) -> CubeDecision:
    """Return a decision about the cube with the values that it has in a player's eyes.

    The error counts twice once the cube is doubled, and not at all in a pass.

    Args:
        search: whose decision it is.
        decision: at depth 1.
        strength: as for `misjudged_plays`.
        seed: as for `misjudged_plays`.
    """
    (error,) = position_errors(np.array([decision.position.points], np.int8), seed).tolist()
    error *= sigma_of(strength) * spread(decision.probabilities)

    def changed(value: CubeValue, by: float) -> CubeValue:
        mwc = value.mwc
        if mwc is not None:
            mwc = min(max(mwc + 0.5 * search.scale.unit * by, 0.0), 1.0)
        return replace(value, equity=value.equity + by, mwc=mwc)

    taken = decision.double_take
    return replace(
        decision, no_double=changed(decision.no_double, error),
        double_take=None if taken is None else changed(taken, 2.0 * error),
    )  # fmt: skip
