"""The report of the noise study: its tables, its plots, and sentences about the findings."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from gammon.match.result import Mean
from gammon_lab.experiments.noise_errors import COLUMNS, Spread, spread_row
from gammon_lab.experiments.noise_matches import Meeting, MeetingResults, Source, with_error
from gammon_lab.report import Cell, Figure, Report, Sheet
from gammon_study.view.plot import Axes, draw_points, label_point, look

#: Players of this depth search only a part of each tree.
FILTERED = 7
_MATCH_COLUMNS = (
    "errors", "size", "depth", "against", "games", "points", "s.e.", "points as played",
    "s.e. as played", "won %", "s.e. %", "won % as played", "s.e. % as played", "gammons %",
    "lost %", "turns",
)  # fmt: skip
#: The depths whose gains are compared with what the errors cost.
_GAINS = 3, 5
_OUTPUTS = Meeting(Source("outputs", 0.03), 5)
NO_SPREADS: Mapping[Source, Sequence[Spread]] = {}


def noise_report(
    seed: int,
    results: MeetingResults,
    spreads: Mapping[Source, Sequence[Spread]] = NO_SPREADS,
    decisions: int = 0,
) -> Report:
    """Return the report of the study, or of a part of it. The first kind of errors has tables of its own.

    Args:
        seed: the seed of the study.
        results: the results of the matches.
        spreads: the spreads of the errors, at depths 1 and 3.
        decisions: how many decisions the spreads were measured in.
    """
    kind, *others = results.kinds
    curves = {name: _curve(results, name) for name in results.kinds}
    networks = _networks(results)
    tables = [
        _points(results, kind),
        _wins(results, kind),
        _kinds(results),
        Sheet("noise-matches", "All matches", _MATCH_COLUMNS,
              [_match_row(results, meeting) for meeting in results]),
    ]  # fmt: skip
    figures = [
        Figure(name, partial(results.draw_points, kind, clean))
        for name, clean in (("noise-points", False), ("noise-clean", True))
        if results.by_depth(kind, clean)
    ]
    if results.by_depth(kind, False):
        figures.append(Figure("noise-wins", lambda axes: _draw_wins(axes, results, kind)))
    if others or networks:
        figures.append(Figure("noise-kinds", lambda axes: _draw_kinds(axes, curves, networks)))
    notes = [
        "Single games for money without the cube, in pairs with the same dice and swapped "
        f"seats, the same dice in all matches; seed {seed}. Points are the deeper "
        "player's, a game, with the luck of the dice taken out by the network without errors; "
        "± is one standard error, of a row by itself: rows have dice in common, and the error "
        "of a difference between two of them is not given. "
        "Shares of games won have this luck taken out, too.",
        "An error is normal, a fixed function of the position and of the player's seed, which changes with "
        "each game. Errors "
        + "; ".join(f"`{name}` are {_meaning(name)}" for name in results.kinds) + ".",
        "`recovered` is the gain of depth beyond its gain without errors, as a share of the "
        "cost of the errors to depth 1, where this cost is told apart from 0. Its standard error takes the "
        "three matches for independent.",
    ]  # fmt: skip
    if networks:
        tables.append(
            Sheet("noise-same-cost", "What depth 3 gains where errors cost depth 1 as much",
                  ("network", "it loses", "it gains", "s.e.", *curves),
                  [_network_row(name, *loss_and_gain, curves) for name, loss_and_gain in networks.items()])
        )  # fmt: skip
        notes.append(
            "`early` and `middle` are networks that learned for some minutes, and `probe` is a very small "
            "network; they have only their own errors."
        )
    if spreads:
        rows = [spread_row(*source, *pair) for source, pair in spreads.items()]
        tables.append(
            Sheet("noise-errors", "How alike errors are, and what depth 3 leaves of them", COLUMNS, rows)
        )
        notes.append(
            f"Errors are measured in the plays of {decisions:,} decisions with "
            "contact that lose less than 0.2 points: `between plays` is their standard deviation "
            "around the mean of a decision, `left` its share that depth 3 leaves, and `alike` the "
            "share of an error's variance that all plays of a decision have in common."
        )
    notes += _findings(results, kind)
    notes += [_of_network(name, *loss_and_gain, curves) for name, loss_and_gain in networks.items()]
    return Report("Noise: does depth matter?", tables, figures, notes)


def _meaning(kind: str) -> str:
    """Return a kind of errors in words."""
    match kind:
        case "equity":
            return "independent errors of the equity, in points"
        case "outputs":
            return "independent errors of each of the five chances"
        case _:
            width = kind.removeprefix("alike-")
            return f"sums of an error for each window of {width} neighbouring points"


def _text(mean: Mean | None) -> str | None:
    """Return points with their standard error, or with the 95 % interval, as text."""
    if mean is None:
        return None
    if mean.told_error is None:
        return f"{mean.mean:+.3f} ({mean.low:+.3f} to {mean.high:+.3f})"
    return f"{mean.mean:+.3f} ± {mean.error:.3f}"


def _points(results: MeetingResults, kind: str) -> Sheet:
    """Return the table of points by the size of a kind of errors."""
    met = {(m.clean, m.depth) for m in results if m.source.name == kind}
    rows: list[list[Cell]] = [
        [
            size,
            *(
                cell
                for clean, depth in sorted(met)
                for cell in with_error(results.points(Source(kind, size), depth, clean))
            ),
        ]
        for size in results.sizes(kind)
    ]
    names: list[str] = []
    for clean, depth in sorted(met):
        filtered = ", filtered" if depth == FILTERED else ""
        names += [f"depth {depth}{filtered}, {'none' if clean else 'same errors'}", "s.e."]
    title = f"Points a game against depth 1, errors `{kind}`"
    return Sheet("noise-points", title, ("sigma", *names), rows)


def _wins(results: MeetingResults, kind: str) -> Sheet:
    """Return the table of the games won with a kind of errors."""
    rows: list[list[Cell]] = [
        [
            *meeting.source.cells,
            meeting.depth,
            result.games,
            *with_error(result.wins, 100.0),
            *with_error(result.fair_wins, 100.0),
        ]
        for meeting, result in sorted(results.items(), key=lambda item: item[0].depth)
        if (meeting.source.name == kind or meeting == _OUTPUTS) and not meeting.clean
    ]
    columns = ("errors", "size", "depth", "games", "won %", "s.e. %", "won %, luck taken out", "s.e. %")
    return Sheet("noise-wins", "Games won against depth 1 with the same errors", columns, rows)


def _kinds(results: MeetingResults) -> Sheet:
    """Return the table of what errors of each source cost depth 1, and what the depths of the study gain."""
    played = {meeting.depth for meeting in results if not meeting.clean}
    depths = [depth for depth in _GAINS if depth in played]
    names = ["depth 1 against none", *(f"depth {depth} against the same" for depth in depths)]
    names += [f"recovered by depth {depth}, %" for depth in depths]
    columns = ("errors", "size", *(column for name in names for column in (name, "s.e.")))
    rows = [_kind_row(results, source, depths) for source in results.sources]
    return Sheet("noise-kinds", "What errors cost, and what depth gains", columns, rows)


def _kind_row(results: MeetingResults, source: Source, depths: Sequence[int]) -> list[Cell]:
    """Return the row of a source: the cost of its errors to depth 1, and how much depth recovers."""
    cost = results.points(source, 1, True)
    gains = [results.points(source, depth, False) for depth in depths]
    cells = [cell for mean in (cost, *gains) for cell in with_error(mean)]
    for depth, gain in zip(depths, gains, strict=True):
        clean = results.points(results.without_errors, depth, False)
        if cost is None or gain is None or clean is None:
            cells += [None, None]
        else:
            cells += _recovered(cost, gain, clean)
    return [*source.cells, *cells]


def _recovered(cost: Mean, gain: Mean, clean: Mean) -> list[Cell]:
    """Return the share of the errors' cost that a search recovers, in per cent, with its error.

    The share is the gain of depth beyond the gain without errors, divided by the cost; None if the
    95 % interval of the cost does not tell it apart from 0. The standard error comes from the delta
    method, for a ratio whose errors are small; the three matches count as independent.

    Args:
        cost: points of depth 1 with errors against depth 1 without.
        gain: points of the deeper player against depth 1, both with errors.
        clean: points of the deeper player against depth 1, both without errors.
    """
    if cost.low <= 0.0 <= cost.high:
        return [None, None]
    share = (gain.mean - clean.mean) / -cost.mean
    if None in (cost.told_error, gain.told_error, clean.told_error):
        return [100 * share, None]
    squares = gain.error**2 + clean.error**2 + (share * cost.error) ** 2
    return [100 * share, 100 * math.sqrt(squares) / abs(cost.mean)]


class _Curve(NamedTuple):
    """The costs of errors of a kind to depth 1, in rising order, and the gains of depth 3."""

    costs: tuple[float, ...]
    gains: tuple[float, ...]

    def at(self, cost: float) -> float | None:
        """Return the gain at this cost by interpolation, or None beyond the measured costs."""
        inside = bool(self.costs) and self.costs[0] <= cost <= self.costs[-1]
        return float(np.interp(cost, self.costs, self.gains)) if inside else None


def _curve(results: MeetingResults, kind: str) -> _Curve:
    """Return the curve of a kind. It begins without errors, which cost nothing."""
    points = []
    for source in [results.without_errors, *(Source(kind, size) for size in results.sizes(kind) if size)]:
        cost, gain = results.points(source, 1, True), results.points(source, 3, False)
        if gain is not None:
            points.append((0.0 if cost is None else -cost.mean, gain.mean))
    costs, gains = zip(*sorted(points), strict=True) if points else ((), ())
    return _Curve(costs, gains)


def _networks(results: MeetingResults) -> dict[str, tuple[float, Mean]]:
    """Return the loss of each weak network at depth 1 and its gain at depth 3, by name."""
    losses_and_gains = {}
    for source in results.sources:
        cost, gain = results.points(source, 1, True), results.points(source, 3, False)
        if source.is_network and cost is not None and gain is not None:
            losses_and_gains[source.name] = -cost.mean, gain
    return losses_and_gains


def _network_row(name: str, cost: float, gain: Mean, curves: Mapping[str, _Curve]) -> list[Cell]:
    """Return a row: the gain of depth 3 for a weak network, and for noise with the same cost."""
    return [name, cost, *with_error(gain), *(curve.at(cost) for curve in curves.values())]


def _match_row(results: MeetingResults, meeting: Meeting) -> list[Cell]:
    """Return the row of a match."""
    result = results[meeting]
    against = "no errors" if meeting.clean else "the same errors"
    shares = [100 * share for share in result.gammons]
    return [
        *meeting.source.cells,
        meeting.depth,
        against,
        result.games,
        *with_error(result.adjusted),
        *with_error(result.points),
        *with_error(result.fair_wins, 100.0),
        *with_error(result.wins, 100.0),
        *shares,
        result.turns,
    ]


def _findings(results: MeetingResults, kind: str) -> list[str]:
    """Return sentences about the gains of depth in the matches with a kind of errors."""
    sizes = results.sizes(kind)
    same = {size: _by_depth(results, Source(kind, size), False) for size in (sizes[0], sizes[-1])}
    clean = {size: _by_depth(results, Source(kind, size), True) for size in sizes if size}
    return [
        f"{f'With errors of {size:g}' if size else 'Without errors'} {won} points a game from depth 1, "
        "which has the same."
        for size, won in same.items()
        if won
    ] + [
        f"From depth 1 without errors, with errors of {size:g} {won} points a game."
        for size, won in clean.items()
        if won
    ]


def _by_depth(results: MeetingResults, source: Source, clean: bool) -> str:
    """Return in words the points that players of each depth win with errors of a source."""
    won = [
        f"depth {depth} wins {_text(points)}"
        for depth in sorted({meeting.depth for meeting in results})
        if (points := results.points(source, depth, clean)) is not None
    ]
    return ", ".join(won)


def _of_network(name: str, cost: float, gain: Mean, curves: Mapping[str, _Curve]) -> str:
    """Return a sentence that compares a weak network with noise of the same cost."""
    gains = {kind: curve.at(cost) for kind, curve in curves.items()}
    known = {kind: other for kind, other in gains.items() if other is not None}
    if not known:
        return f"The network {name} loses {cost:.3f} points a game, more than with any noise measured."
    parts = [f"{other:+.3f} with {kind}" for kind, other in known.items()]
    closest = min(known, key=lambda kind: abs(known[kind] - gain.mean))
    return (
        f"The network {name} loses {cost:.3f} points a game to the network without errors, and "
        f"depth 3 gains it {_text(gain)}. Where noise costs as much, depth 3 gains "
        f"{', '.join(parts)}. The closest is {closest}."
    )


def _draw_wins(axes: Axes, results: MeetingResults, kind: str) -> None:
    """Draw the share of games won with a kind of errors, and with errors of the outputs at depth 5."""
    results.draw_wins(kind, axes)
    if _OUTPUTS in results and kind != _OUTPUTS.source.name:
        size, wins = _OUTPUTS.source.size, results[_OUTPUTS].fair_wins
        name = f"depth 5, errors of the {_OUTPUTS.source.name}"
        reach = [100 * (wins.high - wins.mean)]
        draw_points(axes, name, [size], [100 * wins.mean], reach, look(name, 2))


def _draw_kinds(axes: Axes, curves: Mapping[str, _Curve], networks: Mapping[str, tuple[float, Mean]]) -> None:
    """Draw the gain of depth 3 by the cost of the errors, a line for each kind of noise."""
    for place, (kind, curve) in enumerate(curves.items()):
        axes.plot(*curve, label=kind, **look(kind, place))
    if networks:
        name, costs = "weak networks", [cost for cost, _ in networks.values()]
        means = [gain.mean for _, gain in networks.values()]
        reach = [gain.high - gain.mean for _, gain in networks.values()]
        draw_points(axes, name, costs, means, reach, look(name, 5))
    for network, (cost, gain) in networks.items():
        label_point(axes, network, cost, gain.mean)
    axes.set(xlim=(0, 0.7), ylim=(0, 0.7))
    axes.set_xlabel("points a game that depth 1 loses by the errors")
    axes.set_ylabel("points a game that depth 3 gains")
