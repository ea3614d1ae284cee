"""How a command takes positions: from its arguments, or from the lines of standard input."""

import re
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gammon.formats.position import Position

__all__ = ["TakesPosition", "read_position", "texts_from"]

#: An XGID without its prefix that begins as an option does. No option looks like it.
_BARE_XGID = re.compile(r"-[A-Pa-p\s-]{19,}:")


class TakesPosition(click.Command):
    """A command to which a bare XGID is a position, although it may begin with a hyphen."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments of the command line."""
        named = [f"XGID={each}" if _BARE_XGID.match(each) else each for each in args]
        return super().parse_args(ctx, named)


def read_position(words: Sequence[str]) -> "Position":
    """Read a position that was given as one argument, or as several that hold nothing else.

    Args:
        words: the arguments. Two are a Position ID and a Match ID, say.

    Raises:
        FormatError: there is no ID, a damaged one, two that differ, or a word too many.
        IllegalPositionError: the checkers are not a possible position.
    """
    from gammon.formats.pasted import read_pasted
    from gammon.formats.position import Position

    return Position(*read_pasted(" ".join(words), alone=len(words) > 1))


def texts_from(stream: IO[bytes]) -> Iterator[str]:
    """Yield the text of each position in a stream of lines, as soon as it is complete."""
    from gammon.formats.lines import texts_of_positions

    yield from texts_of_positions(line.decode(errors="replace") for line in stream)
