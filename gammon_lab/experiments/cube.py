"""What is depth worth with the cube? Our own study: matches of deeper players, and decisions.

Players of depth 1, 3 and 5 play games for money without the cube and with it, and matches to 7
points. In addition, searches of all depths make the cube decisions in positions of self-play: how
often does a deeper search double or take differently, and what is the difference worth by the
deepest search?
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gammon.base.mean import mean_and_told_error
from gammon.core.estimate import EQUAL
from gammon.engine.cube import CubeAnswer, CubeDecision
from gammon.engine.engine import Engine
from gammon.formats.position import Position
from gammon.match.match import MatchSettings
from gammon.match.player import Player
from gammon.match.result import MatchResult
from gammon.rules.terms import Terms
from gammon_lab.bench.positions import self_play_positions
from gammon_lab.experiments.study import Study
from gammon_lab.report import Cell, Figure, Report, Sheet
from gammon_study.view.plot import Axes, draw_level, draw_points, look

#: The depths of the two players, the deeper one first, and their pairs of games or matches.
_MEETINGS = {(3, 1): 1000, (5, 1): 100, (5, 3): 100}


class _Kind(NamedTuple):
    """A kind of game.

    Attributes:
        name: the name of its matches.
        length: points of a match, 0 for money.
        cube: whether there is a cube.
        fewer: how many times as long a game of this kind takes as a game for money.
    """

    name: str
    length: int
    cube: bool
    fewer: int


_KINDS = (_Kind("money, cubeless", 0, False, 1), _Kind("money", 0, True, 1), _Kind("7 points", 7, True, 8))
_DEPTHS = (1, 3, 5)
#: The terms of decisions.
_TERMS = (
    Terms(),
    Terms(cube=2, owner=1),
    Terms(7, (7, 7)),
    Terms(7, (3, 5)),
    Terms(7, (5, 3)),
    Terms(7, (2, 4)),
    Terms(7, (4, 2)),
    Terms(7, (3, 3)),
)
_DECISIONS = 3000
#: A decision is close if a double gains or costs less than this by the deepest search.
_CLOSE = 0.2

_WORTH_COLUMNS = (
    "kind", "deeper", "against", "matches", "games", "unit", "gain", "s.e.", "low", "high",
    "doubles a game", "theirs",
)  # fmt: skip
_CHANGE_COLUMNS = ("decisions", "depth", "number", "doubles otherwise %", "takes otherwise %", "lost", "s.e.")


def _actions(decision: CubeDecision) -> tuple[bool, bool]:
    """Return whether a double is right, and whether a take of it is."""
    return (decision.gain or 0.0) > 0.0, decision.answer is not CubeAnswer.PASS


def reproduce(study: Study) -> Report:
    """Play the matches, search the decisions, and return their tables and a plot.

    Raises:
        GammonError: the folder cannot be written.
    """
    share = 50 if study.quick else 1
    decisions = _DECISIONS // share
    matches = [
        (kind, depths, _match_of(kind, depths, 2 * max(pairs // share // kind.fewer, 2)))
        for kind in _KINDS
        for depths, pairs in _MEETINGS.items()
        if not study.quick or depths == (3, 1)
    ]
    total, done = sum(match.games for *_, match in matches) + decisions, 0
    worth = []
    for kind, depths, match in matches:
        worth.append(_worth_row(kind, depths, study.part(done, total).play(match)))
        done += match.games
    return _report(study, worth, _decided(study.part(done, total), decisions))


def _match_of(kind: _Kind, depths: tuple[int, int], games: int) -> MatchSettings:
    """Return the settings of a match, with a folder of its own."""
    folder = f"{kind.name.replace(', ', '-').replace(' ', '-')}-{depths[0]}-{depths[1]}"
    return MatchSettings(
        Player(depths[0]),
        Player(depths[1]),
        games,
        Path(folder),
        length=kind.length,
        cubeful=kind.cube and not kind.length,
    )


def _decided(study: Study, count: int) -> list[tuple[CubeDecision, ...]]:
    """Return the decisions of searches of all depths, one tuple per position."""
    engines = [Engine(depth) for depth in (_DEPTHS[:2] if study.quick else _DEPTHS)]
    boards = self_play_positions(Engine(depth=1, cubeless=True), count, study.seed)
    positions = [
        Position(points).with_terms(_TERMS[number % len(_TERMS)]) for number, (points, _) in enumerate(boards)
    ]
    return [tuple(engine.cube(position) for engine in engines) for position in study.steps(positions)]


def _report(study: Study, worth: list[list[Cell]], decisions: list[tuple[CubeDecision, ...]]) -> Report:
    """Return the report with the rows of the matches and the decisions."""
    deepest = max(decision.depth for decision in decisions[0])
    close = [by_depth for by_depth in decisions if abs(by_depth[-1].gain or 0.0) < _CLOSE]
    changes = [*_change_rows("all", decisions), *_change_rows("close", close)]
    tables = [
        Sheet("cube-worth", "What depth is worth, luck taken out", _WORTH_COLUMNS, worth),
        Sheet("cube-changes", "Decisions that change with depth", _CHANGE_COLUMNS, changes),
    ]
    notes = [
        "The gain is the deeper player's: points a game for money (with the cube, points "
        "times the cube), and in matches the share of matches won beyond a half, in per cent. "
        "`low` and `high` are the ends of the 95 % interval.",
        f"Decisions are of every seventh position of self-play, at {len(_TERMS)} terms in "
        "turn: for money with a centred cube and with one's own, and at scores of matches to 7 "
        "points. The decisions of shallower searches are compared with the decisions at depth "
        f"{deepest}: `lost` is the mean loss of both players' actions, by the deepest search, "
        "in points of the cube or EMG. Where two actions are worth the same by that search, "
        "they do not count as different. A decision is close if by that search a double gains or "
        f"costs less than {_CLOSE}.",
        f"Seed {study.seed}, network leaf.",
    ]
    figure = Figure("cube-worth", lambda axes: _draw(axes, worth))
    return Report("Depth with the cube", tables, [figure], notes)


def _worth_row(kind: _Kind, depths: tuple[int, int], result: MatchResult) -> list[Cell]:
    """Return the row of a match."""
    mean, _, low, high = result.adjusted
    error, unit = result.adjusted.told_error, "points a game"
    if kind.length:
        unit = "% of matches"
        mean, low, high = (100 * (n - 0.5) for n in (mean, low, high))
        error = None if error is None else 100 * error
    doubles = result.doubles if kind.cube else (None, None)
    numbers = [mean, error, low, high]
    return [kind.name, *depths, result.matches, result.games, unit, *numbers, *doubles]


def _change_rows(name: str, decisions: list[tuple[CubeDecision, ...]]) -> Iterable[list[Cell]]:
    """Yield a row for each depth but the deepest."""
    for place, decision in enumerate(decisions[0][:-1] if decisions else ()):
        other = np.array([_actions(by_depth[place]) for by_depth in decisions])
        other = other != np.array([_actions(by_depth[-1]) for by_depth in decisions])
        right = [(by_depth[-1].gain, by_depth[-1].answer_gain) for by_depth in decisions]
        losses = np.abs(np.array(right, float))
        other &= losses > EQUAL  # actions that are worth the same are not different
        shares = 100 * other.mean(axis=0)
        lost = np.where(other, losses, 0.0).sum(axis=1)
        yield [name, decision.depth, len(decisions), *shares.tolist(), *mean_and_told_error(lost)]


def _draw(axes: Axes, rows: list[list[Cell]]) -> None:
    """Draw points a game, with and without the cube."""
    kinds = [kind for kind in _KINDS if not kind.length]
    for offset, kind in enumerate(kinds):
        mine = [row for row in rows if row[0] == kind.name]
        places = [number + 0.16 * (offset - 0.5) for number in range(len(mine))]
        gains = np.array([[row[6], row[9]] for row in mine], np.float64)
        draw_points(axes, kind.name, places, gains[:, 0], gains[:, 1] - gains[:, 0], look(kind.name, offset))
    labels = [f"depth {row[1]} against {row[2]}" for row in rows if row[0] == kinds[0].name]
    axes.set_xticks(range(len(labels)), labels)
    draw_level(axes, 0.0)
    axes.set_ylabel("points a game of the deeper player (95 % intervals)")
