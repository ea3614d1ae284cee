"""How a command takes a position from its arguments."""

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gammon.formats.position import Position

#: An XGID without its prefix that begins as an option does. No option looks like it.
_BARE_XGID = re.compile(r"-[A-Pa-p\s-]{19,}:")

_ROLL = re.compile("[1-6]{2}")
#: A word that nobody meant as an ID: a short one, or one with a dot, as the name of a file.
_NO_ID = re.compile(r"[^:=\s]{1,9}|[^:=\s]*\.[^:=\s]*")


class TakesPosition(click.Command):
    """A command to which a bare XGID is a position, although it may begin with a hyphen."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments of the command line."""
        named = [f"XGID={each}" if _BARE_XGID.match(each) else each for each in args]
        return super().parse_args(ctx, named)


def read_position(words: Sequence[str], hints: bool = False) -> "Position":
    """Read a position that was given as one argument, or as several that hold nothing else.

    Args:
        words: the arguments. Two are a Position ID and a Match ID, say.
        hints: whether errors may point to --dice, to --play, and to standard input.

    Raises:
        FormatError: there is no ID, a damaged one, two that differ, or a word too many.
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
        # `Path` would raise an error of a name that is too long.
        if len(words) == 1 and os.path.isfile(words[0]):  # noqa: PTH113
            raise FormatError(
                f"{quoted(words[0])} is a file: expected a position; "
                "`gammon analyze - < FILE` reads the positions of a file"
            ) from None
        raise FormatError(_with_hint(str(error), words) if hints else str(error)) from None


def _with_hint(error: str, words: Sequence[str]) -> str:
    """Return what an error says, or what was probably meant by one of the words."""
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
