"""From the chances of the six results to a value: what they are worth, at any stakes."""

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector
from gammon.rules.outcome import N_RESULTS
from gammon.search.game import Params


@kernel()
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
    worth = params[first : first + N_RESULTS]
    apart1, mean1 = (worth[3] - worth[2]) * 0.5, (worth[3] + worth[2]) * 0.5
    apart2, mean2 = (worth[4] - worth[1]) * 0.5, (worth[4] + worth[1]) * 0.5
    apart3, mean3 = (worth[5] - worth[0]) * 0.5, (worth[5] + worth[0]) * 0.5
    for j in range(n):
        six = outputs[j]
        value = apart1 * (six[3] - six[2]) + mean1 * (six[3] + six[2])
        value += apart2 * (six[4] - six[1]) + mean2 * (six[4] + six[1])
        value += apart3 * (six[5] - six[0]) + mean3 * (six[5] + six[0])
        values[j] = value
