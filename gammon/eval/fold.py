"""From the chances of the six results to a value: what they are worth, at any stakes."""

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector
from gammon.compiled.vector_rows import EIGHT, as_rounded, store_some
from gammon.eval.janowski_row import dead_value, payoffs_at, six_of
from gammon.rules.outcome import N_RESULTS
from gammon.search.game import Params


@kernel()
def fold_results(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write the mean worth of the six results.

    Args:
        outputs: float32 [>= n, 6], chances of the results to the players on roll.
        n: how many rows.
        stake: of these players.
        params: float64 [12], see `Stakes.params`.
        values: float32 [>= n].
    """
    payoffs = payoffs_at(N_RESULTS if stake < 0 else 0, params)
    for first in range(0, n, EIGHT):
        value = dead_value(six_of(outputs, first, n), payoffs)
        store_some(values, first, as_rounded(value), n - first)
