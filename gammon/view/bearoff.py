"""The view of the answer for a race."""

import numpy as np
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table

from gammon.engine.bearoff import Bearoff
from gammon.eval.equity import for_opponent
from gammon.formats.context import SEATS
from gammon.rules.terms import CUBELESS
from gammon.view.heading import heading, notes
from gammon.view.tables import indented, new_table, without_last_columns

#: Smaller chances are left out of tables, as they would print as 0.00 %.
_LEAST = 0.00005
_EXACT = "The chances are exact: best play of both sides. So are the rolls."
_ONE_SIDED = (
    "The chances are one-sided: each side plays for the fewest rolls on average, whatever the "
    "other does. With up to 6 checkers a side, all at home, best play is known: there the "
    "equity of one-sided play differs by 0.003, at most 0.03."
)
_ROLLS_EXACT = "The rolls are exact."
_ESTIMATES = (
    "~ marks estimates: {} more than three checkers, not all at home, so a network estimates the "
    "rolls. It is usually right within 0.04 rolls, 0.3 EPC and 2 % of Win%; in rare positions of "
    "few checkers only within 0.1, 0.8 and 6 %."
)


def bearoff_view(race: Bearoff) -> RenderableType:
    """Return the view of a race: the position, the chances, and the rolls that each side needs."""
    position = race.position
    title = f"{_names(race)[0]} to roll, cubeless, money"
    if position.dice:
        title += f"; the dice {position.dice[0]}{position.dice[1]} are ignored"
    return Group(
        *heading(position, title, bearoff_notes(race)),
        "",
        indented(without_last_columns(_sides(race), 4)),
        "",
        *(Padding(line, (0, 0, 0, 2)) for line in _exactness_lines(race)),
        "",
        indented(without_last_columns(_rolls(race), 3)),
    )


def _exactness_lines(race: Bearoff) -> list[str]:
    """Return lines about the exactness of chances and rolls, and the errors of estimates."""
    if race.exact:
        return [_EXACT]
    if not race.estimated:
        return [_ONE_SIDED, _ROLLS_EXACT]
    sides = zip(_names(race), (race.own, race.their), strict=True)
    names = [name for name, side in sides if not side.exact]
    who = "both sides have" if len(names) > 1 else f"{names[0]} has"
    return [_ONE_SIDED, _ESTIMATES.format(who)]


def _number(value: float, exact: bool, digits: int, rough: int, sign: str = "") -> str:
    """Return a number with `digits` decimals, or an estimate with ~ and `rough` decimals."""
    return f"{value:{sign}z.{digits}f}" if exact else f"~{value:{sign}z.{rough}f}"


def _names(race: Bearoff) -> tuple[str, str]:
    """Return the letters of the player on roll and of the opponent."""
    on_roll = race.position.context.on_roll
    return SEATS[on_roll], SEATS[-on_roll]


def bearoff_notes(race: Bearoff) -> list[str]:
    """Return lines about what the answer ignores."""
    return notes(race.position, CUBELESS, "shown are the chances before the roll")


def _sides(race: Bearoff) -> Table:
    """Return the table with a row for each side."""
    own = np.array(race.probabilities)
    table = new_table("", "Win%", "Gammon%", "Equity", "Pips", "Rolls", "EPC", "Wastage", wrap=False)
    rows = (race.own, own, race.equity), (race.their, for_opponent(own), -race.equity)
    sure = not race.estimated
    for name, (side, chance, equity) in zip(_names(race), rows, strict=True):
        table.add_row(
            name,
            _number(100 * chance[0], sure, 2, 1),
            _number(100 * chance[1], sure, 2, 1),
            _number(equity, sure, 4, 2, "+"),
            str(side.pips),
            _number(side.mean_rolls, side.exact, 3, 2),
            _number(side.epc, side.exact, 2, 1),
            _number(side.wastage, side.exact, 2, 1),
        )
    return table


def _rolls(race: Bearoff) -> Table:
    """Return the table of the rolls that each side needs."""
    own, their = _names(race)
    table = new_table("Rolls to bear off", f"{own} %", "by then", f"{their} %", "by then", wrap=False)
    sides = race.own, race.their
    chances = np.array([side.rolls for side in sides])
    by_then = chances.cumsum(axis=1)
    for k in np.flatnonzero((chances >= _LEAST).any(axis=0)):
        cells = [
            _number(100 * part[n, k], side.exact, 2, 1)
            for n, side in enumerate(sides)
            for part in (chances, by_then)
        ]
        table.add_row(str(k + 1), *cells)
    return table
