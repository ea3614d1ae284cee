"""The report of the noise study: its tables, its plots, and what they say."""

from collections.abc import Mapping, Sequence

import numpy as np

from gammon.experiments.noise_design import EQUITY, FILTERED, Meeting, Source
from gammon.experiments.noise_errors import COLUMNS, Spread, spread_row
from gammon.experiments.noise_plot import Line, draw_points_won, draw_wins
from gammon.experiments.plot import Axes, draw_points, label_point, look
from gammon.experiments.report import Cell, Figure, Report, Sheet
from gammon.match.result import Mean, Result

__all__ = ["noise_report"]

Results = Mapping[Meeting, Result]
#: Of one kind of errors: what they cost depth 1, and what depth 3 gains, in points a game.
Curve = tuple[list[float], list[float]]

_MATCH_COLUMNS = (
    "errors", "size", "depth", "against", "games", "points", "s.e.", "points as played",
    "s.e. as played", "won %", "s.e. %", "won % as played", "s.e. % as played", "gammons %",
    "lost %", "turns",
)  # fmt: skip
_OUTPUTS = Meeting(Source("outputs", 0.03), 5)
_NO_COST = Source(EQUITY, 0.0)


def noise_report(
    seed: int,
    results: Results,
    spreads: Mapping[Source, Sequence[Spread]],
    decisions: int,
) -> Report:
    """Return the report of the study.

    Args:
        seed: of the study.
        results: of the matches.
        spreads: of the errors, at depths 1 and 3.
        decisions: how many the spreads are of.
    """
    tables = [
        _points(results),
        _wins(results),
        _kinds(results),
        _same_cost(results),
        Sheet(
            "noise-errors", "How alike errors are, and what depth 3 leaves of them", COLUMNS,
            [spread_row(*source, *found) for source, found in spreads.items()],
        ),
        Sheet("noise-matches", "All matches", _MATCH_COLUMNS, [
            _match_row(*each) for each in results.items()
        ]),
    ]  # fmt: skip
    figures = [
        Figure(
            "noise-points",
            lambda axes: draw_points_won(axes, _lines(results, False), "the same errors"),
        ),
        Figure(
            "noise-clean",
            lambda axes: draw_points_won(axes, _lines(results, True), "no errors"),
        ),
        Figure("noise-wins", lambda axes: _draw_wins(axes, results)),
        Figure("noise-kinds", lambda axes: _draw_kinds(axes, results)),
    ]
    notes = [
        f"Single games for money without the cube, in pairs with the same dice and swapped "
        f"seats, the same dice in all matches; seed {seed}. Points are those of the deeper "
        "player, a game, with the luck of the dice taken out by the network without errors; "
        "+- is one standard error. Shares of games won are less what that luck predicts.",
        f"Errors that are measured are those of the plays of {decisions:,} decisions with "
        "contact that lose less than .2 points: `between plays` is their standard deviation "
        "around the mean of a decision, `left` its share that depth 3 leaves, and `alike` the "
        "share of an error's variance that all plays of a decision have in common.",
        "Errors `equity` are independent errors of the equity, in points; `outputs` are errors "
        "of each of the five chances; with `alike-8`, `alike-3` and `alike-1` every window of "
        "that many neighbouring points has an error of its own, and that of the position is "
        "their sum. `early` and `middle` are networks that learned for some minutes, and "
        "`probe` is a very small one; they have no other errors than their own.",
        *_findings(results),
    ]
    return Report("Noise: does depth matter?", tables, figures, notes)


def _text(mean: Mean | None, scale: float = 1.0) -> str | None:
    """Return a mean and its standard error as people read them."""
    if mean is None:
        return None
    if scale == 1.0:
        return f"{mean.mean:+.3f} ± {mean.error:.3f}"
    return f"{scale * mean.mean:.1f} ± {scale * mean.error:.1f}"


def _adjusted(results: Results, source: Source, depth: int, clean: bool) -> Mean | None:
    """Return the points of a match, if there was one."""
    if clean and source == _NO_COST:
        clean = False  # without errors, both opponents are one
    found = results.get(Meeting(source, depth, clean))
    return found and found.adjusted


def _sizes(results: Results, kind: str) -> list[float]:
    return sorted({meeting.source.size for meeting in results if meeting.source.name == kind})


def _sources(results: Results) -> list[Source]:
    """Return all sources of errors, in the order of their first matches."""
    return list(dict.fromkeys(meeting.source for meeting in results))


def _kinds_of(results: Results) -> list[str]:
    """Return the kinds of noise, in the order of their first matches."""
    named = [each.name for each in _sources(results) if not each.is_network]
    return list(dict.fromkeys(named))


def _columns(results: Results) -> list[tuple[int, bool]]:
    """Return the depths of the players with errors of the equity, and whom they met."""
    found = {(m.depth, m.clean) for m in results if m.source.name == EQUITY}
    return sorted(found, key=lambda each: (each[1], each[0]))


def _points(results: Results) -> Sheet:
    columns = _columns(results)
    rows: list[list[Cell]] = [
        [size, *(_text(_adjusted(results, Source(EQUITY, size), *each)) for each in columns)]
        for size in _sizes(results, EQUITY)
    ]
    names = [
        f"depth {depth}{', filtered' if depth == FILTERED else ''}, "
        f"{'none' if clean else 'same errors'}"
        for depth, clean in columns
    ]
    title = "Points a game against depth 1, independent errors of the equity"
    return Sheet("noise-points", title, ("sigma", *names), rows)


def _wins(results: Results) -> Sheet:
    rows: list[list[Cell]] = [
        [
            *meeting.source, meeting.depth, result.games, _text(result.wins, 100.0),
            _text(result.fair_wins, 100.0),
        ]
        for meeting, result in sorted(results.items(), key=lambda each: each[0].depth)
        if (meeting.source.name == EQUITY or meeting == _OUTPUTS) and not meeting.clean
    ]  # fmt: skip
    columns = ("errors", "size", "depth", "games", "won %", "won %, luck taken out")
    return Sheet("noise-wins", "Games won against depth 1 with the same errors", columns, rows)


def _made_up(cost: Mean | None, gain: Mean | None) -> float | None:
    """Return how much of what errors cost depth 1 a deeper search makes up, in per cent."""
    return None if cost is None or gain is None else 100 * gain.mean / -cost.mean


def _kinds(results: Results) -> Sheet:
    rows: list[list[Cell]] = []
    for source in _sources(results):
        cost = _adjusted(results, source, 1, True)
        three, five = (_adjusted(results, source, depth, False) for depth in (3, 5))
        share = _made_up(cost, three)
        rows.append([
            source.name, source.size or None, _text(cost), _text(three), _text(five),
            None if share is None else round(share),
        ])  # fmt: skip
    columns = (
        "errors", "size", "depth 1 against none", "depth 3 against the same",
        "depth 5 against the same", "depth 3 / cost, %",
    )  # fmt: skip
    return Sheet("noise-kinds", "What errors cost, and what depth gains", columns, rows)


def _curve(results: Results, kind: str) -> Curve:
    """Return what errors of a kind cost depth 1, in rising order, and what depth 3 gains.

    It begins with the gain without errors, which cost nothing.
    """
    found = []
    for source in [_NO_COST, *(Source(kind, size) for size in _sizes(results, kind) if size)]:
        cost = _adjusted(results, source, 1, True)
        gain = _adjusted(results, source, 3, False)
        if gain is not None:
            found.append((0.0 if cost is None else -cost.mean, gain.mean))
    costs, gains = zip(*sorted(found), strict=True)
    return list(costs), list(gains)


def _at_cost(curve: Curve, cost: float) -> float | None:
    """Return the gain of depth 3 where errors have this cost, if it was measured there."""
    costs, gains = curve
    return float(np.interp(cost, costs, gains)) if costs[0] <= cost <= costs[-1] else None


def _networks(results: Results) -> dict[str, tuple[float, Mean]]:
    """Return what a weak network loses at depth 1, and what it gains at depth 3, by name."""
    found = {}
    for source in _sources(results):
        cost, gain = _adjusted(results, source, 1, True), _adjusted(results, source, 3, False)
        if source.is_network and cost is not None and gain is not None:
            found[source.name] = -cost.mean, gain
    return found


def _same_cost(results: Results) -> Sheet:
    kinds = _kinds_of(results)
    rows: list[list[Cell]] = [
        [name, round(cost, 3), _text(gain), *(_rounded(results, kind, cost) for kind in kinds)]
        for name, (cost, gain) in _networks(results).items()
    ]
    return Sheet(
        "noise-same-cost", "What depth 3 gains where errors cost depth 1 as much",
        ("network", "it loses", "it gains", *kinds), rows,
    )  # fmt: skip


def _rounded(results: Results, kind: str, cost: float) -> str | None:
    gain = _at_cost(_curve(results, kind), cost)
    return None if gain is None else f"{gain:+.3f}"


def _match_row(meeting: Meeting, result: Result) -> list[Cell]:
    against = "no errors" if meeting.clean else "the same errors"
    shares = [100 * n for n in (*result.fair_wins[:2], *result.wins[:2], *result.gammons)]
    return [
        *meeting.source, meeting.depth, against, result.games, *result.adjusted[:2],
        *result.points[:2], *shares, result.turns,
    ]  # fmt: skip


def _findings(results: Results) -> list[str]:
    """Return what the matches say of depth, and of the networks."""
    sizes = _sizes(results, EQUITY)
    found = [
        f"{'With errors of ' + format(size, 'g') if size else 'Without errors'} "
        f"{_by_depth(results, size, False)} points a game from depth 1, which has the same."
        for size in (sizes[0], sizes[-1])
    ]
    found += [
        f"From depth 1 without errors, with errors of {size:g} "
        f"{_by_depth(results, size, True)} points a game."
        for size in sizes
        if size
    ]
    return found + [_of_network(results, *each) for each in _networks(results).items()]


def _by_depth(results: Results, size: float, clean: bool) -> str:
    """Return the points that players of each depth with errors of a size win, in words."""
    won = [
        f"depth {depth} wins {_text(points)}"
        for depth in sorted({meeting.depth for meeting in results})
        if (points := _adjusted(results, Source(EQUITY, size), depth, clean)) is not None
    ]
    return ", ".join(won)


def _of_network(results: Results, name: str, found: tuple[float, Mean]) -> str:
    """Return how a weak network compares with noise that costs as much, in words."""
    cost, gain = found
    at = {kind: _at_cost(_curve(results, kind), cost) for kind in _kinds_of(results)}
    text = (
        f"The network {name} loses {cost:.3f} points a game to the one without errors, and "
        f"depth 3 gains it {_text(gain)}. Where noise costs as much, depth 3 gains"
    )
    independent = at[EQUITY]
    parts = []
    for kind, other in at.items():
        if other is not None:
            parts.append(f" {other:+.3f} with {kind}")
            if kind != EQUITY and independent is not None and independent > gain.mean:
                share = (independent - other) / (independent - gain.mean)
                parts[-1] += f" ({100 * share:.0f} % of the way to the network)"
    measured = {kind: other for kind, other in at.items() if other is not None}
    if not measured:
        return f"The network {name} loses {cost:.3f} points a game, more than any noise here."
    closest = min(measured, key=lambda kind: abs(measured[kind] - gain.mean))
    return f"{text}{','.join(parts)}. The closest is {closest}."


def _lines(results: Results, clean: bool) -> list[Line]:
    """Return for each depth the sizes of errors of the equity, and the results."""
    lines = []
    for depth in sorted({m.depth for m in results if m.source.name == EQUITY}):
        found = {
            m.source.size: result
            for m, result in results.items()
            if m.source.name == EQUITY and m.depth == depth
            and (m.clean == clean or m.source == _NO_COST)
        }  # fmt: skip
        if len(found) > 1:
            sizes = sorted(found)
            lines.append((depth, sizes, [found[size] for size in sizes]))
    return lines


def _draw_wins(axes: Axes, results: Results) -> None:
    draw_wins(axes, _lines(results, False), lambda result: result.fair_wins, "the same errors")
    if _OUTPUTS in results:
        size, wins = _OUTPUTS.source.size, results[_OUTPUTS].fair_wins
        name = f"depth 5, errors of the {_OUTPUTS.source.name}"
        reach = [100 * (wins.high - wins.mean)]
        draw_points(axes, name, [size], [100 * wins.mean], reach, look(name, 2))


def _draw_kinds(axes: Axes, results: Results) -> None:
    for place, kind in enumerate(_kinds_of(results)):
        costs, gains = _curve(results, kind)
        axes.plot(costs, gains, label=kind, **look(kind, place))
    networks = _networks(results)
    if networks:
        costs = [cost for cost, _ in networks.values()]
        means = [gain.mean for _, gain in networks.values()]
        reach = [gain.high - gain.mean for _, gain in networks.values()]
        draw_points(axes, "weak networks", costs, means, reach, look("weak networks", 5))
        for name, (cost, gain) in networks.items():
            label_point(axes, name, cost, gain.mean)
    axes.set_xlim(0, 0.7)
    axes.set_ylim(0, 0.7)
    axes.set_xlabel("points a game that depth 1 loses by the errors")
    axes.set_ylabel("points a game that depth 3 gains")
