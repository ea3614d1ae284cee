"""The packed network of integers: its layout, rows that add up, and what is refused."""

import numpy as np
import pytest

from gammon.base.errors import ModelError
from gammon.eval import integers
from gammon.eval.features import N_FEATURES
from gammon.eval.integer_network import results_of_integers, sums_of
from gammon.eval.integers import (
    HEADER,
    ROW_GAP,
    SLOT,
    _first_layer,
    header_of,
    pack,
    unpack,
)
from gammon.eval.numbers import N_OFFS, NUMBERS, numbers_of
from gammon.eval.weights import LARGEST, MOST_UNITS, parts_of
from gammon.rules.board import CHECKERS
from tests.conftest import Played
from tests.engine.eval.tensors import drawn_tensors, times


def test_the_header_says_where_things_lie() -> None:
    tables = np.arange(16, dtype=np.float32)
    packed = pack(drawn_tensors(40, 8, parts=3), tables)
    header = header_of(packed)
    assert header[:3] == (64, 16, len(NUMBERS))
    assert packed[SLOT.parts] == header.parts == 3
    assert header.tables == HEADER + 3 * header.part_size
    assert np.array_equal(packed[header.tables :], tables)
    assert header_of(pack(drawn_tensors(40, 8))).tables == 0
    assert header_of(pack(drawn_tensors(40, 8, tactics=False))).numbers == N_OFFS


def test_every_block_begins_at_64_bytes_and_apart_from_the_others() -> None:
    packed = pack(drawn_tensors(17, 4, parts=3))
    header = header_of(packed)
    packed[HEADER:] = 0.0
    for number, part in enumerate(unpack(packed)):
        at = packed.ctypes.data + 4 * (HEADER + number * header.part_size)
        assert part.steps.ctypes.data == at
        for block in part:
            assert block.ctypes.data % 64 == 0
            assert not block.any(), "another block lies there, too"
            block.view(np.uint8)[:] = 255
        width = 2 * (2 * header.h1 + ROW_GAP)
        assert part.steps.strides[1] == part.numbers.strides[0] == width
        assert width % 64 == 0
    assert packed[:HEADER].tolist() == [*header]


def test_units_that_change_nothing_are_left_out(played: Played) -> None:
    weights = drawn_tensors(70, 8, parts=3)
    rows = np.array(played(100, 4), np.int8)
    weights["parts.1.hidden2.weight"][:, 40:] = 0.0
    weights["parts.0.hidden1.weight"][40:] = 0.0
    weights["parts.0.hidden1.bias"][40:] = -1.0
    assert header_of(pack(weights)).h1 == 128
    weights["parts.2.hidden2.weight"][:, 10:45] = 0.0
    packed = pack(weights)
    assert header_of(packed).h1 == 64
    units = [part.weight2.any(axis=1).sum() for part in unpack(packed)]
    assert units == [40, 40, 35]
    part = {k[8:]: value for k, value in weights.items() if k.startswith("parts.1.")}
    fewer = part | {"hidden2.weight": part["hidden2.weight"][:, :40]}
    for layer in ("hidden1", "gate"):
        fewer |= {
            f"{layer}.{kind}": part[f"{layer}.{kind}"][:40] for kind in ("weight", "bias")
        }
    every, those = (
        pack({f"parts.0.{k}": v for k, v in each.items()}) for each in (part, fewer)
    )
    assert np.array_equal(results_of_integers(rows, every), results_of_integers(rows, those))


def test_rows_add_up_to_the_same_sums_on_every_path(played: Played) -> None:
    """From any position, by single steps in any order, as exact integers say."""
    weights = drawn_tensors(64, 8)
    (part,) = unpack(pack(weights))
    totals, numbers, bias, _ = _first_layer(parts_of(weights)[0], None)
    random = np.random.default_rng(7)
    rows = np.array(played(2_000, 4)[::40], np.int8)
    sums, whole = sums_of(rows, part), numbers_of(rows)
    for r in range(1, len(rows)):
        old, new = rows[r - 1], rows[r]
        steps = [
            (np.sign(new[p] - old[p]), part.steps[p, CHECKERS + step])
            for p in range(26)
            for step in range(min(old[p], new[p]), max(old[p], new[p]))
        ]
        steps += list(zip(whole[r] - whole[r - 1], part.numbers, strict=True))
        found = sums[r - 1].copy()
        for number in random.permutation(len(steps)):
            factor, row = steps[number]
            found += np.int16(factor) * row
        assert np.array_equal(found, sums[r])
        exact = bias + whole[r].astype(np.int64) @ numbers
        exact += sum(totals[p, CHECKERS + new[p]] for p in range(26))
        assert np.array_equal(exact, sums[r]), "the sums have wrapped"


def test_the_same_integers_whatever_the_order_in_memory() -> None:
    weights = drawn_tensors(24, 8, parts=5)
    other = {name: np.asfortranarray(value) for name, value in weights.items()}
    assert np.array_equal(pack(weights).view(np.int32), pack(other).view(np.int32))


@pytest.mark.parametrize(("layer", "factor"), [("hidden1", 0), ("gate", 1)])
def test_sums_of_the_first_layer_that_could_wrap_are_refused(
    monkeypatch: pytest.MonkeyPatch, layer: str, factor: int
) -> None:
    best_scale = integers._best_scale

    def too_large(*given: object) -> np.ndarray:
        scale = best_scale(*given).reshape(2, -1)  # type: ignore[arg-type]
        scale[factor] *= 1.3
        return scale.ravel()

    monkeypatch.setattr(integers, "_best_scale", too_large)
    with pytest.raises(ModelError, match=rf"^part 0 of a network: {layer}: a sum can get"):
        pack(drawn_tensors(16, 4, parts=3))


def test_sums_of_the_second_layer_that_could_wrap_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(integers, "_LARGEST2", 2**32)
    with pytest.raises(ModelError, match=r"^a network: hidden2: a sum can get as far as"):
        pack(drawn_tensors(512, 4))


def test_weights_that_are_no_numbers_are_refused() -> None:
    weights = drawn_tensors(8, 4)
    weights["parts.0.gate.weight"][3, 7] = np.nan
    with pytest.raises(ModelError, match=r"parts\.0\.gate\.weight has a weight of nan"):
        pack(weights)


@pytest.mark.parametrize("factor", [0.0, 1e-30, 1e-3, 1e3])
def test_small_and_large_weights(factor: float, played: Played) -> None:
    rows = np.array(played(200, 4), np.int8)
    found = results_of_integers(rows, pack(times(drawn_tensors(64, 8), factor)))
    assert ((found >= 0.0) & (found <= 1.0)).all()
    assert np.abs(found.sum(axis=1) - 1.0).max() < 1e-6


def test_the_largest_weights_do_not_overflow(played: Played) -> None:
    rows = np.array(played(50, 4), np.int8)
    random = np.random.default_rng(3)
    for several in (False, True):
        weights = {
            name: np.float32(LARGEST)
            * (random.choice([-1, 1], value.shape) if several else np.ones(value.shape))
            for name, value in drawn_tensors(512, 32).items()
        }
        found = results_of_integers(rows, pack({k: np.float32(v) for k, v in weights.items()}))
        assert ((found >= 0.0) & (found <= 1.0)).all()


def test_the_header_holds_the_places_of_the_largest_network() -> None:
    line = 16
    steps = 26 * 30 * MOST_UNITS + len(NUMBERS) * MOST_UNITS + MOST_UNITS
    part = steps + MOST_UNITS * MOST_UNITS // 2 + (1 + 6) * MOST_UNITS + line
    assert HEADER + 3 * part < 2**24, "beyond, float32 has not every whole number"
    assert N_FEATURES == 222
