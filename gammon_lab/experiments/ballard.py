"""Ballard (AAAI-82): cutoffs in *-complete trees, in the best case and on average.

Table 1 counts the leaves in the best order; tables 2 and 3 have means over random trees. The paper
leaves three things open, which follow from its figures. The first * node below the root is not
probed, since it has nothing to beat. A leaf that a probe evaluates, and later the search, counts
twice. In table 1 a - node ends at a leaf with the least possible value L, as the listing's
AX = max(A, L) implies; in table 2 it does not: where this cutoff would save leaves, the printed means
are without it.

Star2.5, which the paper does not have, is tried on the random trees of table 3: how many successors
should a probe evaluate if nothing indicates which one is good?
"""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon import search
from gammon.base.mean import mean_and_error
from gammon.base.store import Unit, are_numbers
from gammon.search import Options
from gammon_lab.experiments.measure import grouped
from gammon_lab.experiments.study import Study
from gammon_lab.games import ballard, written
from gammon_lab.report import BALLARD, Cell, Figure, Report, Sheet, beside, printed
from gammon_study.view.plot import INKS, Axes, draw_means, look

_LEAVES_NAME, _PER_CENT = "leaves", "leaves, % of N^3"
#: The branching factors of the tables.
_SIZES = (2, 4, 6, 8, 10, 20, 30, 40)
#: Table 1: figures for each N, by algorithm and quantity.
_BEST = {
    ("star1", _LEAVES_NAME): (5, 40, 138, 336, 670, 5560, 18990, 45320),
    ("star1", _PER_CENT): (62.5, 62.5, 63.9, 65.6, 67.0, 69.5, 70.3, 70.8),
    ("star2", _LEAVES_NAME): (5, 25, 58, 105, 166, 677, 1532, 2732),
    ("star2", _PER_CENT): (62.5, 39.1, 26.9, 20.5, 16.6, 8.5, 5.7, 4.3),
}
#: Random trees of a table, and of a unit of work.
_TREES, _QUICK_TREES, _BLOCK = 1000, 100, 100
#: The probes of Star2.5, tried for some N on one block of trees.
_PROBES, _PROBED_SIZES = (1, 2, 3, 4, 6, 8, 12), (10, 20, 40)
_QUICK_N = 10
#: Ballard's searches visit everything in the order of the tree.
_IN_ORDER = Options(static_order=False, deepen=False, likely_first=False)
#: The algorithm and its options, by table.
_VARIANTS = {
    "star1": ("star1", _IN_ORDER),
    "star1 beyond L": ("star1", _IN_ORDER._replace(clamp=False)),
    "star2": ("star2", _IN_ORDER),
}
_PROBE_VARIANTS = {f"star2.5 k={k}": ("star2.5", _IN_ORDER._replace(probes=k)) for k in _PROBES}
#: The columns of a tree's results, and their names in files.
_LEAVES, _PROBING, _REGULAR, _PROBED = range(4)
_COLUMNS = "leaves", "probe_cuts", "search_cuts", "probes"


class _Mean(NamedTuple):
    """A printed row of table 2 or 3, and which of our results to compare with it.

    Attributes:
        name: what is counted.
        variant: a key of `_VARIANTS`.
        column: the column of a tree's results.
        figures: as printed, the last one for N = 40; a float is printed with one decimal.
    """

    name: str
    variant: str
    column: int
    figures: tuple[float, ...]


_LEAVES_2 = (7.1, 53.9, 178, 418, 810, 6389, 21382, 50425)
_MEANS = {
    2: [
        _Mean(_LEAVES_NAME, "star1 beyond L", _LEAVES, _LEAVES_2),
        _Mean(_PER_CENT, "star1 beyond L", _LEAVES, (88.8, 84.1, 82.5, 81.6, 81.1, 79.9, 79.2, 78.8)),
        _Mean("leaves if L ends a - node", "star1", _LEAVES, _LEAVES_2),
    ],
    3: [
        _Mean("probing cutoffs", "star2", _PROBING, (1.3, 2.0, 2.8, 3.5, 8.1, 12.6, 17.4)),
        _Mean("regular cutoffs", "star2", _REGULAR, (0.7, 1.5, 2.5, 3.5, 8.4, 13.4, 18.3)),
        _Mean(_LEAVES_NAME, "star2", _LEAVES, (48, 139, 293, 531, 3341, 10109, 22390)),
        _Mean(_PER_CENT, "star2", _LEAVES, (75.4, 64.5, 57.3, 53.1, 41.8, 37.4, 35.0)),
    ],
}

#: By N and variant, the results of its trees: int64 [trees, 4].
TreeResults = dict[tuple[int, str], npt.NDArray[np.int64]]


def _search(n: int, seed: int | None, variant: str) -> list[int]:
    """Search the random tree of a seed; None is the tree in the best order."""
    algorithm, options = (_VARIANTS | _PROBE_VARIANTS)[variant]
    game = ballard.game(n, seed is not None)
    star1 = search.TreeSearch(game, ballard.LEAF, algorithm, options=options)
    stats = star1.decide(ballard.root(seed or 0), 0, 3).stats
    return [stats.leaves, stats.probe_cuts, stats.search_cuts, stats.probes]


def measure(unit: Unit) -> list[list[int]]:
    """Search a block of random trees; return the four columns named above for each."""
    seeds = range(unit["first"], unit["first"] + unit["trees"])
    return [_search(unit["n"], (unit["seed"] << 32) + seed, unit["variant"]) for seed in seeds]


def _fits(unit: Unit, result: Any) -> bool:
    """Return whether a stored value can be the result of a unit."""
    return are_numbers(result, unit["trees"], len(_COLUMNS))


def reproduce(study: Study) -> Report:
    """Reproduce tables 1 to 3, figure 2 and the two asymptotic constants."""
    trees = _QUICK_TREES if study.quick else _TREES
    sizes = [n for n in _SIZES if not study.quick or n <= _QUICK_N]
    wanted = [
        (n, variant, first) for n in sizes for variant in _VARIANTS for first in range(0, trees, _BLOCK)
    ]
    wanted += [(n, variant, 0) for n in sizes if n in _PROBED_SIZES for variant in _PROBE_VARIANTS]
    units: list[Unit] = [
        {"n": n, "variant": variant, "seed": study.seed, "first": first, "trees": _BLOCK}
        for n, variant, first in wanted
    ]
    blocks = zip(units, study.run(measure, units, "ballard", _fits, _COLUMNS), strict=True)
    results: TreeResults = {
        (n, variant): trees.reshape(-1, len(_COLUMNS))
        for (n, variant), trees in grouped(blocks, "n", "variant").items()
    }
    best = {
        (n, algorithm): _search(n, None, algorithm)[_LEAVES]
        for n in sizes
        for algorithm in ("star1", "star2")
    }
    tables = [
        _figure_2(),
        _table_1(sizes, best),
        _means(2, sizes, results),
        _means(3, sizes, results),
        _constants(),
        _probes(results),
    ]
    notes = [
        f"Tables 2 and 3: {trees} random trees for each N, seed {study.seed}. The standard "
        "error of a difference combines our error, the printed mean's error (1000 trees) and "
        "its rounding; `apart` is the difference divided by this error."
    ]
    figure = Figure("ballard", lambda axes: _draw(axes, sizes, best, results))
    return Report("*-minimax trees: Ballard (AAAI-82)", tables, [figure], notes)


def _figure_2() -> Sheet:
    """Compare the bounds of a node after two of its four values in [0, 10], which are 5 and 3.

    The lower bound is the largest beta, and the upper bound the least alpha, for which the search
    ends after two leaves.
    """
    star1 = search.TreeSearch(written.game(0, 10), written.EQUAL, "star1")
    tree = written.tree([[5], [3], [10], [0]])

    def leaves(window: tuple[float, float]) -> int:
        return star1.value(tree, 2, window=window).stats.leaves

    quarters = np.arange(0, 41) / 4
    low = max(float(beta) for beta in quarters if leaves((-1, beta)) <= 2)
    high = min(float(alpha) for alpha in quarters if leaves((alpha, 11)) <= 2)
    citation = printed(BALLARD, "figure 2")
    rows = [
        [name, *beside(expected, ours, citation)]
        for name, expected, ours in (("lower bound", 2, low), ("upper bound", 7, high))
    ]
    columns = ("of the node", "printed", "ours", "difference", "source")
    return Sheet("ballard-figure-2", "Figure 2: bounds after 5 and 3 of four", columns, rows)


def _table_1(sizes: list[int], best: dict[tuple[int, str], int]) -> Sheet:
    """Compare the leaves in the best order."""
    rows = [
        [
            n,
            algorithm,
            name,
            *beside(
                expected,
                (1 if name == _LEAVES_NAME else 100 / n**3) * best[n, algorithm],
                printed(BALLARD, "table 1"),
            ),
        ]
        for (algorithm, name), figures in _BEST.items()
        for n, expected in zip(sizes, figures, strict=False)
    ]
    columns = ("N", "algorithm", "count", "printed", "ours", "difference", "source")
    return Sheet("ballard-table-1", "Table 1: leaves in the best order", columns, rows)


def _means(table: int, sizes: list[int], results: TreeResults) -> Sheet:
    """Compare the means over random trees, as the notes of the report explain."""
    rows: list[list[Cell]] = []
    citation = printed(BALLARD, f"table {table}")
    for n in sizes:
        for quantity in _MEANS[table]:
            figures = dict(zip(_SIZES[-len(quantity.figures) :], quantity.figures, strict=True))
            if n not in figures:
                continue
            scale = 100 / n**3 if quantity.name == _PER_CENT else 1
            trees = scale * results[n, quantity.variant][:, quantity.column]
            mean, error = mean_and_error(trees)
            step = 0.1 if isinstance(figures[n], float) else 1
            both = math.sqrt(error**2 * (1 + len(trees) / _TREES) + step**2 / 12)
            apart = mean - figures[n]
            row: list[Cell] = [n, quantity.name, figures[n], mean, error, apart, both]
            rows.append([*row, round(abs(apart) / both, 1), citation])
    columns = ("N", "mean", "printed", "ours", "s.e.", "difference", "s.e. of both", "apart", "source")
    title = f"Table {table}: Star{table - 1}, means over random trees"
    return Sheet(f"ballard-table-{table}", title, columns, rows)


def _probes(results: TreeResults) -> Sheet:
    """Return the table of what a further successor in each probe gains.

    A further successor costs one more search per outcome. A probing phase that ends in a cutoff
    saves some N/2 searches of an outcome. So a further successor should raise the share of these
    cutoffs by 2/N.
    """
    rows: list[list[Cell]] = []
    for n in _PROBED_SIZES:
        last: tuple[int, float] | None = None
        for k, variant in zip(_PROBES, _PROBE_VARIANTS, strict=True):
            if (n, variant) not in results:
                continue
            _, cuts, _, probes = results[n, variant].sum(axis=0)
            share = float(100 * cuts / probes)
            gain: Cell = None if last is None else (share - last[1]) / (k - last[0])
            mean, error = mean_and_error(results[n, variant][:, _LEAVES])
            rows.append([n, k, mean, error, share, gain, 200 / n])
            last = k, share
    columns = ("N", "k", "leaves", "s.e.", "probes that cut %", "gain of one more", "2/N %")
    title = "Star2.5 with k successors in a probe, mean over random trees"
    return Sheet("ballard-probes", title, columns, rows)


def outcomes_to_cut(n: int) -> npt.NDArray[np.int64]:
    """Return how many outcomes of each * node but the best are evaluated before it is cut off.

    In the best order, the best * node (arc N - 1) has the value 3(N - 1)/2. Below arc a, the
    outcomes have the values a, a + 1, ..., and the outcomes to come at most U = 3(N - 1). So the
    cutoff comes at the first m for which m a + m(m - 1)/2 + U(N - m) <= N U/2.
    """
    arcs = np.arange(n - 1, dtype=np.float64)
    top = 3.0 * (n - 1)
    # The smaller root of m^2/2 + (a - 1/2 - U) m + N U/2 = 0, rounded up.
    middle = top + 0.5 - arcs
    roots = middle - np.sqrt(middle**2 - n * top)
    return np.ceil(roots - 1e-9).astype(np.int64)


def _constants() -> Sheet:
    """Compare the limits of best-case leaves over N^3 and over N^2.

    A cutoff after m outcomes costs N(m - 1) + 1 leaves in Star1, and m in Star2. With x = m/N
    and y = a/N, the condition of `outcomes_to_cut` is x = 3 - y - sqrt((3 - y)^2 - 3).
    """
    closed = 7 / 2 - 3 / 2 * math.sqrt(6) + 3 / 2 * math.log(1 + math.sqrt(6) / 3)
    # Gauss's rule on [-1, 1], moved to 0 <= y <= 1; so smooth a function needs few nodes.
    nodes, weights = np.polynomial.legendre.leggauss(16)
    left = 3 - (nodes + 1) / 2
    integral = float(weights @ (left - np.sqrt(left**2 - 3))) / 2
    n = 10**6
    counted = float(outcomes_to_cut(n).sum()) / n**2
    rows = [
        [name, method, *beside(expected, value + plus, printed(BALLARD, "results 1 and 2"))]
        for name, expected, plus in (("Star1, N^3", 0.7211, 0), ("Star2, N^2", 1.7211, 1))
        for method, value in (
            ("closed form", closed),
            ("integral", integral),
            (f"counted, N = {n:,}", counted),
        )
    ]
    columns = ("leaves over", "way", "printed", "ours", "difference", "source")
    return Sheet("ballard-constants", "Asymptotic constants of the best case", columns, rows)


def _draw(axes: Axes, sizes: list[int], best: dict[tuple[int, str], int], results: TreeResults) -> None:
    """Draw the leaves by N, at best and on average, with crosses at the printed figures."""
    curves = [
        (f"{algorithm}, best", {n: [best[n, algorithm]] * 2 for n in sizes},
         _BEST[algorithm, _PER_CENT], look(algorithm) | {"linestyle": "--"})
        for algorithm in ("star1", "star2")
    ] + [
        (f"{algorithm}, mean", {n: results[n, quantity.variant][:, _LEAVES] for n in sizes},
         quantity.figures, look(algorithm))
        for algorithm, quantity in (("star1", _MEANS[2][1]), ("star2", _MEANS[3][3]))
    ]  # fmt: skip
    for name, leaves, figures, series in curves:
        shares = [100 * np.asarray(leaves[n]) / n**3 for n in sizes]
        draw_means(axes, name, sizes, shares, series)
        shown = dict(zip(_SIZES[-len(figures) :], figures, strict=True))
        at = [n for n in sizes if n in shown]
        axes.plot(at, [shown[n] for n in at], "x", color=INKS[0], markersize=9)
    axes.set(xlabel="branching factor N (crosses: printed)", ylim=(0, 100))
    axes.set_ylabel("leaves, % of N^3 (95 % intervals)")
