"""Networks as evaluators of the search."""

import hashlib
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from gammon.base.checks import shown
from gammon.base.errors import SettingError
from gammon.compiled.records import Float32Vector
from gammon.eval.array_cache import cache_path, cached_array
from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.cube_network import NETWORK as CUBE
from gammon.eval.cube_network import cube_block
from gammon.eval.fold import fold_dead, tie_dead
from gammon.eval.integer_network_kernel import results, scratch_for
from gammon.eval.integers import pack
from gammon.eval.model_file import Weights, find_model, load_model, network_id, shipped_models
from gammon.eval.race_network import NETWORK as RACE
from gammon.eval.race_network import race_block
from gammon.rules.outcome import N_RESULTS
from gammon.search import Evaluator

if TYPE_CHECKING:
    from torch import nn


def evaluator_of(weights: Weights, bearoff: bool = True) -> Evaluator:
    """Return the evaluator of a network, given its tensors.

    Args:
        weights: see `gammon.eval.model_file`.
        bearoff: replace the network in bearoffs and races: chances from tables if all checkers
            are at home, else, without contact, chances computed for one side at a time.
    """
    return evaluator_of_packed(_packed(weights, bearoff))


def _packed(weights: Weights, bearoff: bool) -> Float32Vector:
    if not bearoff:
        return pack(weights)
    return pack(weights, bearoff_tables(), race_block(), cube_block())


def evaluator_of_packed(packed: Float32Vector) -> Evaluator:
    """Return the evaluator of a packed network (`gammon.eval.integers`)."""
    return Evaluator(results, packed, N_RESULTS, fold_dead, scratch_for(packed), tie=tie_dead, has_tie=True)


def load_evaluator(model: str | Path, bearoff: bool = True) -> Evaluator:
    """Return the evaluator of a model file, or of a shipped network by its name.

    Recently loaded evaluators are cached while their file is unchanged, so callers must not
    write into the weights. The packed integers of a shipped network are also stored on disk,
    keyed by the content of its file, since proving and packing them takes 0.2 seconds. With the
    bearoff tables they take 25 MB, so other networks are not stored.

    Raises:
        ModelError: there is no such model, or it is damaged.
    """
    path = find_model(str(model))
    try:
        now = path.stat()
        digest = _digest(path, now.st_ino, now.st_size, now.st_mtime_ns)
    except OSError:
        digest = load_model(path).checksum  # raises an error that names the fault
    return _evaluator(path, digest, bearoff)


@lru_cache(maxsize=4)
def _digest(path: Path, *state: int) -> str:
    """Return the SHA-256 of a file; its inode, size and time are part of the cache key."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@lru_cache(maxsize=4)
def _evaluator(path: Path, digest: str, bearoff: bool) -> Evaluator:
    """Return the evaluator of a model file.

    Args:
        path: the file.
        digest: SHA-256 of its content.
        bearoff: see `evaluator_of`.
    """

    def make() -> Float32Vector:
        return _packed(load_model(path).weights, bearoff)

    if path not in shipped_models():
        return evaluator_of_packed(make())
    tables = f"{RACE.id()}-{CUBE.id()}" if bearoff else "alone"
    name = f"{digest[:32]}-{tables}.network"
    return evaluator_of_packed(cached_array(cache_path(name), "a packed network", make))


def leaf_and_probe(model: str | Path = "leaf") -> tuple[Evaluator, Evaluator]:
    """Return the evaluators of a model's leaves and of Star2's probes.

    Raises:
        ModelError: as for `load_evaluator`.
    """
    return load_evaluator(model), load_evaluator("probe", bearoff=False)


def search_networks(*models: str | Path) -> dict[str, str]:
    """Return the IDs of the networks that searches with these models may ask, by name.

    Results that are stored keep them, since a name may mean another network later.

    Raises:
        ModelError: as `load_evaluator`.
    """
    named = {str(model): network_id(model) for model in (*models, "probe", "width")}
    return dict(sorted(named.items())) | {"race": RACE.id(), "cube": CUBE.id()}


def load_named(setting: str, model: object, bearoff: bool = True) -> Evaluator:
    """Return the evaluator that a setting names, as `load_evaluator` does.

    Raises:
        SettingError: the setting is not a name.
        ModelError: there is no such model, or it is damaged.
    """
    if isinstance(model, str | Path) and str(model):
        return load_evaluator(model, bearoff)
    alternatives = ", a file or a torch module" if setting == "model" else " or a file"
    raise SettingError(f"{setting} {shown(model)}: expected the name of a shipped model{alternatives}")


def leaf_of(model: "str | Path | nn.Module") -> Evaluator:
    """Return the evaluator of a model for the leaves of a search.

    Args:
        model: a shipped network's name, a file, or a torch module.

    Raises:
        SettingError: the model is none of these.
        ModelError: there is no such model, or it is damaged.
    """
    torch = sys.modules.get("torch")  # whoever passes a module has imported torch
    if torch is not None and isinstance(model, torch.nn.Module):
        from gammon.eval.network import module_evaluator

        return module_evaluator(model)
    return load_named("model", model)


@lru_cache(maxsize=4)
def plain_leaf_of(model: "str | Path | nn.Module") -> Evaluator:
    """Return the leaf evaluator of the plain design: the network as PyTorch defines it.

    Bearoffs and races have the same chances as in `leaf_of`.

    Args:
        model: as for `leaf_of`; a torch module is used as it is.

    Raises:
        SettingError, ModelError: as for `leaf_of`.
    """
    leaf = leaf_of(model)
    if leaf.evaluate is not results:
        return leaf
    from gammon.eval.network import module_evaluator, network_of

    assert isinstance(model, str | Path), "only a file has a network in integers"
    return module_evaluator(network_of(load_model(model).weights), leaf.weights)
