"""The twin of widths: one position at a time, from what a game pays at a score."""

from collections.abc import Sequence

from gammon.eval.janowski import costs_nothing
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.outcome import POINTS
from gammon.rules.terms import Terms


def worth(result: int, terms: Terms, table: MatchEquityTable) -> float:
    """What a result, from 0 to 5, pays the player on roll."""
    if terms.payoffs is not None:
        return float(terms.payoffs.ascending[result])
    points = terms.counted(int(POINTS[result]))
    return 2.0 * table.after(terms, points * terms.cube) - 1.0 if terms.length else float(points)


def width_of(
    results: Sequence[float], static: float, terms: Terms, table: MatchEquityTable, race: bool = False
) -> float:
    """The width of rolling; see `gammon.eval.width`.

    Args:
        results: the six outputs of the network of widths.
        static: the static value of rolling.
        terms: seen from the player on roll.
        table: the match equity table.
        race: whether all checkers have passed each other.
    """
    single = (worth(3, terms, table) - worth(2, terms, table)) / 2
    gammon = (worth(4, terms, table) - worth(1, terms, table)) / 4
    win, lose = sum(results[3:]), sum(results[:3])
    width = 0.004 + (min(0.04 * win / lose, 1.0) if lose > 0 else 1.0)
    unit = max(single, gammon)
    width *= unit
    opponent = terms.for_opponent()
    if not terms.dead:
        width *= 1.3 if terms.may_double and opponent.may_double else 1.15
        if costs_nothing(terms):
            width *= 2
        if opponent.may_double:
            passed = -worth(3, opponent, table)
            width *= 1 + 2.5 * max(0.0, 1 - abs(static - passed) / (0.6 * single))
        if race:
            width = 100 * unit * (1.3 if terms.may_double and opponent.may_double else 1.15)
            width *= 2 if costs_nothing(terms) else 1
    return width
