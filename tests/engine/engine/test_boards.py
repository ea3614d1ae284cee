"""Arrays of positions: what is taken, what is refused and how, and blocks of them."""

import pickle
from typing import Any

import numpy as np
import pytest

from gammon.base.errors import IllegalPositionError, SettingError
from gammon.engine.boards import (
    Evaluations,
    PlayValues,
    checked_boards,
    checked_outcomes,
    checked_seeds,
    in_blocks,
)
from gammon.rules.board import OPENING
from gammon.rules.dice import ROLLS

BOARD = list(OPENING)


def with_count(place: int, count: int) -> list[list[int]]:
    """Three positions, the last with another count."""
    return [BOARD, BOARD, [*BOARD[:place], count, *BOARD[place + 1 :]]]


@pytest.mark.parametrize("kind", [np.int8, np.int64, ">i4", np.int16])
def test_positions_become_int8(kind: Any) -> None:
    wide = np.zeros((3, 52), kind)
    wide[:, ::2] = BOARD
    boards = checked_boards(wide[:, ::2])
    assert boards.dtype == np.int8
    assert boards.flags.c_contiguous
    assert boards.tolist() == [BOARD] * 3


def test_arrays_that_may_not_be_written_to_are_taken() -> None:
    """A kernel takes only others: one of a file that is mapped, or broadcast, is copied."""
    boards = np.array([BOARD, BOARD], np.int8)
    seeds = np.arange(2, dtype=np.uint64)
    for array in (boards, seeds):
        array.flags.writeable = False
    assert checked_boards(boards).flags.writeable
    assert checked_boards(np.broadcast_to(boards[0], (3, 26))).tolist() == [BOARD] * 3
    assert checked_seeds(seeds, 2).flags.writeable


def test_there_may_be_none() -> None:
    assert checked_boards(np.empty((0, 26), np.int8)).shape == (0, 26)
    assert checked_boards([]).shape == (0, 26)
    assert checked_outcomes(np.empty((0, 2), int), 0).shape == (0,)
    assert checked_seeds(np.empty(0, int), 0).shape == (0,)


@pytest.mark.parametrize(
    "points",
    [
        BOARD, [BOARD, BOARD[1:]], [[BOARD], BOARD], [[]], 5, None, "board", [["a"] * 26],
        np.array([BOARD], float), np.array([BOARD]) == 0, [[10**30] * 26], [[None] * 26],
        np.zeros((1, 26, 1), int), np.zeros((26, 1), int), {1: 2}, np.array([BOARD], "m8[s]"),
    ],
    ids=lambda points: repr(points)[:30],
)  # fmt: skip
def test_other_shapes_and_types_are_refused(points: Any) -> None:
    with pytest.raises(SettingError, match=r"^points .*expected whole .*\(N, 26\)$") as caught:
        checked_boards(points)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("count", [256 - 3, 16, -20, 2**31, 2**62, -(2**63), 300])
def test_counts_do_not_wrap(count: int) -> None:
    for place in (0, 8, 25):
        with pytest.raises(IllegalPositionError, match=rf"^position 2: {count} .*{place}: "):
            checked_boards(with_count(place, count))


def test_counts_of_which_four_would_wrap_to_none() -> None:
    board = [0, *[2**62] * 4, *[0] * 20, 0]
    for points in ([board], np.array([board], np.uint64)):
        with pytest.raises(IllegalPositionError, match=r"^position 0: "):
            checked_boards(points)


def test_positions_that_cannot_stand_are_refused() -> None:
    with pytest.raises(IllegalPositionError, match=r"^position 2: .*25 checkers"):
        checked_boards(with_count(6, 15))
    for board in ([0, 5, *[0] * 21, -3, -3, -1], [1, 5, *[0] * 21, -3, -3, 0]):
        with pytest.raises(IllegalPositionError, match=r"^position 1: .*bar"):
            checked_boards([BOARD, board])


def test_finished_games_are_refused() -> None:
    for board in ([0] * 25 + [1], [-1] + [0] * 25, [0] * 26):
        with pytest.raises(IllegalPositionError, match=r"^position 1: "):
            checked_boards([BOARD, board])


def test_rolls_become_outcomes() -> None:
    both = [*ROLLS, *((low, high) for high, low in ROLLS)]
    for kind in (np.int64, np.uint8, np.int8):
        assert checked_outcomes(np.array(both, kind), 42).tolist() == [*range(21)] * 2


@pytest.mark.parametrize("dice", [[3, 1], [[3.0, 1.0]], [["3", "1"]], [[True, True]], [[3]]])
def test_dice_of_other_shapes_and_types_are_refused(dice: Any) -> None:
    with pytest.raises(SettingError, match=r"^dice of .*whole numbers of shape \(1, 2\)$"):
        checked_outcomes(dice, 1)


@pytest.mark.parametrize("die", [0, 7, -1, 2**40, 2**64 - 1])
def test_dice_out_of_range_are_refused(die: int) -> None:
    dice = np.array([[3, 1], [3, die]], np.int64 if die < 2**63 else np.uint64)
    with pytest.raises(SettingError, match=f"^position 1: dice .*{die}.*1 to 6"):
        checked_outcomes(dice, 2)


def test_seeds_may_be_any_of_64_bits() -> None:
    top = 2**64 - 1
    for seeds in ([top, top], np.array([top, top], np.uint64)):
        assert checked_seeds(seeds, 2).tolist() == [top, top]
    assert checked_seeds([0, 5], 2).dtype == np.uint64
    assert checked_seeds([5, 2**63 + 1], 2).tolist() == [5, 2**63 + 1]


@pytest.mark.parametrize(
    "seeds", [[0], [0, 1, 2], 3, [0, -1], [0.0, 1.0], [0, 2**64], [0, "1"], [[0], [1]], [0, []]]
)
def test_other_seeds_are_refused(seeds: Any) -> None:
    with pytest.raises(SettingError, match=r"^noise_seeds .*expected "):
        checked_seeds(seeds, 2)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_blocks_come_in_order(threads: int) -> None:
    numbers = np.arange(10)
    found = in_blocks(lambda block: numbers[block].tolist(), 10, 4, threads)
    assert found == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert in_blocks(lambda block: numbers[block].size, 0, 4, threads) == [0]


def test_plays_are_joined_with_their_offsets() -> None:
    def part(sizes: list[int], first: float) -> PlayValues:
        n = sum(sizes)
        values = first + np.arange(n)
        rows, chances = np.full((n, 26), int(first), np.int8), np.zeros((n, 5))
        offsets = np.cumsum([0, *sizes])
        return PlayValues(offsets, rows, values, chances, np.ones(n, np.bool_))

    found = PlayValues.joined([part([2, 1], 0), part([3], 10)])
    assert found.offsets.tolist() == [0, 2, 3, 6]
    assert found.equities.tolist() == [0, 1, 2, 10, 11, 12]
    assert found.rows[:, 0].tolist() == [0, 0, 0, 10, 10, 10]
    assert PlayValues.joined([part([], 0)]).offsets.tolist() == [0]


def test_arrays_of_answers_can_be_compared() -> None:
    """Tuples of arrays raise an error of numpy."""

    def values(equity: float) -> PlayValues:
        rows, chances = np.zeros((2, 26), np.int8), np.zeros((2, 5))
        return PlayValues(np.array([0, 2]), rows, np.full(2, equity), chances, np.ones(2, bool))

    assert values(0.5) == values(0.5)
    assert not values(0.5) != values(0.5)  # noqa: SIM202
    assert values(0.5) != values(0.25)
    assert values(0.5) != tuple(values(0.5))
    two, one = (Evaluations(np.zeros(n), np.zeros((n, 5))) for n in (2, 1))
    assert two == Evaluations(*two)
    assert two != one
    assert pickle.loads(pickle.dumps(values(0.5))) == values(0.5)
