"""From the chances of the six results to a value: what they are worth, at any stakes."""

from gammon.kernel import kernel
from gammon.records import Float32Matrix, Float32Vector
from gammon.rules.outcome import N_RESULTS
from gammon.search.game import FOLD_SIGNATURE, Params

__all__ = ["fold_results"]


@kernel(FOLD_SIGNATURE)
def fold_results(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write the mean worth of the six results.

    Opposite results are taken in pairs: what each is worth beyond the mean of both is paid
    by the difference of their chances, and that mean by their sum. For money the means are
    0, and nothing is lost to rounding between chances that nearly cancel.

    Args:
        outputs: float32 [>= n, 6], chances of the results to the players on roll.
        n: how many rows.
        stake: of these players.
        params: float64 [12], see `Stakes.params`.
        values: float32 [>= n].
    """
    first = N_RESULTS if stake < 0 else 0
    for j in range(n):
        total = 0.0
        for k in range(3):
            lost, won = outputs[j, 2 - k], outputs[j, 3 + k]
            losing, winning = params[first + 2 - k], params[first + 3 + k]
            half = (winning - losing) * 0.5 * (won - lost)
            total += half + (winning + losing) * 0.5 * (won + lost)
        values[j] = total
