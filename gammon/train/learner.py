"""The learner: a network, its optimizers, and the mean of its latest weights."""

import math
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import cast

import numpy as np
import numpy.typing as npt
import torch

from gammon.base.extras import extra
from gammon.eval.features import N_FEATURES, encode
from gammon.eval.network import Network
from gammon.eval.width import LEAST, MOST, SCALE
from gammon.train.checkpoint import Arrays

#: Constants of `torch.optim.Muon`: its polynomial, and its momentum.
_A, _B, _C = 3.4445, -4.7750, 2.0315
_STEPS, _MOMENTUM, _EPS = 5, 0.95, 1e-7


def _directions(gradients: torch.Tensor) -> torch.Tensor:
    """Return matrices with the same row and column spaces, whose singular values are all near 1.

    Args:
        gradients: [K, M, N], K matrices.
    """
    wide = gradients.size(1) <= gradients.size(2)
    result = gradients if wide else gradients.mT
    result = result / result.norm(dim=(1, 2), keepdim=True).clamp(min=_EPS)
    for _ in range(_STEPS):
        grams = result @ result.mT
        result = torch.baddbmm(result, torch.baddbmm(grams, grams, grams, beta=_B, alpha=_C), result, beta=_A)
    return result if wide else result.mT


class Muon(torch.optim.Optimizer):
    """`torch.optim.Muon` with Nesterov's momentum, no decay, and steps as large as Adam's.

    Directions are computed for all matrices of one shape together, as a network's parts have equal shapes.

    Args:
        matrices: the weights, all two-dimensional.
        kind: the numbers in which directions are computed.
    """

    def __init__(self, matrices: Sequence[torch.Tensor], kind: torch.dtype = torch.float32) -> None:
        super().__init__(matrices, {"lr": 1e-3})
        self._kind = kind

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Change the weights by one step along their gradients."""
        for group in self.param_groups:
            by_shape = defaultdict[torch.Size, list[torch.Tensor]](list)
            for weight in group["params"]:
                by_shape[weight.shape].append(weight)
            for shape, weights in by_shape.items():
                gradients = [cast(torch.Tensor, weight.grad) for weight in weights]
                for weight in weights:
                    if not self.state[weight]:
                        self.state[weight]["momentum_buffer"] = torch.zeros_like(weight)
                momenta = [self.state[weight]["momentum_buffer"] for weight in weights]
                torch._foreach_lerp_(momenta, gradients, 1 - _MOMENTUM)
                changes = torch.stack(gradients).lerp(torch.stack(momenta), _MOMENTUM)
                directions = _directions(changes.to(self._kind)).to(changes.dtype)
                pace = 0.2 * max(shape) ** 0.5
                torch._foreach_add_(weights, list(directions), alpha=-pace * group["lr"])


with extra("jit", "training"):
    import numba  # noqa: F401  # which brings llvmlite
    from llvmlite.binding import get_host_cpu_features

#: Names of the optimizers in recipes.
OPTIMIZERS = ("adam", "adamw", "muon")
#: The targets that networks can learn.
LEARNS = CHANCES, WIDTH = "chances", "width"
#: The decay of weights under AdamW, times the learning rate.
_DECAY = 0.03
#: Learning rate of Adam beside Muon, for the weights that Muon leaves out, relative to Muon's.
_ADAM_SHARE = 0.1
#: Each part's batch is padded to a multiple of this number of samples; see `Network.logits`.
_ROWS = 128


def _multiplies_bfloat16() -> bool:
    """Return whether this processor has instructions for bfloat16 products."""
    return bool(get_host_cpu_features().get("avx512bf16", False))


def _loss_of_chances(logits: torch.Tensor, chances: torch.Tensor) -> torch.Tensor:
    chances = chances.clamp(min=0.0)
    chances /= chances.sum(dim=1, keepdim=True)
    return torch.nn.functional.cross_entropy(logits, chances)


def _loss_of_widths(logits: torch.Tensor, revisions: torch.Tensor) -> torch.Tensor:
    """Return the mean negative log likelihood of revisions, less a constant.

    A revision has Laplace's distribution around 0, with the width as its scale.
    """
    log_odds = logits[:, 3:].logsumexp(dim=1) - logits[:, :3].logsumexp(dim=1)
    widths = LEAST + SCALE * log_odds.clamp(max=math.log(MOST / SCALE)).exp()
    return (widths.log() + revisions[:, 0].abs() / widths).mean()


class Learner:
    """A network that learns the chances of the six results, or widths, from samples.

    Most features are rare, and many occur together. Muon (K. Jordan and others, "Muon: an
    optimizer for hidden layers in neural networks", 2024) lets all directions of a matrix learn
    at the same speed. Adam scales single weights and needs many times the samples, but makes
    faster progress at first from random weights.

    Args:
        network: the initial network.
        device: `cpu` or `cuda`.
        learns: one of `LEARNS`.

    Attributes:
        device: the device of the network.
        mixed: whether it learns in mixed precision: on `cuda`, and on a processor that
            multiplies bfloat16. The result then differs slightly.
        encoding: threads that compute features, on which the result does not depend.
        network: the network that learns.
        mean: a network with the moving average of the weights over the latest updates; it plays
            better.
    """

    def __init__(self, network: Network, device: str = "cpu", learns: str = CHANCES) -> None:
        self.device = torch.device(device)
        self.network = network.to(self.device)
        self.mean = deepcopy(self.network)
        self.mixed = self.device.type == "cuda" or _multiplies_bfloat16()
        self.encoding = 1
        self._encoders = ThreadPoolExecutor()
        self._loss = _loss_of_widths if learns == WIDTH else _loss_of_chances
        self._average = 1
        self._optimizers: list[tuple[torch.optim.Optimizer, float]] = []

    def start(self, optimizer: str, average: int) -> None:
        """Continue with a fresh optimizer.

        Args:
            optimizer: one of `OPTIMIZERS`.
            average: the number of updates that `mean` averages over, with exponentially
                decaying weights; 1 for the last update alone.
        """
        self._average = average
        learning = dict(self.network.named_parameters())
        if optimizer == "adam":
            self._optimizers = [(torch.optim.Adam(learning.values(), fused=True), 1.0)]
            return
        if optimizer == "adamw":
            adamw = torch.optim.AdamW(learning.values(), weight_decay=_DECAY, fused=True)
            self._optimizers = [(adamw, 1.0)]
            return
        hidden = {name for name, w in learning.items() if w.ndim == 2 and "output" not in name}
        matrices = [learning[name] for name in learning if name in hidden]
        others = [learning[name] for name in learning if name not in hidden]
        muon = Muon(matrices, torch.bfloat16 if self.mixed else torch.float32)
        self._optimizers = [(muon, 1.0), (torch.optim.Adam(others, fused=True), _ADAM_SHARE)]

    def learn(
        self, samples: npt.NDArray[np.int8], targets: npt.NDArray[np.float32], rate: float
    ) -> torch.Tensor:
        """Make one update, and return the loss before it, a number on the learner's device.

        Args:
            samples: int8 [B, 26], positions seen from the player on roll.
            targets: float32 [B, 6], chances of the six results. Negative ones are set to 0,
                since they would push their logits down without limit. Each row is then scaled
                to the sum 1. A network of widths learns from revisions float32 [B, 1], in points.
            rate: the learning rate.
        """
        features = self._features(samples)
        # Full precision where sums need it: weights, their updates, logits, the loss.
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.mixed):
            logits = self.network.logits(features, _ROWS)
        goals = torch.from_numpy(targets)
        if self.device.type == "cuda":
            goals = goals.pin_memory()
        loss = self._loss(logits, goals.to(self.device, non_blocking=True))
        for optimizer, share in self._optimizers:
            optimizer.zero_grad()
            for group in optimizer.param_groups:
                group["lr"] = share * rate
        loss.backward()  # type: ignore[no-untyped-call]
        for optimizer, _ in self._optimizers:
            optimizer.step()
        with torch.no_grad():
            mean, latest = ([*network.parameters()] for network in (self.mean, self.network))
            torch._foreach_lerp_([*mean], [*latest], 1 / self._average)
        return loss.detach()

    def _features(self, samples: npt.NDArray[np.int8]) -> torch.Tensor:
        """Return the features [B, F] of samples, on the learner's device."""
        kind = torch.bfloat16 if self.mixed else torch.float32
        # From pinned memory a GPU copies while the processor goes on.
        pinned = self.device.type == "cuda"
        features = torch.empty(len(samples), N_FEATURES, dtype=kind, pin_memory=pinned)

        size = -(-len(samples) // self.encoding)

        def fill(begin: int) -> None:
            features[begin : begin + size] = torch.from_numpy(encode(samples[begin : begin + size]))

        list(self._encoders.map(fill, range(0, len(samples), size)))
        return features.to(self.device, non_blocking=True)

    def state(self) -> Arrays:
        """Return the network, the mean and the optimizers' state, for a checkpoint."""
        state = {
            f"{name}.{key}": value
            for name, network in (("network", self.network), ("mean", self.mean))
            for key, value in network.state_dict().items()
        }
        for number, (optimizer, _) in enumerate(self._optimizers):
            for index, values_of in optimizer.state_dict()["state"].items():
                for key, value in values_of.items():
                    state[f"optimizer.{number}.{index}.{key}"] = value
        return {name: value.detach().cpu().numpy() for name, value in state.items()}

    def load(self, state: Arrays) -> None:
        """Restore a `state`, after `start` with the same optimizer.

        Raises:
            ValueError, RuntimeError: the state belongs to another network or optimizer.
        """
        parts: dict[str, dict[str, torch.Tensor]] = {}
        for name, value in state.items():
            of_optimizer = name.startswith("optimizer.")
            part, key = name.rsplit(".", 1) if of_optimizer else name.split(".", 1)
            parts.setdefault(part, {})[key] = torch.from_numpy(value.copy())
        self.network.load_state_dict(parts.pop("network", {}))
        self.mean.load_state_dict(parts.pop("mean", {}))
        for number, (optimizer, _) in enumerate(self._optimizers):
            own = optimizer.state_dict()
            weights = [p for group in optimizer.param_groups for p in group["params"]]
            own["state"] = {}
            for index, weight in enumerate(weights):
                values = parts.pop(f"optimizer.{number}.{index}", {})
                if any(value.shape not in ((), weight.shape) for value in values.values()):
                    raise ValueError(f"optimizer {number} has another shape for {index}")
                if values:  # there are none before the first update
                    own["state"][index] = values
            optimizer.load_state_dict(own)
        if parts:
            raise ValueError(f"{', '.join(parts)}: not of this learner")
