"""An evaluator from a plain function, or from a `torch.nn.Module`: slower than a kernel.

The compiled search calls it through an ordinary function pointer, once for all siblings, and
leaves compiled code each time. numba cannot keep such a function on disk, so it is compiled (in
some seconds) at its first use. An error raised in the function ends the search and propagates.
"""

import itertools
import sys
import warnings
import weakref
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gammon.base.errors import GameError
from gammon.base.extras import extra
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, UInt64Vector
from gammon.search.checks import as_text
from gammon.search.game import NOT_OVER, Evaluator, Game, Rows, State

if TYPE_CHECKING:
    from torch import nn

#: From states int8 [N, W] to the K outputs of each, float32 [N, K].
Outputs = Callable[[Rows], Float32Matrix]
#: Functions in use, by number. Compiled code gets the number: its eight bytes are the "weights"
#: of the evaluator. When the weights are garbage-collected, the function is dropped.
_FUNCTIONS: dict[int, Outputs] = {}
_NUMBERS = itertools.count()
#: How far rounding may bring a value beyond the bounds of its game, as a fraction of these.
_ROUNDING = 1e-6


def _outputs(rows: Rows, n: int, number: int) -> Float32Matrix:
    return np.ascontiguousarray(_FUNCTIONS[number](rows[:n].copy()), np.float32)


@cache
def _evaluate() -> Any:
    with extra("jit", "a plain function as evaluator"):
        import numba
    # numba warns that other threads wait while the function runs: this program expects it.
    warnings.filterwarnings("ignore", ".*Code running in object mode", numba.NumbaWarning)

    @kernel(allocates=True)
    def evaluate(
        parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
    ) -> None:
        number = weights.view(np.int64)[0]
        with numba.objmode(outputs="float32[:, ::1]"):
            outputs = _outputs(rows, n, number)
        for j in range(n):  # an assignment of slices takes six seconds to compile
            for column in range(outputs.shape[1]):
                out[j, column] = outputs[j, column]

    return evaluate


def outputs_evaluator(function: Outputs, outputs: int = 1, **more: Any) -> Evaluator:
    """Return an evaluator that calls a function, without checks of its results.

    Args:
        function: from states to their outputs; each row depends on its state alone.
        outputs: K, the outputs of a state.
        more: the other attributes of the evaluator.
    """
    number = next(_NUMBERS)
    weights = np.array([number], np.int64).view(np.float32)
    _FUNCTIONS[number] = function
    weakref.finalize(weights, _FUNCTIONS.pop, number)
    return Evaluator(_evaluate(), weights, outputs, **more)


def function_evaluator(game: Game, function: "Callable[[Rows], npt.ArrayLike] | nn.Module") -> Evaluator:
    """Return the evaluator of a plain function, or of a torch module.

    The evaluator is bound to this process: objects that contain it cannot be pickled.

    Args:
        game: the game whose states it values.
        function: from states int8 [N, W], each seen from its player on roll, to their values
            to these players, real numbers [N] within the bounds of the game. The value of a
            state depends on that state alone. For finished games any number will do. A module
            gets the states as float32 [N, W], may return [N, 1], and is put into evaluation
            mode.

    Raises:
        GameError: `function` is neither a function nor a module. A search raises a GameError
            if the function returns something else, and passes on errors of the function.
    """
    torch = sys.modules.get("torch")  # whoever has a module has imported torch
    if torch is not None and isinstance(function, torch.nn.Module):
        function = partial(_module_values, function.eval())
    elif not callable(function):
        raise GameError(f"{game.name}: {function!r} as evaluator; expected a function")
    return outputs_evaluator(partial(_checked, game, function))


def _module_values(module: "nn.Module", states: Rows) -> npt.NDArray[np.float32]:
    """Return a module's values of states, float32 [N]."""
    import torch

    with torch.inference_mode():
        tensor = module(torch.from_numpy(states).float())
    if tensor.shape == (len(states), 1):
        tensor = tensor[:, 0]
    values: npt.NDArray[np.float32] = tensor.float().cpu().numpy()
    return values


def _checked(game: Game, function: Callable[[Rows], npt.ArrayLike], states: Rows) -> Float32Matrix:
    """Return a function's values of states as a column, or raise a GameError."""
    values = np.asarray(function(states))
    if values.shape != (len(states),) or values.dtype.kind not in "biuf":
        raise GameError(
            f"{game.name}: the evaluator's function returns {values.dtype} of shape "
            f"{values.shape} for {len(states)} states; expected a real number for each"
        )
    most = max(abs(game.low), abs(game.high))
    slack = _ROUNDING * max(1.0, most)
    for j in np.flatnonzero(~(np.abs(values) <= most + slack)).tolist():
        if game.terminal(states[j], game.stake, game.params) == NOT_OVER:
            raise GameError(
                f"{game.name}: the evaluator's function gives {values[j]:.7g} to "
                f"{as_text(states[j])}; expected {-most:g} to {most:g}, the bounds"
            )
    return values.astype(np.float32)[:, None]
