"""The tensors of a network by name, as a model file holds them.

A network has `parts`, one for each plan of a game or one for all. Each part has these tensors,
with the prefix `parts.0.` and so on:

    hidden1.weight, gate.weight  [H1, N_COUNTS or N_FEATURES]   the two factors of a unit
    hidden1.bias, gate.bias      [H1]
    hidden2.weight               [H2, H1]
    hidden2.bias                 [H2]
    output.weight                [6, H2]
    output.bias                  [6]

`gammon.eval.network` defines how a network computes its output.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from gammon.base.errors import ModelError

#: A network's tensors by name, as PyTorch orders and names them.
Weights = Mapping[str, npt.NDArray[np.float32]]
#: Largest absolute value of a weight; trained networks stay below 100. It keeps every sum from
#: overflowing: a logit is at most of the order of H1 H2 10^5 LARGEST^4.
LARGEST = 1e6
#: Most units of a layer. It keeps every offset in a packed network's header exact in float32.
MOST_UNITS = 2048
#: The two sums that a unit of the first layer multiplies.
FACTORS = ("hidden1", "gate")


def check_weights(weights: Weights, source: str) -> None:
    """Check that a compiled network can use these weights.

    Args:
        weights: tensors by name.
        source: where the weights come from, for the message.

    Raises:
        ModelError: a weight is not finite, or its absolute value exceeds `LARGEST`; or a layer
            has more than `MOST_UNITS` units.
    """
    check_units(weights, source)
    for name, value in weights.items():
        wrong = value[~(np.abs(value) <= LARGEST)]
        if wrong.size:
            raise ModelError(
                f"{source}: {name} has a weight of {wrong[0]:g}; expected finite numbers from "
                f"{-LARGEST:g} to {LARGEST:g}"
            )


def check_units(weights: Weights, source: str) -> None:
    """Raise a `ModelError` if a layer has more than `MOST_UNITS` units.

    Args as for `check_weights`.
    """
    for name, value in weights.items():
        if name.endswith(".bias") and len(value) > MOST_UNITS:
            raise ModelError(f"{source}: {name} has {len(value)} units; expected no more than {MOST_UNITS}")


def parts_of(weights: Weights) -> list[Weights]:
    """Return the tensors of each part of a network, by name within the part."""
    parts: dict[int, dict[str, npt.NDArray[np.float32]]] = {}
    for name, value in weights.items():
        _, part, inner = name.split(".", 2)
        parts.setdefault(int(part), {})[inner] = value
    return [parts[k] for k in sorted(parts)]


def first_layers(weights: Weights) -> list[str]:
    """Return the names of the tensors [H1, inputs] whose columns are features."""
    ends = tuple(f".{factor}.weight" for factor in FACTORS)
    return [name for name in weights if name.endswith(ends)]
