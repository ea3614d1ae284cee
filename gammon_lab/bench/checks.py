"""Check known counts of the rules and of the search before anything is timed.

The counts of a fixed set of searches are the fingerprint of the search: they change with the nodes
that it visits and with their order. They are taken with the evaluator without weights, whose values
are the same on every machine.
"""

from typing import NamedTuple

from gammon import search
from gammon.base.errors import GammonError
from gammon.eval.baseline import BASELINE
from gammon.games.backgammon import BACKGAMMON
from gammon.games.nothing import NOTHING
from gammon.search import Options, Stats, Table
from gammon_lab.bench.positions import bench_positions


class Case(NamedTuple):
    """Searches by Star2 whose work is known.

    Attributes:
        depth: plies.
        positions: how many are searched.
        options: see `Options`.
    """

    depth: int
    positions: int
    options: Options = Options()


#: The work of each case, over all of its positions.
FINGERPRINT = {
    Case(3, 20): Stats(390, 19_252, 20_523, 370, 353, 13, 0),
    Case(5, 4): Stats(3_793, 473_074, 512_423, 2_647, 2_550, 122, 116),
    Case(5, 4, Options(divide=False)): Stats(3_616, 462_724, 501_920, 2_481, 2_384, 122, 297),
}
#: The checks take every 25th position of the benchmark.
_EVERY = 25


def fingerprint(case: Case) -> Stats:
    """Return the work of Star2 for a case of `FINGERPRINT`."""
    totals = [0] * len(Stats._fields)
    tree = search.TreeSearch(BACKGAMMON, BASELINE, "star2", options=case.options)
    for points, _, outcome, _ in bench_positions()[::_EVERY][: case.positions]:
        table = Table.allocate(BACKGAMMON, 1.0)
        stats = tree.decide(points, outcome, case.depth, table=table).stats
        totals = [total + count for total, count in zip(totals, stats, strict=True)]
    return Stats(*totals)


def signature() -> int:
    """Return a number that identifies the search's behaviour: the evaluations of all cases."""
    return sum(fingerprint(case).evaluations for case in FINGERPRINT)


def check_counts() -> None:
    """Raise a GammonError unless the rules and the search count what they should."""
    tree = search.TreeSearch(BACKGAMMON, NOTHING, "expectimax")
    for points, dice, outcome, leaves in bench_positions()[::_EVERY]:
        whole = tree.decide(points, outcome, 3).stats
        if whole.leaves != leaves[3]:
            raise GammonError(
                f"the rules are not what they were: {whole.leaves} leaves at depth 3 after "
                f"{dice} at {points}, expected {leaves[3]}"
            )
    for case, expected in FINGERPRINT.items():
        work = fingerprint(case)
        if work != expected:
            raise GammonError(f"the search is not what it was: {work} for {case}, expected {expected}")
