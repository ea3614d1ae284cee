"""Which search should a program use? Loss of the plays, and error of the values, at equal time. Our own.

Every search decides the same decisions (`subjects`), whose plays a judge values. A family of searches
has several settings, each with a mean time and a mean loss. A program may also choose between two
settings by a coin. So at a given time a family loses what its best mixture of two settings loses whose
mean time is that time; families are compared by mixtures at the time of the exact search. Evaluations
take the place of time where the time of a decision is too short to measure.
"""

import json
import time
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.mean import mean_and_told_error, told_margin
from gammon.base.store import Unit, are_numbers, key_of
from gammon.engine.engine import Engine
from gammon.eval.evaluators import search_networks
from gammon.formats.position import Position
from gammon.games.backgammon import filter_named
from gammon.rules.board import flipped
from gammon.rules.dice import ROLLS
from gammon.search import Decision, Table, TreeSearch
from gammon.search.algorithms import Algorithm
from gammon.search.game import State
from gammon_lab.experiments.front import EXACT, SEARCHES
from gammon_lab.experiments.hypergammon import solved_table
from gammon_lab.experiments.measure import grouped
from gammon_lab.experiments.study import Study
from gammon_lab.experiments.subjects import ALL_OURS, CHECKERS, Foreign, Subject, named, subject_of
from gammon_lab.report import Cell, Figure, Report, Sheet
from gammon_lab.searches.chance_prob_cut import Prediction, chance_prob_cut, predictions
from gammon_lab.searches.mcts import decide_by_visits, mcts
from gammon_lab.searches.sparse_sampling import sampled
from gammon_study.view.plot import Axes, look

Floats = npt.NDArray[np.float64]

#: The horizon of Monte Carlo tree search, in plies.
_HORIZON = 99
#: Half the range of payoffs of backgammon, in whose points margins and bonuses below are.
_POINTS = 3.0
#: The bonus and the temperature of Monte Carlo tree search, in points, and the seed of samples.
_EXPLORE, _SOFTNESS, _SEED = 0.2, 0.2, 1
#: Every fifth decision is for the predictions of ChanceProbCut, and not searched.
_FIFTH = 5
#: A smaller loss is due to rounding.
_EQUAL = 1e-9


#: The family of levels that roll out, which only backgammon has.
LEVELS = "levels"


class Setting(NamedTuple):
    """A search: its family, the setting in words, a number or a name, and the depth.

    Attributes:
        family: one of `SETTINGS`, or the name `M:NAME` of an algorithm.
        words: what is set.
        value: its value.
        depth: plies of a decision.
    """

    family: str
    words: str = ""
    value: Any = 0
    depth: int = _HORIZON

    def __str__(self) -> str:
        value = f"{self.value:g} {self.words}" if self.words else str(self.value or "")
        depth = f"depth {self.depth}" if self.depth < _HORIZON else ""
        return ", ".join(part for part in (value, depth) if part)


#: Exact, bounded and filtered searches come from `front`.
SETTINGS = (
    *(Setting(EXACT, depth=depth) for depth in (1, 3, 5, 7)),
    *(Setting("bounded", "widths", 6, depth) for depth in (3, 5, 7)),
    *(Setting("filter", "", name, depth) for name in ("tiny", "normal") for depth in (3, 5, 7)),
    *(Setting("ChanceProbCut", "sigma", t, depth) for t in (1, 2) for depth in (3, 5, 7)),
    *(Setting("samples", "draws", n, depth) for n in (10, 30) for depth in (3, 5)),
    *(Setting("common samples", "draws", n, depth) for n in (10, 30) for depth in (3, 5)),
    *(Setting("MCTS", "visits", n) for n in (3, 10, 30, 100, 300, 1000, 3000)),
    *(Setting(LEVELS, "", name) for name in ("roller", "roller+")),
)
#: The settings of the small version.
QUICK = tuple(s for s in SETTINGS if s.depth <= 5 or (s.family == "MCTS" and s.value <= 100))


class Size(NamedTuple):
    """How much is searched of a subject.

    Attributes:
        decisions: how many, those for predictions included.
        exact: the depth of the deepest exact search.
        depth: the depth of the deepest search.
    """

    decisions: int
    exact: int
    depth: int


#: The sizes of the subjects, of the whole version and of the small one.
_SIZES = {
    "backgammon": (Size(398, 7, 7), Size(30, 5, 5)),
    "hypergammon": (Size(300, 7, 7), Size(30, 5, 5)),
    "dice": (Size(150, 7, 7), Size(30, 5, 5)),
}
_FOREIGN_SIZES = Size(100, 5, 5), Size(30, 3, 3)
#: Budgets: the times of exact searches; for the depth in the middle, also times these factors.
_MIDDLE = 5
_FACTORS = {"1/4 of ": 0.25, "": 1.0, "4 times ": 4.0}

#: Answers a decision.
_Search = Callable[[State, int], Decision]


def search_of(subject: Subject, setting: Setting, lines: Sequence[Prediction]) -> _Search:
    """Return the search of a setting. A transposition table is new in each decision.

    Args:
        subject: has the game and the evaluators.
        setting: see `Setting`.
        lines: predictions for ChanceProbCut.

    Raises:
        SettingError: there is no such algorithm.
    """
    if setting.family == LEVELS:
        return partial(_at_level, Engine(level=setting.value, cubeless=True, threads=1))
    game, value, depth = subject.game, setting.value, setting.depth
    scale = (game.high - game.low) / (2.0 * _POINTS)
    algorithm = SEARCHES[EXACT].algorithm
    more: dict[str, Any] = {}
    match setting.family:
        case "bounded":
            algorithm, more["width"] = SEARCHES[f"bounded, k = {value}"].algorithm, subject.width
        case "filter":
            more["filter"] = filter_named(SEARCHES[f"filter {value}"].move_filter, scale)
        case "ChanceProbCut":  # predictions of the deepest search serve deeper ones
            algorithm = chance_prob_cut([*lines, *list(lines[-1:]) * depth], value)
        case "samples" | "common samples":
            game = sampled(game, value, _SEED, setting.family == "common samples")
        case "MCTS":
            algorithm = mcts(value, explore=_EXPLORE * scale, softness=_SOFTNESS * scale)
        case name if ":" in name:
            algorithm = named(name, Algorithm)
    tree = TreeSearch(game, subject.leaf, algorithm, subject.probe, **more)
    if setting.family == "MCTS":
        return lambda state, outcome: decide_by_visits(tree, state, outcome, depth)
    return lambda state, outcome: tree.decide(state, outcome, depth, table=Table.at_depth(game, depth))


def _at_level(engine: Engine, state: State, outcome: int) -> Decision:
    """Return the decision of an engine, with the best play alone, and the evaluations of its search."""
    analysis = engine.analyze(Position(tuple(state.tolist())), ROLLS[outcome])
    best = analysis.candidates[0]
    row, value = np.array([flipped(best.play.points)], np.int8), np.array([best.equity])
    kind, order = np.zeros(1, np.int8), np.zeros(1, np.int64)
    return Decision(row, value, kind, order, (), analysis.stats, analysis.depth)


def _settings(table: str, unit: Unit) -> list[Setting]:
    """Return the settings with which a unit's decision is searched."""
    own = [
        setting
        for setting in (QUICK if unit["quick"] else SETTINGS)
        if setting.depth <= (unit["exact"] if setting.family == EXACT else unit["depth"])
        or setting.depth == _HORIZON
    ]
    if _subject(table, unit).width is None:
        own = [setting for setting in own if setting.family != "bounded"]
    if unit["subject"] != "backgammon" or unit["foreign"][1]:
        own = [setting for setting in own if setting.family != LEVELS]
    if not _predicts(unit):
        own = [setting for setting in own if setting.family != "ChanceProbCut"]
    depths = [setting.depth for setting in own if setting.family == EXACT]
    return own + [Setting(name, depth=depth) for name in unit["foreign"][2] for depth in depths]


def _predicts(unit: Unit) -> bool:
    """Return whether all predictions of a unit's subject predict something."""
    return all(slope > 0.0 for slope, *_ in unit["lines"])


def _subject(table: str, unit: Unit) -> Subject:
    """Return the subject of a unit; `table` is the path of the exact table, for hypergammon."""
    game, evaluator, algorithms = unit["foreign"]
    foreign = Foreign(game, evaluator, tuple(algorithms))
    return subject_of(unit["subject"], unit["decisions"], unit["seed"], unit["exact"], table, foreign)


class Costs(NamedTuple):
    """The costs and the outcomes of searches, each float64 [N]; values are in points.

    Attributes:
        evaluations: states that the leaf evaluator valued.
        leaves: leaves in the sense of the papers.
        seconds: processor time.
        loss: what the chosen play loses by the judge.
        error: the value of the chosen play by the search, less the best value by the judge.
    """

    evaluations: Floats
    leaves: Floats
    seconds: Floats
    loss: Floats
    error: Floats


@lru_cache(4)
def _searches(table: str, shared: str) -> list[_Search]:
    """Return the searches of a subject's units, warm: compiled code is loaded.

    Args:
        table: see `_subject`.
        shared: what all units of the subject have in common, as JSON.
    """
    unit = json.loads(shared)
    subject, lines = _subject(table, unit), [Prediction(*line) for line in unit["lines"]]
    searches = [search_of(subject, setting, lines) for setting in _settings(table, unit)]
    for search in searches:
        search(*subject.decisions[0])
    return searches


def measure(table: str, unit: Unit) -> list[list[float]]:
    """Search one decision by all searches in turn; return a row of `Costs` for each."""
    subject, number = _subject(table, unit), unit["number"]
    searches = _searches(table, key_of({name: value for name, value in unit.items() if name != "number"}))
    rows: list[list[float]] = [[] for _ in searches]
    for turn in range(len(searches)):  # another search begins in each unit
        place = (turn + number) % len(searches)
        begun = time.process_time()
        decision = searches[place](*subject.decisions[number])
        seconds = time.process_time() - begun
        chosen = decision.order[0]
        best, value = subject.values(number, decision.rows[chosen])
        loss = best - value if best - value > _EQUAL else 0.0
        error = float(decision.values[chosen]) - best
        rows[place] = [decision.stats.evaluations, decision.stats.leaves, seconds, loss, error]
    return rows


def fit(table: str, unit: Unit) -> list[list[float]]:
    """Return the predictions of a subject, up to the depth of its exact search.

    They are regressions on successors of every fifth decision: the statically best one and one more.
    """
    subject, states = _subject(table, unit), []
    tree = TreeSearch(subject.game, subject.leaf, probe=subject.probe)
    below = tree.for_opponent()
    for number in range(0, len(subject.decisions), _FIFTH):
        state, outcome = subject.decisions[number]
        rows = tree.rank(state[None], [outcome]).rows
        states += [rows[0], rows[1 + number % (len(rows) - 1)]]
    over = [subject.game.terminal(state, below.game.stake, subject.game.params) for state in states]
    playing = np.array(states)[~np.isfinite(over)]
    return [list(line) for line in predictions(below, playing, unit["exact"] - 1)]


def _are_costs(table: str, unit: Unit, result: Any) -> bool:
    """Return whether a stored value can be a result of `measure`."""
    return are_numbers(result, len(_settings(table, unit)), len(Costs._fields))


def _are_predictions(unit: Unit, result: Any) -> bool:
    """Return whether a stored value can be a result of `fit`."""
    return are_numbers(result, unit["exact"] // 2, len(Prediction._fields))


def _subjects(study: Study, foreign: Foreign) -> list[Unit]:
    """Return the unit of each subject for `fit`."""
    sizes = {"game": _FOREIGN_SIZES} if foreign.game else _SIZES
    shared = {
        "seed": study.seed, "foreign": [*foreign[:2], list(foreign.algorithm)],
        "quick": study.quick, "networks": search_networks("leaf"), **foreign.sources(),
    }  # fmt: skip
    return [{"subject": name, **some[study.quick]._asdict(), **shared} for name, some in sizes.items()]


class Mixture(NamedTuple):
    """A choice between settings by a coin.

    Attributes:
        words: the settings, with their shares.
        losses: float64 [N], the expected loss in each decision.
    """

    words: str
    losses: Floats


def mixture(settings: Sequence[Setting], times: Floats, losses: Floats, budget: float) -> Mixture:
    """Return the mixture of at most two settings with the least mean loss in a mean time.

    Args:
        settings: K settings; one at least takes no more time than the budget.
        times: float64 [K], the mean time of each.
        losses: float64 [K, N].
        budget: the mean time that the mixture may take.
    """
    best: tuple[float, list[tuple[int, float]]] = np.inf, []
    for quick in np.flatnonzero(times <= budget).tolist():
        for slow in [*np.flatnonzero(times > budget).tolist(), quick]:
            share = 0.0 if slow == quick else float((budget - times[quick]) / (times[slow] - times[quick]))
            mean = float((1.0 - share) * losses[quick].mean() + share * losses[slow].mean())
            if mean < best[0]:
                best = mean, [(slow, share), (quick, 1.0 - share)]
    named = [(place, share) for place, share in best[1] if share >= 0.005]  # 1 % or more
    words = " or ".join(
        f"{100 * share:.0f} % {settings[place]}" if len(named) > 1 else str(settings[place])
        for place, share in named
    )
    return Mixture(words, np.sum([share * losses[place] for place, share in best[1]], axis=0))


#: The searches of a subject with their costs.
_Measured = dict[Setting, Costs]


def _all_searches(name: str, measured: _Measured) -> Sheet:
    """Return the table of all searches of a subject."""
    rows: list[list[Cell]] = []
    exact = {setting.depth: costs for setting, costs in measured.items() if setting.family == EXACT}
    for setting, costs in measured.items():
        full = exact.get(setting.depth)
        share = None if full is None else 100 * float(costs.leaves.sum() / full.leaves.sum())
        mean, spread = mean_and_told_error(1e6 * costs.error**2)
        root = float(np.sqrt(mean))
        rows.append([
            setting.family, str(setting), len(costs.loss), float(costs.evaluations.mean()), share,
            1e3 * float(costs.seconds.mean()), *mean_and_told_error(1e3 * costs.loss),
            root, None if spread is None else spread / max(2 * root, 1e-9),
        ])  # fmt: skip
    columns = (
        "search", "setting", "decisions", "evaluations", "leaves %", "ms", "loss", "s.e.",
        "error of the value", "s.e.",
    )  # fmt: skip
    return Sheet(f"compare-{name}", f"All searches, {name}", columns, rows)


def _equal_rows(name: str, measured: _Measured, what: str, budgets: dict[str, float]) -> list[list[Cell]]:
    """Return the rows of a table of families at equal cost, the best first for each budget.

    A family is left out where no mixture of its settings loses less than depth 1.

    Args:
        name: the name of the subject.
        measured: its searches.
        what: the cost, a field of `Costs`.
        budgets: mean costs, by their names.
    """
    rows: list[list[Cell]] = []
    base, *_ = measured  # the exact search to depth 1 belongs to all families
    for words, budget in budgets.items():
        mixtures = {}
        for family in dict.fromkeys(setting.family for setting in measured):
            if family == LEVELS and what == "evaluations":  # evaluations in its games are not counted
                continue
            settings = list(dict.fromkeys([base, *(s for s in measured if s.family == family)]))
            costs = np.array([getattr(measured[setting], what).mean() for setting in settings])
            costs[0] = min(costs[0], budget)
            losses = np.array([1e3 * measured[setting].loss for setting in settings])
            best = mixture(settings, costs, losses, budget)
            if family == EXACT or best.words != str(base):
                mixtures[family] = best
        ranked = sorted(mixtures, key=lambda family: float(mixtures[family].losses.mean()))
        for family in ranked:
            setting, losses = mixtures[family]
            more = losses - mixtures[ranked[0]].losses
            rows.append([
                name, words, family, setting, *mean_and_told_error(losses), *mean_and_told_error(more),
            ])  # fmt: skip
    return rows


def _times(measured: _Measured) -> dict[str, float]:
    """Return mean times of a decision by their names: of exact searches, and multiples up to the deepest."""
    seconds = {
        setting: float(costs.seconds.mean())
        for setting, costs in measured.items()
        if setting.family == EXACT and setting.depth > 1
    }
    *_, most = seconds.values()
    return {
        f"{words}{setting}": factor * mean
        for setting, mean in seconds.items()
        for words, factor in (_FACTORS.items() if setting.depth == _MIDDLE else [("", 1.0)])
        if factor * mean <= most
    }


def _equal_tables(measured: dict[str, _Measured]) -> list[Sheet]:
    """Return the table at equal time for the first subject, and at equal evaluations for all."""
    first = next(iter(measured))
    times = _equal_rows(first, measured[first], "seconds", _times(measured[first]))
    evaluations: list[list[Cell]] = []
    for name, some in measured.items():
        *_, deepest = (setting for setting in some if setting.family == EXACT)
        budget = {str(deepest): float(some[deepest].evaluations.mean())}
        evaluations += _equal_rows(name, some, "evaluations", budget)
    columns = "search", "setting", "loss", "s.e.", "more than the best", "s.e."
    return [
        Sheet("compare-equal-time", "At equal time", ("game", "time of", *columns), times),
        Sheet(
            "compare-equal-evaluations",
            "At equal evaluations",
            ("game", "evaluations of", *columns),
            evaluations,
        ),
    ]


def reproduce(study: Study, foreign: Foreign = ALL_OURS) -> Report:
    """Compare all searches.

    Raises:
        SettingError: an object of another program is not as described.
        GammonError: the folder cannot be written.
    """
    foreign.check()
    table = "" if foreign.game else str(solved_table(study, CHECKERS)[0])
    subjects = _subjects(study, foreign)
    fitted = study.run(partial(fit, table), subjects, "compare", _are_predictions, Prediction._fields)
    subjects = [{**unit, "lines": lines} for unit, lines in zip(subjects, fitted, strict=True)]
    units = [
        {**unit, "number": number}
        for unit in subjects
        for number in range(len(_subject(table, unit).decisions))
        if number % _FIFTH
    ]
    fits = partial(_are_costs, table)
    results = study.run(partial(measure, table), units, "compare", fits, Costs._fields)
    by_subject = grouped(zip(units, results, strict=True), "subject")
    measured: dict[str, _Measured] = {}
    for unit in subjects:
        costs = (Costs(*some) for some in by_subject[(unit["subject"],)].transpose(1, 2, 0))
        measured[unit["subject"]] = dict(zip(_settings(table, unit), costs, strict=True))
    lines: list[list[Cell]] = [
        [unit["subject"], 2 * k, *line] for unit in subjects for k, line in enumerate(unit["lines"], 1)
    ]
    columns = "game", "depth", "slope", "offset", "sigma", "correlation"
    tables = [
        *_equal_tables(measured),
        *(_all_searches(name, some) for name, some in measured.items()),
        Sheet("compare-predictions", "Predictions of ChanceProbCut", columns, lines),
    ]
    first = next(iter(measured))
    figure = Figure("compare", lambda axes: _draw(axes, measured[first]))
    notes = _notes(study.seed)
    if not all(map(_predicts, subjects)):
        notes.append("Where a prediction has a slope of 0 or less, ChanceProbCut is left out.")
    return Report("Which search should a program use?", tables, [figure], notes)


def _notes(seed: int) -> list[str]:
    """Return sentences that explain the figures."""
    return [
        f"Losses and errors are in thousandths of a point; seed {seed}. A loss is what the chosen play loses "
        "by the judge of the game. The error is the root mean square of the search's value of its play less "
        "the judge's value of the best play. Leaves are in per cent of the exact search of the same depth.",
        "At equal time a search is the mixture of two settings, chosen by a coin, with the least mean loss "
        "in the mean time of the exact search, or in a multiple of it; depth 1 belongs to all families, and "
        "a family that loses no less than depth 1 is left out. "
        "`More than the best` is the difference from the best search in the same decisions, with its own "
        "standard error. The mixture is chosen on the decisions that it is reported for.",
        "Milliseconds are processor time of one thread. All searches of a decision run in turn in one "
        "process, and another one begins each time.",
        "MCTS opens all outcomes of a chance node at its first visit. Where an exact search judges, "
        "MCTS looks deeper than the judge, and is charged with a loss where the judge sees less.",
    ]


def _draw(axes: Axes, measured: _Measured) -> None:
    """Draw the loss by time: a line for each family. Samples lose too much to be drawn beside the others."""
    families = dict.fromkeys(setting.family for setting in measured if "samples" not in setting.family)
    for place, family in enumerate(families):
        some = [costs for setting, costs in measured.items() if setting.family == family]
        some.sort(key=lambda costs: float(costs.seconds.mean()))
        losses = [1e3 * costs.loss for costs in some]
        axes.errorbar(
            [1e3 * float(costs.seconds.mean()) for costs in some],
            [float(loss.mean()) for loss in losses],
            [told_margin(loss) for loss in losses],
            label=family, capsize=2, **look(family, place),
        )  # fmt: skip
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_ylim(bottom=0.0)
    axes.set_xlabel("processor time of a decision, ms")
    axes.set_ylabel("thousandths of a point lost (means, 95 % intervals)")
