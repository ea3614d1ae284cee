"""Does depth help an evaluator that errs? In hypergammon, where every value is known.

The evaluator is exactly right plus an error, or a network that has learned the exact values. All
positions are searched at once (`gammon_lab.hypergammon.truth`), and each counts as often as games of
exact play reach it. So what a depth loses for given errors is known exactly, without games.

It also depends on how alike the errors of related positions are. Relations of a position and a roll:
*siblings* are the two best plays; *cousins* are the best replies to two rolls after the best play; a
*line* goes from the best play to a best reply.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.mean import mean_and_error, t_quantile
from gammon.base.store import Unit, are_numbers
from gammon.compiled.records import Float32Vector, Float64Vector
from gammon.eval.evaluators import leaf_and_probe
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import OWN_BAR, SIZE, is_over
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.search import Table, TreeSearch
from gammon_lab.bench.positions import contact_sample
from gammon_lab.experiments.hypergammon import solved_table
from gammon_lab.experiments.measure import grouped
from gammon_lab.experiments.study import Study
from gammon_lab.games.hypergammon import CHECKERS, game
from gammon_lab.hypergammon.judge import successors_of
from gammon_lab.hypergammon.networks import HIDDEN, learn, value_all
from gammon_lab.hypergammon.sides import ROW_BITS, sides_of
from gammon_lab.hypergammon.solve import Rules, rules_of
from gammon_lab.hypergammon.solver import restore, save
from gammon_lab.hypergammon.table import ExactTable, stand
from gammon_lab.hypergammon.truth import BIASED, LANES, list_errors, list_visits, look_deeper, truth_of
from gammon_lab.report import Cell, Figure, Report, Sheet
from gammon_study.view.plot import Axes, look

Floats = npt.NDArray[np.float64]
#: A position: its number, or its row of counts; and several of them.
Place = Any
Positions = npt.NDArray[Any]
#: Returns the different successors of a position and a roll.
Successors = Callable[[Place, int], Positions]
#: Returns the equities of positions to their player on roll.
Equities = Callable[[Positions], Floats]

#: Draws of the errors of a decision's plays, to predict what the best play seems to be worth.
_DRAWS = 20
#: Plies of the search whose values stand for the truth in backgammon.
_TRUE_PLIES = 2
#: Kinds of errors: windows of `gammon.eval.erring`, and the one that follows the pips.
KINDS = {"independent": SIZE, "alike-8": 8, "alike-3": 3, "alike-1": 1, "biased": BIASED}
#: The kind of the errors of networks.
NETWORKS = "network"
#: Standard deviations of the errors, in points. Each is searched with both signs of the errors, beside
#: the exact evaluation.
SIZES = 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8
DEPTHS = 1, 3, 5, 7
#: Sizes of errors and of networks that the short tables have, the first one only for the losses.
_SOME = 0.5, 0.1, 2, 16, 128
#: The shipped networks whose errors in backgammon are compared.
_SHIPPED = "probe", "leaf"


class _Extent(NamedTuple):
    """How much is measured.

    Attributes:
        checkers: of a side.
        seeds: how many, by the kind of errors; the more alike errors are, the more they vary between
            seeds. Larger numbers extend a study in its folder.
        related: decisions with relatives.
        counted: decisions whose searches are counted.
        in_backgammon: decisions in which errors of shipped networks are compared.
        steps: of learning.
    """

    checkers: int
    seeds: dict[str, int]
    related: int
    counted: int
    in_backgammon: int
    steps: int


_WHOLE = _Extent(
    CHECKERS,
    {"independent": 2, "alike-8": 4, "alike-3": 10, "alike-1": 26, "biased": 1, NETWORKS: 3},
    related=2000, counted=100, in_backgammon=1000, steps=8000,
)  # fmt: skip
_QUICK = _Extent(
    2,
    {"independent": 2, "alike-8": 8, "alike-3": 24, "alike-1": 24, "biased": 1, NETWORKS: 4},
    related=500, counted=20, in_backgammon=50, steps=1000,
)  # fmt: skip


class Relatives(NamedTuple):
    """Related positions; each pair has one position from either array.

    Attributes:
        siblings, cousins, line: two arrays of positions each.
        plays: float64 [D, K], the equities of all plays of D decisions; -inf where there are fewer.
    """

    siblings: tuple[Positions, Positions]
    cousins: tuple[Positions, Positions]
    line: tuple[Positions, Positions]
    plays: Floats


class Likeness(NamedTuple):
    """Correlations of the errors of relatives, each from one player's view, and their size.

    Attributes:
        spread: the standard deviation of the errors of siblings, in points.
        siblings, cousins, line: correlations, -1 to 1.
    """

    spread: float
    siblings: float
    cousins: float
    line: float


def relatives(
    starts: Iterable[tuple[Place, int]],
    successors: Successors,
    equities: Equities,
    is_finished: Callable[[Place], bool],
    seed: int,
) -> Relatives:
    """Return the relatives of positions and rolls.

    Args:
        starts: positions, each with a roll.
        successors: see `Successors`.
        equities: the exact ones, or good ones.
        is_finished: whether a game is over.
        seed: of the rolls after the best plays.
    """
    random = np.random.default_rng(seed)
    siblings, cousins, line, decisions = [], [], [], []

    def ranked(position: Place, roll: int) -> tuple[Positions, Floats]:
        plays = successors(position, roll)
        values = -equities(plays)
        order = np.argsort(-values, kind="stable")
        return plays[order], values[order]

    for position, roll in starts:
        plays, values = ranked(position, roll)
        decisions.append(values)
        if len(plays) > 1 and not is_finished(plays[0]) and not is_finished(plays[1]):
            siblings.append((plays[0], plays[1]))
        if is_finished(plays[0]):
            continue
        first, second = (
            ranked(plays[0], int(other))[0][0]
            for other in random.choice(N_ROLLS, 2, replace=False, p=PROBABILITIES)
        )
        if not is_finished(first):
            line.append((plays[0], first))
            if not is_finished(second):
                cousins.append((first, second))
    table = np.full((len(decisions), max(map(len, decisions))), -np.inf)
    for row, values in zip(table, decisions, strict=True):
        row[: len(values)] = values
    return Relatives(_both(siblings), _both(cousins), _both(line), table)


def _both(pairs: Sequence[tuple[Place, Place]]) -> tuple[Positions, Positions]:
    one, other = zip(*pairs, strict=True)
    return np.array(one), np.array(other)


def likeness_of(relations: Relatives, errors: Equities) -> Likeness:
    """Return how alike the errors of relatives are; `errors` has their errors as equities."""

    def correlation(pair: tuple[Positions, Positions], sign: float = 1.0) -> float:
        return float(np.corrcoef(errors(pair[0]), sign * errors(pair[1]))[0, 1])

    spread = float(np.concatenate([errors(some) for some in relations.siblings]).std())
    line = correlation(relations.line, -1.0)  # the other player is on roll there
    return Likeness(spread, correlation(relations.siblings), correlation(relations.cousins), line)


def winners_curse(relations: Relatives, likeness: Likeness, seed: int) -> float:
    """Return by how much the best of plays with errors seems better than the best play, in points.

    Only what differs between plays counts, the part of the variance that siblings do not share. Of
    this part errors are taken to be normal and independent.
    """
    size = likeness.spread * np.sqrt(max(1.0 - likeness.siblings, 0.0))
    random, plays = np.random.default_rng(seed), relations.plays
    best = [(plays + size * random.standard_normal(plays.shape)).max(axis=1) for _ in range(_DRAWS)]
    return float(np.mean(best - plays.max(axis=1)))


def likeness_in_backgammon(model: str, count: int, seed: int) -> Likeness:
    """Return how alike the errors of a shipped network are in contact positions of self-play.

    The error is the difference from a search by the network `large`, two plies deep.

    Args:
        model: the name of the network.
        count: how many positions.
        seed: of the positions.
    """
    judge, own = (
        TreeSearch(BACKGAMMON, leaf, probe=probe) for leaf, probe in map(leaf_and_probe, ("large", model))
    )

    def errors(rows: Positions) -> Floats:
        return own.values(rows, 0).values - judge.values(rows, _TRUE_PLIES).values

    starts = [(np.array(points, np.int8), roll) for points, roll in contact_sample(count, seed)]
    family = relatives(
        starts,
        successors_of,
        lambda rows: judge.values(rows, 0).values,
        lambda row: is_over(row.tolist()),
        seed,
    )
    return likeness_of(family, errors)


#: The measures of an evaluation: by depth, the mean loss of an unforced decision, in points, and
#: the mean error of the values that the depth compares; the likeness of the errors; `winners_curse`.
_NAMES = (
    *(f"loss_{depth}" for depth in DEPTHS), *(f"bias_{depth}" for depth in DEPTHS),
    *Likeness._fields, "predicted",
)  # fmt: skip


class _Setting(NamedTuple):
    """What all units of a study share.

    Attributes:
        rules: of the game.
        truth: see `truth_of`.
        visits: see `list_visits`.
        decisions: unforced decisions in a game, on average.
        family: positions of games and their relatives.
    """

    rules: Rules
    truth: Float64Vector
    visits: Float64Vector
    decisions: float
    family: Relatives


def successors_at(rules: Rules, place: int, roll: int) -> npt.NDArray[np.int64]:
    """Return the different positions after a position and a roll, by their indices."""
    waiting, side = divmod(place, len(rules.points))
    first = N_ROLLS * int(rules.blocked[waiting]) + roll
    plays = rules.plays[rules.starts[side, first] : rules.starts[side, first + 1]]
    hit = (plays & ((1 << ROW_BITS) - 1)) + waiting
    return np.unique((plays >> ROW_BITS) + rules.waiting[hit])


def drawn(rules: Rules, visits: Float64Vector, count: int, seed: int) -> list[tuple[int, int]]:
    """Return positions of games with rolls; each is as likely as it is in games."""
    random, n = np.random.default_rng(seed), len(rules.points)
    chances = np.cumsum(visits[n:])
    places = n + np.searchsorted(chances, random.random(count) * chances[-1])
    return list(zip(places.tolist(), random.choice(N_ROLLS, count, p=PROBABILITIES).tolist(), strict=True))


def visits_in(path: Path, rules: Rules, truth: Float64Vector, start: int) -> tuple[Float64Vector, float]:
    """Return what `list_visits` gives; a file keeps it, since it takes minutes.

    Args:
        path: the file, which is made again if it is missing or damaged.
        rules: see `Rules`.
        truth: float64 [S * S], the exact equities.
        start: the number of both sides at the start.

    Raises:
        GammonError: the file cannot be written.
    """
    visits = np.empty(len(truth) + 1)
    if not restore(path, visits):
        visits[-1] = list_visits(rules, truth, start, visits[:-1])
        save(path, visits)
    return visits[:-1], float(visits[-1])


@cache
def _setting(path: str, seed: int, related: int) -> _Setting:
    """Return what units share, from the path of a table."""
    table = ExactTable.load(Path(path))
    rules, truth = rules_of(table.checkers), truth_of(table)
    counts = np.zeros(SIZE, np.int8)
    counts[OWN_BAR - table.checkers : OWN_BAR] = 1
    start = int((sides_of(table.checkers).counts == counts).all(axis=1).argmax())
    visits, decisions = visits_in(Path(path).with_name("visits.npy"), rules, truth, start)
    n = len(rules.points)
    family = relatives(
        drawn(rules, visits, related, seed),
        lambda place, roll: successors_at(rules, place, roll),
        lambda places: truth[places],
        lambda place: bool(place < n),
        seed,
    )
    return _Setting(rules, truth, visits, decisions, family)


def measure(path: str, unit: Unit) -> list[list[float]]:
    """Return a row of `_NAMES` for each size, of one kind of errors and one seed.

    Random errors count with both signs: what their losses owe to chance is then mostly taken out.

    Args:
        path: of the table.
        unit: `checkers`, `seed` of the relatives, `related` (how many), `kind`, `error_seed`, `steps`
            of learning.
    """
    setting = _setting(path, unit["seed"], unit["related"])
    sides, seed = sides_of(unit["checkers"]), unit["error_seed"]
    truth = setting.truth
    errors = np.empty((len(truth), len(SIZES)), np.float32)
    if unit["kind"] == NETWORKS:
        networks = learn(sides, truth, setting.visits, seed, unit["steps"])
        errors[:] = value_all(networks, sides) - truth[:, None]
        errors[: len(sides.counts)] = 0.0
    else:
        one = np.empty_like(truth)
        list_errors(sides, KINDS[unit["kind"]], np.uint64(seed), one)
        errors[:] = one[:, None] * np.array(SIZES)
    rows, opposite = _searched(setting, errors)
    if unit["kind"] not in (NETWORKS, "biased"):
        rows = (rows + opposite) / 2.0
    result = []
    for lane, row in enumerate(rows.tolist()):
        likeness = likeness_of(setting.family, partial(_taken, errors[:, lane]))
        result.append([*row, *likeness, winners_curse(setting.family, likeness, seed)])
    return result


def _taken(errors: npt.NDArray[np.float32], places: Positions) -> Floats:
    return errors[places].astype(np.float64)


def _searched(setting: _Setting, errors: npt.NDArray[np.float32]) -> Floats:
    """Return the losses and the mean errors by depth, for the errors and for the opposite errors.

    Returns:
        float64 [2, len(SIZES), 2 len(DEPTHS)].
    """
    values = np.empty((len(errors), LANES), np.float32)
    values[:] = setting.truth[:, None]
    values[:, : len(SIZES)] += errors
    values[:, len(SIZES) : 2 * len(SIZES)] -= errors
    before: Float32Vector = values.ravel()
    after = np.zeros_like(before)
    lost, moments, columns = np.empty(LANES), np.empty((2, LANES)), []
    for _ in DEPTHS:
        look_deeper(setting.rules, setting.visits, before, after, lost, moments)
        columns.append([lost / setting.decisions, moments[0].copy()])
        before, after = after, before
    by_lane = np.array(columns).transpose(2, 1, 0)[: 2 * len(SIZES)]
    return by_lane.reshape(2, len(SIZES), -1)


def _fits(unit: Unit, result: object) -> bool:
    """Return whether a stored value can be a result of `measure`."""
    return are_numbers(result, len(SIZES), len(_NAMES))


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


def loss_of(losses: Floats) -> list[Loss]:
    """Return the loss at each depth; standard errors are over seeds, for ratios by the delta method.

    Args:
        losses: float64 [seeds, depths], of one kind and one size; of one seed, no error is known.
    """
    first = mean_and_error(losses[:, 0])[0]
    result = []
    for column in losses.T:
        mean, error = mean_and_error(column)
        left = mean / first
        result.append(Loss(mean, error, left, mean_and_error(column - left * losses[:, 0])[1] / first))
    return result


def reproduce(study: Study) -> Report:
    """Measure the loss at each depth, for errors of each kind and size."""
    extent = _QUICK if study.quick else _WHOLE
    path, table = solved_table(study, extent.checkers)
    shared = {"checkers": extent.checkers, "seed": study.seed, "related": extent.related}
    units = [
        {**shared, "kind": kind, "error_seed": 1000 * study.seed + number}
        | ({"steps": extent.steps} if kind == NETWORKS else {})
        for number in range(max(extent.seeds.values()))
        for kind, many in extent.seeds.items()
        if number < many
    ]
    results = study.run(partial(measure, str(path)), units, "truth", _fits, _NAMES)
    results_by_kind = {
        kind: rows for (kind,), rows in grouped(zip(units, results, strict=True), "kind").items()
    }
    setting = _setting(str(path), study.seed, extent.related)
    counts = _evaluations(setting, extent.checkers, extent.counted, study.seed)
    shipped = {model: likeness_in_backgammon(model, extent.in_backgammon, study.seed) for model in _SHIPPED}
    return _report(results_by_kind, counts, shipped, extent.checkers, setting.decisions, len(table.rows))


def _evaluations(setting: _Setting, checkers: int, count: int, seed: int) -> Floats:
    """Return the mean evaluations of a decision by exact search to the first three depths.

    They are counted with a shipped network: a tree depends little on the evaluator.
    """
    rules, sides = setting.rules, sides_of(checkers)
    leaf, probe = leaf_and_probe("leaf")
    tree = TreeSearch(game(checkers), leaf, "star2", probe)
    counts: list[list[float]] = []
    for place, roll in drawn(rules, setting.visits, 4 * count, seed):
        if len(counts) < count and len(successors_at(rules, place, roll)) > 1:
            state = np.zeros(SIZE, np.int8)
            stand(state, sides.counts, place % len(rules.points), place // len(rules.points))
            counts.append([
                tree.decide(state, roll, depth, table=Table.at_depth(tree.game, depth)).stats.evaluations
                for depth in DEPTHS[:-1]
            ])  # fmt: skip
    mean: Floats = np.array(counts).mean(axis=0)
    return mean


#: By the kind of errors and their size, the losses at all depths.
_Losses = dict[tuple[str, float], list[Loss]]


def _report(
    found: dict[str, Floats],
    counts: Floats,
    shipped: dict[str, Likeness],
    checkers: int,
    decisions: float,
    positions: int,
) -> Report:
    """Return the report: for each kind and size a row of losses, and a row of errors.

    Args:
        found: by the kind of errors, float64 [seeds, sizes, numbers], see `_NAMES`.
        counts: see `_evaluations`.
        shipped: by the network.
        checkers: of a side.
        decisions: unforced decisions in a game, on average.
        positions: of the game.
    """
    losses: _Losses = {
        (kind, size): loss_of(rows[:, lane, : len(DEPTHS)])
        for kind, rows in found.items()
        for lane, size in enumerate(_sizes(kind))
    }
    errors, costs = _error_rows(found), _cost_rows(losses, counts)
    depths = [f"depth {depth}" for depth in DEPTHS]
    left = [f"left at {name}, %" for name in depths[1:]]
    some = [row for row in errors if row[1] in _SOME[1:]]
    alike = [*Likeness._fields, "winner's curse, predicted", "measured"]
    sheets = [
        _sheet("truth", "The mean loss of a decision by depth", depths, _loss_rows(losses)),
        _sheet("truth-left", "What is left of the loss at depth 1", [depths[0], *left], _left_rows(losses)),
        _sheet("truth-errors", "The errors, and the winner's curse", alike, errors),
        _sheet("truth-likeness", "Errors of some sizes", alike, some),
        Sheet(
            "truth-cost", "Networks by the work of a decision",
            ("hidden units", "depth", "evaluations", "evaluations times units", "loss", "s.e."),
            costs,
        ),
        Sheet(
            "truth-backgammon", "Errors of shipped networks in backgammon",
            ("network", *Likeness._fields), [[name, *likeness] for name, likeness in shipped.items()],
        ),
    ]  # fmt: skip
    seeds = {kind: len(rows) for kind, rows in found.items()}
    notes = [
        f"Hypergammon with {checkers} checkers a side ({positions:,} positions), without a cube. "
        f"A game of exact play by both sides has {decisions:.2f} unforced decisions on average. Each "
        "decision counts as often as games reach it. Losses are in thousandths of a point of exact "
        "equity, exact for given errors. Standard errors are over seeds "
        f"({', '.join(f'{kind} {count}' for kind, count in seeds.items())}).",
        "An evaluation is the exact equity plus the error. Over all positions in play, errors have "
        "mean 0 and the standard deviation that is their size; each seed counts with both signs. Errors "
        "of the kind alike-8 are shared by positions that are alike in 8 neighbouring points, and so on; "
        "biased errors follow the lead in pips. The size of a network is its number of hidden units. "
        "Without errors, no depth loses anything.",
        "Siblings are the two best plays of a roll; cousins the best replies to two rolls; a line goes "
        "from the best play to the best reply. The spread of siblings' errors is in points. The "
        "winner's curse is by how much a value of one turn exceeds the true one, on average in games.",
        "Evaluations are counted in searches by the shipped network leaf.",
        "In backgammon an error is the difference from the network large at depth 3.",
    ]
    figures = [
        Figure("truth-left", lambda axes: _draw(axes, losses, seeds)),
        Figure("truth-cost", lambda axes: _draw_costs(axes, costs)),
    ]
    return Report("Noise and depth against the truth", sheets, figures, notes)


def _sizes(kind: str) -> Sequence[float]:
    """Return the sizes of errors of a kind: standard deviations, or hidden units of networks."""
    return HIDDEN if kind == NETWORKS else SIZES


def _sheet(name: str, title: str, columns: Sequence[str], rows: list[list[Cell]]) -> Sheet:
    """Return a table whose columns have standard errors."""
    return Sheet(
        name, title, ["errors", "size", *(text for name in columns for text in (name, "s.e."))], rows
    )


def _with_error(number: float, error: float, scale: float = 1.0) -> list[Cell]:
    """Return two cells: a number times `scale`, and its standard error; None if that is not known."""
    return [scale * number, scale * error if np.isfinite(error) else None]


def _loss_rows(losses: _Losses) -> list[list[Cell]]:
    """Return a row of losses at all depths for each kind and size, in thousandths of a point."""
    return [
        [*errors, *(cell for loss in by_depth for cell in _with_error(loss.mean, loss.error, 1000))]
        for errors, by_depth in losses.items()
    ]


def _left_rows(losses: _Losses) -> list[list[Cell]]:
    """Return for some sizes the loss at depth 1, and what is left of it at other depths, in per cent."""
    return [
        [
            kind, size, *_with_error(first.mean, first.error, 1000),
            *(cell for loss in deeper for cell in _with_error(loss.left, loss.left_error, 100)),
        ]
        for (kind, size), (first, *deeper) in losses.items()
        if size in _SOME
    ]  # fmt: skip


def _error_rows(found: dict[str, Floats]) -> list[list[Cell]]:
    """Return a row of what is known of the errors for each kind and size."""
    rows: list[list[Cell]] = []
    for kind, results in found.items():
        for lane, size in enumerate(_sizes(kind)):
            numbers = dict(zip(_NAMES, results[:, lane].T, strict=True))
            # The value of a turn is seen from the other player: errors of mean m are then of mean -m.
            curse = numbers["bias_1"] + numbers["bias_3"]
            row: list[Cell] = [kind, size]
            for column in (*(numbers[name] for name in Likeness._fields), numbers["predicted"], curse):
                row += _with_error(*mean_and_error(column))
            rows.append(row)
    return rows


def _cost_rows(losses: _Losses, counts: Floats) -> list[list[Any]]:
    """Return for each network and depth the work of a decision and the loss, by rising work."""
    rows = [
        [size, depth, count, count * size, *_with_error(loss.mean, loss.error, 1000)]
        for (kind, size), by_depth in losses.items()
        if kind == NETWORKS
        for depth, count, loss in zip(DEPTHS, counts.tolist(), by_depth, strict=False)
    ]
    return sorted(rows, key=lambda row: row[3])


def _draw(axes: Axes, losses: _Losses, seeds: dict[str, int]) -> None:
    """Draw what depth 3 leaves of the loss at depth 1, by that loss; `seeds` has their number by kind."""
    for place, (kind, many) in enumerate(seeds.items()):
        some = [by_depth[:2] for (of, _), by_depth in losses.items() if of == kind]
        shallow = [1000 * first.mean for first, _ in some]
        left = [100 * third.left for _, third in some]
        reach = 100 * t_quantile(max(many - 1, 1)) * np.nan_to_num([third.left_error for _, third in some])
        axes.errorbar(shallow, left, reach, label=kind, capsize=2, **look(kind, place))
    axes.set(xscale="log", xlabel="loss at depth 1, thousandths of a point a decision")
    axes.set_ylabel("left at depth 3, %")


def _draw_costs(axes: Axes, costs: list[list[Any]]) -> None:
    """Draw the losses of the networks by the work of a decision, a line for each depth."""
    for depth in DEPTHS[:-1]:
        rows = [row for row in costs if row[1] == depth]
        work, lost = [row[3] for row in rows], [row[4] for row in rows]
        axes.plot(work, lost, label=f"depth {depth}", **look(f"depth {depth}"))
    axes.set(xscale="log", yscale="log", xlabel="evaluations times hidden units, a decision")
    axes.set_ylabel("thousandths of a point lost")
