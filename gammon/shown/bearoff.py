"""The answer for a race, for people and for programs."""

import numpy as np
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table

from gammon.answers.bearoff import Bearoff
from gammon.eval.equity import for_opponent
from gammon.formats.words import SEATS
from gammon.rules.stakes import MONEY
from gammon.shown.entries import Entries
from gammon.shown.heading import heading, notes
from gammon.shown.json import IDS
from gammon.shown.tables import indented, new_table, without_last_columns

#: Chances below this are left out of tables: they would show as 0.00 %.
_LEAST = 0.00005
_EXACT = "The chances are exact: best play of both sides."
_ONE_SIDED = (
    "The chances are one-sided: each side plays for the fewest rolls on average, "
    "whatever the other does. Exact ones are known up to 6 checkers a side, all at "
    "home."
)


def bearoff_view(found: Bearoff) -> RenderableType:
    """Show a position, the chances of both players, and the rolls that each needs."""
    position = found.position
    said = f"{_names(found)[0]} to roll, cubeless, money"
    if position.dice:
        said += f"; the dice {position.dice[0]}{position.dice[1]} are not looked at"
    note = _EXACT if found.exact else _ONE_SIDED
    return Group(
        *heading(position, said, _notes(found)),
        "",
        indented(without_last_columns(_sides(found), 4)),
        "",
        Padding(note, (0, 0, 0, 2)),
        "",
        indented(without_last_columns(_rolls(found), 3)),
    )


def _names(found: Bearoff) -> tuple[str, str]:
    """Return the letters of the player on roll and of the opponent."""
    on_roll = found.position.context.on_roll
    return SEATS[on_roll], SEATS[-on_roll]


def _notes(found: Bearoff) -> list[str]:
    """Return what is not looked at."""
    return notes(found.position, MONEY, "shown are the chances before the roll")


def _sides(found: Bearoff) -> Table:
    """Return the table with a row for each side."""
    own = np.array(found.probabilities)
    table = new_table(
        "", "Win%", "Gammon%", "Equity", "Pips", "Rolls", "EPC", "Wastage", wrap=False
    )
    rows = (found.own, own, found.equity), (found.their, for_opponent(own), -found.equity)
    for name, (side, chance, equity) in zip(_names(found), rows, strict=True):
        table.add_row(
            name, f"{100 * chance[0]:z.2f}", f"{100 * chance[1]:z.2f}", f"{equity:+z.4f}",
            str(side.pips), f"{side.mean_rolls:.3f}", f"{side.epc:.2f}", f"{side.wastage:.2f}",
        )  # fmt: skip
    return table


def _rolls(found: Bearoff) -> Table:
    """Return the table of how many rolls each side needs."""
    own, their = _names(found)
    table = new_table(
        "Rolls to bear off", f"{own} %", "by then", f"{their} %", "by then", wrap=False
    )
    chances = np.array([found.own.rolls, found.their.rolls])
    by_then = chances.cumsum(axis=1)
    for k in np.flatnonzero((chances >= _LEAST).any(axis=0)):
        cells = [f"{100 * part[side, k]:.2f}" for side in (0, 1) for part in (chances, by_then)]
        table.add_row(str(k + 1), *cells)
    return table


#: Equity and chances are those of the player on roll.
BEAROFF: Entries = (
    *IDS, "exact", "equity", "probabilities", "own", "their", ("notes", _notes),
)  # fmt: skip
