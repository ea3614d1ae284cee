"""The network as an evaluator of games with the cube.

Its outputs are the chances of the six results, in a seventh column the efficiency of the cube,
and behind it the values of bearoffs that are known (`efficiency.py`). Janowski's model makes
values of them (`janowski_kernel.py`).
"""

from functools import lru_cache

import numpy as np

from gammon.base.errors import SettingError
from gammon.compiled.aligned import aligned_zeros
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, UInt64Vector
from gammon.eval.bearoff import N_NUMBERS, N_WITH_CUBE, with_cube
from gammon.eval.bearoff_file import WITH_CUBE
from gammon.eval.efficiency import BEAROFF, KNOWN, N_OUTPUTS, efficiency_of
from gammon.eval.integer_network_kernel import results
from gammon.eval.integers import SLOT, header_of
from gammon.eval.janowski_kernel import fold_rolled, fold_turn
from gammon.rules.outcome import N_RESULTS
from gammon.rules.state import Rows, State
from gammon.search.game import EVALUATE_SIGNATURE, Evaluator

__all__ = ["cubeful_evaluator", "has_cube"]

_results = results


@kernel(EVALUATE_SIGNATURE)
def chances_and_efficiency(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix,
    scratch: UInt64Vector,
) -> None:  # fmt: skip
    """Write the chances of the six results, the efficiency by the pips of the roller, and more.

    The arguments are those of `integer_network_kernel.results`, but out is float32 [>= n, 10],
    and if the network has tables of bearoff, that with the cube stands behind them.
    """
    _results(parent, rows, n, weights, out, scratch)
    at = int(weights[SLOT.tables])
    for j in range(n):
        efficiency, row = efficiency_of(rows[j], False), out[j]
        row[N_RESULTS] = efficiency
        for k in range(N_RESULTS + 1, N_OUTPUTS):
            row[k] = 0.0
        small = at > 0 and efficiency == BEAROFF
        if small and with_cube(rows[j], weights, at + N_NUMBERS, row[N_RESULTS + 1 :]):
            row[N_RESULTS] = KNOWN


def has_cube(evaluator: Evaluator) -> bool:
    """Tell whether an evaluator is one that `cubeful_evaluator` takes."""
    return evaluator.evaluate is results


def cubeful_evaluator(evaluator: Evaluator) -> Evaluator:
    """Return the evaluator with the cube of a network.

    If the network has tables of bearoff, so has the evaluator, with the cube. That of a
    network that was asked for of late is the same object: nobody writes into its weights.

    Args:
        evaluator: of `gammon.eval.evaluators`.

    Raises:
        SettingError: it is another one, such as a torch module's.
        GammonError: there is too little memory for the table of bearoffs.
    """
    if not has_cube(evaluator):
        raise SettingError("an evaluator with the cube: expected that of a network in integers")
    return _with_cube(_Network(evaluator))


class _Network:
    """An evaluator without the cube, as a key: equal to those that have the same weights."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Network) and self.evaluator.weights is other.evaluator.weights

    def __hash__(self) -> int:
        return id(self.evaluator.weights)


@lru_cache(maxsize=4)
def _with_cube(network: _Network) -> Evaluator:
    """Return the evaluator with the cube of a network; its tables alone have 24 MB."""
    evaluator = network.evaluator
    weights = evaluator.weights
    if header_of(weights).tables:
        longer = aligned_zeros(weights.size + N_WITH_CUBE, np.float32)
        longer[: weights.size], longer[weights.size :] = weights, WITH_CUBE.tables()
        weights = longer
    return evaluator._replace(
        evaluate=chances_and_efficiency,
        weights=weights,
        outputs=N_OUTPUTS,
        fold=fold_rolled,
        turn=fold_turn,
        has_turn=True,
    )
