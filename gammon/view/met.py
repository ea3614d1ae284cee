"""The view of match equity tables."""

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from gammon.rules.match_equity import MatchEquityTable, difference
from gammon.rules.terms import LONGEST_MATCH
from gammon.view.tables import indented, new_table, without_last_columns


def met_view(table: MatchEquityTable, length: int) -> RenderableType:
    """Return the view of a table, in per cent.

    Args:
        table: the match equity table.
        length: the most points of a row or column, from 1 to 64.
    """
    aways = range(1, length + 1)
    shown = new_table("away", *map(str, aways), left=(), wrap=False)
    for own in aways:
        shown.add_row(str(own), *(_percent(table.mwc(own, their)) for their in aways))
    shown.add_row("post", *(_percent(table.mwc(own, 1, True)) for own in aways))
    notes = [
        "Rows are the points that the side needs, and columns the points that the other side "
        "needs. In row 1 and column 1 the Crawford game comes next. The row post is for games "
        "after the Crawford game: there the column is the points that the side needs, and the "
        "other side needs 1."
    ]
    if length >= table.length < LONGEST_MATCH:
        notes.append(
            f"Beyond {table.length} points, and at {table.length} after the Crawford game, the table is "
            "extended by a formula."
        )
    return Group(
        Text(f"{table.name}: the chance to win a match, in per cent"),
        "",
        indented(without_last_columns(shown, 2)),
        "",
        *(Padding(Text(note), (0, 0, 0, 2)) for note in notes),
    )


def difference_view(table: MatchEquityTable, other: MatchEquityTable, length: int) -> RenderableType:
    """Return a line about the difference of two tables at scores to a number of points."""
    apart = difference(table, other, length)
    when = " after the Crawford game" if apart.post_crawford else ""
    return Padding(
        Text(
            f"Difference from {other.name}: {_percent(apart.root_mean_square)} % (root mean square), "
            f"at most {100 * apart.largest:+.2f} %, at {apart.own}-away {apart.their}-away{when}."
        ),
        (1, 0, 0, 2),
    )


def _percent(chance: float) -> str:
    return f"{100 * chance:.2f}"
