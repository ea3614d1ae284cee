"""The evaluator's network, defined in PyTorch.

Play uses the weights rounded to integers (`gammon.eval.integers`). The six results of a game
are ordered by what they pay the player on roll, from a backgammon lost to a backgammon won.
"""

from functools import partial

import numpy as np
import numpy.typing as npt

from gammon.base.errors import ModelError
from gammon.base.extras import extra
from gammon.compiled.records import Float32Matrix, Float32Vector
from gammon.eval.equity import count_what_can_come, results_of_cumulative
from gammon.eval.features import N_COUNTS, N_FEATURES, POINT_UNITS, encode, off_column, point_column
from gammon.eval.fold import fold_dead, tie_dead
from gammon.eval.integer_network import write_known
from gammon.eval.model_file import Weights, parts_of
from gammon.eval.plan import BACK_GAME, BOTH, CAUGHT, N_OFF, N_PLANS, NOT_OWN, OWN
from gammon.rules.board import CHECKERS, OPENING, SIZE
from gammon.rules.outcome import N_RESULTS
from gammon.search.from_function import outputs_evaluator
from gammon.search.game import Evaluator, Rows

with extra("train", "the definition of networks"):
    import torch
    from torch import nn

#: The most by which a sum of rounded numbers may take a probability outside 0..1.
_ROUNDING = 1e-4


def _back(features: torch.Tensor, opponent: bool) -> torch.Tensor:
    """Return a side's features of the opponent's home and of its own bar, [N, 7, 4]."""
    farthest, bar = (6, 0) if opponent else (19, 25)
    units = POINT_UNITS.shape[1]
    end = point_column(bar, opponent) + units
    rows = features[:, point_column(farthest, opponent) : end]
    return rows.reshape(len(features), -1, units)


def _anchors(back: torch.Tensor) -> torch.Tensor:
    """Return how many points are held [N], from the features of `_back`; the bar does not count."""
    return back[:, :-1, 1:3].any(dim=2).sum(dim=1)


def plans(features: torch.Tensor, parts: int) -> torch.Tensor:
    """Return which part of a network judges each position [N], of features [N, F].

    Args:
        features: see `gammon.eval.features`.
        parts: number of parts of the network, one of `gammon.eval.plan.PARTS`.
    """
    if parts == 1:
        return torch.zeros(len(features), dtype=torch.int64, device=features.device)
    of_sides = [_back(features, side) for side in (False, True)]
    own, their = (back.any(dim=(1, 2)) for back in of_sides)
    plan = torch.where(own, torch.where(their, BOTH, OWN), NOT_OWN)
    if parts < N_PLANS:
        return plan
    of_own, of_them = (features[:, off_column(side)] * CHECKERS > N_OFF - 0.5 for side in (False, True))
    caught = (own & of_own) | (their & of_them)
    back_game = torch.stack([_anchors(back) for back in of_sides]).amax(dim=0) > 1
    return torch.where(back_game, BACK_GAME, torch.where(caught, CAUGHT, plan))


class PartNetwork(nn.Module):
    """Two hidden layers and six logits.

    A unit of the first layer is a product of two rectified sums, so that one sum can scale the
    other: a checker on the bar is as bad as the board that it must enter.

    Args:
        inputs: number of features.
        hidden1: units of the first hidden layer.
        hidden2: units of the second hidden layer.
    """

    def __init__(self, inputs: int, hidden1: int, hidden2: int) -> None:
        super().__init__()
        self.hidden1 = nn.Linear(inputs, hidden1)
        self.gate = nn.Linear(inputs, hidden1)
        self.hidden2 = nn.Linear(hidden1, hidden2)
        self.output = nn.Linear(hidden2, N_RESULTS)

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """Return the logits [N, 6] of the input features [N, inputs]."""
        hidden = torch.relu(self.hidden1(seen)) * torch.relu(self.gate(seen))
        hidden = torch.relu(self.hidden2(hidden))
        # The logits are small differences of large terms, so they need full precision.
        with torch.autocast(seen.device.type, enabled=False):
            logits: torch.Tensor = self.output(hidden.to(self.output.weight.dtype))
        return logits


class Network(nn.Module):
    """One part per plan of a game, or one for all plans, and a softmax over the six results.

    A distribution over the results cannot have more gammons than wins, and its cross-entropy
    is the natural loss.

    Args:
        hidden1: units of each part's first hidden layer.
        hidden2: units of each part's second hidden layer.
        tactics: use all features; else only those that depend on one count.
        parts: number of parts, one of `gammon.eval.plan.PARTS`.

    Attributes:
        inputs: number of features used, the first ones: `N_FEATURES` or `N_COUNTS`.
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
            rows: each part's batch is padded to a multiple of this number, since PyTorch
                compiles products in bfloat16 again for each number of rows.
        """
        seen = features[:, : self.inputs]
        if len(self.parts) == 1:
            logits: torch.Tensor = self.parts[0](seen)
            return logits
        plan_of_row = plans(features, len(self.parts))
        if features.is_cuda:
            return self.logits_at_once(seen, plan_of_row)
        order = torch.argsort(plan_of_row, stable=True)
        sizes = torch.bincount(plan_of_row, minlength=len(self.parts)).tolist()
        logits_of_parts = []
        for part, chosen in zip(self.parts, torch.split(order, sizes), strict=True):
            padded = nn.functional.pad(chosen, (0, -len(chosen) % rows))
            logits_of_parts.append(part(seen.index_select(0, padded))[: len(chosen)])
        return torch.cat(logits_of_parts).index_select(0, torch.argsort(order))

    def logits_at_once(self, seen: torch.Tensor, plan_of_row: torch.Tensor) -> torch.Tensor:
        """Return the logits [N, 6] of the parts that judge the rows, of all parts' logits.

        A GPU computes all parts in a few large products sooner than each part's rows in many small
        ones, and need not wait until the processor knows how many rows a part has.

        Args:
            seen: [N, inputs], the input features.
            plan_of_row: [N], the part that judges each row.
        """
        n, p = len(seen), len(self.parts)

        def stacked(name: str) -> torch.Tensor:
            return torch.stack([part.get_parameter(name) for part in self.parts])

        def first(name: str) -> torch.Tensor:
            weights, biases = stacked(f"{name}.weight"), stacked(f"{name}.bias")
            return torch.relu(nn.functional.linear(seen, weights.flatten(0, 1), biases.flatten()))

        def later(hidden: torch.Tensor, name: str) -> torch.Tensor:
            weights, biases = stacked(f"{name}.weight"), stacked(f"{name}.bias")
            return torch.baddbmm(biases[:, None, :], hidden, weights.mT)

        hidden = (first("hidden1") * first("gate")).view(n, p, -1).transpose(0, 1)
        hidden = torch.relu(later(hidden, "hidden2"))
        with torch.autocast(seen.device.type, enabled=False):
            logits = later(hidden.float(), "output")
        return logits.gather(0, plan_of_row[None, :, None].expand(1, n, N_RESULTS))[0]

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Return five cumulative probabilities [N, 5] of features [N, F].

        Both are seen from the player on roll. `Probabilities` names the five columns.
        """
        results = torch.softmax(self.logits(features), dim=1)
        lose_bg, lose_g, _, win, win_g, win_bg = results.unbind(1)
        win_g = win_g + win_bg
        return torch.stack([win + win_g, win_g, win_bg, lose_bg + lose_g, lose_bg], dim=1)


def module_probabilities(module: nn.Module, points: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Return the cumulative probabilities that a module gives to positions.

    Args:
        module: takes features float32 [N, F] (`gammon.eval.features`) and returns five
            cumulative probabilities [N, 5], both seen from the player on roll.
        points: int8 [N, 26], each seen from its player on roll.

    Returns:
        float32 [N, 5], from 0 to 1. Rows of finished games have no meaning.

    Raises:
        ModelError: the module fails, or returns something else than probabilities.
    """
    rows = np.asarray(points, np.int8).reshape(-1, SIZE)
    name = type(module).__name__
    wanted = f"expected a module of features [N, {N_FEATURES}] to probabilities [N, 5]"
    try:
        with torch.inference_mode():
            output = module(torch.from_numpy(encode(rows)))
            real = isinstance(output, torch.Tensor) and output.is_floating_point()
            if real and output.shape == (len(rows), 5):
                result: npt.NDArray[np.float32] = output.to(torch.float32).numpy()
            else:
                raise ModelError(
                    f"{name}: {wanted}, of real numbers; for shape {(len(rows), N_FEATURES)} "
                    f"found {_described(output)}"
                )
    except ModelError:
        raise
    except Exception as error:  # such as a module on another device, or a faulty one
        line = next(iter(str(error).splitlines()), "")
        raise ModelError(f"{name}: {wanted}; it fails with {type(error).__name__}: {line}") from error
    valid = np.all((result >= -_ROUNDING) & (result <= 1.0 + _ROUNDING), axis=1)
    if not valid.all():
        invalid = ~valid & (rows > 0).any(axis=1) & (rows < 0).any(axis=1)
        if invalid.any():
            first = [float(f"{number:.6g}") for number in result[invalid.argmax()]]
            raise ModelError(
                f"{name}: {wanted}, each from 0 to 1; found {first} (a module that ends in "
                "logits lacks a sigmoid)"
            )
        result = np.where(valid.reshape(-1, 1), result, np.float32(0.0))
    return np.clip(result, 0.0, 1.0)


def _described(output: object) -> str:
    """Describe in a few words what a module returned."""
    if isinstance(output, torch.Tensor):
        return f"{str(output.dtype).removeprefix('torch.')} of shape {tuple(output.shape)}"
    return type(output).__name__


def tensors(network: Network) -> dict[str, npt.NDArray[np.float32]]:
    """Return a network's weights by name."""
    return {name: value.detach().cpu().numpy() for name, value in network.state_dict().items()}


def network_of(weights: Weights) -> Network:
    """Return the network with these weights by name, as `tensors` returns and model files hold them."""
    hidden1, inputs = weights["parts.0.hidden1.weight"].shape
    hidden2, parts = len(weights["parts.0.hidden2.bias"]), len(parts_of(weights))
    network = Network(hidden1, hidden2, inputs == N_FEATURES, parts)
    network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    return network


def _chances(module: nn.Module, packed: Float32Vector | None, rows: Rows) -> Float32Matrix:
    chances = results_of_cumulative(module_probabilities(module, rows))
    count_what_can_come(rows, chances)
    chances = np.ascontiguousarray(chances, np.float32)
    if packed is not None:
        write_known(rows, packed, chances)
    return chances


def module_evaluator(module: nn.Module, packed: Float32Vector | None = None) -> Evaluator:
    """Return an evaluator that calls a module.

    The five probabilities need not agree with each other, as five sigmoids do not: as long as
    each is from 0 to 1, a value lies between the payoffs of the worst and of the best result.

    Args:
        module: takes features float32 [N, F] (`gammon.eval.features`) and returns
            five cumulative probabilities [N, 5], both seen from the player on roll.
        packed: a packed network whose chances in bearoffs and races replace the module's.

    Raises:
        ModelError: the module does not do this for the opening position. A search raises the
            same error for any position that it evaluates.
    """
    module.eval()
    module_probabilities(module, OPENING)
    return outputs_evaluator(
        partial(_chances, module, packed), N_RESULTS, fold=fold_dead, tie=tie_dead, has_tie=True
    )
