"""Alpha-beta at its best, as Knuth and Moore (1975) count it, by the notes of a lecture.

In the uniform tree of branching factor b and depth d, with the best successor first
everywhere, alpha-beta looks at b^ceil(d/2) + b^floor(d/2) - 1 of the b^d leaves. A game
without chance is a game of chance with one outcome, so this is `star1` by another name.
"""

import numpy as np

from gammon import search
from gammon.experiments.plot import Axes, look
from gammon.experiments.reference import GAMES_NOTES, formula, printed
from gammon.experiments.report import Cell, Figure, Report, ReproductionSettings, Sheet, beside
from gammon.games import uniform
from gammon.search import Options

__all__ = ["reproduce"]

_PLACE = "Effectiveness of alpha-beta pruning"
_FORMULA = formula(GAMES_NOTES, f"{_PLACE}: b^ceil(d/2) + b^floor(d/2) - 1")
#: b and d whose count itself is printed.
_PRINTED = {(3, 3): printed(GAMES_NOTES, _PLACE)}
_MOST = 6
_QUICK_MOST = 3
_IN_ORDER = Options(static_order=False, deepen=False, divide=False)


def _leaves(b: int, d: int, algorithm: str) -> tuple[int, float]:
    """Search d moves deep; return the leaves and the value."""
    setup = search.Setup(uniform.game(b), uniform.LEAF, algorithm, options=_IN_ORDER)
    found = setup.decide(uniform.root(), 0, 2 * d - 1)
    return found.stats.leaves, float(found.values[found.order[0]])


def reproduce(settings: ReproductionSettings) -> Report:
    """Count the leaves for b = 2.. and d = 1.. up to 6."""
    most = _QUICK_MOST if settings.quick else _MOST
    cases = [(b, d) for b in range(2, most + 1) for d in range(1, most + 1)]
    rows: list[list[Cell]] = []
    for done, (b, d) in enumerate(cases):
        settings.on_done(done, len(cases))
        leaves, value = _leaves(b, d, "alpha-beta")
        full, minimax = _leaves(b, d, "minimax")
        reference = _PRINTED.get((b, d), _FORMULA)
        cells = beside(uniform.fewest_leaves(b, d), leaves, reference)
        rows.append([b, d, full, *cells, value - minimax])
    settings.on_done(len(cases), len(cases))
    columns = (
        "b", "d", "minimax", "expected", "alpha-beta", "difference", "source",
        "value difference",
    )  # fmt: skip
    table = Sheet("alphabeta", "Leaves in the best order", columns, rows)
    figure = Figure("alphabeta", lambda axes: _draw(axes, rows, most))
    notes = ["Nothing here is random: the seed is not used."]
    return Report("Alpha-beta: the best case", [table], [figure], notes)


def _draw(axes: Axes, rows: list[list[Cell]], most: int) -> None:
    for place, b in enumerate(range(2, most + 1)):
        mine = np.array([row[1:5] for row in rows if row[0] == b], np.float64)
        depths, full, formula, ours = mine.T
        name = f"b = {b}"
        series = look(name, place)
        axes.plot(depths, ours, linestyle="none", label=name, **series)
        axes.plot(depths, formula, color=series["color"])
        axes.plot(depths, full, ":", color=series["color"])
    axes.set_yscale("log")
    axes.set_xlabel("depth d (moves)")
    axes.set_ylabel("leaves: alpha-beta, formula (line), all (dotted)")
