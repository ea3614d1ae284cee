"""Checkpoints of a training run: arrays in safetensors, the rest as JSON in its header.

Nothing of such a file is ever run: a folder from elsewhere can be gone on with.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from gammon.base.errors import ModelError
from gammon.base.files import regular, written_whole
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.outcome import N_RESULTS

_FORMAT = "gammon-checkpoint-1"

#: Arrays by name.
Arrays = Mapping[str, npt.NDArray[Any]]


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
        arrays: whole numbers and floats of any shape.
        facts: plain JSON values.

    Raises:
        GammonError: it cannot be written.
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
        ModelError: it is damaged, or not a checkpoint.
    """
    try:
        with safe_open(regular(path), framework="numpy") as file:
            header = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        whole = header.get("format") == _FORMAT
        whole = whole and header["sha256"] == _checksum(arrays, header["facts"])
        facts = json.loads(header["facts"]) if whole else None
    except Exception:  # a damaged header leads to errors of many kinds
        facts = None
    if not isinstance(facts, dict):
        raise ModelError(
            f"{str(path)!r} is damaged, or not a checkpoint: expected the one that `gammon "
            "train` wrote; without it the run begins again"
        )
    return arrays, facts


def checked_count(value: object) -> int:
    """Return a fact that is a count.

    Raises:
        ValueError: it is not.
    """
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise ValueError(f"{str(value)[:40]}, not a count")
    return value


def taken(
    arrays: dict[str, npt.NDArray[Any]], name: str, dtype: type, shape: tuple[int, ...]
) -> npt.NDArray[Any]:
    """Take an array out of `arrays`, and return it: one that can be written.

    Raises:
        KeyError, ValueError: it is missing, or of another type or shape.
    """
    array = arrays.pop(name)
    if array.shape != shape or array.dtype != dtype:
        raise ValueError(f"{name} of {array.dtype} {array.shape}")
    return array.copy()


def taken_samples(
    arrays: dict[str, npt.NDArray[Any]], name: str
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Take samples and targets out of `arrays`, and return them.

    Args:
        arrays: those of a checkpoint.
        name: of the two, before a dot.

    Returns:
        int8 [N, 26], positions of at most 15 checkers a side, and float32 [N, 6].

    Raises:
        KeyError, ValueError: they are missing, or something else.
    """
    size = len(arrays[f"{name}.samples"])
    samples = taken(arrays, f"{name}.samples", np.int8, (size, SIZE))
    for side in (np.maximum(samples, 0), np.minimum(samples, 0)):
        if (np.abs(side.sum(axis=1, dtype=np.int64)) > CHECKERS).any():
            raise ValueError(f"{name} has a position of too many checkers")
    return samples, taken(arrays, f"{name}.targets", np.float32, (size, N_RESULTS))
