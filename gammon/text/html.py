"""Answers as HTML, which a notebook shows: the board, and the tables of the answer below it.

There are no scripts and no style sheets in it, and nothing from elsewhere.
"""

from collections.abc import Sequence
from html import escape

from rich.table import Table

from gammon.analysis import Analysis
from gammon.cube import CubeDecision
from gammon.formats.position import Position
from gammon.play import Play
from gammon.svg import board
from gammon.text.analysis import analysis_words, candidate_table
from gammon.text.cube import (
    action_table,
    chances_table,
    cost_lines,
    decision_words,
    verdict_line,
)

__all__ = ["analysis_html", "cube_html", "table_html"]


def analysis_html(analysis: Analysis) -> str:
    """Return the board with the best play, and the table of the plays."""
    table, more = candidate_table(analysis)
    said, notes = analysis_words(analysis)
    best = analysis.candidates[0].play
    below = [*map(_line, [said, *notes]), table_html(table), _line(more)]
    return _page(analysis.position, best, below)


def cube_html(decision: CubeDecision) -> str:
    """Return the board, the table of the actions, the verdict and the chances."""
    said, notes = decision_words(decision)
    below = [
        *map(_line, [said, *notes]),
        table_html(action_table(decision)),
        f"<p><b>{escape(verdict_line(decision))}</b></p>",
        *map(_line, cost_lines(decision)),
        table_html(chances_table(decision)),
    ]
    return _page(decision.position, None, below)


def table_html(table: Table) -> str:
    """Return a table of texts: its names of columns, its cells, and bold rows as they are."""
    columns = table.columns
    head = "".join(_cell("th", str(column.header), column.justify) for column in columns)
    rows = [f"<tr>{head}</tr>"]
    cells = zip(*(column.cells for column in columns), strict=True)
    for row, texts in zip(table.rows, cells, strict=True):
        bold = "font-weight:bold" if row.style == "bold" else ""
        body = "".join(
            _cell("td", str(text), column.justify, bold)
            for text, column in zip(texts, columns, strict=True)
        )
        rows.append(f"<tr>{body}</tr>")
    return f"<table>{''.join(rows)}</table>"


def _page(position: Position, play: Play | None, below: Sequence[str]) -> str:
    ids = f"<p><code>{escape(position.xgid)}</code></p>"
    drawn = board(position, play=play)
    return f'<div style="overflow-x:auto">{drawn}{ids}{"".join(below)}</div>'


def _cell(tag: str, text: str, justify: str, style: str = "") -> str:
    styles = f"text-align:{justify};white-space:nowrap;padding:0.1em 0.5em;{style}"
    return f'<{tag} style="{styles}">{escape(text)}</{tag}>'


def _line(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""
