"""NIM: the random game of Melko and Nagy (2007), and the misere game of class notes.

Random NIM from (0, 2, 1) has no draw, and is fair for P(w1) = 1/2: its value, the probability of a
win for the first player, is max(P(w1), P(w2)).
"""

from gammon import search
from gammon.games.nothing import NOTHING
from gammon_lab.algorithms import ALGORITHMS
from gammon_lab.experiments.study import IN_ORDER, NOT_RANDOM, Study
from gammon_lab.games import misere_nim, random_nim
from gammon_lab.reports.report import (
    MCGILL_NOTES,
    MELKO_NAGY,
    Cell,
    Figure,
    Report,
    Sheet,
    beside,
    formula,
    printed,
    program,
)
from gammon_study.view.plot import Axes, look

_HEAPS = (0, 2, 1)
_FORMULA = formula(MELKO_NAGY, "section 3.1: max(P(w1), P(w2))")
#: P(w1) : P(w2), the expected value, and its source.
_RANDOM = (
    ((1, 1), 1 / 2, printed(MELKO_NAGY, "section 3.1")),
    ((1, 3), 3 / 4, _FORMULA),
    ((2, 1), 2 / 3, _FORMULA),
)
#: Heaps, the expected result, and its source; the notes do not give the second result.
_MISERE = (
    ((1, 2, 2), "win", printed(MCGILL_NOTES, "figure 1")),
    ((1, 3, 5, 7), "loss", program("tests/naive/games.py")),
)
_ALGORITHMS = ("expectimax", "gamma", "star1", "star2")


def _win(parts: tuple[int, int], algorithm: str) -> tuple[float, int]:
    """Return the chance that the first player wins, and the leaves of the search."""
    game = random_nim.game(_HEAPS, parts)
    tree = search.TreeSearch(game, NOTHING, ALGORITHMS[algorithm], options=IN_ORDER)
    decision = tree.decide(random_nim.root(_HEAPS), 0, 2 * sum(_HEAPS) - 1)
    return (1.0 + float(decision.values[decision.order[0]])) / 2.0, decision.stats.leaves


def _winner(heaps: tuple[int, ...]) -> tuple[str, int]:
    """Return the result of misere NIM for the first player, and the nodes of the search."""
    game = misere_nim.game(heaps)
    tree = search.TreeSearch(game, NOTHING, "alpha-beta", options=IN_ORDER)
    table = search.Table.allocate(game, 1)
    decision = tree.decide(misere_nim.root(heaps), 0, 2 * sum(heaps) - 1, table=table)
    return "win" if decision.values[decision.order[0]] > 0 else "loss", decision.stats.nodes


def reproduce(study: Study) -> Report:
    """Solve the games of the paper and of the notes."""
    rows = []
    for parts, expected, citation in _RANDOM:
        for algorithm in _ALGORITHMS:
            value, leaves = _win(parts, algorithm)
            cells = beside(expected, value, citation)
            rows.append([f"{parts[0]}/{sum(parts)}", algorithm, *cells, leaves])
    misere: list[list[Cell]] = []
    for heaps, result, citation in study.steps(_MISERE):
        ours, nodes = _winner(heaps)
        misere.append([str(heaps), result, ours, citation, nodes])
    columns = ("P(w1)", "algorithm", "expected", "ours", "difference", "source", "leaves")
    title = f"Random NIM {_HEAPS}: the chance to win for who begins"
    tables = [
        Sheet("nim-random", title, columns, rows),
        Sheet(
            "nim-misere",
            "Misere NIM, for who begins",
            ("heaps", "expected", "ours", "source", "nodes"),
            misere,
        ),
    ]
    figure = Figure("nim-random", _draw)
    return Report("NIM, with beans that move and misere", tables, [figure], [NOT_RANDOM])


def _draw(axes: Axes) -> None:
    """Draw the probability of winning random NIM by P(w1), ours and the formula's."""
    total = 24
    chances = [part / total for part in range(total + 1)]
    ours = [_win((part, total - part), "star2")[0] for part in range(total + 1)]
    formula = [max(p, 1 - p) for p in chances]
    axes.plot(chances, ours, linestyle="none", label="ours", **look("ours"))
    line = {"color": look("formula", 1)["color"], "zorder": 1.5}
    axes.plot(chances, formula, label="max(P(w1), P(w2))", **line)
    axes.set(xlabel="P(w1)", ylabel=f"chance to win {_HEAPS}")
