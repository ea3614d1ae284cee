"""The counts of a search, when they stop it, and what follows from its answers."""

import numpy as np

from gammon.search import Cubes, Stats
from gammon.search.stats import N_COUNTS, NODE_LIMIT, NODES, STOPPED, begin_node, new_counts


def test_a_limit_stops_before_the_next_node():
    counts = new_counts()
    assert begin_node(counts)
    counts[NODE_LIMIT] = 2
    assert begin_node(counts)
    assert not begin_node(counts)
    assert (counts[NODES], counts[STOPPED]) == (2, 1)
    assert not begin_node(counts), "and it stays stopped"


def test_whoever_raises_the_flag_stops_it():
    counts = new_counts()
    counts[STOPPED] = 1
    assert not begin_node(counts)
    assert counts[NODES] == 0


def test_counts_have_names():
    counts = new_counts()
    counts[:N_COUNTS] = range(N_COUNTS)
    assert Stats.of(counts) == Stats(0, 1, 2, 3, 4, 5, 6)
    assert all(type(count) is int for count in Stats.of(counts))


def test_the_work_of_several_searches() -> None:
    one, two = Stats(1, 2, 3, 4, 5, 6, 7), Stats(10, 20, 30, 40, 50, 60, 70)
    assert Stats.total([one, two]) == Stats(11, 22, 33, 44, 55, 66, 77)
    assert Stats.total([one]) == one


def test_the_right_decisions():
    cases = [  # no double, double/take, whether to double, whether to take
        (0.5, 0.6, True, True), (0.5, 0.4, False, True), (0.9, 1.2, True, False),
        (1.1, 1.4, False, False), (1.1, 0.9, False, True), (0.5, 1.0, True, False),
        (1.0, 2.0, True, False), (1.0 + 1e-9, 2.0, True, False), (-1.0, -2.0, False, True),
        (0.5, 0.5, False, True),
    ]  # fmt: skip
    no_double, taken, doubles, takes = map(np.array, zip(*cases, strict=True))
    found = Cubes(no_double, taken, 1.0)
    assert found.doubles.tolist() == doubles.tolist()
    assert found.takes.tolist() == takes.tolist()
