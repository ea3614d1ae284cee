"""The learner: a network, its optimizers, the mean of its latest weights, and its checkpoints.

A checkpoint has arrays in safetensors, and everything else as JSON in the header. Loading one
executes nothing, so a run in a folder from elsewhere can be resumed safely.
"""

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from gammon.base.errors import ModelError
from gammon.base.extras import extra
from gammon.base.files import regular, written_whole
from gammon.eval.features import N_FEATURES, encode
from gammon.eval.network import Network
from gammon.eval.width import LEAST, MOST, SCALE
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.outcome import N_RESULTS

#: Constants of `torch.optim.Muon`: its polynomial, and its momentum.
_A, _B, _C = 3.4445, -4.7750, 2.0315
_STEPS, _MOMENTUM, _EPS = 5, 0.95, 1e-7
_FORMAT = "gammon-checkpoint-1"

#: Arrays by name.
Arrays = Mapping[str, npt.NDArray[Any]]


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


def _checksum(arrays: Arrays, facts: str) -> str:
    digest = hashlib.sha256(facts.encode())
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"\n{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.data if array.size else b"")
    return digest.hexdigest()


def save_checkpoint(path: Path, arrays: Arrays, facts: Mapping[str, Any]) -> None:
    """Write a checkpoint as a whole file.

    Args:
        path: the file.
        arrays: integers and floats of any shape, by name.
        facts: plain JSON values.

    Raises:
        GammonError: the file cannot be written.
    """
    text = json.dumps(facts)
    rows = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    header = {"format": _FORMAT, "facts": text, "sha256": _checksum(rows, text)}
    with written_whole(path) as beside:
        try:
            save_file(rows, beside, header)
        except SafetensorError as error:  # such as a full disk
            raise OSError(str(error)) from None


def load_checkpoint(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """Return the arrays and the facts of a checkpoint.

    Raises:
        ModelError: the file is damaged, or not a checkpoint.
    """
    try:
        with safe_open(regular(path), framework="numpy") as file:
            header = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        valid = header.get("format") == _FORMAT
        valid = valid and header["sha256"] == _checksum(arrays, header["facts"])
        facts = json.loads(header["facts"]) if valid else None
    except Exception:  # a damaged header leads to errors of many kinds
        facts = None
    if not isinstance(facts, dict):
        raise ModelError(
            f"{str(path)!r} is damaged, or not a checkpoint: expected the file that `gammon "
            "train` wrote; without it the run begins again"
        )
    return arrays, facts


def checked_count(value: object) -> int:
    """Return a fact after checking that it is a count.

    Raises:
        ValueError: it is no count.
    """
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise ValueError(f"{str(value)[:40]}, not a count")
    return value


def take_array(
    arrays: dict[str, npt.NDArray[Any]], name: str, dtype: type, shape: tuple[int, ...]
) -> npt.NDArray[Any]:
    """Remove an array from `arrays`, and return a writable copy.

    Raises:
        KeyError, ValueError: the array is missing, or has another type or shape.
    """
    array = arrays.pop(name)
    if array.shape != shape or array.dtype != dtype:
        raise ValueError(f"{name} of {array.dtype} {array.shape}")
    return array.copy()


def take_samples(
    arrays: dict[str, npt.NDArray[Any]], name: str
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Remove samples and targets from `arrays`, and return them.

    Args:
        arrays: the arrays of a checkpoint.
        name: prefix of both names, before a dot.

    Returns:
        int8 [N, 26], positions of at most 15 checkers a side, and float32 [N, 6].

    Raises:
        KeyError, ValueError: samples or targets are missing or invalid.
    """
    size = len(arrays[f"{name}.samples"])
    samples = take_array(arrays, f"{name}.samples", np.int8, (size, SIZE))
    for side in (np.maximum(samples, 0), np.minimum(samples, 0)):
        if (np.abs(side.sum(axis=1, dtype=np.int64)) > CHECKERS).any():
            raise ValueError(f"{name} has a position of too many checkers")
    return samples, take_array(arrays, f"{name}.targets", np.float32, (size, N_RESULTS))
