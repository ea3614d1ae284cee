"""The evaluator's network in PyTorch: its definition, and the reference of its values."""

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from gammon.eval.features import N_COUNTS, N_FEATURES, encode

__all__ = ["Network", "module_probabilities", "tensors"]

N_RESULTS = 6


class Network(nn.Module):
    """Two hidden layers, and a softmax over the six results of a game.

    A unit of the first layer is a product of two rectified sums, so that one can tell what
    the other is worth: a checker on the bar is as bad as the board it must enter.

    A distribution over results can never say more gammons than wins, and its
    cross-entropy is the natural loss.

    Args:
        hidden1: units of the first layer.
        hidden2: units of the second.
        tactics: see all 222 features; else only the 204 that are made of one count.
    """

    def __init__(self, hidden1: int = 256, hidden2: int = 32, tactics: bool = True) -> None:
        super().__init__()
        self.inputs = N_FEATURES if tactics else N_COUNTS
        self.hidden1 = nn.Linear(self.inputs, hidden1)
        self.gate = nn.Linear(self.inputs, hidden1)
        self.hidden2 = nn.Linear(hidden1, hidden2)
        self.output = nn.Linear(hidden2, N_RESULTS)

    def logits(self, features: torch.Tensor) -> torch.Tensor:
        """Return the unnormalized log chances of the six results, [N, 6]."""
        seen = features[:, : self.inputs]
        hidden = torch.relu(self.hidden1(seen)) * torch.relu(self.gate(seen))
        hidden = torch.relu(self.hidden2(hidden))
        logits: torch.Tensor = self.output(hidden)
        return logits

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Return five cumulative probabilities [N, 5] of the features [N, 222].

        Both are seen from the player on roll; `Probabilities` names the columns.
        """
        results = torch.softmax(self.logits(features), dim=1)
        lose_bg, lose_g, _, win, win_g, win_bg = results.unbind(1)
        win_g = win_g + win_bg
        return torch.stack([win + win_g, win_g, win_bg, lose_bg + lose_g, lose_bg], dim=1)


def module_probabilities(module: nn.Module, points: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Return a module's cumulative probabilities [N, 5] of positions int8 [N, 26]."""
    with torch.inference_mode():
        result: npt.NDArray[np.float32] = module(torch.from_numpy(encode(points))).numpy()
    return result


def tensors(network: Network) -> dict[str, npt.NDArray[np.float32]]:
    """Return a network's weights by name."""
    return {name: value.detach().cpu().numpy() for name, value in network.state_dict().items()}
