"""The heading of an answer: the board, the IDs, what is shown, and what was left out."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from gammon.formats.context import TOP
from gammon.formats.position import Position
from gammon.shown.board import board_view
from gammon.shown.tables import Fitted, indented

__all__ = ["heading"]


def heading(
    position: Position, said: str, found: Sequence[str], turned: bool = False
) -> list[RenderableType]:
    """Return the views that stand above the tables of an answer.

    Args:
        position: the board that is drawn; its IDs are printed.
        said: who is on roll and what the answer is, in a line.
        found: the answer's notes; see `gammon.shown.notes`.
        turned: whether the player on roll is at the top.
    """
    ids = f"Position ID: {position.position_id}", f"Match ID: {position.match_id}"
    beside = "   ".join(ids)
    lines = [said, *found]
    if position.context.on_roll == TOP:
        seen = "points are numbered" if turned else "the board and the plays are seen"
        lines.insert(0, f"O is on roll: {seen} from O's side.")
    return [
        board_view(position, turned),
        "",
        indented(Fitted(lambda room: Text(beside if len(beside) <= room else "\n".join(ids)))),
        # Never broken, so that it can be copied.
        Text(f"  {position.xgid}", no_wrap=True, overflow="ignore"),
        *(indented(Text(line)) for line in lines),
    ]
