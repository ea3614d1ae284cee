"""An evaluator from a plain function, or from a `torch.nn.Module`: slower than a kernel.

The compiled search reaches it through an ordinary function pointer, which leaves
compiled code for each family of siblings. numba cannot keep such a function on
disk, so it is compiled (in some seconds) where it is first asked for. An error that is
raised in there ends the search, and comes out of it.
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
#: Functions in use, by number. Compiled code knows one by its number, whose eight bytes are its
#: "weights"; when these go, the function is dropped.
_FUNCTIONS: dict[int, Outputs] = {}
_NUMBERS = itertools.count()
#: By so much rounding may bring a value beyond the bounds of its game, as a share of these.
_ROUNDING = 1e-6


def _outputs(rows: Rows, n: int, number: int) -> Float32Matrix:
    return np.ascontiguousarray(_FUNCTIONS[number](rows[:n].copy()), np.float32)


@cache
def _evaluate() -> Any:
    with extra("jit", "a plain function as evaluator"):
        import numba
    # While it runs, other threads wait, and numba says so: this program knows it.
    warnings.filterwarnings("ignore", ".*Code running in object mode", numba.NumbaWarning)

    @kernel(allocates=True)
    def evaluate(
        parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
    ) -> None:
        number = weights.view(np.int64)[0]
        with numba.objmode(found="float32[:, ::1]"):
            found = _outputs(rows, n, number)
        out[:n] = found

    return evaluate


def outputs_evaluator(function: Outputs, outputs: int = 1, **more: Any) -> Evaluator:
    """Return the evaluator whose outputs a function gives, which is trusted.

    Args:
        function: from states to their outputs; each row depends on its state alone.
        outputs: of a state, K.
        more: the other attributes of the evaluator.
    """
    number = next(_NUMBERS)
    weights = np.array([number], np.int64).view(np.float32)
    _FUNCTIONS[number] = function
    weakref.finalize(weights, _FUNCTIONS.pop, number)
    return Evaluator(_evaluate(), weights, outputs, **more)


def function_evaluator(game: Game, function: "Callable[[Rows], npt.ArrayLike] | nn.Module") -> Evaluator:
    """Return the evaluator of a plain function, or of a torch module.

    It stays in its process: what has it cannot be pickled.

    Args:
        game: whose states it values.
        function: from states int8 [N, W], each seen from its player on roll, to their values
            to these players, real numbers [N] within the bounds of the game. The value of a
            state depends on that state alone. Of states whose game is over any number will
            do. A module gets the states as float32 [N, W], may return [N, 1], and is put into
            the mode of evaluation.

    Raises:
        GameError: it is neither. A search raises this error where the function returns
            something else, and whatever error the function raises.
    """
    torch = sys.modules.get("torch")  # a module's owner has imported it
    if torch is not None and isinstance(function, torch.nn.Module):
        function = partial(_asked, function.eval())
    elif not callable(function):
        raise GameError(f"{game.name}: {function!r} as evaluator; expected a function")
    return outputs_evaluator(partial(_checked, game, function))


def _asked(module: "nn.Module", states: Rows) -> npt.NDArray[np.float32]:
    """Return what a module says of states, float32 [N]."""
    import torch

    with torch.inference_mode():
        found = module(torch.from_numpy(states).float())
    if found.shape == (len(states), 1):
        found = found[:, 0]
    values: npt.NDArray[np.float32] = found.float().cpu().numpy()
    return values


def _checked(game: Game, function: Callable[[Rows], npt.ArrayLike], states: Rows) -> Float32Matrix:
    """Return a function's values of states as a column, or raise a GameError."""
    found = np.asarray(function(states))
    if found.shape != (len(states),) or found.dtype.kind not in "biuf":
        raise GameError(
            f"{game.name}: the evaluator's function returns {found.dtype} of shape "
            f"{found.shape} for {len(states)} states; expected a real number for each"
        )
    most = max(abs(game.low), abs(game.high))
    slack = _ROUNDING * max(1.0, most)
    for j in np.flatnonzero(~(np.abs(found) <= most + slack)).tolist():
        if game.terminal(states[j], game.stake, game.params) == NOT_OVER:
            raise GameError(
                f"{game.name}: the evaluator's function gives {found[j]:.7g} to "
                f"{as_text(states[j])}; expected {-most:g} to {most:g}, the bounds"
            )
    return found.astype(np.float32)[:, None]
