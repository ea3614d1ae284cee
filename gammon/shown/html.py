"""Answers as HTML, which a notebook shows: the board, and the tables of the answer below it.

There are no scripts and no style sheets in it, and nothing from elsewhere.
"""

from collections.abc import Callable, Sequence
from html import escape

from rich.table import Table

from gammon.answers.analysis import Analysis, RollTable
from gammon.answers.cube import CubeDecision
from gammon.answers.play import Play
from gammon.answers.score_grid import PlayGrid, ScoreGrid
from gammon.formats.position import Position
from gammon.shown.analysis import (
    analysis_words,
    best_plays_table,
    candidate_table,
    roll_table_words,
)
from gammon.shown.cube import (
    action_table,
    chances_table,
    cost_lines,
    decision_words,
    verdict_line,
)
from gammon.shown.score_grid import play_grid_words, score_grid_words
from gammon.svg import board

__all__ = [
    "analysis_html", "cube_html", "grid_html", "lines_html", "position_html",
    "roll_table_html", "table_html",
]  # fmt: skip


def analysis_html(analysis: Analysis) -> str:
    """Return the board with the best play, and the table of the plays."""
    table, more = candidate_table(analysis)
    said, notes = analysis_words(analysis)
    best = analysis.candidates[0].play
    below = [lines_html(said, *notes), table_html(table), lines_html(more)]
    return position_html(analysis.position, best, below)


def cube_html(decision: CubeDecision) -> str:
    """Return the board, the table of the actions, the verdict and the chances."""
    said, notes = decision_words(decision)
    below = [
        lines_html(said, *notes),
        table_html(action_table(decision)),
        f"<p><b>{escape(verdict_line(decision))}</b></p>",
        lines_html(*cost_lines(decision)),
        table_html(chances_table(decision)),
    ]
    return position_html(decision.position, None, below)


def roll_table_html(rolls: RollTable) -> str:
    """Return the board, the equity before the roll, and the best play of each roll."""
    said, notes = roll_table_words(rolls)
    return position_html(
        rolls.position, None, [lines_html(said, *notes), table_html(best_plays_table(rolls))]
    )


def grid_html(grid: ScoreGrid | PlayGrid) -> str:
    """Return the board, the answers by score, and those at the named scores."""
    words = score_grid_words(grid) if isinstance(grid, ScoreGrid) else play_grid_words(grid)
    below = [
        lines_html(words.said),
        *([] if words.scores is None else [table_html(words.scores)]),
        lines_html(*words.notes),
        table_html(words.named),
    ]
    return position_html(grid.position, None, below)


def table_html(table: Table, cell: Callable[..., str] | None = None) -> str:
    """Return a table of texts: its names of columns, its cells, and bold rows as they are.

    Args:
        table: its cells are texts.
        cell: returns a cell, given its tag, its text, `left` or `right`, and whether it is
            bold; one with styles of its own unless given.
    """
    cell = cell or _styled
    columns = table.columns
    head = "".join(cell("th", str(column.header), column.justify, False) for column in columns)
    rows = [f"<tr>{head}</tr>"]
    cells = zip(*(column.cells for column in columns), strict=True)
    for row, texts in zip(table.rows, cells, strict=True):
        body = "".join(
            cell("td", str(text), column.justify, row.style == "bold")
            for text, column in zip(texts, columns, strict=True)
        )
        rows.append(f"<tr>{body}</tr>")
    return f"<table>{''.join(rows)}</table>"


def position_html(position: Position, play: Play | None, below: Sequence[str]) -> str:
    """Return the board, its XGID, and what stands below.

    Args:
        position: the position.
        play: is shown by arrows.
        below: parts in HTML.
    """
    ids = f"<p><code>{escape(position.xgid)}</code></p>"
    drawn = board(position, play=play)
    return f'<div style="overflow-x:auto">{drawn}{ids}{"".join(below)}</div>'


def _styled(tag: str, text: str, justify: str, bold: bool) -> str:
    styles = f"text-align:{justify};white-space:nowrap;padding:0.1em 0.5em;"
    styles += "font-weight:bold" if bold else ""
    return f'<{tag} style="{styles}">{escape(text)}</{tag}>'


def lines_html(*texts: str) -> str:
    """Return texts as lines; empty ones are left out."""
    return "".join(f"<p>{escape(text)}</p>" for text in texts if text)
