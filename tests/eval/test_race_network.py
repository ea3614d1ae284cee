"""The network of races: its file, and that its block says what the layers say that learned."""

import numpy as np
import pytest

from gammon.base.errors import ModelError
from gammon.eval import kept, race_network
from gammon.eval.race_network import H1, N_LEARNED, SEEN

BLOCK = race_network.race_block()


def numbers(name, *shape):
    at = getattr(race_network.BLOCK, name)
    return BLOCK[at : at + int(np.prod(shape))].reshape(shape)


def first_sums(counts):
    """Return the sums of the first layer by the block's rows, float32 [128], in their order."""
    sums = numbers("bias1", H1).copy()
    for group, home in enumerate(numbers("home", 2, 5, 5, 5, H1)):
        a, b, c = (min(count, 4) for count in counts[3 * group : 3 * group + 3])
        sums += home[c, b, a]
    for p, count in enumerate(counts):
        if count > (0 if p > 5 else 4):
            sums += numbers("steps", 24, 15, H1)[p, count - 1]
    return sums


def test_the_rows_of_the_first_layer_add_up_to_what_learned():
    """Any numbers of checkers, also those of which the groups do not tell all."""
    flat = race_network.learned()
    weights, bias = np.split(flat[: H1 * (SEEN + 1)], [H1 * SEEN])
    rng = np.random.default_rng(6)
    for most in (1, 3, 6, 15):
        sides = rng.integers(0, most + 1, (50, 24)).astype(np.int8)
        learned = race_network.units_of(sides) @ weights.reshape(H1, SEEN).T + bias
        found = np.array([first_sums(tuple(side.tolist())) for side in sides])
        assert found == pytest.approx(learned, abs=1e-3)


def with_a_bit_flipped(path):
    data = bytearray(path.read_bytes())
    data[1000] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: path.unlink(), "is not there"),
        (lambda path: (path.unlink(), path.mkdir()), "cannot be read: Is a directory"),
        (lambda path: path.write_bytes(b""), "is damaged"),
        (with_a_bit_flipped, "is damaged"),
        (lambda path: kept.write(path, np.zeros(3, np.float32)), "is damaged"),
    ],
    ids=["missing", "a folder", "empty", "a bit flipped", "of another size"],
)
def test_a_network_that_is_not_what_was_written_is_refused(damage, said, tmp_path, monkeypatch):
    path = tmp_path / "race.network"
    kept.write(path, race_network.learned())
    monkeypatch.setattr(race_network, "shipped_files", lambda suffix: [*tmp_path.glob(suffix)])
    assert race_network.learned.__wrapped__().size == N_LEARNED
    damage(path)
    with pytest.raises(ModelError, match=said):
        race_network.learned.__wrapped__()
