"""What networks see: features by their names, whole numbers, planes, the plan, tactics."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gammon.compiled.kernel import kernel
from gammon.compiled.records import UInt32Vector
from gammon.compiled.vector import store
from gammon.engine.engine import Engine
from gammon.eval.features import (
    COUNTS,
    N_COUNTS,
    N_FEATURES,
    N_OFFS,
    NAMES,
    NUMBERS,
    encode,
    expanded,
    numbers_of,
    off_column,
    point_column,
    weights_of,
)
from gammon.eval.plan import BACK_GAME, BOTH, CAUGHT, N_PLANS, NOT_OWN, OWN, PARTS, plan_of, plans_of
from gammon.eval.planes import AT_ONCE, N_PLANES, checkers, places, turned
from gammon.eval.tactics import N_TACTICS, SETS, UNITS, SideNumbers, tactics, tactics_of
from gammon.rules.board import OPENING, Points, flipped, off_counts
from gammon_lab.bench.positions import self_play_positions
from tests.boards import points_of
from tests.conftest import Played, positions
from tests.engine.eval.drawn import planes_of
from tests.naive.features import numbers_by_moves, plan_by_words

# Features by their names, against what each name says.

FEATURES_UNITS = {
    "1": lambda count: count == 1,
    "2": lambda count: count == 2,
    "3": lambda count: count >= 3,
    "4": lambda count: max(count - 3, 0) / 2,
}


def meant(name: str, points: Points) -> float:
    """The value of a feature of one count, by its name."""
    side, place, unit = name.split(".")
    seen = points if side == "own" else flipped(points)
    if place == "off":
        off, _ = off_counts(seen)
        return off / 15 if unit == "1" else float(off > 0)
    return float(FEATURES_UNITS[unit](max(seen[25 if place == "bar" else int(place)], 0)))


@given(positions())
def test_each_feature_is_what_its_name_says(points: Points) -> None:
    (features,) = encode(np.array([points], np.int8))
    for name, found in zip(NAMES[:N_COUNTS], features[:N_COUNTS], strict=True):
        assert found == pytest.approx(meant(name, points)), name


def test_tactics_follow_by_side(played) -> None:
    boards = np.array(played(20, 3), np.int8)
    assert NAMES[N_COUNTS:] == tuple(
        f"{side}.{number}" for side in ("own", "their") for number in SideNumbers._fields
    )
    features = encode(boards)
    assert features.dtype == np.float32
    assert features.shape == (20, N_FEATURES)
    assert np.array_equal(features[:, N_COUNTS:], tactics_of(boards))


def test_one_position_is_a_row() -> None:
    assert encode(OPENING).shape == (1, N_FEATURES)


def test_groups_of_names() -> None:
    found = list(expanded("own,their.off.1-2 own.9-11,bar"))
    assert found[:4] == ["own.off.1", "own.off.2", "their.off.1", "their.off.2"]
    assert found[4:] == ["own.9", "own.10", "own.11", "own.bar"]
    assert tuple(expanded(COUNTS)) == NAMES[:N_COUNTS]
    assert len(set(NAMES)) == N_FEATURES
    # Names are made one by one: many of them cost nothing until they are asked for.
    assert next(expanded(".".join(["1-99"] * 20))) == ".".join(["1"] * 20)


def test_columns_are_found_by_place_and_side() -> None:
    for index, opponent, name in (
        (1, False, "own.1.1"),
        (25, False, "own.bar.1"),
        (17, True, "their.8.1"),
        (0, True, "their.bar.1"),
    ):
        assert NAMES[point_column(index, opponent)] == name
    assert [NAMES[off_column(side)] for side in (False, True)] == ["own.off.1", "their.off.1"]


# The whole numbers of a position: those of the features, and never more than their most.

AT = {number.name: k for k, number in enumerate(NUMBERS)}
MOST = np.array([number.most for number in NUMBERS])


def test_numbers_with_weights_are_features_with_theirs(played: Played) -> None:
    rows = np.array(played(3_000, 3)[::6], np.int8)
    first = np.random.default_rng(1).normal(size=(N_FEATURES, 4))
    seen = [NAMES.index("own.off.2"), NAMES.index("their.off.2"), *range(N_COUNTS, N_FEATURES)]
    expected = encode(rows)[:, seen] @ first[seen]
    found = numbers_of(rows) @ weights_of(first)
    assert np.abs(found - expected).max() < 1e-5
    only_counts = weights_of(first[:N_COUNTS])
    assert np.array_equal(only_counts, weights_of(first)[:N_OFFS])


def test_both_sides_have_their_own() -> None:
    points = points_of({25: 1, 20: 2, 6: 3}, {3: 1, 13: 4, 18: 2})
    found, turned = numbers_of(np.array([points, flipped(points)], np.int8))
    for number in NUMBERS:
        side, _, name = number.name.partition(".")
        other = {"own": f"their.{name}", "their": f"own.{name}"}.get(side, number.name)
        assert found[AT[number.name]] == turned[AT[other]]
    assert found[AT["own.loss_high"]] * 32 + found[AT["own.loss_low"]] > 0


@given(positions())
def test_no_position_has_more(points: Points) -> None:
    (found,) = numbers_of(np.array([points], np.int8))
    assert (found >= 0).all()
    assert (found <= MOST).all()


def test_a_side_without_checkers_has_no_more() -> None:
    sides = ({5: 3}, {}), ({}, {20: 3}), ({25: 15}, {}), ({}, {0: 15})
    found = numbers_of(np.array([points_of(*each) for each in sides], np.int8))
    assert (found >= 0).all()
    assert (found <= MOST).all()


@pytest.mark.parametrize(
    ("name", "points"),
    [
        # On the bar, and a blot wherever a die brings it in.
        ("own.loss_high", points_of({25: 2}, dict.fromkeys(range(19, 25), 1))),
        ("own.shots", points_of({25: 2}, dict.fromkeys(range(19, 25), 1))),
        ("own.escape", points_of({1: 1}, {24: 1})),
        ("own.prime", points_of(dict.fromkeys(range(5, 12), 2), {1: 1})),
        ("own.block", points_of(dict.fromkeys(range(1, 7), 2), {0: 1})),
        ("own.behind", points_of({20: 15}, {1: 1})),
        ("own.mobility", points_of(dict.fromkeys(range(8, 23), 1), {0: 15})),
        ("own.anchor", points_of({20: 2}, {1: 1})),
        ("own.off", points_of({20: 2}, {1: 1})),
        ("contact", points_of({25: 1}, {0: 1})),
    ],
)
def test_some_position_has_the_most(name: str, points: Points) -> None:
    for seen, side in ((points, name), (flipped(points), name.replace("own", "their"))):
        (found,) = numbers_of(np.array([seen], np.int8))
        assert found[AT[side]] == NUMBERS[AT[side]].most


# The plan of a position, by its definition.


#: One position of each plan, and such as lie just beside.
EXAMPLES = [
    (OPENING, BOTH),
    (points_of({6: 10, 24: 1, 25: 4}, {19: 15}), OWN),
    (points_of({6: 15}, {1: 2, 19: 13}), NOT_OWN),
    (points_of({6: 11, 24: 2, 20: 2}, {19: 15}), BACK_GAME),
    (points_of({6: 11}, {1: 2, 2: 2, 19: 11}), BACK_GAME),
    (points_of({6: 11, 24: 2, 25: 2}, {19: 15}), OWN),
    (points_of({6: 11, 24: 2, 20: 1, 22: 1}, {19: 15}), OWN),
    (points_of({6: 11}, {1: 2, 19: 13}), NOT_OWN),
    (points_of({6: 15}, {1: 1, 19: 10}), CAUGHT),
    (points_of({6: 15}, {0: 1, 19: 11}), NOT_OWN),
    (points_of({6: 9, 24: 2}, {19: 15}), CAUGHT),
    (points_of({6: 10, 25: 2}, {1: 1, 19: 14}), BOTH),
    (points_of({6: 11}, {19: 11}), NOT_OWN),
]


def test_examples() -> None:
    for points, plan in EXAMPLES:
        assert plan_by_words(points) == plan
        assert plan_of(np.array(points, np.int8), N_PLANS) == plan


@given(positions(), st.sampled_from(PARTS))
def test_a_plan_is_what_its_definition_says(points: Points, parts: int) -> None:
    assert plan_of(np.array(points, np.int8), parts) == plan_by_words(points, parts)


@example([points for points, _ in EXAMPLES], N_PLANS)
@given(st.lists(positions(), min_size=1, max_size=AT_ONCE), st.sampled_from(PARTS))
def test_the_plans_of_sixteen(boards: list[Points], parts: int) -> None:
    plans = plans_of(planes_of(boards), parts)
    assert len(plans) == N_PLANS
    for lane, points in enumerate(boards):
        held = [plan for plan, lanes in enumerate(plans) if lanes >> lane & 1]
        assert held == [plan_by_words(points, parts)]


# Planes of positions, by their definition.


@kernel()
def counted(planes: UInt32Vector, own: UInt32Vector, their: UInt32Vector) -> None:
    of_own, of_their = checkers(planes)
    store(own, 0, of_own)
    store(their, 0, of_their)


@kernel()
def placed(planes: UInt32Vector, own: UInt32Vector, their: UInt32Vector) -> None:
    of_own, of_their = places(planes)
    store(own, 0, of_own)
    store(their, 0, of_their)


def of_each(boards: list[Points]) -> list[list[int]]:
    """The planes of each lane."""
    found: list[list[int]] = planes_of(boards).reshape(N_PLANES, AT_ONCE).T.tolist()
    return found


@given(st.lists(positions(), min_size=1, max_size=AT_ONCE))
def test_planes_are_the_bits_of_the_counts(boards: list[Points]) -> None:
    found = of_each(boards)
    for points, (*counts, their) in zip(boards, found, strict=False):
        for p, count in enumerate(points):
            assert sum((plane >> p & 1) << k for k, plane in enumerate(counts)) == abs(count)
            assert their >> p & 1 == (count < 0)
    assert not any(map(any, found[len(boards) :]))


@given(st.lists(positions(), min_size=1, max_size=AT_ONCE))
def test_checkers_and_their_places(boards: list[Points]) -> None:
    planes, own, their = planes_of(boards), *np.zeros((2, AT_ONCE), np.uint32)
    counted(planes, own, their)
    for lane, points in enumerate(boards):
        assert own[lane] == sum(count for count in points if count > 0)
        assert their[lane] == -sum(count for count in points if count < 0)
    placed(planes, own, their)
    for lane, points in enumerate(boards):
        assert own[lane] == sum(1 << p for p, count in enumerate(points) if count > 0)
        assert their[lane] == sum(1 << p for p, count in enumerate(points) if count < 0)


@given(positions())
def test_turned_planes_are_those_of_the_turned_board(points: Points) -> None:
    (*counts, _), (*expected, _) = of_each([points, flipped(points)])[:2]
    plane = np.array(counts, np.uint32)
    with_twin = turned.py_func(plane) if hasattr(turned, "py_func") else turned(plane)
    assert with_twin.tolist() == expected


# The numbers of `gammon.eval.tactics` against a slow twin that moves checkers one by one.


def random_positions(count):
    """Yield boards with checkers anywhere, the bar included."""
    random = np.random.default_rng(7)
    for _ in range(count):
        points = [0] * 26
        for _ in range(random.integers(1, 16)):
            points[random.choice([25, *range(1, 25)])] += 1
        for _ in range(random.integers(1, 16)):
            places = [p for p in range(25) if points[p] <= 0]
            points[random.choice(places)] -= 1
        yield tuple(points)


def tactics_numbers_of(boards):
    """Return the whole numbers of positions, int16 [N, 2, T / 2]."""
    found = []
    for begin in range(0, len(boards), AT_ONCE):
        numbers, block = np.empty(N_TACTICS * AT_ONCE, np.int16), boards[begin:][:AT_ONCE]
        tactics(planes_of(block, SETS), numbers)
        found.append(numbers.reshape(N_TACTICS, AT_ONCE).T[: len(block)])
    return np.concatenate(found).reshape(-1, 2, N_TACTICS // 2)


def test_tactics_against_the_twin():
    played = [points for points, _ in self_play_positions(Engine(depth=1), 100, 1)]
    positions = [OPENING, *played, *random_positions(1000)]
    boards = np.array(positions, np.int8)
    found = tactics_numbers_of(boards)
    for points, sides in zip(positions, found, strict=True):
        for numbers, seen in zip(sides, (points, flipped(points)), strict=True):
            expected = numbers_by_moves(seen)
            assert tuple(expected) == SideNumbers._fields
            assert numbers.tolist() == list(expected.values()), seen
    shares = (np.float32(1) / np.array(UNITS)).astype(np.float32)
    features = found.astype(np.float32) * shares
    assert np.array_equal(tactics_of(boards).reshape(features.shape), features)


@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 33])
def test_neighbours_do_not_matter(count):
    boards = np.array([*random_positions(count)], np.int8)
    one_by_one = np.concatenate([tactics_numbers_of(board[None]) for board in boards])
    assert np.array_equal(tactics_numbers_of(boards), one_by_one)
    assert np.array_equal(tactics_numbers_of(boards[::-1].copy()), one_by_one[::-1])


def test_no_positions():
    assert tactics_of(np.empty((0, 26), np.int8)).shape == (0, N_TACTICS)
