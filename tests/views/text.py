"""Views as plain lines of text."""

from rich.console import Console

__all__ = ["text_of"]


def text_of(view: object) -> list[str]:
    """The text that a view prints at a width of 120 characters."""
    console = Console(width=120)
    with console.capture() as captured:
        console.print(view)
    return captured.get().splitlines()
