"""What is depth worth with the cube? Our own study: matches of deeper players, and decisions.

Players of depth 1, 3 and 5 meet in games for money without the cube, in the same with it, and
in matches to 7 points. Apart from that, searches of all depths decide about the cube where
games of self-play went: how often does a deeper one double or take otherwise, and what is that
worth by its own values?
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
from gammon_lab.experiments.sample import self_play_positions
from gammon_lab.experiments.study import Study
from gammon_lab.reports.report import Cell, Figure, Report, Sheet
from gammon_study.view.plot import Axes, draw_level, draw_points, look

#: The depth of the better player and of the other one, and pairs of games or matches.
_MEETINGS = {(3, 1): 1000, (5, 1): 100, (5, 3): 100}


class _Kind(NamedTuple):
    """A kind of game.

    Attributes:
        name: of its matches.
        length: points of a match, 0 for money.
        cube: whether there is one.
        fewer: how many times as long a game of the kind takes as one for money.
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
#: A decision is close if by the deepest search a double gains or costs less.
_CLOSE = 0.2

_WORTH_COLUMNS = (
    "kind", "deeper", "against", "matches", "games", "unit", "gain", "s.e.", "low", "high",
    "doubles a game", "theirs",
)  # fmt: skip
_CHANGE_COLUMNS = ("decisions", "depth", "number", "doubles otherwise %", "takes otherwise %", "lost", "s.e.")


def _actions(decision: CubeDecision) -> tuple[bool, bool]:
    """Return whether a double is right, and a take of it."""
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
    """Return a match in a folder of its own."""
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
    """Return decisions by searches of all depths."""
    engines = [Engine(depth) for depth in (_DEPTHS[:2] if study.quick else _DEPTHS)]
    boards = self_play_positions(Engine(depth=1, cubeless=True), count, study.seed)
    positions = [
        Position(points).with_terms(_TERMS[number % len(_TERMS)]) for number, (points, _) in enumerate(boards)
    ]
    return [tuple(engine.cube(each) for engine in engines) for each in study.steps(positions)]


def _report(study: Study, worth: list[list[Cell]], found: list[tuple[CubeDecision, ...]]) -> Report:
    """Return the report of the matches' rows and of the decisions."""
    deepest = max(decision.depth for decision in found[0])
    close = [each for each in found if abs(each[-1].gain or 0.0) < _CLOSE]
    changes = [*_change_rows("all", found), *_change_rows("close", close)]
    tables = [
        Sheet("cube-worth", "What depth is worth, luck taken out", _WORTH_COLUMNS, worth),
        Sheet("cube-changes", "Decisions that change with depth", _CHANGE_COLUMNS, changes),
    ]
    notes = [
        "The gain is that of the deeper player: points a game for money (with the cube, points "
        "times the cube), and in matches the share of matches won beyond a half, in per cent. "
        "`low` and `high` are the ends of the 95 % interval.",
        f"Decisions are of every seventh position of self-play, at {len(_TERMS)} terms in "
        "turn: for money with a centred cube and with one's own, and at scores of matches to 7 "
        "points. Compared is what a search of less depth does with that of depth "
        f"{deepest}: `lost` is the mean loss of both players' actions, by the deepest search, "
        "in points of the cube or EMG. Where both actions come to the same by that search, "
        "neither is another one. A decision is close if by it a double gains or "
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


def _change_rows(name: str, found: list[tuple[CubeDecision, ...]]) -> Iterable[list[Cell]]:
    """Return a row for each depth but the deepest."""
    for place, decision in enumerate(found[0][:-1] if found else ()):
        other = np.array([_actions(each[place]) for each in found])
        other = other != np.array([_actions(each[-1]) for each in found])
        right = [(each[-1].gain, each[-1].answer_gain) for each in found]
        losses = np.abs(np.array(right, float))
        other &= losses > EQUAL  # where both come to the same, neither is another decision
        shares = 100 * other.mean(axis=0)
        lost = np.where(other, losses, 0.0).sum(axis=1)
        yield [name, decision.depth, len(found), *shares.tolist(), *mean_and_told_error(lost)]


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
