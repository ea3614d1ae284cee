"""Compare the values of the cube without a search with GNU Backgammon's at 0-ply.

    python scripts/compare_cube.py --positions 2000 --seed 3

Positions of self-play get random terms: money with and without the Jacoby rule, and matches to 64
points with cubes to 16. GNU Backgammon gives the chances of each position, and the equities of no
double and of double and take by its own table, which is Kazaross-XG2. Our equities follow from the
same chances. The script prints the largest differences by kind of position: in points for money, and
in chances to win the match otherwise. Bearoffs in which neither side has more than 6 checkers are
listed apart, since GNU Backgammon has exact equities there; so are scores at which a double costs
nothing, since our model treats them specially. `--out` writes the cases of all other positions,
which `tests/engine/eval/test_janowski.py` reads.
"""

import csv
from collections import defaultdict
from pathlib import Path
from typing import Any

import click
import numpy as np

from gammon.commands.group import OneLine
from gammon.commands.options import PLACE, SEED
from gammon.engine.engine import Engine
from gammon.eval.efficiency import cube_efficiency
from gammon.eval.equity import results_of_cumulative
from gammon.eval.janowski import costs_nothing, static_value
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.rules.board import Points
from gammon.rules.terms import Terms
from gammon_lab.bench.positions import self_play_positions
from gammon_lab.programs import GnuBackgammon


def drawn_terms(rng: np.random.Generator) -> Terms:
    """Return random terms, a fourth of them for money; small scores are the most common."""
    level = int(rng.choice(5, p=(0.5, 0.2, 0.1, 0.1, 0.1)))
    owner = int(rng.choice((-1, 1))) if level else 0
    if rng.random() < 0.25:
        jacoby = bool(rng.integers(2))
        return Terms(jacoby=jacoby, cube=1 << level, owner=owner).checked()
    length = int(rng.choice((2, 3, 5, 7, 9, 11, 13, 17, 25, 40, 64)))
    own, their = (int(rng.integers(1, min(length, int(rng.choice((3, 9, 64)))) + 1)) for _ in range(2))
    crawford = (own == 1) != (their == 1) and bool(rng.random() < 0.3)
    if crawford:
        level, owner = 0, 0
    return Terms(length, (own, their), crawford, cube=1 << level, owner=owner).checked()


def ours(points: Points, results: list[float], terms: Terms) -> tuple[float, float]:
    """Return no double and double/take as equities per unit of the cube before the double."""
    met = read_met()
    no_double, taken = (static_value(points, results, at, met) for at in (terms, terms.doubled()))
    if not terms.length:
        return no_double, 2.0 * taken
    return met.emg(no_double, terms), met.emg(taken, terms)


def kind_of(position: Position) -> str:
    """Return the kind of position that determines the efficiency; small bearoffs are a kind, too."""
    efficiency = cube_efficiency(position.points)
    if efficiency == 0.68:
        return "contact"
    home = all(n <= 0 for n in position.points[7:]) and all(n >= 0 for n in position.points[:19])
    if not home:
        return "race"
    return "small bearoff" if min(position.off) >= 9 else "bearoff"


@click.command(cls=OneLine)
@click.option("--positions", default=2000, show_default=True, help="Positions to compare.")
@click.option("--seed", default=3, show_default=True, type=SEED, help="Seed of the positions.")
@click.option("--out", type=PLACE, help="A CSV file for all cases but small bearoffs.")
@click.option("--bearoffs", type=PLACE, help="A CSV file for the small bearoffs.")
def main(positions: int, seed: int, out: Path | None, bearoffs: Path | None) -> None:
    """Compare cube values with GNU Backgammon's."""
    rng = np.random.default_rng(seed)
    met = read_met()
    boards = self_play_positions(Engine(depth=1, cubeless=True), positions, seed)
    points_of, terms_of = [points for points, _ in boards], [drawn_terms(rng) for _ in boards]
    with GnuBackgammon() as program:
        chances_of = program.evaluations(points_of)
        equities_of = program.cube_values(points_of, 0, terms_of)
    worst: dict[str, Any] = defaultdict(lambda: [0, 0.0, 0.0])
    rows: dict[bool, list[list[Any]]] = {False: [], True: []}
    answers = zip(points_of, terms_of, chances_of, equities_of, strict=True)
    for points, terms, chances, (no_double, taken) in answers:
        position = Position(points)
        results = results_of_cumulative(np.array(chances)).tolist()
        equities_of_ours = ours(points, results, terms)
        scale = 1.0
        if terms.length:
            scale = 0.5 * (met.after(terms, terms.cube) - met.after(terms, -terms.cube))
        kind = kind_of(position)
        if costs_nothing(terms) or costs_nothing(terms.doubled()):
            kind = "free double"  # our model has it, GNU Backgammon's does not
        if terms.away == (2, 2):
            kind = "2-away 2-away"  # GNU Backgammon's model treats the cube as dead
        entry = worst[("match " if terms.length else "money ") + kind]
        entry[0] += 1
        entry[1] = max(entry[1], scale * abs(equities_of_ours[0] - no_double))
        if terms.may_double:
            entry[2] = max(entry[2], scale * abs(equities_of_ours[1] - taken))
        flags = (int(terms.crawford), int(terms.jacoby))
        equities = (f"{no_double:.7f}", f"{taken:.7f}" if terms.may_double else "")
        rows[kind_of(position) == "small bearoff"].append(
            [
                position.position_id,
                terms.length,
                *terms.away,
                *flags,
                terms.cube,
                terms.owner,
                *(f"{chance:.8f}" for chance in chances),
                *equities,
            ]
        )
    for name, (n, first, second) in sorted(worst.items()):
        click.echo(f"{name:20} {n:6}   no double {first:.1e}   double/take {second:.1e}")
    for small, place in enumerate((out, bearoffs)):
        if place:
            write(place, rows[bool(small)])


def write(place: Path, rows: list[list[Any]]) -> None:
    """Write cases to a CSV file."""
    with place.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        names = (
            "position_id,length,own_away,their_away,crawford,jacoby,cube,owner,win,win_g,"
            "win_bg,lose_g,lose_bg,no_double,double_take"
        )
        writer.writerows([names.split(","), *rows])


if __name__ == "__main__":
    main()
