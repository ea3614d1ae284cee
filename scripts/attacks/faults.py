"""The faults that an attack found, and the attack's exit code."""

import click


class Faults:
    """The faults found so far, as lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, line: str) -> None:
        """Add a fault, and print it at once."""
        self.lines.append(line)
        click.echo(f"FAULT: {line[:1000]}")

    def end(self, done: str) -> None:
        """Print what was done and the number of faults.

        Raises:
            SystemExit: there were faults.
        """
        click.echo(f"{done}: {len(self.lines)} faults")
        if self.lines:
            raise SystemExit(1)
