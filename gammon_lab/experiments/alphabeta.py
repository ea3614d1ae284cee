"""Alpha-beta in the best case, by the formula of Knuth and Moore (1975) from lecture notes.

In the uniform tree of branching factor b and depth d, with the best successor first
everywhere, alpha-beta evaluates b^ceil(d/2) + b^floor(d/2) - 1 of the b^d leaves. A game
without chance is a game of chance with one outcome, so this is `star1` by another name.
"""

from gammon import search
from gammon_lab.experiments.study import IN_ORDER, NOT_RANDOM, Study
from gammon_lab.games import uniform
from gammon_lab.report import GAMES_NOTES, Figure, Report, Sheet, beside, formula, printed
from gammon_study.view.plot import Axes, look

_PLACE = "Effectiveness of alpha-beta pruning"
_FORMULA = formula(GAMES_NOTES, f"{_PLACE}: b^ceil(d/2) + b^floor(d/2) - 1")
#: The b and d for which the count itself is printed.
_PRINTED = {(3, 3): printed(GAMES_NOTES, _PLACE)}
_MOST = 6
_QUICK_MOST = 3


def _leaves(b: int, d: int, algorithm: str) -> tuple[int, float]:
    """Search d moves deep; return the leaves and the value."""
    searcher = search.TreeSearch(uniform.game(b), uniform.LEAF, algorithm, options=IN_ORDER)
    decision = searcher.decide(uniform.root(), 0, 2 * d - 1)
    return decision.stats.leaves, float(decision.values[decision.order[0]])


def reproduce(study: Study) -> Report:
    """Count the leaves for b = 2.. and d = 1.. up to 6."""
    most = _QUICK_MOST if study.quick else _MOST
    rows = []
    counts: dict[int, list[tuple[int, int, int]]] = {b: [] for b in range(2, most + 1)}
    for b, d in study.steps([(b, d) for b in counts for d in range(1, most + 1)]):
        leaves, value = _leaves(b, d, "alpha-beta")
        full, minimax = _leaves(b, d, "minimax")
        fewest = uniform.fewest_leaves(b, d)
        cells = beside(fewest, leaves, _PRINTED.get((b, d), _FORMULA))
        rows.append([b, d, full, *cells, value - minimax])
        counts[b].append((full, fewest, leaves))
    columns = ("b", "d", "minimax", "expected", "alpha-beta", "difference", "source", "value difference")
    table = Sheet("alphabeta", "Leaves in the best order", columns, rows)
    figure = Figure("alphabeta", lambda axes: _draw(axes, counts))
    return Report("Alpha-beta: the best case", [table], [figure], [NOT_RANDOM])


def _draw(axes: Axes, counts: dict[int, list[tuple[int, int, int]]]) -> None:
    """Draw the leaves by depth, from 1 on: of the full tree, of the formula, and of our search."""
    for place, (b, by_depth) in enumerate(counts.items()):
        depths = range(1, len(by_depth) + 1)
        full, formula, ours = zip(*by_depth, strict=True)
        series = look(f"b = {b}", place)
        axes.plot(depths, ours, linestyle="none", label=f"b = {b}", **series)
        axes.plot(depths, formula, color=series["color"])
        axes.plot(depths, full, ":", color=series["color"])
    axes.set(yscale="log", xlabel="depth d (moves)")
    axes.set_ylabel("leaves: alpha-beta, formula (line), all (dotted)")
