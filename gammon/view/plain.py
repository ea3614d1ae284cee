"""A view as plain text: what a pipe gets, and the `str` of an answer."""

from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

#: The characters of a line where no terminal says how many there are.
WIDTH = 120


class Endless(Console):
    """A console without an edge: a line that must not be broken may be longer than others."""

    def render_lines(
        self, renderable: RenderableType, options: ConsoleOptions | None = None, **how: Any
    ) -> list[list[Segment]]:
        """Return the lines of a view inside another one, of which nothing is cut off."""
        options = options or self.options
        end = [Segment.line()] if how.get("new_lines") else []
        lines = Segment.split_lines(self.render(renderable, options))
        return [
            Segment.adjust_line_length(line, max(options.max_width, Segment.get_line_length(line))) + end
            for line in lines
        ]


def plain_text(view: RenderableType, width: int | None = None) -> str:
    """Return a table, or a group of them, as lines without colours and trailing blanks.

    Args:
        view: them.
        width: of a line, at most; None: there is no edge, and text has `WIDTH` characters.
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
