"""Write the decisions of `gammon grade`: positions of our own self-play, searched deep.

    python scripts/write_reference.py gammon/data/reference.csv --workers 2

It takes 7 minutes on two cores, because only the five best plays of a decision are exact;
of the others the file has the upper bound that the search proved. What was searched is kept
beside the file, and a run that was interrupted goes on there.
"""

import csv
from pathlib import Path

import click

from gammon import search
from gammon.commands.shared import OneLine
from gammon.commands.types import SEVERAL
from gammon.engine import Engine
from gammon.eval.evaluators import load_evaluator
from gammon.formats.position_id import format_position_id
from gammon.games.backgammon import BACKGAMMON
from gammon.match.reference import UNIT, sorted_successors
from gammon.parallel import Pool, Unit, run_units
from gammon.rules.board import flipped
from gammon.rules.dice import ROLLS
from gammon.rules.phase import PHASES, phase_of
from gammon.sample import self_play_positions
from gammon.searcher import TABLE_MEGABYTES

#: Decisions of each phase.
COUNTS = dict(zip(PHASES, (1200, 300, 300, 300), strict=True))
TOP = 5
SEED = 11


def decisions() -> list[Unit]:
    """Return unforced decisions from games at depth 1, as many as wanted of each phase."""
    wanted, units, played = dict(COUNTS), [], 6_000
    for points, outcome in self_play_positions(Engine(depth=1, cube=False), played, SEED):
        phase = phase_of(points)
        if wanted[phase] > 0 and len(sorted_successors(points, outcome)) > 1:
            wanted[phase] -= 1
            units.append({"points": list(points), "outcome": outcome})
    if any(wanted.values()):
        raise click.ClickException(f"{played} positions are too few: {wanted} are missing")
    return units


def equities(unit: Unit) -> list[int]:
    """Return what each successor is worth, in the order of `sorted_successors`."""
    points = tuple(unit["points"])
    found = search.decide(
        BACKGAMMON, load_evaluator("leaf"), points, unit["outcome"], 5, "star2",
        load_evaluator("probe", bearoff=False), top=TOP,
        table=search.Table.allocate(BACKGAMMON, TABLE_MEGABYTES[5]),
    )  # fmt: skip
    values = {
        flipped(row.tolist()): round(float(value) / UNIT)
        for row, value in zip(found.rows, found.values, strict=True)
    }
    return [values[after] for after in sorted_successors(points, unit["outcome"])]


@click.command(cls=OneLine)
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False, writable=True))
@click.option("--workers", type=SEVERAL, default=1, show_default=True, help="Processes.")
def main(path: Path, workers: int) -> None:
    """Write PATH."""
    units = decisions()
    store = path.with_suffix(".searched.jsonl")
    rows = run_units(equities, units, store, Pool(workers))
    with path.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["position", "dice", "equities"])
        for unit, numbers in zip(units, rows, strict=True):
            dice = "".join(map(str, ROLLS[unit["outcome"]]))
            position = format_position_id(tuple(unit["points"]))
            out.writerow([position, dice, " ".join(map(str, numbers))])


if __name__ == "__main__":
    main()
