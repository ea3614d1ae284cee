"""Where tables for people go."""

from typing import Any

__all__ = ["print_view"]


def print_view(view: Any) -> None:
    """Print a table or a group of them on stdout, with colours where it is a terminal."""
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=120, color_system=None)
    console.print(view)
