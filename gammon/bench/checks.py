"""What must be as it always is, before anything is timed.

The counts of a fixed set of searches are the fingerprint of the search: any change of
what it looks at, or in which order, changes them, and says so here. They are taken with
the weight-free evaluator, whose values are the same on every machine.
"""

from gammon import search
from gammon.bench.positions import bench_positions
from gammon.errors import GammonError
from gammon.eval.baseline import BASELINE
from gammon.games.backgammon import BACKGAMMON
from gammon.games.nothing import NOTHING
from gammon.search import Stats, Table

__all__ = ["FINGERPRINT", "check_counts", "fingerprint"]

#: By depth: how many positions, and what Star2 does for them in all.
FINGERPRINT = {
    3: (20, Stats(390, 19_252, 20_045, 370, 353, 13, 0)),
    5: (4, Stats(3_616, 462_724, 498_016, 2_481, 2_384, 122, 297)),
}
#: Every so many positions of the benchmark are looked at.
_EVERY = 25


def fingerprint(depth: int) -> Stats:
    """Return the work of Star2 for the positions of `FINGERPRINT`."""
    totals = [0] * len(Stats._fields)
    for points, _, outcome, _ in bench_positions()[::_EVERY][: FINGERPRINT[depth][0]]:
        stats = search.decide(
            BACKGAMMON, BASELINE, points, outcome, depth, "star2",
            table=Table.allocate(BACKGAMMON, 1.0),
        ).stats  # fmt: skip
        totals = [total + count for total, count in zip(totals, stats, strict=True)]
    return Stats(*totals)


def check_counts() -> None:
    """Raise a GammonError unless the rules and the search count what they should."""
    for points, dice, outcome, leaves in bench_positions()[::_EVERY]:
        whole = search.decide(BACKGAMMON, NOTHING, points, outcome, 3, "expectimax").stats
        if whole.leaves != leaves[3]:
            raise GammonError(
                f"the rules are not what they were: {whole.leaves} leaves at depth 3 after "
                f"{dice} at {points}, expected {leaves[3]}"
            )
    for depth, (_, expected) in FINGERPRINT.items():
        found = fingerprint(depth)
        if found != expected:
            raise GammonError(
                f"the search is not what it was: {found} at depth {depth}, expected {expected}"
            )
