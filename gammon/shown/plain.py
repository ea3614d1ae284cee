"""A view as plain text: what a pipe gets, and the `str` of an answer."""

from rich.console import Console, RenderableType

#: The characters of a line where no terminal says how many there are.
WIDTH = 120


def plain_text(view: RenderableType, width: int = WIDTH) -> str:
    """Return a table, or a group of them, as lines without colours and trailing blanks."""
    console = Console(
        width=width, force_terminal=False, force_jupyter=False, highlight=False, markup=False,
        emoji=False,
    )  # fmt: skip
    text = "".join(segment.text for segment in console.render(view))
    return "\n".join(line.rstrip() for line in text.splitlines())
