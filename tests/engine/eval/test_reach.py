"""How far sums can go: bounds that hold, are exact where they can be, and are needed."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given

from gammon.base.errors import ModelError
from gammon.compiled.records import Float64Vector
from gammon.eval.integers import (
    Sums,
    _first_layer,
    check_reach,
    most_of_side,
    places,
    reach_of_first,
    reach_of_second,
)
from gammon.eval.model_file import load_model
from gammon.eval.numbers import NUMBERS, numbers_of
from gammon.eval.plan import BOTH, N_PLANS, NOT_OWN, OWN, plan_of
from gammon.eval.weights import Weights, parts_of
from gammon.rules.board import CHECKERS, Points, Rows
from gammon.train.families import draw_families
from tests.conftest import Played, positions
from tests.engine.eval.tensors import drawn_tensors, highest


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
    weights: Weights = (
        drawn_tensors(24, 8, parts=N_PLANS) if model == "drawn" else load_model(model).weights
    )
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
    corners = [
        weights @ (most * corner) + bias for corner in np.array(list(product((0, 1), repeat=4)))
    ]
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
