"""Features by their names, against what each name says."""

import numpy as np
import pytest
from hypothesis import given

from gammon.eval.features import (
    COUNTS,
    N_COUNTS,
    N_FEATURES,
    NAMES,
    encode,
    expanded,
    off_column,
    point_column,
)
from gammon.eval.tactics import SideNumbers, tactics_of
from gammon.rules.board import OPENING, Points, flipped, off_counts
from tests.conftest import positions

UNITS = {
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
    return float(UNITS[unit](max(seen[25 if place == "bar" else int(place)], 0)))


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
