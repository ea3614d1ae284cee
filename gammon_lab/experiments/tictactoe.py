"""Tic-tac-toe with swaps (Melko and Nagy, 2007): its value, best first cell and luck."""

import time

from gammon import search
from gammon.games.nothing import NOTHING
from gammon_lab.algorithms import ALGORITHMS
from gammon_lab.experiments.study import IN_ORDER, NOT_RANDOM, Study
from gammon_lab.games import chance_tictactoe
from gammon_lab.reports.report import Figure, Report, Sheet, beside, program
from gammon_study.view.plot import Axes, draw_level, look

_DEPTH = 2 * chance_tictactoe.PLIES - 1
#: The expected value, the minimal guaranteed and the maximal possible value, as X's score. The
#: paper has the rules, but no value of the whole game.
_EXPECTED = {"expected": 509 / 864, "guaranteed": 0.0, "possible": 1.0}
_TWIN = program("tests/naive/games.py")
#: Algorithms, each with or without a table; without one, Star2 searches many nodes twice.
_SOLVERS = (
    ("expectimax", False),
    ("gamma", False),
    ("star1", False),
    ("star1", True),
    ("star2", False),
    ("star2", True),
)


def _solve(algorithm: str, tabled: bool, top: int = 1) -> tuple[search.Decision, float]:
    """Solve the game; return the decision about the first cell, and the seconds."""
    game = chance_tictactoe.GAME
    tree = search.TreeSearch(game, NOTHING, ALGORITHMS[algorithm], options=IN_ORDER)
    begun = time.process_time()
    table = search.Table.allocate(game, 64) if tabled else None
    decision = tree.decide(chance_tictactoe.ROOT, 0, _DEPTH, top=top, table=table)
    return decision, time.process_time() - begun


def _score(decision: search.Decision, place: int | None = None) -> float:
    """Return X's score after a first cell, by default the best: a win is 1, a draw 1/2."""
    return (1.0 + float(decision.values[decision.order[0] if place is None else place])) / 2.0


def reproduce(study: Study) -> Report:
    """Solve the game by every algorithm, and rate every first cell."""
    solvers = _SOLVERS[3:] if study.quick else _SOLVERS
    biases = () if study.quick else ("guaranteed", "possible")
    solved = {
        (algorithm, tabled): _solve(algorithm, tabled)
        for algorithm, tabled in study.steps([*solvers, *((name, False) for name in biases)])
    }
    rows = []
    for solver in solvers:
        decision, seconds = solved[solver]
        cells = beside(_EXPECTED["expected"], _score(decision), _TWIN)
        best = chance_tictactoe.cell(decision.rows[decision.order[0]])
        stats = decision.stats
        rows.append(
            [solver[0], "yes" if solver[1] else "no", *cells, best, stats.leaves, stats.nodes, seconds]
        )
    luck = [[name, *beside(_EXPECTED[name], _score(solved[name, False][0]), _TWIN)] for name in biases]
    nine, _ = _solve("star2", True, top=9)
    first = {chance_tictactoe.cell(row): _score(nine, place) for place, row in enumerate(nine.rows)}
    more = ("expected", "ours", "difference", "source")
    columns = ("algorithm", "table", *more, "best cell", "leaves", "nodes", "seconds")
    tables = [
        Sheet("tictactoe", "The value for X, 509/864, and the best cell", columns, rows),
        Sheet(
            "tictactoe-cells",
            "The value of each first cell",
            ("cell", "value"),
            [[cell, value] for cell, value in sorted(first.items())],
        ),
    ]
    if luck:
        tables.append(Sheet("tictactoe-luck", "If chance takes sides", ("value", *more), luck))
    figure = Figure("tictactoe-cells", lambda axes: _draw(axes, first))
    return Report("Tic-tac-toe with swaps: Melko and Nagy (2007)", tables, [figure], [NOT_RANDOM])


def _draw(axes: Axes, first: dict[int, float]) -> None:
    """Draw the values of the first cells as bars from 1/2."""
    cells = sorted(first)
    over = [first[cell] - 0.5 for cell in cells]
    axes.bar(cells, over, bottom=0.5, color=look("cells")["color"])
    draw_level(axes, 0.5)
    axes.set(ylim=(0.4, 0.6), xticks=cells, xlabel="first cell of X")
    axes.set_ylabel("value for X (win 1, draw 1/2)")
