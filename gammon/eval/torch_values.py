"""Any `torch.nn.Module` in the network's place: slower, with the same values.

The compiled search reaches it through an ordinary function pointer, which leaves
compiled code for each family of siblings. numba cannot keep such a function on
disk, so it is compiled (in about a second) where it is first asked for.
"""

from functools import cache
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from torch import nn

from gammon.errors import ModelError
from gammon.eval.equity import equity
from gammon.eval.network import module_probabilities
from gammon.rules.board import OPENING
from gammon.search.game import VALUES_SIGNATURE, Evaluator

__all__ = ["module_evaluator"]

#: Modules in use. Compiled code knows one by its index, which is its "weights".
_MODULES: list[nn.Module] = []


def _equities(rows: npt.NDArray[np.int8], n: int, index: float) -> npt.NDArray[np.float32]:
    return equity(module_probabilities(_MODULES[int(index)], rows[:n])).astype(np.float32)


@cache
def _values() -> Any:
    def values(
        parent: npt.NDArray[np.int8],
        rows: npt.NDArray[np.int8],
        n: int,
        weights: npt.NDArray[np.float32],
        out: npt.NDArray[np.float32],
    ) -> None:
        with numba.objmode(found="float32[::1]"):
            found = _equities(rows, n, weights[0])
        out[:n] = found

    return numba.njit(VALUES_SIGNATURE)(values)


def module_evaluator(module: nn.Module) -> Evaluator:
    """Return a module as an evaluator.

    Args:
        module: takes features float32 [N, 222] (`gammon.eval.features`) and returns
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
            f"{type(module).__name__}: expected a module of features [N, 222] to "
            f"probabilities [N, 5]; it fails with: {line}"
        ) from None
    if shape != (1, 5):
        raise ModelError(
            f"{type(module).__name__}: expected probabilities of shape (1, 5) for one "
            f"position, found {shape}"
        )
    if module not in _MODULES:
        _MODULES.append(module)
    return Evaluator(_values(), np.array([_MODULES.index(module)], np.float32))
