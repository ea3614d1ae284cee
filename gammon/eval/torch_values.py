"""Any `torch.nn.Module` in the network's place: slower, with the same values.

The compiled search reaches it through an ordinary function pointer, which leaves
compiled code for each family of siblings. numba cannot keep such a function on
disk, so it is compiled (in some seconds) where it is first asked for. An error that is
raised in there ends the search, and comes out of it.
"""

import itertools
import warnings
import weakref
from functools import cache
from typing import Any

import numpy as np
from torch import nn

from gammon.base.extras import extra
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, UInt64Vector
from gammon.eval.equity import count_what_can_come, results_of_cumulative
from gammon.eval.fold import fold_dead, tie_dead
from gammon.eval.integer_network import write_known
from gammon.eval.network import module_probabilities
from gammon.rules.board import OPENING
from gammon.rules.outcome import N_RESULTS
from gammon.search.game import Evaluator, Rows, State

#: Modules in use by number, each with the packed network that gives bearoffs and races, if any.
#: Compiled code knows a module by its number, whose eight bytes are its "weights"; when these
#: go, the module is dropped.
_MODULES: dict[int, tuple[nn.Module, Float32Vector | None]] = {}
_NUMBERS = itertools.count()


def _chances(rows: Rows, n: int, number: int) -> Float32Matrix:
    module, packed = _MODULES[number]
    chances = results_of_cumulative(module_probabilities(module, rows[:n]))
    count_what_can_come(rows[:n], chances)
    chances = np.ascontiguousarray(chances, np.float32)
    if packed is not None:
        write_known(rows[:n], packed, chances)
    return chances


@cache
def _evaluate() -> Any:
    with extra("jit", "a torch module as evaluator"):
        import numba
    # While it runs, other threads wait, and numba says so: this program knows it.
    warnings.filterwarnings("ignore", ".*Code running in object mode", numba.NumbaWarning)

    @kernel(allocates=True)
    def evaluate(
        parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix,
        scratch: UInt64Vector,
    ) -> None:  # fmt: skip
        number = weights.view(np.int64)[0]
        with numba.objmode(found="float32[:, ::1]"):
            found = _chances(rows, n, number)
        out[:n] = found

    return evaluate


def module_evaluator(module: nn.Module, packed: Float32Vector | None = None) -> Evaluator:
    """Return a module as an evaluator.

    The five probabilities need not agree with each other, such as those of five sigmoids
    do not: as long as each is from 0 to 1, a value lies between the worst result's worth and
    the best one's.

    Args:
        module: takes features float32 [N, F] (`gammon.eval.features`) and returns
            five cumulative probabilities [N, 5], both seen from the player on roll.
        packed: a packed network whose chances in bearoffs and races replace the module's.

    Raises:
        ModelError: it does not do that for the opening position. A search raises this error
            too, for the positions that it evaluates.
    """
    module.eval()
    module_probabilities(module, OPENING)
    number = next(_NUMBERS)
    weights = np.array([number], np.int64).view(np.float32)
    _MODULES[number] = module, packed
    weakref.finalize(weights, _MODULES.pop, number)
    return Evaluator(_evaluate(), weights, N_RESULTS, fold_dead, tie=tie_dead, has_tie=True)
