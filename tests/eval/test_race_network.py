"""The network of races: its file, and that its block says what the layers say that learned."""

from io import BytesIO

import numpy as np
import pytest

from gammon.base.errors import ModelError
from gammon.eval import race_network
from gammon.eval.race_network import H1, SEEN, SHAPES

BLOCK = race_network.race_block()
#: Numbers in the file.
SIZE = sum(int(np.prod(shape)) for shape in SHAPES)


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
    flat = np.load(BytesIO(race_network._file()))
    weights, bias = np.split(flat[: H1 * (SEEN + 1)], [H1 * SEEN])
    rng = np.random.default_rng(6)
    for most in (1, 3, 6, 15):
        sides = rng.integers(0, most + 1, (50, 24)).astype(np.int8)
        learned = race_network.units_of(sides) @ weights.reshape(H1, SEEN).T + bias
        found = np.array([first_sums(tuple(side.tolist())) for side in sides])
        assert found == pytest.approx(learned, abs=1e-3)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read"),
        (b"no array", "is damaged"),
        (np.zeros(3, np.float32), "is damaged: expected"),
        (np.full(SIZE, np.nan, np.float32), "is damaged: expected"),
    ],
    ids=["missing", "no array", "of another size", "not a number"],
)
def test_a_network_that_is_not_what_was_written_is_refused(
    content, said, tmp_path, monkeypatch
):
    path = tmp_path / "race.npy"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        np.save(path, content)
    monkeypatch.setattr(race_network, "shipped_files", lambda suffix: [*tmp_path.glob("*.npy")])
    monkeypatch.setattr(race_network, "_file", race_network._file.__wrapped__)
    with pytest.raises(ModelError, match=said):
        race_network.race_block.__wrapped__()
