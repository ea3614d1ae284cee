"""A sheet of errors for browsers or paper: boards with arrows, and why each was wrong."""

from collections.abc import Sequence
from html import escape

from gammon.answers.play import find_play
from gammon.base.errors import GammonError
from gammon.formats.position import Position
from gammon.shown.page.style import SCRIPT, style
from gammon.shown.page.whole import page_policy
from gammon.shown.study import error_lines
from gammon.study.errors import Error
from gammon.svg.sheet import sheet_board, sheet_parts

__all__ = ["error_board", "errors_page"]


def errors_page(errors: Sequence[Error]) -> str:
    """Return the file, in the order of the errors."""
    styles = style()
    parts = [
        f"<!DOCTYPE html>\n<html lang=en><meta charset=utf-8>{page_policy(styles)}",
        '<meta name=viewport content="width=device-width,initial-scale=1">',
        f"<title>Errors</title><style>{styles}</style><body>{sheet_parts()}<main>",
        f"<h1>{len(errors)} errors</h1><p class=s>The player on roll is at the bottom. Arrows: "
        "<i class=key></i>the best play, <i class='key made'></i>the play that was made.</p>"
        "<div class=bar></div>",
        *(_card(number, error) for number, error in enumerate(errors, 1)),
        f"</main><script>{SCRIPT}</script>",
    ]
    return "\n".join(parts) + "\n"


def _card(number: int, error: Error) -> str:
    said, xgid, *more = map(escape, error_lines(error))
    lines, board = "".join(f"<p>{line}</p>" for line in more), error_board(error)
    return (
        f"<details class=t open><summary><span class=n>{number}</span>{said}</summary>"
        f"<div class=c><div class=b>{board}<p class=id><code>{xgid}</code></p></div>"
        f"<div class=a>{lines}</div></div></details>"
    )


def error_board(error: Error, arrows: bool = True) -> str:
    """Return the board, or nothing where a stranger's library has no position.

    Args:
        error: where it was made.
        arrows: whether the best play and the one that was made are shown.
    """
    try:
        position = Position.parse(error.xgid)
        best = made = None
        if arrows and position.dice is not None:
            best, made = (
                find_play(position, position.dice, play) for play in (error.best, error.made)
            )
        return sheet_board(position, best=best, made=made)
    except GammonError:
        return ""
