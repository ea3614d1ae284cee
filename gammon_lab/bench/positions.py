"""The fixed positions of the benchmark, the counts of searches of them, and samples of self-play.

`scripts/write_bench_positions.py` wrote the positions. The counts of the rules and of the search are
checked before anything is timed. The counts of a fixed set of searches are the fingerprint of the search:
they change with the nodes that it visits and with their order. The counts are taken with the evaluator
without weights, whose values are the same on every machine.
"""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gammon import search
from gammon.base.errors import GammonError
from gammon.engine.engine import Engine
from gammon.eval.baseline import BASELINE
from gammon.formats.gnubg_id import parse_position_id
from gammon.games.backgammon import BACKGAMMON
from gammon.games.nothing import NOTHING
from gammon.rules.board import OPENING, Points, has_contact, is_over
from gammon.rules.dice import ROLLS, outcome_of, throw
from gammon.search import Options, Stats, Table

_FILE = Path(__file__).parents[1] / "data" / "bench_positions.csv"


class BenchPosition(NamedTuple):
    """A contact position of self-play with a roll.

    Attributes:
        points: seen from the player on roll.
        dice: the roll.
        outcome: the number of the roll, 0..20.
        leaves: the leaves of the full trees, by depth (3 and 5).
    """

    points: Points
    dice: tuple[int, int]
    outcome: int
    leaves: dict[int, int]


@cache
def bench_positions() -> tuple[BenchPosition, ...]:
    """Return all 500 positions."""
    positions = []
    with _FILE.open(newline="") as file:
        for row in csv.DictReader(file):
            dice = (int(row["dice"][0]), int(row["dice"][1]))
            leaves = {depth: int(row[f"leaves_{depth}"]) for depth in (3, 5)}
            points = parse_position_id(row["position"])
            positions.append(BenchPosition(points, dice, outcome_of(dice), leaves))
    return tuple(positions)


def spread_positions(count: int) -> list[BenchPosition]:
    """Return `count` positions, spread evenly over the list."""
    positions = bench_positions()
    return [positions[k * len(positions) // count] for k in range(count)]


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


def self_play_positions(engine: Engine, count: int, seed: int, every: int = 7) -> list[tuple[Points, int]]:
    """Return positions from an engine's games against itself, with the rolls thrown.

    Args:
        engine: the player of both sides; depth 1 is quick.
        count: the number of positions.
        seed: the seed of the dice.
        every: one position in this many is kept, because neighbouring positions are alike.

    Returns:
        `count` pairs of points, seen from the player on roll, and an outcome, 0..20. No
        game is over.
    """
    positions: list[tuple[Points, int]] = []
    points, game, turn = OPENING, 0, 0
    while len(positions) < count:
        outcome = throw(np.uint64(seed), np.uint64(game), np.uint64(turn))
        if (turn + game) % every == 0:
            positions.append((points, outcome))
        after = engine.best_plays([points], [ROLLS[outcome]])[0]
        points = tuple(int(count) for count in -after[::-1])
        turn += 1
        if is_over(points):
            points, game, turn = OPENING, game + 1, 0
    return positions


def contact_positions(engine: Engine, count: int, seed: int) -> list[tuple[Points, int]]:
    """Return positions of `self_play_positions` whose sides can still hit each other."""
    positions: list[tuple[Points, int]] = []
    wanted = 2 * count
    while len(positions) < count:
        played = self_play_positions(engine, wanted, seed)
        positions = [(points, roll) for points, roll in played if has_contact(points)][:count]
        wanted *= 2
    return positions


@cache
def contact_sample(count: int, seed: int) -> list[tuple[Points, int]]:
    """Return `contact_positions` of games at depth 1; a process plays them only once."""
    return contact_positions(Engine(depth=1, cubeless=True), count, seed)
