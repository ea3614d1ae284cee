"""The positions of the benchmark."""

from gammon import search
from gammon.games.backgammon import BACKGAMMON
from gammon.games.nothing import NOTHING
from gammon.rules.board import has_contact
from gammon_lab.bench.positions import bench_positions


def test_positions_are_contact_positions_with_their_leaves():
    positions = bench_positions()
    assert len(positions) == 500
    assert len({each[:2] for each in positions}) == 498  # two openings came up twice
    assert all(has_contact(each.points) for each in positions)
    small = min(positions, key=lambda each: each.leaves[5])
    for points, _, outcome, leaves in (*positions[7::100], small):
        for depth, expected in leaves.items():
            if expected < 2_000_000:
                found = search.Setup(BACKGAMMON, NOTHING, "expectimax").decide(
                    points, outcome, depth
                )
                assert found.stats.leaves == expected
    assert small.leaves[5] < 2_000_000
