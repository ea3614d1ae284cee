"""The worth of a position with the cube, without a search: the definition, in plain Python."""

from collections.abc import Sequence

from gammon.eval.bearoff_cube import covers, exact_money
from gammon.eval.efficiency import cube_efficiency, exact_efficiency
from gammon.eval.janowski import match_value, money_value
from gammon.rules.board import Points
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Terms

__all__ = ["static_value"]

_WIN = 3


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
        efficiency = exact_efficiency(results[_WIN], terms.owner, exact)
    return match_value(results, terms, efficiency, table)
