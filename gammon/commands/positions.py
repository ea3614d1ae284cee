"""Reading a position from the arguments of a command."""

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gammon.formats.position import Position

#: An XGID without its prefix that begins with a hyphen. No option looks like this.
_BARE_XGID = re.compile(r"-[A-Pa-p\s-]{19,}:")

_ROLL = re.compile("[1-6]{2}")
#: A word that is hardly an ID: a short one, or one with a dot, like a file name.
_NO_ID = re.compile(r"[^:=\s]{1,9}|[^:=\s]*\.[^:=\s]*")


class TakesPosition(click.Command):
    """A command that takes a bare XGID as a position, even if it begins with a hyphen."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments of the command line."""
        prefixed = [f"XGID={word}" if _BARE_XGID.match(word) else word for word in args]
        return super().parse_args(ctx, prefixed)


def read_position(words: Sequence[str], hints: bool = False) -> "Position":
    """Read a position from one argument, or from several that contain nothing else.

    Args:
        words: the arguments, for instance a Position ID and a Match ID.
        hints: whether errors may mention --dice, --play and standard input.

    Raises:
        FormatError: there is no ID, a damaged ID, two different IDs, or a superfluous word.
        IllegalPositionError: the checkers are not a possible position.
    """
    from gammon.base.errors import FormatError
    from gammon.formats.characters import quoted
    from gammon.formats.pasted import read_pasted
    from gammon.formats.position import Position

    if tuple(words) == ("-",):
        raise FormatError("'-': expected a position, standard input is not read")
    try:
        return Position(*read_pasted(" ".join(words), alone=len(words) > 1))
    except FormatError as error:
        # `Path` would raise an error for a name that is too long.
        if len(words) == 1 and os.path.isfile(words[0]):  # noqa: PTH113
            raise FormatError(
                f"{quoted(words[0])} is a file: expected a position; "
                "`gammon analyze - < FILE` reads the positions of a file"
            ) from None
        raise FormatError(_with_hint(str(error), words) if hints else str(error)) from None


def _with_hint(error: str, words: Sequence[str]) -> str:
    """Return an error message, or a better one if a word was probably meant as an option."""
    from gammon.formats.characters import quoted

    for word in words[1:]:
        if _ROLL.fullmatch(word):
            return f"{quoted(word)}: for a roll, use --dice {word}"
        if _is_move(word):
            return f'{quoted(word)}: a play of several moves is put in quotes, such as --play "8/5 6/5"'
    if len(words) == 1 and _NO_ID.fullmatch(words[0]):
        return f"{error}; `gammon analyze - < FILE` reads the positions of a file"
    return error


def _is_move(word: str) -> bool:
    from gammon.base.errors import FormatError
    from gammon.formats.notation import parse_play

    try:
        return "/" in word and bool(parse_play(word))
    except FormatError:
        return False
