"""Does depth help an evaluator that errs? In hypergammon, where every value is known.

The evaluator is exactly right plus an error. All positions are searched at once
(`gammon_lab.hypergammon.truth`), so the loss of a decision at each depth is known without games. The
decisions are from games of exact play by both sides.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.store import Unit
from gammon.compiled.records import Float64Vector, Int64Matrix
from gammon.rules.board import OWN_BAR, SIZE
from gammon_lab.experiments.hypergammon import solved_table
from gammon_lab.experiments.study import Study
from gammon_lab.games.hypergammon import CHECKERS
from gammon_lab.hypergammon.sides import sides_of
from gammon_lab.hypergammon.solve import Rules, rules_of
from gammon_lab.hypergammon.table import ExactTable
from gammon_lab.hypergammon.truth import BIASED, back_up, list_errors, list_losses, play_games, truth_of
from gammon_lab.reports.report import Cell, Figure, Report, Sheet
from gammon_study.view.plot import Axes, look

#: Kinds of errors: windows of `gammon.eval.erring`, and the one that follows the pips.
KINDS = {"independent": SIZE, "alike-8": 8, "alike-3": 3, "alike-1": 1, "biased": BIASED}
#: Standard deviations of the errors, in points.
SIZES = 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8
DEPTHS = 1, 3, 5, 7
#: Checkers, games, and seeds of the errors, of the small version and of the whole one.
_QUICK, _WHOLE = (2, 2000, 8), (CHECKERS, 20_000, 4)
#: Room for decisions of a game.
_DECISIONS = 60


class _Setting(NamedTuple):
    """The settings that all units of a study share.

    Attributes:
        rules: of the game.
        truth: see `truth_of`.
        decisions: see `play_games`.
    """

    rules: Rules
    truth: Float64Vector
    decisions: Int64Matrix


@cache
def _setting(path: str, games: int, seed: int) -> _Setting:
    """Return the decisions of games of exact play, and the values by which they are judged."""
    table = ExactTable.load(Path(path))
    rules, truth = rules_of(table.checkers), truth_of(table)
    counts = np.zeros(SIZE, np.int8)
    counts[OWN_BAR - table.checkers : OWN_BAR] = 1
    start = int((sides_of(table.checkers).counts == counts).all(axis=1).argmax())
    decisions = np.empty((_DECISIONS * games, 4), np.int64)
    many = play_games(rules, truth, start, np.uint64(seed), games, decisions)
    return _Setting(rules, truth, decisions[: min(many, len(decisions))].copy())


def measure(unit: Unit) -> list[list[float]]:
    """Return what decisions lose in each game, for one kind of errors and one seed.

    Args:
        unit: `table` (a path), `checkers`, `games`, `seed` of the dice, `kind`, `error_seed`, `depths`.

    Returns:
        For each size and depth the mean loss of a decision, its variance by games, and its
        covariance with the mean at depth 1.
    """
    rules, truth, decisions = _setting(unit["table"], unit["games"], unit["seed"])
    errors = np.empty_like(truth)
    list_errors(sides_of(unit["checkers"]), KINDS[unit["kind"]], np.uint64(unit["error_seed"]), errors)
    evaluations = np.empty((len(truth), len(SIZES)), np.float32)
    for lane, size in enumerate(SIZES):
        evaluations[:, lane] = truth + size * errors
    values, deeper = evaluations.ravel(), np.zeros(evaluations.size, np.float32)
    losses = np.empty((len(SIZES), len(decisions)))
    rows: list[list[list[float]]] = [[] for _ in SIZES]
    shallow = np.zeros((len(SIZES), unit["games"]))
    for depth in unit["depths"]:
        if depth > 1:
            back_up(rules, values, deeper)
            values, deeper = deeper, values
        list_losses(rules, truth, values, decisions, losses)
        for lane, lost in enumerate(losses):
            # What each game adds to the deviation of the mean, which is a ratio of sums over games.
            mean = float(lost.mean())
            by_game = np.bincount(decisions[:, 3], lost - mean, unit["games"]) / lost.size
            if depth == 1:
                shallow[lane] = by_game
            rows[lane].append([mean, float((by_game**2).sum()), float((by_game * shallow[lane]).sum())])
    return [row for by_depth in rows for row in by_depth]


def _names(unit: Unit) -> Sequence[str]:
    """Return the names of the numbers that `measure` returns."""
    return "loss", "variance", "covariance"


class Loss(NamedTuple):
    """The mean loss of a decision, in points, and what it is of the loss at depth 1.

    Attributes:
        mean, error: the mean loss and its standard error.
        left, left_error: the ratio to the loss at depth 1 and its standard error; of depth 1, 1
            and 0.
    """

    mean: float
    error: float
    left: float
    left_error: float


def loss_of(found: npt.NDArray[np.float64]) -> list[Loss]:
    """Return the loss at each depth.

    The variance of a mean is its variance over the seeds of the errors, plus its variance over the
    games for given errors. So it counts both, and the second one twice at most.

    Args:
        found: float64 [seeds, depths, 3], the results of `measure` for one kind and one size.
    """
    seeds = len(found)
    means = found[:, :, 0].mean(axis=0)
    # Over seeds: what each adds to the deviation of the mean.
    by_seed = (found[:, :, 0] - means) / max(np.sqrt(seeds * (seeds - 1.0)), 1.0)
    variance = found[:, :, 1].mean(axis=0) + (by_seed**2).sum(axis=0)
    covariance = found[:, :, 2].mean(axis=0) + (by_seed * by_seed[:, :1]).sum(axis=0)
    losses = []
    for k, mean in enumerate(means):
        left, left_variance = 0.0, 0.0
        if means[0] > 0.0:
            left = mean / means[0]
            left_variance = variance[k] - 2.0 * left * covariance[k] + left * left * variance[0]
        error = np.sqrt(max(left_variance, 0.0)) / means[0] if means[0] > 0.0 else 0.0
        losses.append(Loss(float(mean), float(np.sqrt(variance[k])), float(left), float(error)))
    return losses


def reproduce(study: Study) -> Report:
    """Measure the loss at each depth, for errors of each kind and size."""
    checkers, games, seeds = _QUICK if study.quick else _WHOLE
    path, table = solved_table(study, checkers)
    units = [
        {
            "table": str(path), "checkers": checkers, "games": games, "seed": study.seed,
            "kind": kind, "error_seed": 1000 * study.seed + number, "depths": list(DEPTHS),
        }
        for kind in KINDS
        for number in range(1 if KINDS[kind] == BIASED else seeds)
    ]  # fmt: skip
    results = study.run(measure, units, "truth", names=_names)
    curves: dict[str, list[list[Loss]]] = {}
    for kind in KINDS:
        found = np.array([r for unit, r in zip(units, results, strict=True) if unit["kind"] == kind])
        by_size = found.reshape(len(found), len(SIZES), len(DEPTHS), 3)
        curves[kind] = [loss_of(by_size[:, k]) for k in range(len(SIZES))]
    decisions = len(_setting(str(path), games, study.seed).decisions)
    return _report(curves, checkers, games, seeds, decisions, table)


def _report(
    curves: dict[str, list[list[Loss]]],
    checkers: int,
    games: int,
    seeds: int,
    decisions: int,
    table: ExactTable,
) -> Report:
    """Return the report: a row for each kind and size."""
    rows: list[list[Cell]] = []
    for kind, by_size in curves.items():
        for size, losses in zip(SIZES, by_size, strict=True):
            row: list[Cell] = [kind, size]
            for loss in losses:
                row += [1000 * loss.mean, 1000 * loss.error]
            for loss in losses[1:]:
                row += [100 * loss.left, 100 * loss.left_error]
            rows.append(row)
    names = [f"depth {depth}" for depth in DEPTHS]
    columns = ["errors", "size"]
    for name in names:
        columns += [name, "s.e."]
    for name in names[1:]:
        columns += [f"left at {name}, %", "s.e."]
    notes = [
        f"Hypergammon with {checkers} checkers a side ({len(table.rows):,} positions), without a cube. "
        f"The mean loss of {decisions:,} decisions, none of them forced, in {games:,} games of exact "
        "play by both sides; in thousandths of a point of exact equity.",
        f"Errors of {seeds} seeds; the biased ones are always the same. Standard errors count both "
        "the games and the seeds.",
        "An evaluation is the exact equity plus the error. Over all positions in play, errors have "
        "mean 0 and the standard deviation that is their size. Errors of the kind alike-8 are shared by "
        "positions that are alike in 8 neighbouring points, and so on; biased errors follow the lead "
        "in pips. Without errors, no depth loses anything.",
    ]
    title = "The mean loss of a decision by depth, and what is left of the loss at depth 1"
    sheet = Sheet("truth", title, columns, rows)
    figure = Figure("truth-left", lambda axes: _draw(axes, curves))
    return Report("Noise and depth against the truth", [sheet], [figure], notes)


def _draw(axes: Axes, curves: dict[str, list[list[Loss]]]) -> None:
    """Draw what depth 3 leaves of the loss at depth 1, by the size of the errors."""
    for place, (kind, by_size) in enumerate(curves.items()):
        left = [100 * losses[1].left for losses in by_size]
        reach = [196 * losses[1].left_error for losses in by_size]
        axes.errorbar(SIZES, left, reach, label=kind, capsize=2, **look(kind, place))
    axes.set(xscale="log", xlabel="standard deviation of the errors, points")
    axes.set_ylabel("left at depth 3 of the loss at depth 1, %")
