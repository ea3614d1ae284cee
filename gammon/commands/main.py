"""The program `gammon`: a group of commands.

Each command is imported when it is used, and imports what it needs when it runs, so that help
is instant.
"""

import click

import gammon
from gammon.commands.group import Program

__all__ = ["main"]

#: The parts of the help, and the commands of each: those first with which people begin.
_PARTS = {
    "Play and study": "demo serve analyze review study drill rollout match show bearoff met",
    "Laboratory": "bench grade noise reproduce train",
    "Programs": "ubgi external embed site schema info completion",
}


@click.group(
    cls=Program, parts=_PARTS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(gammon.__version__, package_name="gammon")
def main() -> None:
    """Backgammon analysis by exact full-width *-minimax search."""
