"""Opponents of any strength: values of a decision as a player of a given PR misjudges them.

Such a player misjudges a position by correlated noise: a sum of random terms, one for the
checkers on each point (`gammon.eval.erring` with a window of one point). So similar positions
have similar errors. The noise is antisymmetric: a feature that the player overrates on its own
side, it fears on the opponent's. Points that look the same for both sides add nothing, so the
opening has no error, and the end of a race nearly none.

The error is proportional to the standard deviation of the game's result in points, which is 0
once all is decided. `_SIGMAS` has its size for each strength; docs/experiments/noise.md
measured it.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector
from gammon.engine.boards import Boards
from gammon.engine.cube import CubeDecision, CubeValue
from gammon.engine.search import Search
from gammon.eval.erring import shared_errors
from gammon.rules.board import SIZE, Rows
from gammon.search import Decision

#: Performance ratings (PR), and the size of the errors that lead to each, in standard deviations
#: of the result; linear in between. Play at depth 1 without errors has a PR of 1.1.
_RATINGS = np.array([2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0])
_SIGMAS = np.array([0.0365, 0.0532, 0.0787, 0.1013, 0.128, 0.166, 0.206, 0.28])
#: The number of points that share an error.
_WINDOW = 1
#: Scales the sum of two errors with variance 1 back to variance 1.
_BOTH = float(np.sqrt(0.5))


@kernel()
def sigma_of(strength: float) -> float:
    """Return the size of the errors that lead to a performance rating.

    Args:
        strength: the rating, within the range of `Question.strength`.
    """
    above = 1
    while _RATINGS[above] < strength and above < _RATINGS.shape[0] - 1:
        above += 1
    low, high = _RATINGS[above - 1], _RATINGS[above]
    small, large = _SIGMAS[above - 1], _SIGMAS[above]
    return float(small + (large - small) * (strength - low) / (high - low))


@kernel()
def spread(chances: Float64Vector) -> float:
    """Return the standard deviation of the result in points.

    Args:
        chances: float64 [5], as `gammon.Probabilities`.
    """
    mean = 2.0 * chances[0] - 1.0 + chances[1] + chances[2] - chances[3] - chances[4]
    squares = 1.0 + 3.0 * (chances[1] + chances[3]) + 5.0 * (chances[2] + chances[4])
    return float(np.sqrt(max(squares - mean * mean, 0.0)))


@kernel()
def write_errors(boards: Rows, seed: np.uint64, window: int, work: Rows, errors: Float64Vector) -> None:
    """Write the errors [N] of positions; over all seeds their mean is 0.

    The variance of an error is the share of the 26 points that differ between the sides. Seen
    from the other side, the same position has the opposite error.

    Args:
        boards: int8 [N, 26], each seen from the player who overrates it by the error.
        seed: selects the errors.
        window: how many points share an error, 1 to 26.
        work: int8 [1, 26], scratch.
        errors: float64 [N], output.
    """
    for j in range(boards.shape[0]):
        for place in range(SIZE):
            work[0, place] = -boards[j, SIZE - 1 - place]
        shared_errors(work, seed, window, errors[j : j + 1])
        theirs = errors[j]
        shared_errors(boards[j : j + 1], seed, window, errors[j : j + 1])
        errors[j] = (errors[j] - theirs) * _BOTH


@kernel()
def misjudge(
    boards: Rows, chances: Float64Vector, strength: float, seed: np.uint64, work: Rows, errors: Float64Vector
) -> None:
    """Write by how many points a player overrates positions [N].

    Args:
        boards: as for `write_errors`.
        chances: float64 [5], of the best position, or of the position before a double.
        strength: see `sigma_of`.
        seed: selects the errors.
        work: int8 [1, 26], scratch.
        errors: float64 [N], output.
    """
    size = sigma_of(strength) * spread(chances)
    write_errors(boards, seed, _WINDOW, work, errors)
    for j in range(boards.shape[0]):
        errors[j] *= size


def position_errors(boards: Boards, seed: int, window: int = _WINDOW) -> npt.NDArray[np.float64]:
    """Return the errors [N] of positions; see `write_errors`.

    Args:
        boards: int8 [N, 26].
        seed: selects the errors, 0 to 2^64 - 1.
        window: how many points share an error, 1 to 26.
    """
    errors, work = np.empty(len(boards)), np.empty((1, SIZE), np.int8)
    write_errors(np.ascontiguousarray(boards), np.uint64(seed), window, work, errors)
    return errors


def misjudged_plays(search: Search, decision: Decision, strength: float, seed: int) -> Decision:
    """Return a decision of depth 1 with the values of plays as a player misjudges them.

    Args:
        search: the search that made the decision.
        decision: the decision without errors.
        strength: the PR of the player, see `sigma_of`.
        seed: selects the errors.
    """
    (best,) = search.static_chances(decision.rows[decision.order[:1]])
    size = sigma_of(strength) * spread(best) * search.scale.unit
    # The rows are seen from the opponent.
    errors = position_errors(decision.rows, seed)
    return decision._replace(values=decision.values - size * errors)


def misjudged_cube(search: Search, decision: CubeDecision, strength: float, seed: int) -> CubeDecision:
    """Return a decision about the cube with the values as a player misjudges them.

    The error counts twice once the cube is doubled, and not at all in a pass.

    Args:
        search: the search that made the decision.
        decision: the decision at depth 1, without errors.
        strength: as for `misjudged_plays`.
        seed: as for `misjudged_plays`.
    """
    (error,) = position_errors(np.array([decision.position.points], np.int8), seed).tolist()
    error *= sigma_of(strength) * spread(np.array(decision.probabilities))

    def changed(value: CubeValue, by: float) -> CubeValue:
        mwc = value.mwc
        if mwc is not None:
            mwc = min(max(mwc + 0.5 * search.scale.unit * by, 0.0), 1.0)
        return replace(value, equity=value.equity + by, mwc=mwc)

    taken = decision.double_take
    return replace(
        decision,
        no_double=changed(decision.no_double, error),
        double_take=None if taken is None else changed(taken, 2.0 * error),
    )
