"""The answer for a race, for people and for programs."""

import numpy as np
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table

from gammon.engine.bearoff import Bearoff
from gammon.eval.equity import for_opponent
from gammon.formats.words import SEATS
from gammon.rules.terms import CUBELESS
from gammon.view.heading import heading, notes
from gammon.view.tables import indented, new_table, without_last_columns

#: Chances below this are left out of tables: they would show as 0.00 %.
_LEAST = 0.00005
_EXACT = "The chances are exact: best play of both sides. So are the rolls."
_ONE_SIDED = (
    "The chances are one-sided: each side plays for the fewest rolls on average, whatever the "
    "other does. Best play is known up to 6 checkers a side, all at home: there the equity of "
    "one-sided play differs from it by .003, .03 at most."
)
_ROLLS_EXACT = "The rolls are exact."
_ESTIMATES = (
    "~ marks estimates: {} more than three checkers, not all at home, and a network says how "
    "many rolls that takes. As a rule it is right to .04 rolls, .3 EPC and 2 % of Win%; in "
    "rare positions of few checkers only to .1, .8 and 6 %."
)


def bearoff_view(found: Bearoff) -> RenderableType:
    """Show a position, the chances of both players, and the rolls that each needs."""
    position = found.position
    said = f"{_names(found)[0]} to roll, cubeless, money"
    if position.dice:
        said += f"; the dice {position.dice[0]}{position.dice[1]} are not looked at"
    return Group(
        *heading(position, said, bearoff_notes(found)),
        "",
        indented(without_last_columns(_sides(found), 4)),
        "",
        *(Padding(line, (0, 0, 0, 2)) for line in _said(found)),
        "",
        indented(without_last_columns(_rolls(found), 3)),
    )


def _said(found: Bearoff) -> list[str]:
    """Return lines about what is exact, and how much estimates may be off."""
    if found.exact:
        return [_EXACT]
    if not found.estimated:
        return [_ONE_SIDED, _ROLLS_EXACT]
    sides = zip(_names(found), (found.own, found.their), strict=True)
    names = [name for name, side in sides if not side.exact]
    who = "both sides have" if len(names) > 1 else f"{names[0]} has"
    return [_ONE_SIDED, _ESTIMATES.format(who)]


def _number(value: float, exact: bool, digits: int, rough: int, sign: str = "") -> str:
    """Return a number with so many digits; an estimate with a mark, and fewer digits."""
    return f"{value:{sign}z.{digits}f}" if exact else f"~{value:{sign}z.{rough}f}"


def _names(found: Bearoff) -> tuple[str, str]:
    """Return the letters of the player on roll and of the opponent."""
    on_roll = found.position.context.on_roll
    return SEATS[on_roll], SEATS[-on_roll]


def bearoff_notes(found: Bearoff) -> list[str]:
    """Return what is not looked at."""
    return notes(found.position, CUBELESS, "shown are the chances before the roll")


def _sides(found: Bearoff) -> Table:
    """Return the table with a row for each side."""
    own = np.array(found.probabilities)
    table = new_table("", "Win%", "Gammon%", "Equity", "Pips", "Rolls", "EPC", "Wastage", wrap=False)
    rows = (found.own, own, found.equity), (found.their, for_opponent(own), -found.equity)
    sure = not found.estimated
    for name, (side, chance, equity) in zip(_names(found), rows, strict=True):
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


def _rolls(found: Bearoff) -> Table:
    """Return the table of how many rolls each side needs."""
    own, their = _names(found)
    table = new_table("Rolls to bear off", f"{own} %", "by then", f"{their} %", "by then", wrap=False)
    sides = found.own, found.their
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
