"""Networks as evaluators of the search."""

from pathlib import Path

from gammon.eval import nnue
from gammon.eval.bearoff_file import tables
from gammon.eval.fold import fold_results
from gammon.eval.model_file import load_model
from gammon.eval.packed import Weights, pack
from gammon.rules.outcome import N_RESULTS
from gammon.search import Evaluator

__all__ = ["evaluator_of", "load_evaluator"]


def evaluator_of(weights: Weights, bearoff: bool = True) -> Evaluator:
    """Return the evaluator of a network's tensors.

    Args:
        weights: see `gammon.eval.packed.pack`.
        bearoff: where all checkers are at home, exact chances replace the network's.
    """
    packed = pack(weights, tables() if bearoff else None)
    return Evaluator(nnue.results, packed, N_RESULTS, fold_results)


def load_evaluator(model: str | Path, bearoff: bool = True) -> Evaluator:
    """Return the evaluator of a model file, or of a shipped network by its name.

    Raises:
        ModelError: there is no such model, or it is damaged.
    """
    return evaluator_of(load_model(model).weights, bearoff)
