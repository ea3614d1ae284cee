"""What *-minimax saves in backgammon, beside the figures of Hauk, Buro and Schaeffer.

Expectimax, Star1 and Star2 at depths 3 and 5 on contact positions, with their leaves,
nodes and time, and how many of Star2's probes end in a cutoff. The printed figures are of a
lecture on their work. Their positions, evaluator (GNU Backgammon's) and machine are not ours;
what can be compared are the ratios. Our positions come from self-play of the shipped network.
Star2 is measured once more with each of its options changed, which tells what our figures owe
to which choice.
"""

from functools import cache

import numpy as np

from gammon import search
from gammon.answers.engine import Engine
from gammon.base.mean import mean_and_error
from gammon.eval.evaluators import load_evaluator
from gammon.eval.model_file import network_id
from gammon.experiments.measure import (
    CHOICE_COLUMNS,
    LEAVES,
    NODES,
    SECONDS,
    VALUE,
    Measurements,
    Variant,
    choice_cells,
    efficiency,
    gathered,
    is_measurement,
    measured,
)
from gammon.experiments.plot import REACH, Axes, draw_series, look
from gammon.experiments.reference import SLIDES, printed
from gammon.experiments.report import Cell, Figure, Report, ReproductionSettings, Sheet, beside
from gammon.experiments.sample import contact_positions
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import Points
from gammon.runs.parallel import Unit, run_units
from gammon.search import Evaluator, Filter, Options

__all__ = ["reproduce"]

ALGORITHMS = ("expectimax", "star1", "star2")
#: The ways to search that are measured. One megabyte is enough for the table at depth 5.
VARIANTS = {
    "expectimax": Variant("expectimax"),
    "star1": Variant("star1"),
    "star2": Variant("star2", Options(), 1),
    "no table": Variant("star2", Options(), 0),
    "no killers": Variant("star2", Options(killers=False), 1),
    "outcomes in the game's order": Variant("star2", Options(likely_first=False), 1),
    "probe network everywhere": Variant("star2", Options(killers=False, static_picks=False), 1),
    "none of these four": Variant(
        "star2", Options(killers=False, static_picks=False, likely_first=False), 0
    ),
    "successors in the game's order": Variant("star2", Options(static_order=False), 1),
    "fail-hard": Variant("star2", Options(fail_hard=True), 1),
    "no shallower search first": Variant("star2", Options(deepen=False), 1),
    "bounds of each node": Variant("star2", Options(), 1, Filter(node_bounds=True)),
    "star2.5, 2 probes": Variant("star2.5", Options(probes=2), 1),
    "star2.5, 3 probes": Variant("star2.5", Options(probes=3), 1),
}
DEPTHS = (3, 5)
_POSITIONS = 500
_QUICK_POSITIONS = 20
#: The choices are measured on the first of them only.
_FOR_CHOICES = 100
#: Seconds of a decision, mean and sigma over 500 positions, and the mean in per cent.
_PRINTED_TIME = {
    (3, "expectimax"): (1.1, 0.7, None), (3, "star1"): (1.1, 0.6, 100),
    (3, "star2"): (1.0, 0.1, 91), (5, "expectimax"): (315.0, 566.8, None),
    (5, "star1"): (258.6, 472.6, 82), (5, "star2"): (21.0, 36.9, 7),
}  # fmt: skip
#: Probe efficiency in per cent: mean and sigma over positions.
_PRINTED_PROBES = {3: (68.9, 29.5), 5: (64.2, 22.6)}
_SLIDE = printed(SLIDES, 'slide "Backgammon: Time"')

#: By depth and variant, the measurements of its positions.
Results = dict[tuple[int, str], Measurements]


@cache
def _positions(count: int, seed: int) -> list[tuple[Points, int]]:
    return contact_positions(Engine(depth=1, cube=False), count, seed)


@cache
def _evaluators() -> tuple[Evaluator, Evaluator]:
    return load_evaluator("leaf"), load_evaluator("probe", bearoff=False)


@cache
def _warm_up(count: int, seed: int) -> None:
    """Load the compiled code, so that loading is not charged to the first unit."""
    for variant in ALGORITHMS:
        _search(*_positions(count, seed)[0], 3, variant)


def _search(points: Points, roll: int, depth: int, variant: str) -> search.Decision:
    chosen = VARIANTS[variant]
    leaf, probe = _evaluators()
    setup = search.Setup(
        BACKGAMMON, leaf, chosen.algorithm, probe, options=chosen.options, filter=chosen.filter
    )
    return setup.decide(points, roll, depth, table=chosen.table(BACKGAMMON))


def measure(unit: Unit) -> list[float]:
    """Search one position; see `work` for what comes back."""
    _warm_up(unit["positions"], unit["seed"])
    points, roll = _positions(unit["positions"], unit["seed"])[unit["number"]]
    return measured(lambda: _search(points, roll, unit["depth"], unit["variant"]))


def reproduce(settings: ReproductionSettings) -> Report:
    """Reproduce the table of times and the probe efficiency, and try every option."""
    count = _QUICK_POSITIONS if settings.quick else _POSITIONS
    depths = DEPTHS[:1] if settings.quick else DEPTHS
    networks = [network_id(name) for name in ("leaf", "probe")]
    units = [
        {
            "positions": count, "seed": settings.seed, "number": number, "depth": depth,
            "variant": variant, "networks": networks,
        }
        for number in range(count)
        for depth in depths
        for variant in (VARIANTS if number < _FOR_CHOICES else ALGORITHMS)
    ]  # fmt: skip
    rows = run_units(
        measure, units, settings.out / "hauk.jsonl", settings.pool, settings.on_done,
        fits=is_measurement,
    )  # fmt: skip
    results = {
        (depth, variant): gathered(units, rows, depth=depth, variant=variant)
        for depth in depths
        for variant in VARIANTS
    }
    notes = [
        f"{count} contact positions of self-play, seed {settings.seed}; for the choices the "
        f"first {min(count, _FOR_CHOICES)} of them.",
        "Seconds are processor time.",
        f"The best equities of all rows but one differ by at most {_spread(results):.1e}. "
        "Bounds of each node also cut off what the network thinks possible beyond them, and "
        "so change the values a little.",
    ]
    choices = [_choices(results, depth) for depth in sorted(depths, reverse=True)]
    tables = [
        _savings(results, depths), _times(results, depths), _probes(results, depths), *choices,
    ]  # fmt: skip
    figure = Figure("hauk-leaves", lambda axes: _draw(axes, results, depths))
    return Report("Backgammon: after Hauk, Buro and Schaeffer", tables, [figure], notes)


def _spread(results: Results) -> float:
    """Return the largest difference between two exact algorithms' best equities."""
    worst = 0.0
    for (depth, variant), found in results.items():
        if variant != "bounds of each node":
            full = results[depth, "expectimax"][: len(found)]
            worst = max(worst, float(np.abs(found - full)[:, VALUE].max()))
    return worst


def _savings(results: Results, depths: tuple[int, ...]) -> Sheet:
    rows: list[list[Cell]] = []
    for depth in depths:
        full = results[depth, "expectimax"].mean(axis=0)
        for algorithm in ALGORITHMS:
            found = results[depth, algorithm][:, : SECONDS + 1]
            mean, sigma = found.mean(axis=0), found.std(axis=0)
            percent = 100 * mean / full[: SECONDS + 1]
            row: list[Cell] = [depth, algorithm]
            row += [float(mean[LEAVES]), float(sigma[LEAVES]), float(mean[NODES])]
            row += [float(mean[SECONDS]), float(sigma[SECONDS])]
            rows.append([*row, float(percent[LEAVES]), float(percent[SECONDS])])
    columns = (
        "depth", "algorithm", "leaves", "sigma", "nodes", "seconds", "sigma", "leaves %",
        "time %",
    )  # fmt: skip
    return Sheet("hauk-savings", "Leaves, nodes and time of a decision", columns, rows)


def _times(results: Results, depths: tuple[int, ...]) -> Sheet:
    """Put the printed times beside ours; the machine and the evaluator are others."""
    rows: list[list[Cell]] = []
    for (depth, algorithm), (seconds, sigma, percent) in _PRINTED_TIME.items():
        if depth in depths:
            mine, full = (
                results[depth, each][:, SECONDS] for each in (algorithm, ALGORITHMS[0])
            )
            row: list[Cell] = [depth, algorithm, seconds, sigma]
            row += [float(mine.mean()), float(mine.std()), percent]
            rows.append([*row, float(100 * mine.mean() / full.mean()), _SLIDE])
    columns = (
        "depth", "algorithm", "seconds printed", "sigma printed", "seconds ours", "sigma ours",
        "time % printed", "time % ours", "source",
    )  # fmt: skip
    return Sheet("hauk-times", "Seconds of a decision, printed and ours", columns, rows)


def _probes(results: Results, depths: tuple[int, ...]) -> Sheet:
    rows: list[list[Cell]] = []
    for depth in depths:
        each = efficiency(results[depth, "star2"])
        mean, sigma = _PRINTED_PROBES[depth]
        rows.append([
            depth, *beside(mean, float(each.mean()), _SLIDE), sigma, float(each.std())
        ])  # fmt: skip
    columns = (
        "depth", "printed", "ours", "difference", "source", "sigma printed", "sigma ours"
    )  # fmt: skip
    return Sheet("hauk-probes", "Probe efficiency in contact positions, %", columns, rows)


def _choices(results: Results, depth: int) -> Sheet:
    full, ours = (results[depth, each][:_FOR_CHOICES] for each in ("expectimax", "star2"))
    rows: list[list[Cell]] = [
        [variant, *choice_cells(results[depth, variant][:_FOR_CHOICES], ours, full)]
        for variant in list(VARIANTS)[len(ALGORITHMS) - 1 :]
    ]
    title = f"The gain from each choice at depth {depth}: star2, and with one thing changed"
    return Sheet(f"hauk-choices-{depth}", title, ("star2 with", *CHOICE_COLUMNS), rows)


def _draw(axes: Axes, results: Results, depths: tuple[int, ...]) -> None:
    for algorithm in ALGORITHMS:
        found = [mean_and_error(results[depth, algorithm][:, LEAVES]) for depth in depths]
        means, errors = np.array(found).T
        draw_series(axes, algorithm, depths, means, REACH * errors, look(algorithm))
    axes.set_yscale("log")
    axes.set_xticks(list(depths))
    axes.set_xlabel("depth (plies)")
    axes.set_ylabel("leaves of a decision (means, 95 % intervals)")
