"""Any `torch.nn.Module` in the network's place: slower, with the same values."""

from functools import partial

import numpy as np
from torch import nn

from gammon.compiled.records import Float32Matrix, Float32Vector
from gammon.eval.equity import count_what_can_come, results_of_cumulative
from gammon.eval.fold import fold_dead, tie_dead
from gammon.eval.integer_network import write_known
from gammon.eval.network import module_probabilities
from gammon.rules.board import OPENING
from gammon.rules.outcome import N_RESULTS
from gammon.search.from_function import outputs_evaluator
from gammon.search.game import Evaluator, Rows


def _chances(module: nn.Module, packed: Float32Vector | None, rows: Rows) -> Float32Matrix:
    chances = results_of_cumulative(module_probabilities(module, rows))
    count_what_can_come(rows, chances)
    chances = np.ascontiguousarray(chances, np.float32)
    if packed is not None:
        write_known(rows, packed, chances)
    return chances


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
    return outputs_evaluator(
        partial(_chances, module, packed), N_RESULTS, fold=fold_dead, tie=tie_dead, has_tie=True
    )
