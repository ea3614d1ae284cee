"""Networks with drawn weights for the tests of this folder."""

import torch

from gammon.eval.network import Network


def drawn(hidden1: int, hidden2: int, tactics: bool = True, parts: int = 1) -> Network:
    """A network whose values differ by position."""
    torch.manual_seed(hidden1)
    made = Network(hidden1, hidden2, tactics, parts)
    # Untrained outputs are all alike; larger weights spread them over (0, 1).
    with torch.no_grad():
        for name, parameter in made.named_parameters():
            if name.endswith("output.weight"):
                parameter.mul_(20)
    return made
