"""Networks as evaluators of the search, and as what they say of positions."""

import sys
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from gammon.base.checks import shown
from gammon.base.errors import SettingError
from gammon.eval.bearoff_file import CHANCES
from gammon.eval.fold import fold_results
from gammon.eval.integer_network_kernel import probabilities, results, scratch_for
from gammon.eval.integers import pack
from gammon.eval.model_file import Model, find_model, load_model
from gammon.eval.principal import Estimate
from gammon.eval.weights import Weights
from gammon.rules.outcome import N_RESULTS
from gammon.search import Evaluator

if TYPE_CHECKING:
    from torch import nn

__all__ = ["evaluator_of", "leaf_and_probe", "leaf_of", "load_evaluator", "load_named"]


def evaluator_of(weights: Weights, bearoff: bool = True) -> Evaluator:
    """Return the evaluator of a network's tensors.

    Args:
        weights: see `gammon.eval.weights`.
        bearoff: where all checkers are at home, exact chances replace the network's.
    """
    packed = pack(weights, CHANCES.tables() if bearoff else None)
    return Evaluator(results, packed, N_RESULTS, fold_results, scratch_for(packed))


def load_evaluator(model: str | Path, bearoff: bool = True) -> Evaluator:
    """Return the evaluator of a model file, or of a shipped network by its name.

    One that was loaded of late is the same object, as long as its file is the same: nobody
    writes into its weights.

    Raises:
        ModelError: there is no such model, or it is damaged.
    """
    path = find_model(str(model))
    try:
        now = path.stat()
    except OSError:
        return _evaluator(load_model(path), bearoff)  # which says what is wrong
    return _evaluator(_loaded(path, now.st_ino, now.st_size, now.st_mtime_ns), bearoff)


@lru_cache(maxsize=4)
def _loaded(path: Path, *state: int) -> Model:
    """Return the model of a file in this state; to read and check it takes 5 milliseconds."""
    return load_model(path)


@lru_cache(maxsize=4)
def _evaluator(model: Model, bearoff: bool) -> Evaluator:
    """Return the evaluator of a model; to prove and pack its integers takes .2 seconds."""
    return evaluator_of(model.weights, bearoff)


def leaf_and_probe(model: str | Path = "leaf") -> tuple[Evaluator, Evaluator]:
    """Return the evaluators of a model's leaves, and of what Star2 probes.

    Raises:
        ModelError: as for `load_evaluator`.
    """
    return load_evaluator(model), load_evaluator("probe", bearoff=False)


def load_named(setting: str, model: object, bearoff: bool = True) -> Evaluator:
    """Return `load_evaluator` of what a setting names.

    Raises:
        SettingError: it names nothing.
        ModelError: there is no such model, or it is damaged.
    """
    if isinstance(model, str | Path) and str(model):
        return load_evaluator(model, bearoff)
    more = ", or a torch module" if setting == "model" else ""
    raise SettingError(
        f"{setting} {shown(model)}: expected the name of a shipped model, a file{more}"
    )


def leaf_of(model: "str | Path | nn.Module") -> tuple[Evaluator, Estimate]:
    """Return the evaluator of leaves of a model, and what it says of positions.

    Args:
        model: a shipped network's name, a file, or a torch module.

    Raises:
        SettingError: it is not one of these.
        ModelError: there is no such model, or it is damaged.
    """
    torch = sys.modules.get("torch")  # a module's owner has imported it
    if torch is not None and isinstance(model, torch.nn.Module):
        from gammon.eval.network import module_probabilities
        from gammon.eval.torch_values import module_evaluator

        return module_evaluator(model), partial(module_probabilities, model)
    leaf = load_named("model", model)
    return leaf, partial(probabilities, packed=leaf.weights)
