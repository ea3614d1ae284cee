"""The half of `gammon_lab.programs.bgsage` that runs where bgsage is installed.

`gammon_lab.programs.server` loads this file in another Python, so the file imports nothing from the
package and uses nothing newer than Python 3.10.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

#: Turns after which `games:N` ends, with an evaluation at bgsage's 2-ply.
GAMES_TURNS = 7


def turned_bar(points: list[int]) -> list[int]:
    """Return points as a board of bgsage, or a board of bgsage as points.

    They differ in the sign of the opponent's checkers on the bar, which is positive in bgsage.
    """
    return [-points[0], *points[1:]]


def one_die_off(points: Sequence[int], dice: Sequence[int]) -> list[int] | None:
    """Return the illegal play that bgsage 2.0 is known to allow, where there is one.

    The roller has one checker left, on a point that the larger die bears off but the
    smaller does not. The smaller die hits first, and the larger die then bears off. Both dice
    must be played if possible, so the hit is forced; by a known defect, bgsage also allows the
    larger die alone.

    Returns:
        The position after the larger die alone, seen from the mover, or None.
    """
    low, high = sorted(dice)
    own = [(p, count) for p, count in enumerate(points) if count > 0]
    if len(own) != 1 or own[0][1] != 1:
        return None
    point = own[0][0]
    if not (low < point <= high and points[point - low] == -1):
        return None
    return [0 if p == point else count for p, count in enumerate(points)]


class Program:
    """bgsage, for money without the cube. Its methods answer questions."""

    def __init__(self) -> None:
        self.bgsage = importlib.import_module("bgsage")
        self.analyzers: dict[str, Any] = {}

    def _analyzer(self, level: str) -> Any:
        """Return bgsage's analyzer for a level of `Bgsage.worths`."""
        if level not in self.analyzers:
            name, _, trials = level.partition(":")
            more: dict[str, Any] = {"eval_level": name}
            if name == "games":
                more = {
                    "eval_level": "rollout",
                    "n_trials": int(trials),
                    "filter_max_moves": 1,
                    "truncation_depth": GAMES_TURNS,
                    "truncation_ply": 2,
                }
            self.analyzers[level] = self.bgsage.BgBotAnalyzer(cubeful=False, parallel_threads=1, **more)
        return self.analyzers[level]

    def plays(self, points: list[int], dice: list[int], level: str, *kept: list[int]) -> Any:
        """Return bgsage's analysis of all plays, the best play first.

        Args:
            points: the position.
            dice: the roll.
            level: a level of bgsage.
            kept: positions after plays that its filter must not leave out.
        """
        # Without an owner of the cube, the move filter uses cubeless equity, too.
        more = {"force_boards": [turned_bar(play) for play in kept]} if kept else {}
        analysis = self._analyzer(level).checker_play(turned_bar(points), *dice, cube_owner=None, **more)
        return analysis.moves

    def value(self, points: list[int], level: str) -> list[float]:
        """Return the equity of a position for the player on roll, and its standard error."""
        # bgsage takes the view of the opponent, who has just moved.
        board = turned_bar([-count for count in reversed(points)])
        analytics = self._analyzer(level).post_move_analytics(board, cube_owner="centered", jacoby=False)
        return [-analytics.cubeless_equity, analytics.cubeless_se or 0.0]

    def successors(self, points: list[int], dice: list[int]) -> list[list[int]]:
        """Return the position after each play that bgsage allows (the position itself for a pass)."""
        boards = self.bgsage.possible_moves(turned_bar(points), *dice)
        return [turned_bar(board) for board in boards] or [points]

    def best_play(self, points: list[int], dice: list[int], plies: int | str) -> list[int]:
        """Return the position after the best play, with the default move filter.

        Args:
            points: the position.
            dice: the roll.
            plies: the number of plies, or a level with rollouts, `1T` to `3T`.
        """
        level = f"truncated{plies[0]}" if isinstance(plies, str) else f"{plies}ply"
        moves = self.plays(points, dice, level)
        plays = [turned_bar(play.board) for play in moves]
        illegal = one_die_off(points, dice)
        return next((play for play in plays if play != illegal), points)

    def worths(self, points: list[int], dice: list[int], level: str, plays: list[list[int]]) -> list[float]:
        """Return the equities of plays by a level of bgsage."""
        moves = self.plays(points, dice, level, *plays)
        worth = {tuple(turned_bar(play.board)): play.equity for play in moves}
        return [worth[tuple(play)] for play in plays]
