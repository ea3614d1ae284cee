"""Exact cube decisions in bearoffs, for money and in matches."""

from functools import cache
from typing import NamedTuple

import numpy as np

from gammon.compiled.kernel import load
from gammon.compiled.records import Float32Matrix, Float32Stack, Float32Vector, Int8Matrix
from gammon.eval.bearoff import N_NUMBERS, N_OWNERS, N_WITH_CUBE
from gammon.eval.bearoff_file import bearoff_tables
from gammon.rules.board import Points
from gammon.rules.home import HOME, MOST_CHECKERS, N_TWO_SIDED, rank_of
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Terms


class ExactCube(NamedTuple):
    """The exact values of the cube actions of the player on roll, under perfect play.

    For money, points per unit of the cube before a double; in a match, twice the chance to win
    it, less 1.

    Attributes:
        no_double: value of rolling now.
        double_take: value of a double that is taken; None if the player may not double or
            cannot gain by it.
        double_pass: value of a double that is passed; None likewise.
    """

    no_double: float
    double_take: float | None
    double_pass: float | None


def covers(points: Points) -> bool:
    """Return whether the exact values of a position are known.

    Args:
        points: 26 counts, seen from the player on roll.

    Returns:
        Whether all checkers are at home or off, and each side has 1 to 6 left.
    """
    own, their = points[1 : HOME + 1], points[-HOME - 1 : -1]
    elsewhere = any(points[HOME + 1 : -HOME - 1]) or points[0] or points[-1]
    if elsewhere or min(own) < 0 or max(their) > 0:
        return False
    return 1 <= sum(own) <= MOST_CHECKERS and 1 <= -sum(their) <= MOST_CHECKERS


@cache
def _wins() -> Float32Matrix:
    """Return the chances to win, float32 [924, 924], by the ranks of the player on roll and the opponent."""
    win = bearoff_tables()[N_NUMBERS - N_TWO_SIDED * N_TWO_SIDED : N_NUMBERS]
    return win.reshape(N_TWO_SIDED, N_TWO_SIDED)


@cache
def _values() -> Float32Stack:
    """Return the values with the cube, float32 [924, 924, 3], by both ranks and the owner."""
    values = bearoff_tables()[N_NUMBERS : N_NUMBERS + N_WITH_CUBE]
    return values.reshape(N_TWO_SIDED, N_TWO_SIDED, N_OWNERS)


def _ranks(points: Points) -> tuple[int, int]:
    load(rank_of)
    state = np.array(points, np.int8)
    return rank_of(state, False), rank_of(state, True)


def exact_money(points: Points, terms: Terms) -> float:
    """Return the exact value of rolling, for money.

    Args:
        points: 26 counts of a position that `covers` accepts.
        terms: terms of a money game. Gammons are impossible, so the Jacoby rule changes nothing.

    Returns:
        Points per unit of the cube.

    Raises:
        GammonError: memory does not suffice for the tables.
    """
    own, their = _ranks(points)
    if not terms.live:
        return 2.0 * float(_wins()[own, their]) - 1.0
    return float(_values()[own, their, 1 - terms.owner])


def exact_cube(points: Points, terms: Terms, table: MatchEquityTable | None = None) -> ExactCube:
    """Return the exact values of rolling and of doubling.

    Values for money are looked up. A match takes up to a second, and 90 MB while it runs.

    Args:
        points: 26 counts of a position that `covers` accepts, seen from the player on roll.
        terms: the player's terms.
        table: the match equity table; not needed for money.

    Raises:
        GammonError: memory does not suffice for the tables.
    """
    if terms.length:
        from gammon.eval.bearoff_match import match_values  # late, since it loads kernels

        assert table is not None, "a match has a table"
        return ExactCube(*match_values(*_ranks(points), terms, table))
    no_double = exact_money(points, terms)
    if not terms.may_double:
        return ExactCube(no_double, None, None)
    return ExactCube(no_double, 2.0 * exact_money(points, terms.doubled()), 1.0)


def exact_match_plays(
    points: Points, rows: Int8Matrix, terms: Terms, table: MatchEquityTable
) -> Float32Vector:
    """Return the exact values of plays in a match, float32 [K]: twice the chance to win it, less 1.

    Takes as much time and memory as `exact_cube`.

    Args:
        points: 26 counts of a position that `covers` accepts, seen from the player on roll.
        rows: int8 [K, 26], the positions after the plays, seen from the opponent.
        terms: the player's terms in a match.
        table: the match equity table.

    Raises:
        GammonError: memory does not suffice for the tables.
    """
    from gammon.eval.bearoff_match import match_play_values  # late, since it loads kernels

    own, their = _ranks(points)
    played = np.array([rank_of(row, True) for row in rows])
    return match_play_values(own, their, played, terms, table)
