"""Janowski's model of the cube: from the chances of the six results to a cubeful value.

A value is a mixture of two. With a *dead* cube nobody turns it any more: this is the cubeless
value. With a *live* cube it is turned at the last moment, when a pass and a take are equally
good for the opponent: this value is linear in the chance to win between the points at which the
cube is turned. The weight of the live value is the *efficiency* of the cube (`efficiency.py`).

For money (R. Janowski, "Take-Points in Money Games", 1993) these points follow from the mean
points of a win and of a loss. In a match they follow from the chances to win the match after the
game, by GNU Backgammon's generalization. These are GNU Backgammon's formulas for a position
that it does not search, apart from exact bearoffs and from doubles that cost nothing
(`costs_nothing`).

This module is the definition, in plain Python. `cubeful.py` compiles the same, except for races
without exact values: there `race_cube.py` defines the value of a leaf.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gammon.eval.bearoff_cube import covers, exact_money
from gammon.eval.efficiency import cube_efficiency, efficiency_in_race
from gammon.rules.board import Points
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Terms

#: Within this of 0 or 1, a chance to win counts as certain, and the cube as dead.
CERTAIN = 1e-7
#: Efficiency when doubling costs nothing, because the side loses the match anyway: with it,
#: leaves agree best with searches to depth 5 (docs/leaf_values.md).
COSTS_NOTHING = 0.95
#: The index of a plain win among the six results.
_WIN = 3


class _Side(NamedTuple):
    """The wins of one side.

    Attributes:
        win: chance to win.
        single, gammon, backgammon: shares of these results among the wins.
    """

    win: float
    single: float
    gammon: float
    backgammon: float

    @classmethod
    def of(cls, single: float, gammon: float, backgammon: float) -> "_Side":
        """Return a side with these chances of a plain win, a gammon and a backgammon."""
        win = single + gammon + backgammon
        if win <= 0.0:
            return cls(0.0, 1.0, 0.0, 0.0)
        return cls(win, single / win, gammon / win, backgammon / win)

    @property
    def points(self) -> float:
        """The mean points of a win, in units of the cube."""
        return self.single + 2.0 * self.gammon + 3.0 * self.backgammon


def _sides(results: Sequence[float]) -> tuple[_Side, _Side]:
    """Return the wins of the player on roll and of the opponent."""
    lose_bg, lose_g, lose, win, win_g, win_bg = results
    return _Side.of(win, win_g, win_bg), _Side.of(lose, lose_g, lose_bg)


def _on_line(x: float, points: Sequence[tuple[float, float]]) -> float:
    """Return the height at x of the piecewise linear curve through points from left to right."""
    piece = 1
    while piece < len(points) - 1 and x > points[piece][0]:
        piece += 1
    (x0, y0), (x1, y1) = points[piece - 1 : piece + 1]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def _mixture(
    dead: float, win: float, points: list[tuple[float, float]], owner: int, efficiency: float
) -> float:
    """Return the value of rolling: a mixture of the values with a dead cube and with a live one.

    Args:
        dead: the value with a dead cube.
        win: the chance to win.
        points: chances to win and the values there with a live cube that either player may turn: a
            certain loss, the take point, the cash point and a certain win.
        owner: the owner of the cube, 1, 0 or -1. Without a double by the opponent there is no take point, and
            without one by the player no cash point.
        efficiency: the share of the live cube.
    """
    if owner > 0:
        del points[1]
    if owner < 0:
        del points[2]
    return (1.0 - efficiency) * dead + efficiency * _on_line(win, points)


def static_value(
    points: Points,
    results: Sequence[float],
    terms: Terms,
    table: MatchEquityTable | None = None,
    pips: str = "roller",
) -> float:
    """Return the value of rolling now to the player on roll.

    It follows Janowski's model, unless the exact value for money is known: money uses that
    value, and a match uses the model with the efficiency derived from it.

    Args:
        points: 26 counts, seen from the player on roll; the game is not over.
        results: chances of the six results for that player; see `gammon.rules.outcome`.
        terms: that player's terms.
        table: the match equity table; not needed for money.
        pips: whose pips decide the efficiency; see `cube_efficiency`.

    Returns:
        Points per unit of the cube, or the chance to win the match.

    Raises:
        SettingError: `pips` is invalid.
        GammonError: memory does not suffice for the bearoff tables.
    """
    known, efficiency = covers(points), cube_efficiency(points, pips)
    if not terms.length:
        if known and terms.live:
            return exact_money(points, terms)
        return money_value(results, terms, efficiency)
    assert table is not None, "a match has a table"
    if known:
        exact = exact_money(points, Terms(cube=terms.cube, owner=terms.owner))
        efficiency = efficiency_in_race(results[_WIN], terms.owner, exact)
    return match_value(results, terms, efficiency, table)


def money_value(results: Sequence[float], terms: Terms, efficiency: float) -> float:
    """Return the value of rolling now to the player on roll, for money.

    Args:
        results: chances of the six results for that player; see `gammon.rules.outcome`.
        terms: terms of a money game.
        efficiency: efficiency of the cube, from 0 (dead) to 1 (live).

    Returns:
        Points per unit of the cube.
    """
    own, their = _sides(results)
    win, worth, loss = own.win, own.points, their.points
    no_gammons = terms.jacoby and terms.owner == 0
    dead = win - their.win if no_gammons else win * worth - their.win * loss
    if terms.dead or not CERTAIN < win < 1.0 - CERTAIN:
        return dead
    take = (loss - 0.5) / (worth + loss + 0.5)
    cash = (loss + 1.0) / (worth + loss + 0.5)
    lowest, highest = (-1.0, 1.0) if no_gammons else (-loss, worth)
    points = [(0.0, lowest), (take, -1.0), (cash, 1.0), (1.0, highest)]
    return _mixture(dead, win, points, terms.owner, efficiency)


def match_value(results: Sequence[float], terms: Terms, efficiency: float, table: MatchEquityTable) -> float:
    """Return the chance of the player on roll to win the match, rolling now.

    Args:
        results: chances of the six results for that player; see `gammon.rules.outcome`.
        terms: terms of a match.
        efficiency: efficiency of the cube, from 0 (dead) to 1 (live), unless a double costs
            nothing.
        table: the match equity table.
    """
    if costs_nothing(terms):
        efficiency = COSTS_NOTHING
    return match_mixture(results, terms, efficiency, table)


def match_mixture(
    results: Sequence[float], terms: Terms, efficiency: float, table: MatchEquityTable
) -> float:
    """Return the value of `match_value` with this efficiency at any score."""
    own, their = _sides(results)
    cube = terms.cube
    if_won, if_lost = _mean(own, terms, cube, table), _mean(their, terms, -cube, table)
    dead = own.win * if_won + their.win * if_lost
    if terms.dead or not CERTAIN < own.win < 1.0 - CERTAIN:
        return dead
    cash = _cash_point(own, their, terms, cube, table)
    take = 1.0 - _cash_point(their, own, terms.for_opponent(), cube, table)
    passed, cashed = table.after(terms, -cube), table.after(terms, cube)
    points = [(0.0, if_lost), (take, passed), (cash, cashed), (1.0, if_won)]
    return _mixture(dead, own.win, points, terms.owner, efficiency)


def costs_nothing(terms: Terms) -> bool:
    """Return whether a side may double although a loss costs it the match anyway.

    The trailer after the Crawford game is such a side. It doubles at its next turn, and then
    the cube is dead: the cube is as good as turned at the last moment, so nearly live.
    """
    (own, their), cube = terms.away, terms.cube
    return (terms.owner >= 0 and own > cube >= their) or (terms.owner <= 0 and their > cube >= own)


def _mean(side: _Side, terms: Terms, cube: int, table: MatchEquityTable) -> float:
    """Return the chance to win the match after a win of a side: the player, or at -cube the opponent."""
    return (
        side.single * table.after(terms, cube)
        + side.gammon * table.after(terms, 2 * cube)
        + side.backgammon * table.after(terms, 3 * cube)
    )


def _cash_point(own: _Side, their: _Side, terms: Terms, cube: int, table: MatchEquityTable) -> float:
    """Return the smallest chance to win at which a double is passed.

    Args:
        own: the wins of the player who doubles.
        their: the wins of the opponent.
        terms: as the doubling player sees them; cube and owner in them do not matter.
        cube: value of the cube before the double.
        table: the match equity table.
    """
    passed = table.after(terms, cube)
    if min(terms.away) <= 2 * cube:
        # A cube at 2 is the last one, unless the opponent must redouble at once.
        last = 4 * cube if terms.away[0] <= 2 * cube < terms.away[1] else 2 * cube
        won, lost = _mean(own, terms, last, table), _mean(their, terms, -last, table)
        return _ratio(passed - lost, won - lost)
    won, turned_back = _mean(own, terms, 2 * cube, table), table.after(terms, -2 * cube)
    redouble = _cash_point(their, own, terms.for_opponent(), 2 * cube, table)
    return 1.0 - redouble * _ratio(won - passed, won - turned_back)


def _ratio(part: float, whole: float) -> float:
    """Return a quotient, or 1 if the whole is 0 and nothing is at stake."""
    return part / whole if whole > 0.0 else 1.0
