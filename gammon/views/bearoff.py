"""The answer of the bearoff tables, for people and for programs."""

from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gammon.bearoff import Bearoff, Side
from gammon.eval.equity import for_opponent
from gammon.text.board import board_text
from gammon.text.tables import indented, new_table

__all__ = ["bearoff_json", "bearoff_view"]

#: Chances below this are left out of tables: they would show as 0.00 %.
_LEAST = 0.00005
_EXACT = "The chances are exact: best play of both sides."
_ONE_SIDED = (
    "The chances are one-sided: each side plays for the fewest rolls on average, "
    "whatever the other does. Exact ones are known up to 6 checkers a side."
)


def bearoff_view(found: Bearoff) -> RenderableType:
    """Show a position, the chances of both players, and the rolls that each needs."""
    position = found.position
    heading = [
        f"  Position ID: {position.position_id}   Match ID: {position.match_id}",
        f"  {position.xgid}",
        "  X to roll, cubeless, money",
    ]
    if position.dice:
        heading[-1] += f"; the dice {position.dice[0]}{position.dice[1]} are not looked at"
    note = _EXACT if found.exact else _ONE_SIDED
    return Group(
        board_text(position),
        "",
        Text("\n".join(heading)),
        "",
        indented(_sides(found)),
        "",
        Padding(note, (0, 0, 0, 2)),
        "",
        indented(_rolls(found)),
    )


def _sides(found: Bearoff) -> Table:
    own = np.array(found.probabilities)
    table = new_table(
        "", "Win%", "Gammon%", "Equity", "Pips", "Rolls", "EPC", "Wastage", wrap=False
    )
    for name, side, chance, equity in (
        ("X", found.own, own, found.equity),
        ("O", found.their, for_opponent(own), -found.equity),
    ):
        table.add_row(
            name, f"{100 * chance[0]:.2f}", f"{100 * chance[1]:.2f}", f"{equity:+.4f}",
            str(side.pips), f"{side.mean_rolls:.3f}", f"{side.epc:.2f}", f"{side.wastage:.2f}",
        )  # fmt: skip
    return table


def _rolls(found: Bearoff) -> Table:
    table = new_table("Rolls to bear off", "X %", "by then", "O %", "by then", wrap=False)
    chances = np.array([found.own.rolls, found.their.rolls])
    by_then = chances.cumsum(axis=1)
    for k in np.flatnonzero((chances >= _LEAST).any(axis=0)):
        cells = [f"{100 * part[side, k]:.2f}" for side in (0, 1) for part in (chances, by_then)]
        table.add_row(str(k + 1), *cells)
    return table


def _side_json(side: Side) -> dict[str, Any]:
    return {
        "checkers": side.checkers,
        "pips": side.pips,
        "mean_rolls": side.mean_rolls,
        "epc": side.epc,
        "wastage": side.wastage,
        "rolls": list(side.rolls),
    }


def bearoff_json(found: Bearoff) -> dict[str, Any]:
    """Return the same as JSON values; equity and chances are those of the player on roll."""
    position = found.position
    return {
        "position_id": position.position_id,
        "match_id": position.match_id,
        "xgid": position.xgid,
        "exact": found.exact,
        "equity": found.equity,
        "probabilities": found.probabilities._asdict(),
        "own": _side_json(found.own),
        "their": _side_json(found.their),
    }
