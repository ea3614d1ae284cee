"""The evaluator's network in PyTorch: its definition.

`gammon.eval.nnue` is its compiled twin. The six results of a game are ordered by what they
pay the player on roll, from a backgammon lost to a backgammon won.
"""

import numpy as np
import numpy.typing as npt

from gammon.eval.features import N_COUNTS, N_FEATURES, POINT_UNITS, encode, point_column
from gammon.eval.plan import BOTH, NOT_OWN, OWN
from gammon.extras import extra

with extra("train", "the definition of networks"):
    import torch
    from torch import nn

__all__ = ["Network", "module_probabilities", "tensors"]

#: The results of a game.
N_RESULTS = 6


def _back(opponent: bool) -> slice:
    """Return the features of a side's checkers in the opponent's home and on the bar."""
    farthest, bar = (6, 0) if opponent else (19, 25)
    end = point_column(bar, opponent) + POINT_UNITS.shape[1]
    return slice(point_column(farthest, opponent), end)


class Part(nn.Module):
    """Two hidden layers and six logits.

    A unit of the first layer is a product of two rectified sums, so that one can tell what
    the other is worth: a checker on the bar is as bad as the board that it must enter.

    Args:
        inputs: how many features it sees.
        hidden1: units of the first layer.
        hidden2: units of the second.
    """

    def __init__(self, inputs: int, hidden1: int, hidden2: int) -> None:
        super().__init__()
        self.hidden1 = nn.Linear(inputs, hidden1)
        self.gate = nn.Linear(inputs, hidden1)
        self.hidden2 = nn.Linear(hidden1, hidden2)
        self.output = nn.Linear(hidden2, N_RESULTS)

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """Return the logits [N, 6] of the features that it sees, [N, inputs]."""
        hidden = torch.relu(self.hidden1(seen)) * torch.relu(self.gate(seen))
        hidden = torch.relu(self.hidden2(hidden))
        logits: torch.Tensor = self.output(hidden)
        return logits


class Network(nn.Module):
    """One part for each plan of a game, or one for all, and a softmax over the six results.

    A distribution over the results cannot have more gammons than wins, and its cross-entropy
    is the natural loss.

    Args:
        hidden1: units of the first layer of a part.
        hidden2: units of the second.
        tactics: whether it sees all features; else only those that are made of one count.
        parts: 1 or `N_PLANS`; see `gammon.eval.plan`.

    Attributes:
        inputs: how many features it sees: `N_FEATURES` or `N_COUNTS`, the first ones.
        parts: the parts.
    """

    def __init__(
        self, hidden1: int = 256, hidden2: int = 32, tactics: bool = True, parts: int = 1
    ) -> None:
        super().__init__()
        self.inputs = N_FEATURES if tactics else N_COUNTS
        self.parts = nn.ModuleList(Part(self.inputs, hidden1, hidden2) for _ in range(parts))

    def logits(self, features: torch.Tensor) -> torch.Tensor:
        """Return the logits of the six results [N, 6] of features [N, F]."""
        seen = features[:, : self.inputs]
        if len(self.parts) == 1:
            logits: torch.Tensor = self.parts[0](seen)
            return logits
        own, their = ((features[:, _back(side)] > 0).any(dim=1) for side in (False, True))
        plans = torch.where(own, torch.where(their, BOTH, OWN), NOT_OWN)
        logits = features.new_empty(len(features), N_RESULTS)
        for plan, part in enumerate(self.parts):
            chosen = plans == plan
            logits[chosen] = part(seen[chosen]).to(logits.dtype)
        return logits

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Return five cumulative probabilities [N, 5] of features [N, F].

        Both are seen from the player on roll. `Probabilities` names the columns.
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
