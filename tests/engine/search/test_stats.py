"""The counts, and when counting stops the search."""

from gammon.search import Stats
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
