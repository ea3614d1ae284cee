"""Small networks that ship: a file that is not what was written is refused."""

import numpy as np
import pytest

from gammon.base.errors import ModelError
from gammon.eval import cube_network, kept, learned_file, race_network
from gammon.eval.learned_file import LearnedFile

X = LearnedFile("x.network", 90, "the network of X")


def with_a_bit_flipped(path):
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: path.unlink(), "the network of X, models/x.network, is not there"),
        (lambda path: (path.unlink(), path.mkdir()), "cannot be read: Is a directory"),
        (lambda path: path.write_bytes(b""), "is damaged"),
        (with_a_bit_flipped, "is damaged"),
        (lambda path: kept.write(path, np.zeros(3, np.float32)), "is damaged"),
    ],
    ids=["missing", "a folder", "empty", "a bit flipped", "of another size"],
)
def test_a_network_that_is_not_what_was_written_is_refused(damage, said, tmp_path, monkeypatch):
    path, numbers = tmp_path / "x.network", np.arange(90, dtype=np.float32)
    kept.write(path, numbers)
    monkeypatch.setattr(learned_file, "shipped_files", lambda suffix: [*tmp_path.glob(suffix)])
    assert np.array_equal(LearnedFile.numbers.__wrapped__(X), numbers)
    damage(path)
    with pytest.raises(ModelError, match=said):
        LearnedFile.numbers.__wrapped__(X)


def test_networks_are_told_apart():
    assert race_network.NETWORK.id() != cube_network.NETWORK.id()
    with pytest.raises(ModelError, match="of another size"):
        race_network.NETWORK._replace(size=5).id()
