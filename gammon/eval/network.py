"""The evaluator's network in PyTorch: its definition.

`gammon.eval.integers` rounds its weights to integers, which play. The six results of a game
are ordered by what they pay the player on roll, from a backgammon lost to a backgammon won.
"""

import numpy as np
import numpy.typing as npt

from gammon.base.errors import ModelError
from gammon.base.extras import extra
from gammon.eval.features import N_COUNTS, N_FEATURES, POINT_UNITS, encode, off_column, point_column
from gammon.eval.plan import BACK_GAME, BOTH, CAUGHT, N_OFF, N_PLANS, NOT_OWN, OWN
from gammon.eval.weights import Weights, parts_of
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.outcome import N_RESULTS

with extra("train", "the definition of networks"):
    import torch
    from torch import nn

#: The most by which a probability may leave 0..1, as sums of rounded numbers do.
_ROUNDING = 1e-4


def _back(features: torch.Tensor, opponent: bool) -> torch.Tensor:
    """Return a side's features of the opponent's home and the bar, [N, 7, 4]."""
    farthest, bar = (6, 0) if opponent else (19, 25)
    units = POINT_UNITS.shape[1]
    end = point_column(bar, opponent) + units
    found = features[:, point_column(farthest, opponent) : end]
    return found.reshape(len(features), -1, units)


def _anchors(back: torch.Tensor) -> torch.Tensor:
    """Return how many points are held [N], of the features of `_back`; the bar is none."""
    return back[:, :-1, 1:3].any(dim=2).sum(dim=1)


def plans(features: torch.Tensor, parts: int) -> torch.Tensor:
    """Return which part of a network judges each position [N], of features [N, F].

    Args:
        features: see `gammon.eval.features`.
        parts: of the network, one of `gammon.eval.plan.PARTS`.
    """
    if parts == 1:
        return torch.zeros(len(features), dtype=torch.int64, device=features.device)
    of_sides = [_back(features, side) for side in (False, True)]
    own, their = (back.any(dim=(1, 2)) for back in of_sides)
    found = torch.where(own, torch.where(their, BOTH, OWN), NOT_OWN)
    if parts < N_PLANS:
        return found
    of_own, of_them = (features[:, off_column(side)] * CHECKERS > N_OFF - 0.5 for side in (False, True))
    caught = (own & of_own) | (their & of_them)
    back_game = torch.stack([_anchors(back) for back in of_sides]).amax(dim=0) > 1
    return torch.where(back_game, BACK_GAME, torch.where(caught, CAUGHT, found))


class PartNetwork(nn.Module):
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
        # The logits are small differences of large terms, which take full precision.
        with torch.autocast(seen.device.type, enabled=False):
            logits: torch.Tensor = self.output(hidden.to(self.output.weight.dtype))
        return logits


class Network(nn.Module):
    """One part for each plan of a game, or one for all, and a softmax over the six results.

    A distribution over the results cannot have more gammons than wins, and its cross-entropy
    is the natural loss.

    Args:
        hidden1: units of the first layer of a part.
        hidden2: units of the second.
        tactics: whether it sees all features; else only those that are made of one count.
        parts: one of `gammon.eval.plan.PARTS`.

    Attributes:
        inputs: how many features it sees: `N_FEATURES` or `N_COUNTS`, the first ones.
        parts: the parts.
    """

    def __init__(self, hidden1: int = 256, hidden2: int = 32, tactics: bool = True, parts: int = 1) -> None:
        super().__init__()
        self.inputs = N_FEATURES if tactics else N_COUNTS
        self.parts = nn.ModuleList(PartNetwork(self.inputs, hidden1, hidden2) for _ in range(parts))

    def logits(self, features: torch.Tensor, rows: int = 1) -> torch.Tensor:
        """Return the logits of the six results [N, 6].

        Args:
            features: [N, F].
            rows: a part computes a multiple of this number, the last ones for nothing. PyTorch
                compiles products in bfloat16 again for each number of rows.
        """
        seen = features[:, : self.inputs]
        if len(self.parts) == 1:
            logits: torch.Tensor = self.parts[0](seen)
            return logits
        judges = plans(features, len(self.parts))
        found, places = [], []
        for plan, part in enumerate(self.parts):
            chosen = torch.nonzero(judges == plan)[:, 0]
            padded = nn.functional.pad(chosen, (0, -len(chosen) % rows))
            found.append(part(seen.index_select(0, padded))[: len(chosen)])
            places.append(chosen)
        return torch.cat(found).index_select(0, torch.argsort(torch.cat(places)))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Return five cumulative probabilities [N, 5] of features [N, F].

        Both are seen from the player on roll. `Probabilities` names the columns.
        """
        results = torch.softmax(self.logits(features), dim=1)
        lose_bg, lose_g, _, win, win_g, win_bg = results.unbind(1)
        win_g = win_g + win_bg
        return torch.stack([win + win_g, win_g, win_bg, lose_bg + lose_g, lose_bg], dim=1)


def module_probabilities(module: nn.Module, points: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Return a module's cumulative probabilities of positions.

    Args:
        module: takes features float32 [N, F] (`gammon.eval.features`) and returns five
            cumulative probabilities [N, 5], both seen from the player on roll.
        points: int8 [N, 26], each seen from its player on roll.

    Returns:
        float32 [N, 5], from 0 to 1. Of a position whose game is over, any of them.

    Raises:
        ModelError: the module fails, or returns something else.
    """
    rows = np.asarray(points, np.int8).reshape(-1, SIZE)
    name = type(module).__name__
    wanted = f"expected a module of features [N, {N_FEATURES}] to probabilities [N, 5]"
    try:
        with torch.inference_mode():
            found = module(torch.from_numpy(encode(rows)))
            real = isinstance(found, torch.Tensor) and found.is_floating_point()
            if real and found.shape == (len(rows), 5):
                result: npt.NDArray[np.float32] = found.to(torch.float32).numpy()
            else:
                raise ModelError(
                    f"{name}: {wanted}, of real numbers; for shape {(len(rows), N_FEATURES)} "
                    f"found {_described(found)}"
                )
    except ModelError:
        raise
    except Exception as error:  # such as a module of another device, or one with a fault
        line = next(iter(str(error).splitlines()), "")
        raise ModelError(f"{name}: {wanted}; it fails with {type(error).__name__}: {line}") from error
    right = np.all((result >= -_ROUNDING) & (result <= 1.0 + _ROUNDING), axis=1)
    if not right.all():
        wrong = ~right & (rows > 0).any(axis=1) & (rows < 0).any(axis=1)
        if wrong.any():
            first = [float(f"{number:.6g}") for number in result[wrong.argmax()]]
            raise ModelError(
                f"{name}: {wanted}, each from 0 to 1; found {first} (a module that ends in "
                "logits lacks a sigmoid)"
            )
        result = np.where(right.reshape(-1, 1), result, np.float32(0.0))
    return np.clip(result, 0.0, 1.0)


def _described(found: object) -> str:
    """Return in a few words what a module returned."""
    if isinstance(found, torch.Tensor):
        return f"{str(found.dtype).removeprefix('torch.')} of shape {tuple(found.shape)}"
    return type(found).__name__


def tensors(network: Network) -> dict[str, npt.NDArray[np.float32]]:
    """Return a network's weights by name."""
    return {name: value.detach().cpu().numpy() for name, value in network.state_dict().items()}


def network_of(weights: Weights) -> Network:
    """Return the network of weights by name, such as `tensors` returns and model files hold."""
    hidden1, inputs = weights["parts.0.hidden1.weight"].shape
    hidden2, parts = len(weights["parts.0.hidden2.bias"]), len(parts_of(weights))
    network = Network(hidden1, hidden2, inputs == N_FEATURES, parts)
    network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    return network
