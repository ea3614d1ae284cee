"""The savings of *-minimax in backgammon, beside the figures of Hauk, Buro and Schaeffer.

Measures leaves, nodes and time of expectimax, Star1 and Star2 at depths 3 and 5 on contact
positions, and how many of Star2's probes end in a cutoff. The printed figures come from a lecture on
the work of Hauk, Buro and Schaeffer. Their positions, evaluator (GNU Backgammon's) and machine
differ from ours; only the ratios can be compared. Our positions come from self-play of the shipped
network. Star2 is also measured with one option changed at a time, to show the effect of each choice.
"""

from functools import cache

from gammon import search
from gammon.base.store import Unit
from gammon.eval.evaluators import leaf_and_probe, search_networks
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import Points
from gammon.search import Filter, Options
from gammon_lab.bench.positions import contact_sample
from gammon_lab.experiments.measure import Costs, SearchCosts, Variant, are_costs, choices, measured, moments
from gammon_lab.experiments.study import Study
from gammon_lab.report import SLIDES, Cell, Figure, Report, Sheet, beside, printed
from gammon_study.view.plot import Axes, draw_means, look

ALGORITHMS = ("expectimax", "star1", "star2")
#: The one variant whose values may differ from `expectimax`.
_INEXACT = "bounds of each node"
#: The variants of search to measure. One megabyte is enough for the table at depth 5.
VARIANTS = {
    "expectimax": Variant("expectimax"),
    "star1": Variant("star1"),
    "star2": Variant("star2", Options(), 1),
    "no table": Variant("star2", Options(), 0),
    "no killers": Variant("star2", Options(killers=False), 1),
    "outcomes in the game's order": Variant("star2", Options(likely_first=False), 1),
    "probe network everywhere": Variant("star2", Options(killers=False, static_picks=False), 1),
    "none of these four": Variant("star2", Options(killers=False, static_picks=False, likely_first=False), 0),
    "successors in the game's order": Variant("star2", Options(static_order=False), 1),
    "fail-hard": Variant("star2", Options(fail_hard=True), 1),
    "no shallower search first": Variant("star2", Options(deepen=False), 1),
    _INEXACT: Variant("star2", Options(), 1, Filter(node_bounds=True)),
    "star2.5, 2 probes": Variant("star2.5", Options(probes=2), 1),
    "star2.5, 3 probes": Variant("star2.5", Options(probes=3), 1),
}
DEPTHS = (3, 5)
_POSITIONS = 500
_QUICK_POSITIONS = 20
#: The choices are measured on the first positions only.
_FOR_CHOICES = 100
#: Seconds of a decision: mean and sigma over 500 positions, and the mean in % of expectimax's.
_PRINTED_TIME = {
    (3, "expectimax"): (1.1, 0.7, None),
    (3, "star1"): (1.1, 0.6, 100),
    (3, "star2"): (1.0, 0.1, 91),
    (5, "expectimax"): (315.0, 566.8, None),
    (5, "star1"): (258.6, 472.6, 82),
    (5, "star2"): (21.0, 36.9, 7),
}
#: Probe efficiency in per cent: mean and sigma over positions.
_PRINTED_PROBES = {3: (68.9, 29.5), 5: (64.2, 22.6)}
_SLIDE = printed(SLIDES, 'slide "Backgammon: Time"')


@cache
def _warm_up(count: int, seed: int) -> None:
    """Load the compiled code, so that loading is not charged to the first unit."""
    for variant in ALGORITHMS:
        _search(*contact_sample(count, seed)[0], 3, variant)


def _search(points: Points, roll: int, depth: int, variant: str) -> search.Decision:
    """Search a position by a variant."""
    chosen = VARIANTS[variant]
    leaf, probe = leaf_and_probe()
    tree = search.TreeSearch(
        BACKGAMMON, leaf, chosen.algorithm, probe, options=chosen.options, filter=chosen.filter
    )
    return tree.decide(points, roll, depth, table=chosen.table(BACKGAMMON))


def measure(unit: Unit) -> list[float]:
    """Search one position; return the costs as `measured` does."""
    _warm_up(unit["positions"], unit["seed"])
    points, roll = contact_sample(unit["positions"], unit["seed"])[unit["number"]]
    return measured(lambda: _search(points, roll, unit["depth"], unit["variant"]))


def reproduce(study: Study) -> Report:
    """Reproduce the table of times and the probe efficiency, and try every option."""
    count = _QUICK_POSITIONS if study.quick else _POSITIONS
    depths = DEPTHS[:1] if study.quick else DEPTHS
    networks = search_networks("leaf")
    units = [
        {
            "positions": count,
            "seed": study.seed,
            "number": number,
            "depth": depth,
            "variant": variant,
            "networks": networks,
        }
        for number in range(count)
        for depth in depths
        for variant in (VARIANTS if number < _FOR_CHOICES else ALGORITHMS)
    ]
    rows = study.run(measure, units, "hauk", are_costs, Costs._fields)
    results = SearchCosts.of(units, rows, "depth", "variant")
    exact = SearchCosts({key: costs for key, costs in results.items() if key[1] != _INEXACT})
    notes = [
        f"{count} contact positions of self-play, seed {study.seed}; the choices are measured in "
        f"the first {min(count, _FOR_CHOICES)} of them.",
        "Seconds are processor time.",
        f"The best equities of all rows but one differ by at most {exact.spread():.1e}. "
        "Bounds of each node also cut off values of the network beyond them, and "
        "so change the results a little.",
    ]
    tables = [
        _savings(results, depths),
        _times(results, depths),
        _probes(results, depths),
        *(_choices(results, depth) for depth in reversed(depths)),
    ]
    figure = Figure("hauk-leaves", lambda axes: _draw(axes, results, depths))
    return Report("Backgammon: after Hauk, Buro and Schaeffer", tables, [figure], notes)


def _savings(results: SearchCosts, depths: tuple[int, ...]) -> Sheet:
    """Return the table of the algorithms, with means over positions."""
    rows: list[list[Cell]] = []
    for depth in depths:
        for algorithm in ALGORITHMS:
            costs = results[depth, algorithm]
            rows.append(
                [
                    depth,
                    algorithm,
                    *moments(costs.leaves),
                    float(costs.nodes.mean()),
                    *moments(costs.seconds),
                    *costs.shares(results[depth, "expectimax"]),
                ]
            )
    columns = ("depth", "algorithm", "leaves", "sigma", "nodes", "seconds", "sigma", "leaves %", "time %")
    return Sheet("hauk-savings", "Leaves, nodes and time of a decision", columns, rows)


def _times(results: SearchCosts, depths: tuple[int, ...]) -> Sheet:
    """Return the printed times beside ours; the machines and the evaluators differ."""
    rows: list[list[Cell]] = []
    for (depth, algorithm), (*figures, percent) in _PRINTED_TIME.items():
        if depth in depths:
            mine, full = results[depth, algorithm], results[depth, "expectimax"]
            ours = *moments(mine.seconds), percent, mine.shares(full)[1]
            rows.append([depth, algorithm, *figures, *ours, _SLIDE])
    columns = (
        "depth",
        "algorithm",
        "seconds printed",
        "sigma printed",
        "seconds ours",
        "sigma ours",
        "time % printed",
        "time % ours",
        "source",
    )
    return Sheet("hauk-times", "Seconds of a decision, printed and ours", columns, rows)


def _probes(results: SearchCosts, depths: tuple[int, ...]) -> Sheet:
    """Return the printed probe efficiency beside ours."""
    rows: list[list[Cell]] = []
    for depth in depths:
        efficiency, (mean, sigma) = results[depth, "star2"].efficiency, _PRINTED_PROBES[depth]
        ours = beside(mean, float(efficiency.mean()), _SLIDE)
        rows.append([depth, *ours, sigma, float(efficiency.std())])
    columns = ("depth", "printed", "ours", "difference", "source", "sigma printed", "sigma ours")
    return Sheet("hauk-probes", "Probe efficiency in contact positions, %", columns, rows)


def _choices(results: SearchCosts, depth: int) -> Sheet:
    """Return the table of Star2's options at a depth."""
    title = f"The gain from each choice at depth {depth}: star2, and with one thing changed"
    costs = {
        variant: results[depth, variant].first(_FOR_CHOICES) for variant in VARIANTS if variant != "star1"
    }
    return choices(f"hauk-choices-{depth}", title, "star2 with", costs)


def _draw(axes: Axes, results: SearchCosts, depths: tuple[int, ...]) -> None:
    """Draw the leaves by depth, a line for each algorithm."""
    for algorithm in ALGORITHMS:
        samples = [results[depth, algorithm].leaves for depth in depths]
        draw_means(axes, algorithm, depths, samples, look(algorithm))
    axes.set(yscale="log", xticks=depths, xlabel="depth (plies)")
    axes.set_ylabel("leaves of a decision (means, 95 % intervals)")
