"""Hypergammon solved, beside the figures that Keith printed.

The small version has two checkers a side, which nobody has printed.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gammon.compiled.records import Float64Matrix, Float64Vector
from gammon.formats.position import Position
from gammon.rules.dice import ROLLS
from gammon_lab.experiments.study import NOT_RANDOM, Study
from gammon_lab.games.hypergammon import CHECKERS, opening
from gammon_lab.hypergammon.index import bases_of, positions
from gammon_lab.hypergammon.judge import OPENING_ROLLS, valued_plays
from gammon_lab.hypergammon.sides import Sides, sides_of
from gammon_lab.hypergammon.solve import CENTRED, CUBELESS, OWN, THEIRS
from gammon_lab.hypergammon.solver import Solver
from gammon_lab.hypergammon.table import Exact, ExactTable, equities_of, greatest_residual
from gammon_lab.report import Cell, Figure, Report, Sheet, beside, printed
from gammon_study.view.plot import Axes, look

_QUICK = 2
_KEITH = "T. Keith, Hyper Fun (2018, bkgm.com)"
_POSITIONS = printed(_KEITH, "part 4")
_VALUE = printed(_KEITH, "part 6")
#: What Keith prints for the winner of the opening roll, without a cube: equity, then the chances.
_EQUITY = 0.0836795444708631
_CHANCES = 0.52118, 0.31021, 0.02082, 0.27245, 0.01726
_NAMES = "wins", "gammons", "backgammons", "gammons lost", "backgammons lost"
#: Parts of the progress: solving, then checking.
_SOLVED, _WHOLE = 900, 1000
#: Sides on roll that are checked at a time.
_SIDES = 64


def table_path(folder: Path, checkers: int) -> Path:
    """Return the path of the table in the folder of a run."""
    return folder / f"hypergammon-{checkers}.npy"


def solved_table(study: Study, checkers: int) -> tuple[Path, ExactTable]:
    """Return the table in the study's folder, and its path; solve the game if it is not there yet."""
    path = table_path(study.out, checkers)
    if not path.exists():
        solver = Solver(checkers, study.out, lambda part: study.on_done(int(_SOLVED * part), _WHOLE))
        solver.solve().save(path)
        solver.clear()
    return path, ExactTable.load(path)


def _residual(study: Study, table: ExactTable, sides: Sides) -> float:
    """Return the greatest difference of a stored equity from its equation, over all positions."""
    n, greatest = len(sides.counts), 0.0
    for first in range(1, n, _SIDES):
        study.on_done(_SOLVED + (_WHOLE - _SOLVED) * first // n, _WHOLE)
        end = min(first + _SIDES, n)
        found = greatest_residual(sides, table.checkers, bases_of(table.checkers), table.rows, first, end)
        greatest = max(greatest, float(found))
    study.on_done(_WHOLE, _WHOLE)
    return greatest


def _opening_plays(table: ExactTable) -> list[tuple[str, str, Exact, float]]:
    """Return for each opening roll the best play without a cube, its values, and what the next one loses."""
    start, rows = Position(opening(table.checkers)), []
    for roll in OPENING_ROLLS:
        (play, best), *others = valued_plays(table, start, ROLLS[roll])
        loss = best.equity - others[0][1].equity if others else 0.0
        rows.append(("{}-{}".format(*ROLLS[roll]), play, best, loss))
    return rows


def _check_rows(table: ExactTable, best: Sequence[Exact]) -> list[list[Cell]]:
    """Return the rows of checks: expected, ours, difference, source."""
    equity = float(np.mean([exact.equity for exact in best]))
    chances = np.mean([exact.chances for exact in best], axis=0).tolist()
    found = [
        ("positions", float(positions(table.checkers)), 7_959_904.0, _POSITIONS),
        ("equity of the winner of the opening roll", equity, _EQUITY, _VALUE),
        *(
            (f"the same player's {name}", ours, expected, _VALUE)
            for name, ours, expected in zip(_NAMES, chances, _CHANCES, strict=True)
        ),
    ]
    if table.checkers == CHECKERS:
        return [[name, *beside(expected, ours, source)] for name, ours, expected, source in found]
    return [[name, None, ours, None, None] for name, ours, _, _ in found]


def _cube_rows(equities: Float64Matrix) -> list[list[Cell]]:
    """Return the shares of positions in play by the right cube action, for both places of a cube.

    Args:
        equities: float64 [N, 4], the equities of rolling.
    """
    rows: list[list[Cell]] = []
    take = 2.0 * equities[:, THEIRS]
    double = np.minimum(take, 1.0)
    for name, kind in (("in the middle", CENTRED), ("at the player on roll", OWN)):
        rolls = equities[:, kind] >= double
        shares = (
            rolls & (double < 1.0),
            rolls & (double >= 1.0),
            ~rolls & (take < 1.0),
            ~rolls & (take >= 1.0),
        )
        rows.append([name, *(100.0 * float(share.mean()) for share in shares)])
    return rows


def reproduce(study: Study) -> Report:
    """Solve the game, and compare with what is printed."""
    checkers = _QUICK if study.quick else CHECKERS
    sides = sides_of(checkers)
    path, table = solved_table(study, checkers)
    residual = _residual(study, table, sides)
    plays = _opening_plays(table)
    best = [exact for _, _, exact, _ in plays]
    equities = equities_of(table)
    start = table.exact(opening(checkers))
    checks = _check_rows(table, best)
    rolls: list[list[Cell]] = [
        [dice, play, exact.equity, loss, exact.centred, *exact.chances] for dice, play, exact, loss in plays
    ]
    cube: list[list[Cell]] = [
        ["without a cube", start.equity, None],
        ["at the player on roll", start.own, start.doubled],
        ["in the middle", start.centred, start.doubled],
        ["at the opponent", start.theirs, None],
    ]
    size = path.stat().st_size
    notes = [
        f"{checkers} checkers a side. {len(equities):,} of the positions are in play. Values are for "
        "money, in points per unit of the cube, without the Jacoby rule and without beavers.",
        f"The equations hold to {residual:.1g} in the table, at every position and for every place "
        "of the cube: each stored equity is compared with the stored equities after all plays of "
        "all rolls. The plays are from gammon's generator, which the solver does not use.",
        f"The winner of the opening roll has {np.mean([exact.equity for exact in best]):+.13f} points "
        f"without a cube, and {np.mean([exact.centred for exact in best]):+.10f} with the cube in the "
        "middle, if the first play is the best one without a cube.",
        f"The table takes {size / 1e6:.1f} MB.",
        NOT_RANDOM,
    ]
    tables = [
        Sheet("hypergammon-checks", "Checks", ("what", "expected", "ours", "difference", "source"), checks),
        Sheet(
            "hypergammon-openings",
            "The best play of each opening roll",
            ("roll", "play", "equity", "next play loses", "cube in the middle", *_NAMES),
            rolls,
        ),
        Sheet("hypergammon-start", "The start, with any roll", ("cube", "rolling", "doubling"), cube),
        Sheet(
            "hypergammon-cube",
            "Positions in play by the right action, %",
            ("cube", "no double", "too good to double", "double, take", "double, pass"),
            _cube_rows(equities),
        ),
    ]
    figure = Figure("hypergammon-cube", lambda axes: _draw(axes, equities[:, CUBELESS], equities[:, CENTRED]))
    return Report("Hypergammon, solved", tables, [figure], notes)


def _draw(axes: Axes, without: Float64Vector, centred: Float64Vector) -> None:
    """Draw the equity with the cube in the middle by the equity without a cube: means and spread."""
    edges = np.linspace(-1.5, 1.5, 31)
    bins = np.digitize(without, edges)
    middle, mean, low, high = [], [], [], []
    for k in range(1, len(edges)):
        inside = centred[bins == k]
        if len(inside):
            middle.append((edges[k - 1] + edges[k]) / 2)
            mean.append(float(inside.mean()))
            low.append(float(np.quantile(inside, 0.05)))
            high.append(float(np.quantile(inside, 0.95)))
    axes.fill_between(middle, low, high, alpha=0.2, label="90 % of positions")
    axes.plot(middle, mean, label="mean", **look("mean"))
    axes.set(xlabel="equity without a cube", ylabel="equity with the cube in the middle")
