"""A review for a notebook: its tables, the graph, and the worst choices with their boards.

The whole report is a file of its own: `gammon.shown.page.whole`.
"""

from gammon.answers.play import find_play
from gammon.formats.position import Position
from gammon.reviews.choice import Choice, ChoiceKind
from gammon.reviews.review import Review
from gammon.shown.analysis import depth_words
from gammon.shown.html import lines_html, table_html
from gammon.shown.review import choice_lines, games_table, match_words, players_table, units
from gammon.svg import board

__all__ = ["review_html"]

#: The worst choices that are shown, and the width of their boards.
_MOST, _SIZE = 5, 360


def review_html(review: Review) -> str:
    """Return the tables of a review, and its worst choices."""
    parts = [
        lines_html(match_words(review), f"Analyzed to {depth_words(review.depth)}"),
        lines_html(*review.notes, units(review)),
        table_html(players_table(review, (0, 1))),
        table_html(games_table(review, (0, 1))),
    ]
    for rank, choice in enumerate(review.worst(most=_MOST), 1):
        parts += [lines_html(*choice_lines(review, rank, choice)), _board(choice)]
    return f'<div style="overflow-x:auto">{"".join(parts)}</div>'


def _board(choice: Choice) -> str:
    """Return the board of a choice, with arrows for the best play."""
    position = Position.parse(choice.xgid)
    best = None
    if choice.kind is ChoiceKind.PLAY and position.dice is not None:
        best = find_play(position, position.dice, choice.best)
    return board(position, play=best, size=_SIZE)
