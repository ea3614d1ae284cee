"""Views as plain lines of text."""

from rich.console import Console


def text_of(view: object, width: int = 120) -> list[str]:
    """The text that a view prints at a width in characters."""
    console = Console(width=width)
    with console.capture() as captured:
        console.print(view)
    return captured.get().splitlines()
