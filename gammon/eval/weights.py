"""Model files: weights by name in safetensors, with a card and a checksum in the header."""

import hashlib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from gammon.errors import ModelError
from gammon.eval.features import N_COUNTS, N_FEATURES
from gammon.eval.packed import parts_of
from gammon.eval.plan import N_PLANS
from gammon.files import written_whole

__all__ = ["Model", "find_model", "load_model", "network_id", "save_model", "shipped_models"]

_FORMAT = "gammon-network-3"

Tensors = Mapping[str, npt.NDArray[np.float32]]


@dataclass(frozen=True)
class Model:
    """A network's weights and what is known about them.

    Attributes:
        weights: tensors by name; `gammon.eval.packed.pack` gives their shapes.
        card: how they were made and how strong they are; plain JSON values.
        path: where they were read from.
    """

    weights: Tensors
    card: Mapping[str, Any] = field(default_factory=dict)
    path: Path | None = None


def _folders() -> list[Path]:
    package = Path(__file__).parents[1]
    # A wheel carries the models inside the package; a checkout keeps them beside it.
    return [package / "models", package.parent / "models"]


def shipped_models() -> list[Path]:
    """Return the model files that come with gammon."""
    return sorted(path for folder in _folders() for path in folder.glob("*.safetensors"))


def find_model(name: str) -> Path:
    """Return the file of a model given by a path, or by the name of a shipped one.

    Raises:
        ModelError: there is no such file.
    """
    path = Path(name)
    with suppress(OSError):  # what is too long for a path
        if path.is_file():
            return path
    for shipped in shipped_models():
        if shipped.stem == name:
            return shipped
    names = ", ".join(path.stem for path in shipped_models()) or "none"
    raise ModelError(f"model {name!r}: no such file, and the shipped models are: {names}")


def _checksum(weights: Tensors) -> str:
    digest = hashlib.sha256()
    for name in sorted(weights):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(weights[name]).tobytes())
    return digest.hexdigest()


def _check_part(weights: Tensors, source: str) -> list[int]:
    """Return what the layers of a part see and have, or raise a ModelError."""
    first = weights.get("hidden1.weight")
    sizes = [N_COUNTS if first is not None and first.shape[-1] == N_COUNTS else N_FEATURES]
    for layer in ("hidden1", "gate", "hidden2", "output"):
        weight, bias = weights.get(f"{layer}.weight"), weights.get(f"{layer}.bias")
        # The gate stands beside the first layer: it sees the same and is as wide.
        gate = layer == "gate"
        seen = sizes[0] if gate else sizes[-1]
        if (
            weight is None
            or bias is None
            or weight.shape != (*bias.shape, seen)
            or (gate and len(bias) != sizes[-1])
        ):
            raise ModelError(
                f"model {source!r}: {layer} is missing or of the wrong shape; expected "
                f"layers of {N_COUNTS} or {N_FEATURES}, any, a multiple of 4, and 6 units"
            )
        if not gate:
            sizes.append(len(bias))
    if sizes[2] % 4 or sizes[3] != 6:
        raise ModelError(
            f"model {source!r}: layers of {sizes[1:]} units; expected the second to be a "
            "multiple of 4, and the last to be 6"
        )
    return sizes


def _check_shapes(weights: Tensors, source: str) -> None:
    if not all(re.fullmatch(r"parts\.\d\.\w+\.(weight|bias)", name) for name in weights):
        raise ModelError(f"model {source!r}: a tensor has another name than those of a network")
    sizes = [_check_part(part, source) for part in parts_of(weights)]
    if len(sizes) not in (1, N_PLANS) or any(other != sizes[0] for other in sizes):
        raise ModelError(
            f"model {source!r}: parts of {sizes}; expected 1 or {N_PLANS}, all alike"
        )


def load_model(name: str | Path) -> Model:
    """Read a model and check it.

    Args:
        name: a path, or the name of a shipped model (`leaf`, `large`, `probe`).

    Raises:
        ModelError: no such file, not a model, damaged, or of another shape.
    """
    path = find_model(str(name))
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            weights = {key: file.get_tensor(key).astype(np.float32) for key in file.keys()}  # noqa: SIM118
        card = json.loads(metadata.get("card", "{}"))
    except (OSError, SafetensorError, ValueError) as error:
        raise ModelError(
            f"model {str(path)!r} cannot be read ({error}): expected a safetensors file that "
            "`gammon train` wrote"
        ) from None
    if metadata.get("format") != _FORMAT:
        raise ModelError(
            f"model {str(path)!r} is not one of gammon's: expected format {_FORMAT!r}, "
            f"found {metadata.get('format')!r}"
        )
    _check_shapes(weights, str(path))
    if metadata.get("sha256") != _checksum(weights):
        raise ModelError(f"model {str(path)!r} is damaged: its checksum does not match")
    return Model(weights, card, path)


def network_id(name: str | Path) -> str:
    """Return twelve digits that tell a model's weights from others, whatever its name.

    Raises:
        ModelError: as `load_model`.
    """
    return _checksum(load_model(name).weights)[:12]


def save_model(path: Path, weights: Tensors, card: Mapping[str, Any]) -> None:
    """Write a model as a whole file.

    Raises:
        ModelError: the weights are of the wrong shape.
        GammonError: the file cannot be written.
    """
    _check_shapes(weights, str(path))
    metadata = {
        "format": _FORMAT,
        "sha256": _checksum(weights),
        "card": json.dumps(card, sort_keys=True),
    }
    arrays = {name: np.ascontiguousarray(value) for name, value in weights.items()}
    with written_whole(path) as beside:
        try:
            save_file(arrays, beside, metadata)
        except SafetensorError as error:
            raise OSError(str(error)) from None
        beside.chmod(0o644)  # safetensors leaves it to its owner alone
