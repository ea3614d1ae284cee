"""Model files: a network's weights in safetensors, with a header that describes them.

The header (safetensors' metadata, all text) has

    format      `gammon-network-4`
    features    the names of the first layer's columns, in groups (`features.expanded`)
    sha256      checksum of the tensors
    card        JSON: how the network was made and how strong it is
    header      checksum of the other four; older files do not have it

Columns are matched to features by name. So a model older than a feature still loads and gives
the same values: it gets weights of 0 for that feature.

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

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gammon.base.checks import shown
from gammon.base.errors import ModelError
from gammon.base.files import find_file, shipped_files, written_whole
from gammon.eval.features import COUNTS, FEATURES, N_COUNTS, N_FEATURES, NAMES, expanded
from gammon.eval.plan import PARTS

#: A network's tensors by name, as PyTorch orders and names them.
Weights = Mapping[str, npt.NDArray[np.float32]]
#: Largest absolute value of a weight; trained networks stay below 100. It keeps every sum from
#: overflowing: a logit is at most of the order of H1 H2 10^5 LARGEST^4.
LARGEST = 1e6
#: Most units of a layer. It keeps every offset in a packed network's header exact in float32.
MOST_UNITS = 2048
#: The two sums that a unit of the first layer multiplies.
FACTORS = ("hidden1", "gate")
_SUFFIX = ".safetensors"
_FORMAT = "gammon-network-4"
#: Files of this format do not name their features: all of these, or only the counts.
_UNNAMED_FORMAT = "gammon-network-3"
_UNNAMED_COUNTS = "own,their.1-24,bar.1-4 own,their.off.1-2"
_UNNAMED_TACTICS = "own,their.shots,loss,escape,prime,block,contact,behind,mobility,anchor"

#: The entries of a header. The names of all features, ungrouped, take 3,000 characters.
_TEXTS = {"format", "features", "sha256", "card", "header"}
_LONGEST_FEATURES = 10_000
_LAYERS = ("hidden1", "gate", "hidden2", "output")


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


@dataclass(frozen=True)
class Model:
    """A network's weights and what is known about them; two are equal by file and checksum.

    Attributes:
        weights: the tensors by name.
        card: how the weights were made and how strong they are; plain JSON values.
        path: the file that they were read from.
        checksum: checksum of the tensors in the file, as hexadecimal digits.
    """

    weights: Weights = field(compare=False)
    card: Mapping[str, Any] = field(default_factory=dict, compare=False)
    path: Path | None = None
    checksum: str = ""


def shipped_models() -> list[Path]:
    """Return the model files that come with gammon."""
    return shipped_files(_SUFFIX)


def find_model(name: str) -> Path:
    """Return the file of a model, given by a path or by the name of a shipped model.

    Raises:
        ModelError: there is no such file.
    """
    path = find_file(name, _SUFFIX)
    if path is not None:
        return path
    names = ", ".join(path.stem for path in shipped_models()) or "none"
    raise ModelError(f"model {name!r}: no such file, and the shipped models are: {names}")


def _checksum(weights: Weights) -> str:
    digest = hashlib.sha256()
    for name in sorted(weights):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(weights[name]).tobytes())
    return digest.hexdigest()


def _header_checksum(metadata: Mapping[str, str]) -> str:
    texts = {name: text for name, text in metadata.items() if name != "header"}
    return hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()


def _check_part(weights: Weights, source: str) -> list[int]:
    """Return the numbers of inputs and units of a part's layers, or raise a ModelError."""
    first = weights.get("hidden1.weight")
    sizes = [first.shape[-1] if first is not None and first.ndim == 2 else 0]
    for layer in _LAYERS:
        weight, bias = weights.get(f"{layer}.weight"), weights.get(f"{layer}.bias")
        # The gate is parallel to the first layer: it has the same inputs and as many units.
        gate = layer == "gate"
        inputs = sizes[0] if gate else sizes[-1]
        if (
            weight is None
            or bias is None
            or bias.ndim != 1
            or len(bias) == 0
            or weight.shape != (len(bias), inputs)
            or (gate and len(bias) != sizes[-1])
        ):
            raise ModelError(
                f"model {source!r}: {layer} is missing or of the wrong shape; expected "
                "layers of one unit or more, a multiple of 4, and 6"
            )
        if not gate:
            sizes.append(len(bias))
    if sizes[2] % 4 or sizes[3] != 6:
        raise ModelError(
            f"model {source!r}: layers of {sizes[1:]} units; expected the second to be a "
            "multiple of 4, and the last to be 6"
        )
    return sizes


def _check_shapes(weights: Weights, source: str) -> int:
    """Return the number of a network's features, or raise a ModelError."""
    expected = {
        f"parts.{part}.{layer}.{kind}"
        for part in range(max(PARTS))
        for layer in _LAYERS
        for kind in ("weight", "bias")
    }
    for name in weights:
        if name not in expected:
            raise ModelError(
                f"model {source!r}: a tensor has a name that networks do not have: {shown(name)}"
            )
    sizes = [_check_part(part, source) for part in parts_of(weights)]
    if len(sizes) not in PARTS or any(part_sizes != sizes[0] for part_sizes in sizes):
        raise ModelError(
            f"model {source!r}: parts of {sizes}; expected {', '.join(map(str, PARTS))} of them, all alike"
        )
    return sizes[0][0]


def check_network(weights: Weights, source: str) -> int:
    """Check that tensors form a network with the features of this version.

    Args:
        weights: the tensors by name.
        source: where the tensors come from, for the message.

    Returns:
        The number of its features: all, or only the features of counts.

    Raises:
        ModelError: names or shapes are wrong, or a number is not finite.
    """
    inputs = _check_shapes(weights, source)
    if inputs not in (N_COUNTS, N_FEATURES):
        raise ModelError(
            f"model {source!r}: a first layer of {inputs} columns; expected {N_COUNTS} or {N_FEATURES}"
        )
    check_weights(weights, f"model {source!r}")
    return inputs


def _names_of(metadata: Mapping[str, str], inputs: int, source: str) -> list[str]:
    """Return the names of a model's features, or raise a ModelError."""
    if metadata["format"] == _FORMAT:
        groups = metadata.get("features", "")
        if len(groups) > _LONGEST_FEATURES:
            raise ModelError(
                f"model {source!r}: {len(groups)} characters of names of features; expected no "
                f"more than {_LONGEST_FEATURES}"
            )
    else:
        only_counts = inputs == len(list(expanded(_UNNAMED_COUNTS)))
        groups = _UNNAMED_COUNTS + ("" if only_counts else f" {_UNNAMED_TACTICS}")
    names = list(islice(expanded(groups), N_FEATURES + 1))  # more would repeat a name
    for name in names:
        if name not in NAMES:
            raise ModelError(
                f"model {source!r} uses the feature {shown(name)}, which this version of "
                f"gammon does not have: expected names such as {NAMES[-1]!r}"
            )
        if names.count(name) > 1:
            raise ModelError(f"model {source!r} names the feature {name!r} more than once")
    if len(names) != inputs:
        raise ModelError(
            f"model {source!r}: a first layer of {inputs} columns; expected as many as there "
            "are names of features"
        )
    return names


def _placed(weights: Weights, names: list[str]) -> Weights:
    """Return a network with the features of this version, made of one with the features `names`.

    It has all features, or only the counts if the given one does. Features that the given one
    does not use get weights of 0.
    """
    columns = [NAMES.index(name) for name in names]
    inputs = N_COUNTS if max(columns, default=0) < N_COUNTS else N_FEATURES
    result = dict(weights)
    for layer in first_layers(weights):
        result[layer] = np.zeros((len(weights[layer]), inputs), np.float32)
        result[layer][:, columns] = weights[layer]
    return result


def load_model(name: str | Path) -> Model:
    """Read a model and check it.

    Args:
        name: a path, or the name of a shipped model (`leaf`, `large`, `probe`).

    Raises:
        ModelError: the file is missing, is not a model, is damaged or of another shape, has
            weights that are not finite, or uses an unknown feature.
    """
    path = find_model(str(name))
    metadata, names, weights, card = _read(path)
    checksum = _checksum(weights)
    if metadata.get("sha256") != checksum:
        raise ModelError(f"model {str(path)!r} is damaged: its checksum does not match")
    check_weights(weights, f"model {str(path)!r}")
    return Model(_placed(weights, names), card, path, checksum)


def _read(path: Path) -> tuple[Mapping[str, str], list[str], Weights, Mapping[str, Any]]:
    """Return the header of a file, the names of features, the tensors, and the card.

    Weights are read only after the names and shapes of all are checked.

    Raises:
        ModelError: the file is not a model, or its header is damaged.
    """
    from safetensors import SafetensorError, safe_open  # not needed for a cached network

    weights: dict[str, npt.NDArray[np.float32]] = {}
    nothing = np.float32(0.0)
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            _check_metadata(metadata, path)
            for key in file.keys():  # noqa: SIM118
                tensor = file.get_slice(key)
                kind = tensor.get_dtype()
                if kind != "F32":
                    raise ModelError(f"model {str(path)!r}: {shown(key)} is {kind}; expected F32")
                weights[key] = np.broadcast_to(nothing, tensor.get_shape())
            names = _names_of(metadata, _check_shapes(weights, str(path)), str(path))
            check_units(weights, f"model {str(path)!r}")
            weights = {key: file.get_tensor(key) for key in weights}
        card = json.loads(metadata.get("card", "{}"))
    except (OSError, SafetensorError, ValueError, RecursionError) as error:
        reason = next(iter(str(error).splitlines()), "")[:200]
        raise ModelError(
            f"model {str(path)!r} cannot be read ({reason}): expected a safetensors file that "
            "`gammon train` wrote"
        ) from None
    if not isinstance(card, dict):
        raise ModelError(f"model {str(path)!r}: a card of type {type(card).__name__}; expected a JSON object")
    return metadata, names, weights, card


def _check_metadata(metadata: Mapping[str, str], path: Path) -> None:
    """Raise a ModelError unless a header has the right entries."""
    if metadata.get("format") not in (_FORMAT, _UNNAMED_FORMAT):
        raise ModelError(
            f"model {str(path)!r} is not one of gammon's: expected format {_FORMAT!r}, "
            f"found {shown(metadata.get('format'))}"
        )
    for name in sorted(metadata.keys() - _TEXTS):
        raise ModelError(
            f"model {str(path)!r}: its header has {shown(name)}; expected no more than "
            f"{', '.join(sorted(_TEXTS))}"
        )
    if metadata.get("header", _header_checksum(metadata)) != _header_checksum(metadata):
        raise ModelError(f"model {str(path)!r} is damaged: the checksum of its header differs")


def network_id(name: str | Path) -> str:
    """Return twelve digits that identify a model's weights, whatever its name.

    Raises:
        ModelError: as `load_model`.
    """
    return load_model(name).checksum[:12]


def save_model(path: Path, weights: Weights, card: Mapping[str, Any]) -> None:
    """Write a model as a whole file.

    Args:
        path: the file.
        weights: the tensors by name.
        card: how the weights were made and how strong they are; plain JSON values.

    Raises:
        ModelError: the weights have a wrong shape, or are not finite.
        GammonError: the file cannot be written.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    inputs = check_network(weights, str(path))
    metadata = {
        "format": _FORMAT,
        "features": COUNTS if inputs == N_COUNTS else FEATURES,
        "sha256": _checksum(weights),
        "card": json.dumps(card, sort_keys=True),
    }
    metadata["header"] = _header_checksum(metadata)
    arrays = {name: np.ascontiguousarray(value) for name, value in weights.items()}
    with written_whole(path) as beside:
        try:
            save_file(arrays, beside, metadata)
        except SafetensorError as error:
            raise OSError(str(error)) from None
        beside.chmod(0o644)  # safetensors makes the file readable to its owner only
