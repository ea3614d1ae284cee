"""Where tables for people go."""

from typing import Any

__all__ = ["print_view"]


def print_view(view: Any) -> None:
    """Print a table or a group of them on stdout, with colours where it is a terminal."""
    from rich.console import Console

    from gammon.text.plain import plain_text

    # A name of a player may be `[link=...]` or `:x:`, and is shown as it is.
    console = Console(highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        console.print(view, crop=False)
    else:
        print(plain_text(view))
