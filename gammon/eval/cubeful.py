"""The network as an evaluator of games with the cube.

Its outputs are the chances of the six results, and in a seventh column the efficiency of the
cube. Janowski's model makes values of them (`janowski_kernel.py`).
"""

from gammon.errors import SettingError
from gammon.eval.efficiency_kernel import efficiency_of
from gammon.eval.integer_network_kernel import results
from gammon.eval.janowski_kernel import fold_rolled, fold_turn
from gammon.kernel import kernel
from gammon.records import Float32Matrix, Float32Vector, UInt64Vector
from gammon.rules.outcome import N_RESULTS
from gammon.rules.state import Rows, State
from gammon.search.game import EVALUATE_SIGNATURE, Evaluator

__all__ = ["cubeful_evaluator"]

_results = results


@kernel(EVALUATE_SIGNATURE)
def chances_and_efficiency(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix,
    scratch: UInt64Vector,
) -> None:  # fmt: skip
    """Write the chances of the six results, and the efficiency by the pips of the roller.

    The arguments are those of `integer_network_kernel.results`, but out is float32 [>= n, 7].
    """
    _results(parent, rows, n, weights, out, scratch)
    for j in range(n):
        out[j, N_RESULTS] = efficiency_of(rows[j], False)


def cubeful_evaluator(evaluator: Evaluator) -> Evaluator:
    """Return the evaluator with the cube of a network.

    Args:
        evaluator: of `gammon.eval.evaluators`.

    Raises:
        SettingError: it is another one, such as a torch module's.
    """
    if evaluator.evaluate is not results:
        raise SettingError("an evaluator with the cube: expected that of a network in integers")
    return evaluator._replace(
        evaluate=chances_and_efficiency,
        outputs=N_RESULTS + 1,
        fold=fold_rolled,
        turn=fold_turn,
        has_turn=True,
    )
