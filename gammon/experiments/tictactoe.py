"""Tic-tac-toe with swaps (Melko and Nagy, 2007): its value, its best first cell, its luck."""

import time

from gammon import search
from gammon.experiments.plot import Axes, draw_level, look
from gammon.experiments.reference import program
from gammon.experiments.report import Cell, Figure, Report, ReproductionSettings, Sheet, beside
from gammon.games import chance_tictactoe
from gammon.games.nothing import NOTHING
from gammon.search import Options

__all__ = ["reproduce"]

_DEPTH = 2 * chance_tictactoe.PLIES - 1
#: The value, the minimal guaranteed and the maximal possible one, as X's score. The paper has
#: the rules, but no value of the whole game.
_EXPECTED = {"expected": 509 / 864, "guaranteed": 0.0, "possible": 1.0}
_TWIN = program("tests/games/test_chance_tictactoe.py")
_IN_ORDER = Options(static_order=False, deepen=False, divide=False)
#: Algorithm and whether it has a table; without one, Star2 searches much twice.
_SOLVERS = (
    ("expectimax", False), ("gamma", False), ("star1", False), ("star1", True),
    ("star2", False), ("star2", True),
)  # fmt: skip


def _solve(algorithm: str, tabled: bool, top: int = 1) -> tuple[search.Decision, float]:
    game = chance_tictactoe.GAME
    setup = search.Setup(game, NOTHING, algorithm, options=_IN_ORDER)
    begun = time.process_time()
    table = search.Table.allocate(game, 64) if tabled else None
    found = setup.decide(chance_tictactoe.ROOT, 0, _DEPTH, top=top, table=table)
    return found, time.process_time() - begun


def _score(found: search.Decision) -> float:
    """Return X's score: a win is 1, a draw 1/2."""
    return (1.0 + float(found.values[found.order[0]])) / 2.0


def reproduce(settings: ReproductionSettings) -> Report:
    """Solve the game by every algorithm, and rate every first cell."""
    solvers = _SOLVERS[3:] if settings.quick else _SOLVERS
    steps = len(solvers) + 3
    rows: list[list[Cell]] = []
    for done, (algorithm, tabled) in enumerate(solvers):
        settings.on_done(done, steps)
        found, seconds = _solve(algorithm, tabled)
        row: list[Cell] = [algorithm, "yes" if tabled else "no"]
        row += beside(_EXPECTED["expected"], _score(found), _TWIN)
        row.append(chance_tictactoe.cell(found.rows[found.order[0]]))
        rows.append([*row, found.stats.leaves, found.stats.nodes, seconds])
    columns = (
        "algorithm", "table", "expected", "ours", "difference", "source", "best cell", "leaves",
        "nodes", "seconds",
    )  # fmt: skip
    tables = [Sheet("tictactoe", "The value for X, 509/864, and the best cell", columns, rows)]

    cells, _ = _solve("star2", True, top=9)
    settings.on_done(steps - 2, steps)
    first = {
        chance_tictactoe.cell(row): (1.0 + float(value)) / 2.0
        for row, value in zip(cells.rows, cells.values, strict=True)
    }
    tables.append(
        Sheet("tictactoe-cells", "The value of each first cell", ("cell", "value"),
              [[cell, value] for cell, value in sorted(first.items())])
    )  # fmt: skip
    if not settings.quick:
        luck: list[list[Cell]] = []
        for name in search.BIASES:
            found, _ = _solve(name, False)
            luck.append([name, *beside(_EXPECTED[name], _score(found), _TWIN)])
        tables.append(
            Sheet("tictactoe-luck", "If chance takes sides",
                  ("value", "expected", "ours", "difference", "source"), luck)
        )  # fmt: skip
    settings.on_done(steps, steps)
    notes = ["Nothing here is random: the seed is not used."]
    figure = Figure("tictactoe-cells", lambda axes: _draw(axes, first))
    return Report("Tic-tac-toe with swaps: Melko and Nagy (2007)", tables, [figure], notes)


def _draw(axes: Axes, first: dict[int, float]) -> None:
    cells = sorted(first)
    over = [first[cell] - 0.5 for cell in cells]
    axes.bar(cells, over, bottom=0.5, color=look("cells")["color"])
    draw_level(axes, 0.5)
    axes.set_ylim(0.4, 0.6)
    axes.set_xticks(cells)
    axes.set_xlabel("first cell of X")
    axes.set_ylabel("value for X (win 1, draw 1/2)")
