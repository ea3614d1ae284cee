"""Faults that an attack found: collected, told at its end, and its exit code."""

import click


class Faults:
    """The faults that were found, as lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, line: str) -> None:
        """Add one, and tell it at once."""
        self.lines.append(line)
        click.echo(f"FAULT: {line[:1000]}")

    def end(self, done: str) -> None:
        """Tell what was done and how many faults there were.

        Raises:
            SystemExit: there were some.
        """
        click.echo(f"{done}: {len(self.lines)} faults")
        if self.lines:
            raise SystemExit(1)
