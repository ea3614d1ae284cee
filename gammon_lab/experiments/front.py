"""The front of loss against time: exact search, bounded search and move filters. Our own study.

Every search decides the same positions at the same depth, one after the other. The exact search of
that depth values what each of them chose, so a loss is what the approximation gives away, not what the
network does. Where a decision is searched to several depths, the deepest exact search also values
the choices of all depths on one scale.
"""

import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.mean import mean_and_told_error, told_margin
from gammon.base.store import Unit, are_numbers
from gammon.engine.scale import Scale
from gammon.eval.cubeful import evaluator_at
from gammon.eval.evaluators import leaf_and_probe, search_networks
from gammon.eval.width import load_width
from gammon.formats.gnubg_id import format_position_id, parse_position_id
from gammon.games.backgammon import filter_named
from gammon.rules.board import OPENING, Points
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.terms import CUBELESS, Terms
from gammon.search import Cube, Table, TreeSearch
from gammon.search.algorithms import BOUNDED, STAR2, Algorithm
from gammon_lab.bench.positions import bench_positions, contact_sample
from gammon_lab.experiments.measure import grouped
from gammon_lab.experiments.study import Study
from gammon_lab.report import Cell, Figure, Report, Sheet
from gammon_lab.train.starts import FAMILIES, draw_families
from gammon_study.library.judged_decisions import sorted_successors
from gammon_study.view.plot import Axes, draw_series, look

Floats = npt.NDArray[np.float64]


class Variant(NamedTuple):
    """An algorithm and a move filter, which is empty for none."""

    algorithm: Algorithm = STAR2
    move_filter: str = ""


EXACT = "exact"
LINES = {
    "bounded": [f"bounded, k = {k}" for k in (4, 6, 8)],
    "filters": [f"filter {name}" for name in ("tiny", "narrow", "normal", "large")],
}
#: The searches, by name; each line of `LINES` leads to the exact search.
SEARCHES = {
    EXACT: Variant(),
    **{
        name: Variant(BOUNDED._replace(parameters=(float(name.split()[-1]), *BOUNDED.parameters[1:])))
        for name in LINES["bounded"]
    },
    **{name: Variant(move_filter=name.split()[-1]) for name in LINES["filters"]},
}
_STAKES = {"cubeless": CUBELESS, "money": Terms(), "match": Terms(7, (5, 3))}
_PLACES = "usual", "rare"
#: The stakes of each kind of decision.
_KINDS = {"play": ["cubeless", "money", "match"], "cube": ["money", "match"]}
_NETWORKS = "leaf", "large"
#: Values that differ by less count as equal: sums over outcomes are rounded.
_EQUAL = 1e-7
_ROLL_SEED = 13
#: How many times as many positions are drawn as decisions are wanted.
_POOL = 16
#: A decision about the cube is searched if a double gains or costs less than this statically.
_CLOSE = 0.2


class Costs(NamedTuple):
    """The cost and the outcome of searches, each float64 [N]; equities are points or EMG.

    Attributes:
        evaluations: states that the leaf evaluator valued.
        seconds: processor time.
        difference: the value of the best choice, less its value by the exact search.
        loss: what the choice gives away by the exact search of the same depth.
        deep_loss: the same by the deepest exact search of the decision.
    """

    evaluations: Floats
    seconds: Floats
    difference: Floats
    loss: Floats
    deep_loss: Floats


class Sizes(NamedTuple):
    """How much is searched.

    Attributes:
        decisions: how many of each group.
        deep: how many of the plays are searched to `deep_depths`; all others, and the cube, to `depths`.
        depths: plies, rising.
        deep_depths: plies, rising.
    """

    decisions: int
    deep: int
    depths: tuple[int, ...]
    deep_depths: tuple[int, ...]


SIZES = Sizes(60, 8, (3, 5), (3, 5, 7))
QUICK_SIZES = Sizes(10, 2, (3,), (3, 5))


#: A play, as the bytes of its position, or whether to double and whether to take.
_Choice = bytes | tuple[bool, bool]


class Answer(NamedTuple):
    """The answer of a search, what it cost, and for a decision about the cube all its values."""

    choice: _Choice
    value: float
    evaluations: int
    seconds: float
    cube: Cube | None


@cache
def tree_of(stake: str, network: str, name: str) -> TreeSearch:
    """Return a search of `SEARCHES` at a stake."""
    scale, terms, variant = Scale.at(_STAKES[stake]), _STAKES[stake], SEARCHES[name]
    leaf, probe = leaf_and_probe(network)
    return TreeSearch(
        scale.game, evaluator_at(leaf, terms), variant.algorithm, evaluator_at(probe, terms),
        width=load_width() if variant.algorithm.bounded else None,
        filter=filter_named(variant.move_filter, scale.unit),
    )  # fmt: skip


def search(unit: Unit, name: str, depth: int) -> Answer:
    """Search a unit's decision, and measure the search."""
    tree, points = tree_of(unit["stake"], unit["network"], name), parse_position_id(unit["position"])
    begun = time.process_time()
    table = Table.at_depth(tree.game, depth)
    if unit["kind"] == "play":
        decision = tree.decide(points, unit["outcome"], depth, table=table)
        seconds, best = time.process_time() - begun, decision.order[0]
        choice, value = decision.rows[best].tobytes(), float(decision.values[best])
        return Answer(choice, value, decision.stats.evaluations, seconds, None)
    cube = tree.cube(points, depth - 1, table=table)
    seconds = time.process_time() - begun
    rolled, taken, cash = _cube_values(cube)
    value = max(rolled, min(taken, cash))
    return Answer((value > rolled, taken < cash), value, cube.stats.evaluations, seconds, cube)


def _cube_values(cube: Cube) -> tuple[float, float, float]:
    """Return the values of no double, of double and take, and of double and pass."""
    assert cube.double_take is not None and cube.double_pass is not None, "the player may double"
    return cube.no_double, cube.double_take, cube.double_pass


def loss_by(unit: Unit, depth: int, exact: Answer) -> Callable[[_Choice], float]:
    """Return a function that returns what a choice gives away by the exact search of a depth.

    The loss is in values of the search. About the cube, it is the loss of both players.
    """
    if exact.cube is not None:
        rolled, taken, cash = _cube_values(exact.cube)
        at_stake = abs(min(taken, cash) - rolled), abs(taken - cash)

        def loss_of_cube(choice: _Choice) -> float:
            actions = zip(choice, exact.choice, at_stake, strict=True)
            return sum(worth for chosen, right, worth in actions if chosen != right)

        return loss_of_cube
    opponent = tree_of(unit["stake"], unit["network"], EXACT).for_opponent()

    @cache
    def loss_of_play(choice: _Choice) -> float:
        assert isinstance(choice, bytes), "a play is a position"
        if choice == exact.choice:
            return 0.0
        table = Table.at_depth(opponent.game, depth)
        value = opponent.value(np.frombuffer(choice, np.int8), depth - 1, on_turn=True, table=table).value
        return max(exact.value + value, 0.0)

    return loss_of_play


@cache
def _warm_up(kind: str, stake: str, network: str) -> None:
    """Load the compiled code, so that loading is not charged to the first unit."""
    position = format_position_id(OPENING)
    unit = {"kind": kind, "stake": stake, "network": network, "position": position, "outcome": 1}
    for name, depth in product(SEARCHES, (3, 5)):
        search(unit, name, depth)


def measure(unit: Unit) -> list[list[float]]:
    """Search one decision by all searches; return a row of `Costs` for each depth and search."""
    _warm_up(unit["kind"], unit["stake"], unit["network"])
    names, first, answers = list(SEARCHES), unit["number"] % len(SEARCHES), {}
    for depth in unit["depths"]:  # another search begins in each unit
        answers[depth] = {name: search(unit, name, depth) for name in names[first:] + names[:first]}
    losses = {depth: loss_by(unit, depth, by_name[EXACT]) for depth, by_name in answers.items()}
    worth, deepest = Scale.at(_STAKES[unit["stake"]]).unit, losses[max(losses)]
    rows = []
    for depth, name in product(answers, names):
        choice, value, evaluations, seconds, _ = answers[depth][name]
        difference = value - answers[depth][EXACT].value
        worths = difference, losses[depth](choice), deepest(choice)
        rows.append([evaluations, seconds, *(number / worth for number in worths)])
    return rows


def _are_rows(unit: Unit, result: Any) -> bool:
    """Return whether a stored value can be a result of `measure`."""
    return are_numbers(result, len(unit["depths"]) * len(SEARCHES), len(Costs._fields))


def _drawn(kind: str, place: str, count: int, seed: int) -> Iterator[tuple[Points, int, str]]:
    """Yield positions and rolls with the names of their families, which usual positions lack."""
    if place == "rare":
        random = np.random.default_rng([seed, _ROLL_SEED])
        boards, families = draw_families(_POOL * count, seed)
        rolls = random.choice(N_ROLLS, len(boards), p=PROBABILITIES)
        for board, roll, family in zip(boards.tolist(), rolls.tolist(), families.tolist(), strict=True):
            yield tuple(board), roll, FAMILIES[family]
    elif kind == "play":
        yield from ((case.points, case.outcome, "") for case in bench_positions())
    else:
        yield from ((*case, "") for case in contact_sample(_POOL * count, seed))


def _is_open(kind: str, stake: str, points: Points, outcome: int) -> bool:
    """Return whether a decision is open: several plays, or a double whose static gain is small."""
    if kind == "play":
        return len(sorted_successors(points, outcome)) > 1
    tree = tree_of(stake, _NETWORKS[0], EXACT)
    rolled, taken, cash = _cube_values(tree.cube(points, 0))
    return abs(min(taken, cash) - rolled) < _CLOSE * Scale.at(_STAKES[stake]).unit


def _units(study: Study, sizes: Sizes) -> list[Unit]:
    """Return the units: decisions of all groups in turn, no position in two groups."""
    units: list[Unit] = []
    used: set[Points] = set()
    for (kind, stakes), place in product(_KINDS.items(), _PLACES):
        count, number = sizes.decisions * len(stakes), 0
        for points, outcome, family in _drawn(kind, place, count, study.seed):
            if number == count:
                break
            stake = stakes[number % len(stakes)]
            if points in used or not _is_open(kind, stake, points, outcome):
                continue
            deep = kind == "play" and number < sizes.deep * len(stakes)
            depths = sizes.deep_depths if deep else sizes.depths
            facts = {"kind": kind, "place": place, "stake": stake, "family": family, "number": number}
            facts |= {"position": format_position_id(points), "outcome": outcome, "depths": list(depths)}
            for network in _NETWORKS:
                units.append({**facts, "network": network, "networks": search_networks(network)})
            used.add(points)
            number += 1
    return units


#: Searched units, each with the depth and the name of the search, and with its row of costs.
_Measured = list[tuple[Unit, list[float]]]


def _grouped(measured: _Measured, *names: str) -> dict[tuple[Any, ...], Costs]:
    """Return costs by the values of these names, in the order of their first appearance."""
    return {key: Costs(*rows.T) for key, rows in grouped(measured, *names).items()}


def _millipoints(losses: Floats) -> list[Cell]:
    """Return the mean loss and its standard error, in thousandths of a point; losses of 0 tell no error."""
    mean, error = mean_and_told_error(1e3 * losses)
    return [mean, error if losses.any() else None]


def _sheet(name: str, title: str, measured: _Measured, *names: str, deep: bool = False) -> Sheet:
    """Return a table with a row for each search in each group of decisions."""
    groups, rows = _grouped(measured, *names, "search"), []
    for (*key, search), costs in groups.items():
        exact, off = groups[(*key, EXACT)], costs.difference
        row = [
            *key, search, len(off), float(costs.evaluations.mean()), 1e3 * float(costs.seconds.mean()),
            100 * float(costs.seconds.sum() / max(exact.seconds.sum(), 1e-9)),
            100 * float((costs.loss > _EQUAL).mean()), *_millipoints(costs.loss),
            1e3 * float(costs.loss.max()), 1e3 * float(np.sqrt((off**2).mean())),
            100 * float((np.abs(off) < _EQUAL).mean()),
        ]  # fmt: skip
        rows.append(row + (_millipoints(costs.deep_loss) if deep else []))
    columns = [
        *names, "search", "decisions", "evaluations", "ms", "time %", "other choice %", "loss", "s.e.",
        "largest loss", "difference of the value", "equal values %",
    ]  # fmt: skip
    return Sheet(name, title, columns + (["loss by the deepest", "s.e."] if deep else []), rows)


def _losses(name: str, title: str, measured: _Measured, *names: str) -> Sheet:
    """Return a table of losses: a row for each group of decisions, a column for each search."""
    groups = _grouped(measured, *names, "search")
    rows: list[list[Cell]] = []
    for key in dict.fromkeys(key[:-1] for key in groups):
        losses = [groups[(*key, search)].loss for search in SEARCHES if search != EXACT]
        rows.append([*key, len(losses[0]), *(cell for loss in losses for cell in _millipoints(loss))])
    columns = [column for search in SEARCHES if search != EXACT for column in (search, "s.e.")]
    return Sheet(name, title, [*names, "decisions", *columns], rows)


def reproduce(study: Study) -> Report:
    """Search all decisions by all searches, and report losses and times.

    Raises:
        GammonError: the folder cannot be written.
    """
    sizes = QUICK_SIZES if study.quick else SIZES
    units = _units(study, sizes)
    results = study.run(measure, units, "front", _are_rows, Costs._fields)
    measured = [
        (unit | {"depth": depth, "search": name}, row)
        for unit, rows in zip(units, results, strict=True)
        for (depth, name), row in zip(product(unit["depths"], SEARCHES), rows, strict=True)
    ]
    measured.sort(key=lambda pair: (pair[0]["depth"], _NETWORKS.index(pair[0]["network"])))

    def some(**wanted: Any) -> _Measured:
        return [pair for pair in measured if wanted.items() <= pair[0].items()]

    middle, deepest = max(sizes.depths), list(sizes.deep_depths)
    tables = [
        _sheet(f"front-{depth}", f"Plays at depth {depth}", some(kind="play", depth=depth), "network")
        for depth in sizes.deep_depths
    ]
    apart = some(network=_NETWORKS[0], depth=middle)
    rare = some(network=_NETWORKS[0], depth=middle, place="rare", kind="play")
    in_all = some(kind="play", network=_NETWORKS[0])
    in_all = [pair for pair in in_all if pair[0]["depths"] == deepest]
    tables += [
        _sheet("front-cube", f"The cube at depth {middle}", some(kind="cube", depth=middle), "network"),
        _sheet("front-depths", "All depths on one scale", in_all, "depth", deep=True),
        _losses("front-losses", f"Losses at depth {middle}", apart, "kind", "place", "stake"),
        _losses("front-families", f"Losses in families at depth {middle}", rare, "family"),
        _sheet("front-groups", "All groups", measured, "network", "depth", "kind", "place", "stake"),
    ]
    figure = Figure("front", lambda axes: _draw(axes, some(kind="play", network=_NETWORKS[0])))
    return Report("The front of loss against time", tables, [figure], _notes(study.seed, sizes))


def _notes(seed: int, sizes: Sizes) -> list[str]:
    """Return sentences that explain the figures of the tables."""
    away = "-".join(map(str, _STAKES["match"].away))
    return [
        f"{sizes.decisions} decisions of each group, {sizes.deep} of them to depth {max(sizes.deep_depths)}; "
        "no position is in two groups. Usual positions are contact positions of self-play, rare ones are "
        f"drawn from families (seed {seed}). Rolls leave a choice, and a double gains or costs less than "
        f"{_CLOSE} statically. The match is to 7 points at {away} away.",
        "A loss is what the choice gives away by the exact search of the same depth (`loss by the "
        "deepest`: by the deepest exact search), in thousandths of a point or of EMG. About the cube it is "
        f"the loss of both players. Choices that lose less than {_EQUAL:g} count as the same. Where none of "
        "n decisions lost, fewer than 3 in n do, with 95 % confidence. The "
        "difference of the value is the root mean square, in thousandths, from the exact value.",
        "Milliseconds are processor time of one thread; all searches of a decision run in turn in one "
        "process, and another one begins each time. Evaluations leave out the network of widths, "
        "milliseconds include it.",
        "Bounded search with a filter is not defined, so no row combines them.",
    ]


def _draw(axes: Axes, measured: _Measured) -> None:
    """Draw the losses by time: for each depth a line of bounded searches and a line of filters."""
    groups = _grouped(measured, "depth", "search")
    for depth in dict.fromkeys(depth for depth, _ in groups):
        for place, (line, searches) in enumerate(LINES.items()):
            costs = [groups[depth, search] for search in (*searches, EXACT)]
            losses = [1e3 * some.loss for some in costs]
            style = look(f"depth {depth}") | {"marker": "os"[place], "linestyle": ("-", "--")[place]}
            times = [1e3 * float(some.seconds.mean()) for some in costs]
            means, reach = [float(loss.mean()) for loss in losses], [told_margin(loss) for loss in losses]
            draw_series(axes, f"depth {depth}, {line}", times, means, reach, style)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_yscale("symlog", linthresh=0.01)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_ylim(bottom=-0.001)
    axes.set_xlabel("processor time of a decision, ms; each line ends at the exact search")
    axes.set_ylabel("thousandths of a point lost to the exact search of that depth")
