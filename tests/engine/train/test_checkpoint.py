"""Checkpoints: what is saved is loaded, and damage is noticed."""

import os
import pickle
from pathlib import Path

import numpy as np
import pytest

from gammon.base.errors import GammonError, ModelError
from gammon.train.checkpoint import (
    checked_count,
    load_checkpoint,
    save_checkpoint,
    taken,
    taken_samples,
)
from tests.damage import damages

ARRAYS = {
    "step": np.array(3, np.float32), "numbers": np.array([1, 2**64 - 1], np.uint64),
    "boards": np.arange(12, dtype=np.int8).reshape(3, 4).T,
    "none": np.zeros((0, 6), np.float32),
}  # fmt: skip
FACTS = {"stage": 1, "seconds": 0.1, "recipe": {"rate": [1e-3, 0.0]}}


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.safetensors"
    save_checkpoint(path, ARRAYS, FACTS)
    arrays, facts = load_checkpoint(path)
    assert facts == FACTS
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].shape == array.shape
        assert np.array_equal(arrays[name], array)


@pytest.mark.smoke
def test_flipped_bits_and_cuts_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.safetensors"
    save_checkpoint(path, ARRAYS, FACTS)
    whole = path.read_bytes()
    harmless = 0
    for damaged in damages(whole, 200):
        path.write_bytes(damaged.data)
        try:
            arrays, facts = load_checkpoint(path)
        except ModelError as error:
            assert "damaged" in str(error)
            assert "\n" not in str(error)
            continue
        harmless += 1
        assert facts == FACTS
        assert all(np.array_equal(arrays[name], array) for name, array in ARRAYS.items())
    assert harmless < 20


class Code:
    """An object that runs code when it is unpickled."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.place),)


def test_nothing_of_a_file_is_run(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.safetensors"
    path.write_bytes(pickle.dumps(Code(tmp_path / "run")))
    with pytest.raises(ModelError, match="not a checkpoint"):
        load_checkpoint(path)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("data", [b"", b"rubbish", b"\xff" * 8, b"\2" + b"\0" * 7 + b"{}"])
def test_what_is_no_checkpoint(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "checkpoint.safetensors"
    path.write_bytes(data)
    with pytest.raises(ModelError, match="not a checkpoint"):
        load_checkpoint(path)
    with pytest.raises(ModelError, match="not a checkpoint"):
        load_checkpoint(tmp_path)


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GammonError, match="cannot be written"):
        save_checkpoint(tmp_path / "file" / "checkpoint.safetensors", ARRAYS, FACTS)


def test_what_is_taken_is_checked() -> None:
    arrays = {"a": np.zeros(3, np.int8), "m.samples": np.zeros((2, 26), np.int8)}
    with pytest.raises(ValueError, match="a of int8"):
        taken(dict(arrays), "a", np.int8, (4,))
    with pytest.raises(ValueError, match="a of int8"):
        taken(dict(arrays), "a", np.uint8, (3,))
    assert taken(dict(arrays), "a", np.int8, (3,)).flags.writeable
    arrays["m.targets"] = np.zeros((2, 6), np.float32)
    samples, targets = taken_samples(dict(arrays), "m")
    assert samples.shape == (2, 26)
    assert targets.shape == (2, 6)
    arrays["m.samples"][1, [3, 4]] = -128
    with pytest.raises(ValueError, match="too many checkers"):
        taken_samples(dict(arrays), "m")
    for wrong in (True, -1, 1.0, "1", None, 10**5000):
        with pytest.raises(ValueError, match=r"count|digits"):
            checked_count(wrong)
