"""The packed network: rounded weights, and a first layer that is a sum of rows."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from gammon.errors import ModelError
from gammon.eval import nnue
from gammon.eval.features import N_COUNTS, NAMES, encode
from gammon.eval.model_file import load_model
from gammon.eval.network import Network, module_probabilities, tensors
from gammon.eval.packed import (
    HEADER,
    LARGEST,
    MOST_UNITS,
    OUTPUTS,
    SLOT,
    STEPS,
    Floats,
    Header,
    first_layers,
    pack,
    parts_of,
    rounded,
)
from gammon.eval.tactics import N_TACTICS, tactics_of
from gammon.rules.board import Points, off_counts
from tests.eval.networks import drawn, loaded


def header_of(packed: Floats) -> Header:
    return Header(*packed[: len(Header._fields)].astype(int).tolist())


def unpaired(words: Floats) -> Floats:
    """Both factors [..., 2 H1] of rows of words [..., H1]."""
    bits = np.ascontiguousarray(words).view(np.uint32)
    halves = [bits << np.uint32(16), bits & np.uint32(0xFFFF0000)]
    return np.concatenate([half.view(np.float32) for half in halves], axis=-1)


def slow_sums(packed: Floats, at: int, points: Points) -> Floats:
    """Both sums [2 H1] of the units of a part's first layer, row by row."""
    header = header_of(packed)
    h1 = header.h1
    rows = unpaired(packed[at : at + header.offs_at].reshape(26, STEPS, h1))
    sums = packed[at + header.bias1_at :][: 2 * h1].astype(float)
    for index, count in enumerate(points):
        for step in range(min(count, 0), max(count, 0)):
            sums += np.sign(count) * rows[index, 15 + step]
    offs = unpaired(packed[at + header.offs_at : at + header.tactics_at].reshape(2, 15, h1))
    # The bias is that of an empty board: all checkers are off.
    for side, off in enumerate(off_counts(points)):
        sums -= offs[side, off:].sum(axis=0)
    tactical = packed[at + header.tactics_at : at + header.bias1_at]
    numbers = tactics_of(np.array([points], np.int8))[0, : header.tactics]
    return sums + numbers @ unpaired(tactical.reshape(-1, h1))


def test_rows_sum_up_to_the_first_layer(played: Callable[[int, int], list[Points]]) -> None:
    for tactics in (True, False):
        weights = tensors(drawn(20, 8, tactics, parts=3))
        packed = pack(weights)
        size = header_of(packed).part_size
        for points in played(60, 5)[::6]:
            features = encode(points)[0]
            for number, part in enumerate(parts_of(weights)):
                expected = np.concatenate(
                    [
                        part[f"{name}.weight"] @ features[: part[f"{name}.weight"].shape[1]]
                        + part[f"{name}.bias"]
                        for name in ("hidden1", "gate")
                    ]
                )
                found = slow_sums(packed, HEADER + number * size, points)
                assert np.abs(found - expected).max() < 1e-5


def test_the_header_says_where_things_lie() -> None:
    weights = tensors(drawn(20, 8, parts=3))
    tables = np.arange(5, dtype=np.float32)
    packed = pack(weights, tables)
    header = header_of(packed)
    assert header[:3] == (20, 8, N_TACTICS)
    assert packed[SLOT.parts] == header.parts == 3
    assert packed.size == header.tables + len(tables)
    assert np.array_equal(packed[header.tables :], tables)
    assert packed.ctypes.data % 64 == 0, "the vector begins with a cache line"
    assert header.part_size % 16 == 0, "and so does each part"
    for number, part in enumerate(parts_of(weights)):
        at = HEADER + number * header.part_size
        second = packed[at + header.weight2_at :]
        assert np.array_equal(second[: 20 * 8], part["hidden2.weight"].ravel())
        assert np.array_equal(second[20 * 8 :][:8], part["hidden2.bias"])
        last = packed[at + header.weight3_at :]
        assert np.array_equal(last[: 6 * 8], part["output.weight"].ravel())
        assert not last[6 * 8 : OUTPUTS * 8].any()
        assert np.array_equal(last[OUTPUTS * 8 :][:6], part["output.bias"])
    assert header_of(pack(weights)).tables == 0
    assert header_of(pack(tensors(drawn(20, 8, tactics=False)))).tactics == 0


def test_a_number_without_weights_is_not_seen() -> None:
    weights = tensors(drawn(20, 8))
    unseen = NAMES.index("their.loss")
    for name in first_layers(weights):
        weights[name][:, unseen] = 0.0
    packed = pack(weights)
    seen = packed[HEADER + header_of(packed).seen_at :][:N_TACTICS]
    assert np.flatnonzero(seen == 0.0).tolist() == [unseen - N_COUNTS]
    assert set(seen.tolist()) == {0.0, 1.0}


def test_parts_have_the_names_of_one_network() -> None:
    weights = tensors(Network(8, 4, parts=3))
    parts = parts_of(weights)
    assert len(parts) == 3
    for number, part in enumerate(parts):
        for name, value in part.items():
            assert value is weights[f"parts.{number}.{name}"]
    assert first_layers(weights) == [
        f"parts.{number}.{name}.weight" for number in range(3) for name in ("hidden1", "gate")
    ]


def test_rounding(played: Callable[[int, int], list[Points]]) -> None:
    shipped = load_model("leaf").weights
    assert all(np.array_equal(value, shipped[k]) for k, value in rounded(shipped).items())
    torch.manual_seed(2)
    made = tensors(Network(64, 16))
    nearest = rounded(made)
    assert np.array_equal(pack(made), pack(nearest))
    changed = [k for k, value in nearest.items() if not np.array_equal(value, made[k])]
    assert changed == ["parts.0.hidden1.weight", "parts.0.gate.weight"]
    # A bfloat16 has eight digits; a weight of three or more checkers is a sum of three steps.
    for k in changed:
        step = np.abs(made[k]).max()
        assert np.abs(nearest[k] - made[k]).max() < 5 * step / 2**8
    rows = np.array(played(500, 9), np.int8)
    before = module_probabilities(loaded(Network(64, 16), made), rows)
    after = module_probabilities(loaded(Network(64, 16), nearest), rows)
    assert 0 < np.abs(after - before).max() < 1e-3
    assert np.abs(nnue.probabilities(rows, pack(made)) - after).max() < 1e-5


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 3.4e38])
def test_weights_that_are_no_numbers_are_refused(number: float) -> None:
    weights = tensors(drawn(8, 4))
    weights["parts.0.gate.weight"][3, 7] = number
    with pytest.raises(ModelError, match=r"parts\.0\.gate\.weight has a weight of"):
        pack(weights)


def test_the_largest_weights_do_not_overflow(
    played: Callable[[int, int], list[Points]],
) -> None:
    rows = np.array(played(50, 4), np.int8)
    random = np.random.default_rng(3)
    for several in (False, True):
        weights = {
            name: (random.choice([-1, 1], value.shape) if several else np.ones(value.shape))
            for name, value in tensors(drawn(512, 32)).items()
        }
        packed = pack({k: np.float32(LARGEST * value) for k, value in weights.items()})
        found = nnue.probabilities(rows, packed)
        assert ((found >= 0.0) & (found <= 1.0 + 1e-6)).all()


def test_layers_have_so_many_units_at_most() -> None:
    weights = tensors(drawn(8, 4))
    weights["parts.0.hidden1.bias"] = np.zeros(MOST_UNITS + 1, np.float32)
    with pytest.raises(
        ModelError, match=r"hidden1\.bias has 2049 units; expected no more than"
    ):
        pack(weights)
    # Up to there each place is a whole number that a float32 has.
    header = header_of(pack(tensors(Network(MOST_UNITS - 1, MOST_UNITS, parts=3)), np.zeros(4)))
    assert header.tables == HEADER + 3 * header.part_size
    assert header.seen_at == header.weight3_at + OUTPUTS * (MOST_UNITS + 1)
    assert header.seen_at + N_TACTICS <= header.part_size < 2**24
