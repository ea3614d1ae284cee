"""The whole numbers of a position: those of the features, and never more than their most."""

import numpy as np
import pytest
from hypothesis import given

from gammon.eval.features import N_COUNTS, N_FEATURES, NAMES, encode
from gammon.eval.numbers import N_OFFS, NUMBERS, numbers_of, weights_of
from gammon.rules.board import Points, flipped
from tests.boards import points_of
from tests.conftest import Played, positions

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
