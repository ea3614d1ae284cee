"""The units of a network's first layer: how often each is active.

A unit is a product of two rectified sums. It is active where both sums are above 0; elsewhere
it says nothing, and does not learn. So a unit that is active nowhere, a dead one, stays dead.
"""

import numpy as np
import numpy.typing as npt
import torch

from gammon.eval.features import encode
from gammon.eval.network import Network, network_of, plans
from gammon.eval.weights import Weights

_CHUNK = 4096


def activity(network: Network, samples: npt.NDArray[np.int8]) -> torch.Tensor:
    """Return how often each unit is active.

    Args:
        network: has P parts of H1 units.
        samples: int8 [N, 26], positions seen from the player on roll.

    Returns:
        float32 [P, H1], the share of the positions which the unit's part judges; nan if its
        part judges none of them.
    """
    active = torch.zeros(len(network.parts), len(network.get_parameter("parts.0.gate.bias")))
    judged = torch.zeros(len(network.parts), 1)
    with torch.no_grad():
        for begin in range(0, len(samples), _CHUNK):
            features = torch.from_numpy(encode(samples[begin : begin + _CHUNK]))
            judges = plans(features, len(network.parts))
            for number, part in enumerate(network.parts):
                seen = features[judges == number, : network.inputs]
                first, second = (part.get_submodule(name)(seen) for name in ("hidden1", "gate"))
                active[number] += ((first > 0) & (second > 0)).sum(dim=0)
                judged[number] += len(seen)
    return active / judged


def renew(network: Network, fresh: Network, units: torch.Tensor) -> None:
    """Give units the incoming weights of another network, and outgoing weights of 0.

    Args:
        network: the network that is changed.
        fresh: a network of the same shape.
        units: bool [P, H1], which ones.
    """
    with torch.no_grad():
        for part, other, chosen in zip(network.parts, fresh.parts, units, strict=True):
            for name in ("hidden1.weight", "hidden1.bias", "gate.weight", "gate.bias"):
                part.get_parameter(name)[chosen] = other.get_parameter(name)[chosen]
            part.get_parameter("hidden2.weight")[:, chosen] = 0.0


def sorted_by_activity(weights: Weights, samples: npt.NDArray[np.int8]) -> Weights:
    """Return the same network with the most active units of each part first.

    Units that are seldom active then stand side by side, and compiled code that takes several
    at a time finds more of them all 0.

    Args:
        weights: tensors by name, as of a model file.
        samples: int8 [N, 26], positions by which the activity is measured.
    """
    result: dict[str, npt.NDArray[np.float32]] = {}
    orders = activity(network_of(weights), samples).argsort(dim=1, descending=True, stable=True)
    for name, value in weights.items():
        _, part, inner = name.split(".", 2)
        order = orders[int(part)].numpy()
        if inner.startswith(("hidden1.", "gate.")):
            result[name] = value[order]
        elif inner == "hidden2.weight":
            result[name] = value[:, order]
        else:
            result[name] = value
    return result
