"""The transposition table: what it keeps, what it replaces, how much memory it takes."""

import numpy as np
import pytest

from gammon.search.table import (
    UNKNOWN,
    Table,
    find,
    find_reply,
    forget,
    keep,
    keep_reply,
    look_up,
    zobrist,
)
from gammon_lab.games import synthetic

GAME = synthetic.game(-1, 1)


def test_equal_states_have_equal_keys_and_others_do_not():
    table = Table.allocate(GAME, 0.01)
    roots = [synthetic.root(-1, 1, seed) for seed in range(300)]
    keys = [zobrist(table, root, 0) for root in roots]
    assert len(set(keys)) == len({root.tobytes() for root in roots})
    assert keys == [zobrist(Table.allocate(GAME, 1), root.copy(), 0) for root in roots]


def test_another_stake_is_another_key():
    table = Table.allocate(GAME, 0.01)
    root = synthetic.root(-1, 1, 1)
    assert len({zobrist(table, root, stake) for stake in (-2, -1, 0, 1, 2)}) == 5


@pytest.mark.parametrize("megabytes", [0.01, 1, 16])
def test_memory_is_bounded_and_used(megabytes):
    table = Table.allocate(GAME, megabytes)
    used = sum(array.nbytes for array in table) - table.numbers.nbytes
    assert megabytes * 1e6 / 2 <= used <= megabytes * 1e6
    assert len(table.keys) == len(table.depth) == 2 * len(table.replies)


def test_a_window_tells_values_from_bounds():
    table = Table.allocate(GAME, 0.01)
    key = np.uint64(77)
    assert find(table, key, 4) == -1
    keep(table, key, 4, 0.0, 1.0, 1.5)
    slot = find(table, key, 4)
    assert (table.lower[slot], table.upper[slot]) == (1.5, np.inf)
    keep(table, key, 4, 3.0, 4.0, 2.0)
    assert (table.lower[slot], table.upper[slot]) == (1.5, 2.0)
    keep(table, key, 4, 0.0, 4.0, 1.75)
    assert (table.lower[slot], table.upper[slot]) == (1.75, 1.75)
    assert find(table, key, 2) == -1, "another depth is another question"


def test_the_deeper_entry_stays_and_the_latest_is_always_there():
    table = Table._sized(GAME.width, 1)
    deep, shallow, latest = (np.uint64(key) for key in (1, 2, 3))
    keep(table, deep, 4, -1, 1, 0.1)
    keep(table, shallow, 2, -1, 1, 0.2)
    assert find(table, deep, 4) == 0
    assert find(table, shallow, 2) == 1
    keep(table, latest, 2, -1, 1, 0.3)
    assert find(table, deep, 4) == 0
    assert find(table, shallow, 2) == -1
    assert find(table, latest, 2) == 1
    keep(table, shallow, 6, -1, 1, 0.4)
    assert find(table, deep, 4) == -1


def test_replies_are_found_among_the_successors():
    table = Table.allocate(GAME, 0.01)
    rows = np.array([synthetic.root(-1, 1, seed) for seed in range(5)])
    key = np.uint64(5)
    assert find_reply(table, key, 2, rows, 5) == -1
    keep_reply(table, key, 2, rows[3])
    assert find_reply(table, key, 2, rows, 5) == 3
    assert find_reply(table, key, 2, rows, 3) == -1
    assert find_reply(table, key, 1, rows, 5) == -1


def test_what_is_known_answers_a_window():
    table = Table.allocate(GAME, 0.01)
    key = np.uint64(9)
    assert look_up(table, key, 2, -1.0, 1.0, False) == UNKNOWN
    keep(table, key, 2, 0.0, 1.0, 0.5)
    assert look_up(table, key, 2, -1.0, 1.0, False) == 0.5
    assert look_up(table, key, 2, -1.0, 1.0, True) == UNKNOWN, "its leaves are not here"
    assert look_up(table, key, 2, -1.0, 0.5, True) == 0.5
    assert look_up(table, key, 2, 0.5, 1.0, True) == 0.5
    keep(table, np.uint64(10), 2, 0.0, 1.0, 2.0)
    assert look_up(table, np.uint64(10), 2, 0.0, 2.0, False) == 2.0
    assert look_up(table, np.uint64(10), 2, 0.0, 3.0, False) == UNKNOWN


@pytest.mark.parametrize("clear", [Table.clear, forget])
def test_an_emptied_table_knows_nothing(clear):
    table = Table.allocate(GAME, 0.01)
    keep(table, np.uint64(1), 2, -1, 1, 0)
    keep_reply(table, np.uint64(1), 0, synthetic.root(-1, 1, 0))
    clear(table)
    assert find(table, np.uint64(1), 2) == -1
    assert find_reply(table, np.uint64(1), 0, synthetic.root(-1, 1, 0)[None], 1) == -1


def test_great_depths_are_known_again():
    table, key = Table.allocate(GAME, 0.01), np.uint64(5)
    for depth in (126, 128, 300, 1000):
        keep(table, key, depth, -1.0, 1.0, 0.5)
        assert find(table, key, depth) >= 0


def test_another_table_is_empty_and_of_the_same_size():
    table = Table.allocate(GAME, 0.01)
    keep(table, np.uint64(1), 2, -1, 1, 0)
    other = table.another()
    assert find(other, np.uint64(1), 2) == -1
    assert [array.shape for array in other] == [array.shape for array in table]
    assert np.array_equal(other.numbers, table.numbers)
