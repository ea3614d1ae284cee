"""Views as plain text, for pipes and for the `str` of an answer."""

from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

#: The characters of a line without a terminal.
WIDTH = 120


class Endless(Console):
    """A console without a right edge: a line that must not be broken may be longer."""

    def render_lines(
        self, renderable: RenderableType, options: ConsoleOptions | None = None, **how: Any
    ) -> list[list[Segment]]:
        """Return the lines of a view inside another one, uncut."""
        options = options or self.options
        end = [Segment.line()] if how.get("new_lines") else []
        lines = Segment.split_lines(self.render(renderable, options))
        return [
            Segment.adjust_line_length(line, max(options.max_width, Segment.get_line_length(line))) + end
            for line in lines
        ]


def plain_text(view: RenderableType, width: int | None = None) -> str:
    """Return a table, or a group of tables, as lines without colours and trailing blanks.

    Args:
        view: the table or group.
        width: the most characters of a line. None: text has `WIDTH` characters, and lines that must
            not be broken may be longer.
    """
    console = (Endless if width is None else Console)(
        width=WIDTH if width is None else width,
        force_terminal=False,
        force_jupyter=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    text = "".join(segment.text for segment in console.render(view))
    return "\n".join(line.rstrip() for line in text.splitlines())
