"""Checkpoints of a training run: arrays in safetensors, everything else as JSON in the header.

Loading a checkpoint executes nothing, so a run in a folder from elsewhere can be resumed safely.
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
