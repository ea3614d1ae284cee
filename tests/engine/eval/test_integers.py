"""The packed network of integers: its layout, what is refused, and how far its sums can go."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given

from gammon.base.errors import ModelError
from gammon.compiled.records import Float64Vector
from gammon.eval import integers
from gammon.eval.features import N_FEATURES, N_OFFS, NUMBERS, numbers_of
from gammon.eval.integer_network import results_of_integers, sums_of
from gammon.eval.integers import (
    HEADER,
    ROW_GAP,
    SLOT,
    Sums,
    _first_layer,
    check_reach,
    header_of,
    most_of_side,
    pack,
    places,
    reach_of_first,
    reach_of_second,
    unpack,
)
from gammon.eval.model_file import LARGEST, MOST_UNITS, Weights, load_model, parts_of
from gammon.eval.plan import BOTH, N_PLANS, NOT_OWN, OWN, plan_of
from gammon.rules.board import CHECKERS, Points, Rows
from gammon_lab.train.starts import draw_families
from tests.conftest import Played, positions
from tests.engine.eval.drawn import drawn_tensors, highest, times

# The packed network of integers: its layout, rows that add up, and what is refused.


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
        fewer |= {f"{layer}.{kind}": part[f"{layer}.{kind}"][:40] for kind in ("weight", "bias")}
    every, those = (pack({f"parts.0.{k}": v for k, v in each.items()}) for each in (part, fewer))
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


def test_sums_of_the_second_layer_that_could_wrap_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
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


# How far sums can go: bounds that hold, are exact where they can be, and are needed.


def exact_sums(rows: Rows, totals: Sums, weights: Sums, bias: Sums) -> Sums:
    """The sums [N, S] of positions, which nothing wraps."""
    sums = np.repeat(bias[None], len(rows), axis=0)
    for index in range(26):
        sums += totals[index][rows[:, index].astype(int) + CHECKERS]
    return sums + numbers_of(rows)[:, : len(weights)].astype(np.int64) @ weights


def parts_that_judge(rows: Rows, parts: int) -> np.ndarray:
    return np.array([plan_of(row, parts) for row in rows])


def test_the_most_of_a_side_is_that_of_all_its_positions() -> None:
    random = np.random.default_rng(2)
    for kind in (np.int64, np.float64):
        totals = random.integers(-1000, 1000, (3, CHECKERS + 1, 40)).astype(kind)
        totals[:, 0] = 0
        every = [
            totals[0, a] + totals[1, b] + totals[2, c]
            for a, b, c in product(range(CHECKERS + 1), repeat=3)
            if a + b + c <= CHECKERS
        ]
        found = most_of_side(totals)
        assert found.dtype == kind
        assert np.array_equal(found, np.max(every, axis=0))
        assert not most_of_side(-np.abs(totals)).any()


def test_bounds_are_exact_where_the_sides_do_not_meet() -> None:
    random = np.random.default_rng(3)
    totals = np.zeros((26, 2 * CHECKERS + 1, 30), np.int64)
    totals[7, CHECKERS + 1 :] = random.integers(-90, 90, (CHECKERS, 30))
    totals[20, CHECKERS + 1 :] = random.integers(-90, 90, (CHECKERS, 30))
    totals[9, :CHECKERS] = random.integers(-90, 90, (CHECKERS, 30))
    bias = random.integers(-90, 90, 30)
    for plan, own in ((None, range(CHECKERS + 1)), (NOT_OWN, range(1))):
        every = [
            bias + totals[7, CHECKERS + a] + totals[20, CHECKERS + b] + totals[9, CHECKERS - c]
            for a, b, c in product(range(CHECKERS + 1), own, range(CHECKERS + 1))
            if a + b <= CHECKERS
        ]
        least, most = reach_of_first(totals, np.zeros((2, 30), np.int64), bias, plan)
        assert np.array_equal(least, np.min(every, axis=0))
        assert np.array_equal(most, np.max(every, axis=0))


def test_numbers_count_at_their_most() -> None:
    random = np.random.default_rng(4)
    weights = random.integers(-9, 9, (len(NUMBERS), 20))
    nothing = np.zeros((26, 2 * CHECKERS + 1, 20), np.int64)
    least, most = reach_of_first(nothing, weights, np.zeros(20, np.int64), None)
    each = weights * np.array([[number.most] for number in NUMBERS])
    assert np.array_equal(most, np.maximum(each, 0).sum(axis=0))
    assert np.array_equal(least, np.minimum(each, 0).sum(axis=0))


@given(positions())
def test_a_plan_has_no_checkers_elsewhere(points: Points) -> None:
    plan = plan_of(np.array(points, np.int8), N_PLANS)
    for opponent, sign in ((False, 1), (True, -1)):
        stand = {p for p in range(26) if sign * points[p] > 0}
        assert stand <= set(places(opponent, plan)) <= set(places(opponent, None))
    assert places(False, BOTH) == places(False, OWN) == places(False, None)


@pytest.mark.parametrize(("model", "share"), [("leaf", 0.45), ("drawn", 0.35)])
def test_no_position_goes_beyond(model: str, share: float, played: Played) -> None:
    """Nor does one that climbing finds. In the leaf network 2.2 times the scale would wrap."""
    weights: Weights = drawn_tensors(24, 8, parts=N_PLANS) if model == "drawn" else load_model(model).weights
    rows = np.concatenate([np.array(played(1_500, 6), np.int8), draw_families(140, 6)[0]])
    parts = parts_of(weights)
    plans = parts_that_judge(rows, len(parts))
    for plan, part in enumerate(parts):
        totals, numbers, bias, _ = _first_layer(part, plan)
        least, most = reach_of_first(totals, numbers, bias, plan)
        assert max(most.max(), -least.min()) <= 32767
        seen = rows[plans == plan]
        found = exact_sums(seen, totals, numbers, bias)
        assert (least <= found).all()
        assert (found <= most).all()
        # From the position of play that has the most, for the sums that have it.
        start = seen[found.max(axis=1).argmax()]
        for unit in np.argsort(found.max(axis=0))[-2:]:

            def value(
                rows: Rows,
                unit: int = unit,
                plan: int = plan,
                first: tuple[Sums, Sums, Sums] = (totals, numbers, bias),
            ) -> Float64Vector:
                totals, numbers, bias = first
                sums = exact_sums(rows, totals[..., [unit]], numbers[:, [unit]], bias[[unit]])
                return np.where(parts_that_judge(rows, len(parts)) == plan, sums[:, 0], -np.inf)

            climbed = highest(value, start)
            assert climbed <= most[unit]
            assert climbed > share * 32767, "the bound is far from any position"


def test_the_second_layer_is_bounded_by_its_corners() -> None:
    random = np.random.default_rng(5)
    weights, bias = random.integers(-9, 9, (6, 4)), random.integers(-9, 9, 6)
    most = np.array([5, 0, 7, 3])
    corners = [weights @ (most * corner) + bias for corner in np.array(list(product((0, 1), repeat=4)))]
    least, highest_ = reach_of_second(weights, bias, most)
    assert np.array_equal(least, np.min(corners, axis=0))
    assert np.array_equal(highest_, np.max(corners, axis=0))


def test_sums_beyond_the_range_are_refused() -> None:
    check_reach(np.array([-32767]), np.array([32767]), 16, "a layer")
    for least, most in ((-5, 32768), (-32768, 5)):
        with pytest.raises(ModelError, match=r"^hidden1: .* as far as 32,768 .* than 32,767"):
            check_reach(np.array([least, 0]), np.array([most, 0]), 16, "hidden1")
    with pytest.raises(ModelError, match=r"expected no more than 2,147,483,647"):
        check_reach(np.array([0]), np.array([2**31]), 32, "hidden2")
