"""Networks with added noise of any size and of several kinds, for experiments.

An error is a fixed function of the position and of a seed. There are two kinds.

Noise of the equity is correlated between positions through a *window*, a number of neighbouring
points. Every window has its own error, fixed by the checkers in it, and the error of a position
is the sum over all 26 windows. So two positions share the errors of the windows that they have
in common. With a window of 26 points, the whole board, they share none, and errors are
independent. With a window of one point, errors are as similar as the positions.

Noise of the outputs is added to the five cumulative chances, independently of each other and
from position to position. A chance stays between 0 and the chance that it is a part of, and
results that are no longer possible stay impossible.
"""

from typing import NamedTuple

import numpy as np

from gammon.base.checks import number, shown
from gammon.base.errors import SettingError
from gammon.compiled.hashing import mix, unit
from gammon.compiled.kernel import kernel
from gammon.compiled.memory import aligned_zeros
from gammon.compiled.records import Float32Matrix, Float32Vector, Float64Vector, UInt64Vector
from gammon.eval.fold import fold_dead
from gammon.eval.integer_network_kernel import results
from gammon.eval.janowski_row import payoffs_now
from gammon.rules.board import SIZE, Rows, State
from gammon.rules.outcome import N_RESULTS, results_left
from gammon.search.evaluation import gauss
from gammon.search.game import Evaluator, Params

#: The window of independent errors, and the code for errors of the outputs.
EQUITY, OUTPUTS = SIZE, 0
#: The largest sigma; float32 holds its errors.
_MOST = 1e6
#: Layout of the numbers behind a network's: sigma, the window, and the seed in four parts of
#: 16 bits, which float32 holds exactly.
_SIGMA, _WINDOW, _SEED, _LENGTH = 0, 1, 2, 6
_PARTS = np.arange(4, dtype=np.uint64) * np.uint64(16)
_16_BITS = np.uint64(0xFFFF)
_BYTE = np.uint64(8)
#: Scales a sum of 26 uniform numbers to variance 1; the sum is normal except in its far tails.
_SCALE = float(np.sqrt(12.0 / SIZE))

_results = results
_fold = fold_dead


class Errors(NamedTuple):
    """The errors of a player.

    Attributes:
        sigma: standard deviation of the errors, in points of equity, or of each output.
        window: 1 to 26 points for errors of the equity; `OUTPUTS` for errors of the outputs.
    """

    sigma: float
    window: int = EQUITY

    @classmethod
    def named(cls, sigma: float, kind: str) -> "Errors":
        """Return errors of a kind by name: `equity`, `outputs`, or `alike-1` to `alike-25`.

        Raises:
            SettingError: there is no such kind, or sigma is out of range.
        """
        wanted = f"a standard deviation, 0 to {_MOST:,.0f}"
        sigma = number("noise", sigma, wanted, 0.0, _MOST)
        windows = {f"alike-{window}": window for window in range(1, SIZE)}
        windows |= {"equity": EQUITY, "outputs": OUTPUTS}
        if isinstance(kind, str) and kind in windows:
            return cls(sigma, windows[kind])
        raise SettingError(f"errors {shown(kind)}: expected equity, outputs, or alike-1 to alike-{SIZE - 1}")


@kernel(inner=True, wraps=True)
def _shared_error(row: State, seed: np.uint64, window: int) -> float:
    """Return the summed errors of a position's windows, with mean 0 and variance 1."""
    kept = mix(seed)
    whole = np.uint64(0)
    for i in range(window):
        whole ^= mix(kept ^ (np.uint64(i) << _BYTE | np.uint64(int(row[i]) & 255)))
    total = 0.0
    for first in range(SIZE):
        total += unit(mix(whole + np.uint64(first))) - 0.5
        last = (first + window) % SIZE
        whole ^= mix(kept ^ (np.uint64(first) << _BYTE | np.uint64(int(row[first]) & 255)))
        whole ^= mix(kept ^ (np.uint64(last) << _BYTE | np.uint64(int(row[last]) & 255)))
    return total * _SCALE


@kernel()
def shared_errors(rows: Rows, seed: np.uint64, window: int, errors: Float64Vector) -> None:
    """Write errors that neighbouring positions share, with mean 0 and variance 1.

    Args:
        rows: int8 [N, 26].
        seed: seed of the errors.
        window: window of the errors, 1 to 26 points; with 26 they are independent.
        errors: float64 [N], written.
    """
    for j in range(errors.shape[0]):
        errors[j] = _shared_error(rows[j], seed, window)


@kernel(inner=True)
def _err_in_outputs(row: State, out: Float32Vector, sigma: float, seed: np.uint64) -> None:
    """Add errors to the five cumulative chances, and change the chances of the six results to match.

    Args:
        row: int8 [26], seen from the player on roll.
        out: float32 [>= 6], losses first; changed.
        sigma: standard deviation of the errors.
        seed: seed of the errors.
    """
    lowest, highest = results_left(row)
    part = np.uint64(1)
    win = np.float64(out[3]) + out[4] + out[5] + sigma * gauss(row, seed)
    win = min(max(win, 0.0), 1.0)
    for side in range(2):
        most = 1.0 - win if side == 0 else win
        single, gammon, backgammon = (2, 1, 0) if side == 0 else (3, 4, 5)
        possible = lowest == 0 if side == 0 else highest == 5
        more, most_of_all = 0.0, 0.0
        if possible:
            more = np.float64(out[gammon]) + out[backgammon] + sigma * gauss(row, seed + part)
            more = min(max(more, 0.0), most)
            most_of_all = out[backgammon] + sigma * gauss(row, seed + part + part)
            most_of_all = min(max(most_of_all, 0.0), more)
        part += np.uint64(2)
        out[single], out[gammon] = most - more, more - most_of_all
        out[backgammon] = most_of_all


@kernel()
def erring_results(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write the chances of the six results with errors, and the error of the equity.

    Args as for `integer_network_kernel.results`, except that out is float32 [>= n, 7] and that
    weights has the settings of the errors behind the network.
    """
    _results(parent, rows, n, weights, out, scratch)
    at = weights.shape[0] - _LENGTH
    sigma, window = np.float64(weights[at + _SIGMA]), int(weights[at + _WINDOW])
    seed = np.uint64(0)
    for k in range(4):
        seed = seed << np.uint64(16) | np.uint64(int(weights[at + _SEED + 3 - k]))
    for j in range(n):
        error = 0.0
        if window == OUTPUTS:
            _err_in_outputs(rows[j], out[j], sigma, seed)
        elif window == EQUITY:
            error = sigma * gauss(rows[j], seed)
        else:
            error = sigma * _shared_error(rows[j], seed, window)
        out[j, N_RESULTS] = error


@kernel()
def fold_erring(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Write the mean payoff of the six results plus the error, within the range of the payoffs.

    Args as for `fold_dead`, except that outputs is float32 [>= n, 7].
    """
    _fold(outputs, n, stake, params, values)
    payoffs = payoffs_now(stake, params)
    low, high = payoffs.lowest, payoffs.highest
    for j in range(n):
        values[j] = min(max(np.float64(values[j]) + outputs[j, N_RESULTS], low), high)


def erring(leaf: Evaluator, errors: Errors) -> Evaluator:
    """Return the evaluator of a network with errors; `set_seed` sets their seed.

    Args:
        leaf: an evaluator from `gammon.eval.evaluators`.
        errors: size and kind of the errors.

    Raises:
        SettingError: it is another evaluator, such as a torch module's.
    """
    if leaf.evaluate is not results:
        raise SettingError("an evaluator with errors: expected a network in integers")
    weights = aligned_zeros(leaf.weights.size + _LENGTH, np.float32)
    weights[: leaf.weights.size] = leaf.weights
    weights[leaf.weights.size + _SIGMA] = errors.sigma
    weights[leaf.weights.size + _WINDOW] = errors.window
    return leaf._replace(evaluate=erring_results, weights=weights, outputs=N_RESULTS + 1, fold=fold_erring)


def set_seed(evaluator: Evaluator, seed: int) -> None:
    """Set the seed of the errors of an evaluator from `erring`, while no search uses it."""
    parts = np.uint64(seed) >> _PARTS & _16_BITS
    evaluator.weights[evaluator.weights.size - _LENGTH + _SEED :] = parts
