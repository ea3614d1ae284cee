"""Write the fixed positions of `gammon bench`: contact positions of our own self-play.

    python scripts/write_bench_positions.py gammon_lab/data/bench_positions.csv

Each row has a position, a roll, and the leaves of its full trees at depth 3 and 5. These depend on
the rules alone: the savings of any search are measured against them.
"""

import csv
from pathlib import Path

import click

from gammon import search
from gammon.commands.group import OneLine
from gammon.engine.engine import Engine
from gammon.formats.gnubg_id import format_position_id
from gammon.games.backgammon import BACKGAMMON
from gammon.games.nothing import NOTHING
from gammon.rules.dice import ROLLS
from gammon_lab.bench.positions import contact_positions

COUNT = 500


@click.command(cls=OneLine)
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False, writable=True))
def main(path: Path) -> None:
    """Write PATH."""
    tree = search.TreeSearch(BACKGAMMON, NOTHING, "expectimax")
    with path.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["position", "dice", "leaves_3", "leaves_5"])
        for points, outcome in contact_positions(Engine(depth=1, cubeless=True), COUNT, seed=1):
            leaves = [tree.decide(points, outcome, depth).stats for depth in (3, 5)]
            dice = "".join(map(str, ROLLS[outcome]))
            row = [format_position_id(points), dice, *(stats.leaves for stats in leaves)]
            out.writerow(row)
            file.flush()


if __name__ == "__main__":
    main()
