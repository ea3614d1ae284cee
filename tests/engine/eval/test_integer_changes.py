"""The differences between two positions, by the sums of the first layer."""

import numpy as np
import pytest

from gammon.eval.integer_network import sums_of
from gammon.eval.integer_network_kernel import (
    BACK,
    MADE,
    MATRIX,
    MOST_ROWS,
    SIGHT,
    WORK,
    list_changes,
    nearest,
    write_counts,
    write_numbers,
)
from gammon.eval.integers import pack, unpack
from gammon.eval.numbers import N_OFFS, NUMBERS, numbers_of
from gammon.eval.planes import AT_ONCE, write_planes
from gammon.eval.tactics import SETS
from gammon.rules.board import SIZE
from tests.engine.eval.tensors import drawn_tensors
from tests.engine.eval.test_integer_network import ROWS


def sights_of(rows: np.ndarray, n: int = len(NUMBERS)) -> np.ndarray:
    """The sights [N, 64] of positions, whose number is a multiple of sixteen."""
    sights = np.zeros((len(rows), SIGHT), np.int8)
    sets, numbers = np.zeros(SETS, np.uint32), np.zeros(MADE * AT_ONCE, np.int16)
    matrix = np.zeros(MATRIX, np.int8)
    for first in range(0, len(rows), AT_ONCE):
        block = sights[first : first + AT_ONCE].reshape(-1)
        for lane in range(AT_ONCE):
            write_counts(rows[first + lane], lane, block)
            write_planes(block, lane * SIGHT, lane, sets)
        write_numbers(n, sets, numbers, matrix, block)
    return sights


@pytest.mark.parametrize("n", [N_OFFS, len(NUMBERS)])
def test_a_sight_has_the_counts_and_the_numbers(n: int) -> None:
    found = sights_of(ROWS[:160], n)
    assert np.array_equal(found[:, :SIZE], ROWS[:160])
    assert np.array_equal(found[:, 32 : 32 + n], numbers_of(ROWS[:160])[:, :n])
    assert not found[:, SIZE:32].any()
    assert not found[:, 32 + n :].any()


def test_the_nearest_differs_in_the_fewest_bytes() -> None:
    sights = np.random.default_rng(1).integers(0, 3, (200, SIGHT)).astype(np.int8)
    for new in range(BACK, 200):
        before = sights[new - BACK : new]
        differ = (before != sights[new]).sum(axis=1)
        found = nearest(sights.reshape(-1), new)
        assert new - BACK <= found < new
        assert differ[found - new + BACK] == differ.min()


def test_the_rows_lead_from_one_position_to_the_other() -> None:
    (part,) = unpack(pack(drawn_tensors(32, 8)))
    rows = ROWS[:64].copy()
    rows[1] = rows[0]
    rows[2], rows[3] = 0, 0
    rows[2, 6], rows[3, 6] = 15, -15  # as far apart as a place can be
    sums, sights = sums_of(rows, part), sights_of(rows)
    all_rows = np.concatenate([part.steps.reshape(-1, sums.shape[1]), part.numbers])
    work = np.zeros(WORK, np.int8)
    for old, new in [(0, 1), (2, 3), (3, 2), *((k * 7 % 64, k) for k in range(64))]:
        changes = np.zeros(MOST_ROWS, np.int32)
        count = int(list_changes(sights.reshape(-1), old, new, work, changes))
        factors, listed = changes[:count].view(np.int16).reshape(-1, 2).T
        terms = all_rows[listed].astype(int) * factors[:, None]
        assert np.array_equal((sums[old] + terms.sum(axis=0)).astype(np.int16), sums[new])
        assert len(set(listed.tolist())) == count, "no row twice"
