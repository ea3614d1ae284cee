"""The network that a training run begins with: random weights, or those of a model."""

import torch

from gammon.base.errors import ModelError
from gammon.eval.evaluators import evaluator_of
from gammon.eval.model_file import load_model
from gammon.eval.network import Network, tensors
from gammon.eval.weights import parts_of
from gammon.train.recipe import Recipe
from gammon.train.selfplay import played_positions
from gammon.train.units import activity, renew


def fresh_network(recipe: Recipe, stage: int = 0) -> Network:
    """Return a network of random weights, others for each stage."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed((recipe.seed + stage) % 2**64)
        return Network(recipe.hidden1, recipe.hidden2, recipe.tactics, recipe.parts)


def first_network(recipe: Recipe) -> Network:
    """Return the network that a recipe begins with.

    A model that the recipe starts from gives it its weights. If the model has fewer parts, its
    own ones come again behind them. Features that the model did not see, and units that it did
    not have, get outgoing weights of 0, so that the network first computes the same function.
    Their incoming weights are random; learning starts from them. The same goes for units
    that are dead in the model's own games, but not for those of parts that are kept.

    Raises:
        ModelError: there is no such model, or it is larger than the recipe's network.
    """
    network = fresh_network(recipe)
    if not recipe.start:
        return network
    parts = parts_of(load_model(recipe.start).weights)
    if len(parts) > recipe.parts:
        raise ModelError(
            f"model {recipe.start!r}: {len(parts)} parts, expected no more than the recipe's "
            f"{recipe.parts}"
        )
    with torch.no_grad():
        for key, parameter in network.named_parameters():
            _, part, name = key.split(".", 2)
            old = torch.from_numpy(parts[int(part) % len(parts)][name])
            if any(had > has for had, has in zip(old.shape, parameter.shape, strict=True)):
                raise ModelError(
                    f"model {recipe.start!r}: {key} is {list(old.shape)}, expected no more "
                    f"than the recipe's {list(parameter.shape)}"
                )
            if parameter.ndim == 2:
                parameter[: len(old), old.shape[1] :] = 0.0
            parameter[tuple(slice(had) for had in old.shape)] = old
    player = evaluator_of(tensors(network), bearoff=False)
    dead = activity(network, played_positions(player, recipe.seed)) == 0
    dead[: recipe.kept] = False
    renew(network, fresh_network(recipe), dead)
    return network
