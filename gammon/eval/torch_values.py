"""Any `torch.nn.Module` in the network's place: slower, with the same values.

The compiled search reaches it through an ordinary function pointer, which leaves
compiled code for each family of siblings. numba cannot keep such a function on
disk, so it is compiled (in about a second) where it is first asked for.
"""

import itertools
import weakref
from functools import cache
from typing import Any

import numba
import numpy as np
from torch import nn

from gammon.errors import ModelError
from gammon.eval.equity import results_of_cumulative
from gammon.eval.features import N_FEATURES
from gammon.eval.fold import fold_results
from gammon.eval.network import module_probabilities
from gammon.records import Float32Matrix, Float32Vector
from gammon.rules.board import OPENING
from gammon.rules.outcome import N_RESULTS
from gammon.search.game import EVALUATE_SIGNATURE, Evaluator, Rows, State

__all__ = ["module_evaluator"]

#: Modules in use, by number. Compiled code knows one by its number, which is its "weights";
#: when these go, the module is dropped.
_MODULES: dict[int, nn.Module] = {}
_NUMBERS = itertools.count()


def _chances(rows: Rows, n: int, number: float) -> Float32Matrix:
    found = module_probabilities(_MODULES[int(number)], rows[:n])
    return np.ascontiguousarray(results_of_cumulative(found), np.float32)


@cache
def _evaluate() -> Any:
    def evaluate(
        parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix
    ) -> None:
        with numba.objmode(found="float32[:, ::1]"):
            found = _chances(rows, n, weights[0])
        out[:n] = found

    return numba.njit(EVALUATE_SIGNATURE)(evaluate)


def module_evaluator(module: nn.Module) -> Evaluator:
    """Return a module as an evaluator.

    Args:
        module: takes features float32 [N, F] (`gammon.eval.features`) and returns
            five cumulative probabilities [N, 5], both seen from the player on roll.

    Raises:
        ModelError: the module does not do that for the opening position.
    """
    module.eval()
    try:
        shape = module_probabilities(module, OPENING).shape
    except (RuntimeError, TypeError, AttributeError) as error:
        line = str(error).splitlines()[0]
        raise ModelError(
            f"{type(module).__name__}: expected a module of features [N, {N_FEATURES}] to "
            f"probabilities [N, 5]; it fails with: {line}"
        ) from None
    if shape != (1, 5):
        raise ModelError(
            f"{type(module).__name__}: expected probabilities of shape (1, 5) for one "
            f"position, found {shape}"
        )
    number = next(_NUMBERS)
    weights = np.array([number], np.float32)
    _MODULES[number] = module
    weakref.finalize(weights, _MODULES.pop, number)
    return Evaluator(_evaluate(), weights, N_RESULTS, fold_results)
