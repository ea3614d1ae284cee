"""Janowski's model of the cube: from the chances of the six results to a cubeful value.

A value is a mixture of two. With a *dead* cube nobody turns it any more: that is the cubeless
value. With a *live* cube it is turned at the last moment, when the opponent is as well off with
a pass as with a take: that is linear in the chance to win between the points at which cubes
are turned. The share of the live value is the *efficiency* of the cube (`efficiency.py`).

For money (R. Janowski, "Take-Points in Money Games", 1993) the points follow from the mean
worth of a win and of a loss. In a match they follow from the chances to win the match after the
game, by GNU Backgammon's generalization. These are its formulas for a position that it does not
search, apart from exact bearoffs, and from doubles that cost nothing (`costs_nothing`).

This module is the definition, in plain Python. `cubeful.py` is the same compiled, but
in races that are no small bearoffs: there `race_cube.py` says what a leaf is worth.
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
#: The efficiency of a cube that a side may turn whose loss is the match in any case: with it,
#: leaves agree best with searches to depth 5 (docs/leaf_values.md).
COSTS_NOTHING = 0.95
#: The place of a plain win among the six results.
_WIN = 3


class _Side(NamedTuple):
    """The wins of one side.

    Attributes:
        win: their chance.
        single, gammon, backgammon: the shares of these among them.
    """

    win: float
    single: float
    gammon: float
    backgammon: float

    @classmethod
    def of(cls, single: float, gammon: float, backgammon: float) -> "_Side":
        """Return a side by the chances of its three ways to win."""
        win = single + gammon + backgammon
        if win <= 0.0:
            return cls(0.0, 1.0, 0.0, 0.0)
        return cls(win, single / win, gammon / win, backgammon / win)

    @property
    def points(self) -> float:
        """The mean points of a win, in units of the cube."""
        return self.single + 2.0 * self.gammon + 3.0 * self.backgammon


def _sides(results: Sequence[float]) -> tuple[_Side, _Side]:
    """Return what is known of the wins of the player on roll, and of the opponent."""
    lose_bg, lose_g, lose, win, win_g, win_bg = results
    return _Side.of(win, win_g, win_bg), _Side.of(lose, lose_g, lose_bg)


def _on_line(x: float, points: Sequence[tuple[float, float]]) -> float:
    """Return the height at x of the line through points from left to right."""
    piece = 1
    while piece < len(points) - 1 and x > points[piece][0]:
        piece += 1
    (x0, y0), (x1, y1) = points[piece - 1 : piece + 1]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def static_value(
    points: Points,
    results: Sequence[float],
    terms: Terms,
    table: MatchEquityTable | None = None,
    pips: str = "roller",
) -> float:
    """Return what rolling now is worth to the player on roll.

    It is the value of Janowski's model; but where the exact value for money is known, that one,
    and in a match the model with the efficiency that it shows.

    Args:
        points: 26 counts, seen from the player on roll; the game is not over.
        results: chances of the six results to that player; see `gammon.rules.outcome`.
        terms: what is at stake.
        table: the match equity table; not needed for money.
        pips: by which the efficiency goes; see `cube_efficiency`.

    Returns:
        Points per unit of the cube, or the chance to win the match.

    Raises:
        SettingError: there are no such `pips`.
        GammonError: there is too little memory for the tables of bearoffs.
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
    """Return what rolling now is worth to the player on roll, for money.

    Args:
        results: chances of the six results to that player; see `gammon.rules.outcome`.
        terms: of a money game.
        efficiency: of the cube, from 0 (dead) to 1 (live).

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
    if terms.owner > 0:
        del points[1]
    if terms.owner < 0:
        del points[2]
    return (1.0 - efficiency) * dead + efficiency * _on_line(win, points)


def match_value(results: Sequence[float], terms: Terms, efficiency: float, table: MatchEquityTable) -> float:
    """Return the chance to win the match, rolling now, of the player on roll.

    Args:
        results: chances of the six results to that player; see `gammon.rules.outcome`.
        terms: of a match.
        efficiency: of the cube, from 0 (dead) to 1 (live), unless a double costs nothing.
        table: says what the scores after the game are worth.
    """
    if costs_nothing(terms):
        efficiency = COSTS_NOTHING
    return match_mixture(results, terms, efficiency, table)


def match_mixture(
    results: Sequence[float], terms: Terms, efficiency: float, table: MatchEquityTable
) -> float:
    """Return what `match_value` returns, with this efficiency at any score."""
    own, their = _sides(results)
    cube = terms.cube
    if_won, if_lost = _mean(own, terms, cube, table), _mean(their, terms, -cube, table)
    dead = own.win * if_won + their.win * if_lost
    if terms.dead or not CERTAIN < own.win < 1.0 - CERTAIN:
        return dead
    cash = _cash_point(own, their, terms, cube, table)
    take = 1.0 - _cash_point(their, own, terms.turned(), cube, table)
    points = [
        (0.0, if_lost),
        (take, table.after(terms, -cube)),
        (cash, table.after(terms, cube)),
        (1.0, if_won),
    ]
    if terms.owner > 0:
        del points[1]
    if terms.owner < 0:
        del points[2]
    return (1.0 - efficiency) * dead + efficiency * _on_line(own.win, points)


def costs_nothing(terms: Terms) -> bool:
    """Tell whether a side may double whose loss is the match in any case.

    So it is with the trailer after the Crawford game. That side doubles at its next turn, after
    which the cube is dead: it is as good as turned at the last moment, and nearly a live one.
    """
    (own, their), cube = terms.away, terms.cube
    return (terms.owner >= 0 and own > cube >= their) or (terms.owner <= 0 and their > cube >= own)


def _mean(side: _Side, terms: Terms, cube: int, table: MatchEquityTable) -> float:
    """Return the chance to win the match after a win of a side; at -cube, of the opponent."""
    return (
        side.single * table.after(terms, cube)
        + side.gammon * table.after(terms, 2 * cube)
        + side.backgammon * table.after(terms, 3 * cube)
    )


def _cash_point(own: _Side, their: _Side, terms: Terms, cube: int, table: MatchEquityTable) -> float:
    """Return the chance to win from which on a double is passed.

    Args:
        own: what is known of the wins of the player who doubles.
        their: what is known of those of the opponent.
        terms: as that player sees them; their cube does not matter.
        cube: before the double.
        table: says what the scores after the game are worth.
    """
    passed = table.after(terms, cube)
    if min(terms.away) <= 2 * cube:
        # The cube at 2 is the last one, unless the opponent must redouble at once.
        last = 4 * cube if terms.away[0] <= 2 * cube < terms.away[1] else 2 * cube
        won, lost = _mean(own, terms, last, table), _mean(their, terms, -last, table)
        return _ratio(passed - lost, won - lost)
    won, turned_back = _mean(own, terms, 2 * cube, table), table.after(terms, -2 * cube)
    redouble = _cash_point(their, own, terms.turned(), 2 * cube, table)
    return 1.0 - redouble * _ratio(won - passed, won - turned_back)


def _ratio(part: float, whole: float) -> float:
    """Return a quotient; 1 where the whole is nothing, since then nothing is at stake."""
    return part / whole if whole > 0.0 else 1.0
