"""The chances of the six results, averaged over the principal leaves of a search."""

import numpy as np
import numpy.typing as npt

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float64Matrix, Float64Vector, Int64Vector, UInt64Vector
from gammon.eval.equity import Probabilities
from gammon.rules.board import Rows
from gammon.rules.outcome import result_of
from gammon.search.game import Evaluator
from gammon.search.leaves import Leaves

#: Number of cumulative probabilities of a position, see `Probabilities`.
N_CHANCES = len(Probabilities._fields)
#: Positions per call of the evaluator.
TOGETHER = 64


@kernel()
def write_means(
    leaf: Evaluator,
    scratch: UInt64Vector,
    outputs: Float32Matrix,
    rows: Rows,
    weights: Float64Vector,
    offsets: Int64Vector,
    means: Float64Matrix,
) -> None:
    """Write the chances of N nodes: weighted means over their principal leaves.

    Args:
        leaf: an evaluator whose first six outputs are the chances of the six results, for
            positions whose game goes on. Finished games get their certain result.
        scratch: the evaluator's scratch.
        outputs: float32 [>= 64, K], a buffer.
        rows: int8 [M, 26], the leaves of all nodes, one node after the other, each seen from
            its player on roll.
        weights: float64 [M], the probability of each leaf given its node; negative where the
            opponent of the node's player is on roll.
        offsets: int64 [N + 1], where the leaves of each node begin, and M.
        means: float64 [N, 5], written: cumulative probabilities for the nodes' players.
    """
    for node in range(means.shape[0]):
        for k in range(means.shape[1]):
            means[node, k] = 0.0
    count = int(offsets[means.shape[0]])
    node = 0
    for begin in range(0, count, TOGETHER):
        n: int = min(TOGETHER, count - begin)
        leaf.evaluate(rows[begin], rows[begin:], n, leaf.weights, outputs, scratch)
        for j in range(n):
            while begin + j >= offsets[node + 1]:
                node += 1
            row, six, mean = rows[begin + j], outputs[j], means[node]
            result, one = result_of(row), np.float32(1.0)
            # The chances are rounded, so their sums may exceed 1.
            win = np.float64(min(six[3] + six[4] + six[5], one))
            win_gammon = np.float64(min(six[4] + six[5], one))
            win_backgammon = np.float64(min(six[5], one))
            lose_gammon = np.float64(min(six[0] + six[1], one))
            lose_backgammon = np.float64(min(six[0], one))
            if result >= 0:
                win = np.float64(int(result >= 3))
                win_gammon, win_backgammon = (np.float64(int(result >= 4)), np.float64(result // 5))
                lose_gammon = np.float64(int(result <= 1))
                lose_backgammon = np.float64(int(result == 0))
            weight = weights[begin + j]
            if weight >= 0.0:
                mean[0] += weight * win
                mean[1] += weight * win_gammon
                mean[2] += weight * win_backgammon
                mean[3] += weight * lose_gammon
                mean[4] += weight * lose_backgammon
            else:
                mean[0] -= weight * (1.0 - win)
                mean[1] -= weight * lose_gammon
                mean[2] -= weight * lose_backgammon
                mean[3] -= weight * win_gammon
                mean[4] -= weight * win_backgammon
    for node in range(means.shape[0]):
        for k in range(means.shape[1]):
            means[node, k] = min(means[node, k], 1.0)  # a rounded sum may exceed 1


def chances_of(leaf: Evaluator, rows: npt.NDArray[np.int8], sign: float = 1.0) -> npt.NDArray[np.float64]:
    """Return the cumulative probabilities [N, 5] of positions int8 [N, 26].

    Args:
        leaf: as for `write_means`.
        rows: each seen from its player on roll.
        sign: 1 for the chances of the players on roll, -1 for their opponents' chances.
    """
    n = len(rows)
    return leaf_means(leaf, Leaves(rows, np.ones(n), np.full(n, sign)), np.arange(n + 1))


def leaf_mean(leaf: Evaluator, leaves: Leaves) -> Probabilities:
    """Return the chances of one node, averaged over its principal leaves.

    Args:
        leaf: as for `write_means`.
        leaves: leaves of a node that was searched exactly.

    Returns:
        The chances, seen from the node's player.
    """
    offsets = np.array([0, len(leaves.rows)])
    return Probabilities(*leaf_means(leaf, leaves, offsets)[0].tolist())


def leaf_means(leaf: Evaluator, leaves: Leaves, offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return the chances [N, 5] of N nodes, averaged over their principal leaves.

    Args:
        leaf: as for `write_means`.
        leaves: leaves of all nodes, one node after the other.
        offsets: int64 [N + 1], where the leaves of each node begin, and their total number.

    Returns:
        The chances, seen from each node's player.
    """
    means = np.empty((len(offsets) - 1, N_CHANCES))
    write_means(
        leaf,
        leaf.new_scratch(),
        np.empty((TOGETHER, leaf.outputs), np.float32),
        np.ascontiguousarray(leaves.rows),
        leaves.probabilities * leaves.signs,
        offsets,
        means,
    )
    return means
