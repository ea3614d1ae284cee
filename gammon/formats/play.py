"""A legal play: its moves, the position after it, and its notation."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from gammon.base.checks import shown
from gammon.base.errors import GammonError, IllegalPositionError, SettingError
from gammon.formats.characters import quoted
from gammon.formats.notation import format_play, meant, parse_play
from gammon.formats.position import Position
from gammon.rules.board import Moves, Points
from gammon.rules.dice import checked_dice
from gammon.rules.sequences import plays_of

#: The moves of all plays of a roll, by the resulting position; cached, because the plays of a roll
#: need them one after the other.
_moves_of = lru_cache(maxsize=64)(plays_of)


@dataclass(frozen=True, repr=False)
class Play:
    """A legal play of a roll.

    Attributes:
        before: the position before the play. `legal_plays` and answers leave out its roll, so that
            equal plays from different sources compare equal.
        points: 26 counts after the play, still seen from the player who made it.
        dice: the roll.
    """

    before: Position
    points: Points
    dice: tuple[int, int] = field(compare=False)

    @cached_property
    def moves(self) -> Moves:
        """The checkers' moves in the order of play; none if nothing can be played."""
        return _moves_of(self.before.points, self.dice)[self.points]

    @property
    def notation(self) -> str:
        """The notation of the play, such as `24/18*/13`."""
        return format_play(self.moves)

    @cached_property
    def position(self) -> Position:
        """The position after the play, with the opponent on roll."""
        return self.before.after(self.points)

    def __str__(self) -> str:
        return self.notation

    def __repr__(self) -> str:
        return f"<Play {self.notation}>"


def legal_plays(position: Position, dice: tuple[int, int]) -> list[Play]:
    """Return every distinct play of a roll; a single play without moves if nobody can move.

    Raises:
        SettingError: the dice are not two numbers from 1 to 6, or `position` is not a `Position`.
        IllegalPositionError: the game is over.
    """
    dice = checked_dice(dice)
    check_in_play(position)
    before = position.with_dice(None)
    return [Play(before, points, dice) for points in _moves_of(position.points, dice)]


def check_in_play(position: Position) -> None:
    """Check that the game is not over.

    Raises:
        SettingError: the argument is not a `Position`.
        IllegalPositionError: a side has borne off all its checkers.
    """
    if not isinstance(position, Position):
        raise SettingError(f"position {shown(position)}: expected a gammon.Position")
    if position.is_over:
        raise IllegalPositionError(
            f"{position.position_id!r}: the game is over, a side has no checkers left; "
            "expected a position in play"
        )


def find_play(position: Position, dice: tuple[int, int], text: str) -> Play:
    """Return the legal play for a text.

    Args:
        position: seen from the player on roll.
        dice: the roll.
        text: the play in any common notation, with or without middle points.

    Raises:
        FormatError: the text is not a play.
        SettingError: the dice are not two numbers from 1 to 6, or the play is not a text.
        IllegalPositionError: the game is over.
        IllegalPlayError: the text fits no legal play.
        AmbiguousPlayError: the text fits several plays, which differ in their hits.
    """
    return choose_play(legal_plays(position, dice), dice, text)


def checked_text(play: Play, dice: tuple[int, int], text: str) -> str:
    """Return the text of a play, after a check that it means this play.

    Args:
        play: the play.
        dice: its roll.
        text: the text to be sent.

    Raises:
        GammonError: the text means another play or none, which is a bug in gammon.
    """
    meant = find_play(play.before, dice, text) if play.moves else play
    if meant.points != play.points or (meant.moves and not text):
        raise GammonError(f"{text!r} for {play}: expected a text that means this play")
    return text


def listed_plays(plays: object) -> list[object]:
    """Return given plays as a list.

    Raises:
        SettingError: the argument is not iterable, or is a single text.
    """
    try:
        if not isinstance(plays, str):
            return list(plays)  # type: ignore[call-overload, no-any-return]
    except TypeError:  # not iterable, such as an array without dimensions
        pass
    raise SettingError(f"plays {shown(plays)}: expected a list, such as ['8/5 6/5']")


def choose_play(plays: Sequence[Play], dice: tuple[int, int], text: str) -> Play:
    """Return the play for a text among the legal plays of a roll.

    Args:
        plays: all legal plays, from `legal_plays`.
        dice: the roll.
        text: as for `find_play`.

    Raises:
        FormatError: the text is not a play.
        SettingError: `text` is not a text.
        IllegalPlayError: the text fits no legal play.
        AmbiguousPlayError: the text fits several plays, which differ in their hits.
    """
    if not isinstance(text, str):
        raise SettingError(f"play {shown(text)}: expected a text")
    by_moves = {play.moves: play for play in plays}
    before, wanted = plays[0].before.points, parse_play(text)
    return by_moves[meant(before, dice, by_moves, wanted, quoted(text))]
