"""A position with its dice and context, which can be read from and written as common IDs."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from gammon.base.checks import is_whole, shown
from gammon.base.errors import FormatError, IllegalPositionError, SettingError
from gammon.base.settings import unchecked
from gammon.base.showing import view_module
from gammon.formats.context import Context
from gammon.formats.gnubg_id import Dice, format_match_id, format_position_id
from gammon.formats.ogid import format_ogid
from gammon.formats.pasted import read_pasted
from gammon.formats.xgid import format_xgid
from gammon.rules.board import (
    CHECKERS,
    OPENING,
    Points,
    check_points,
    flipped,
    is_over,
    off_counts,
    pip_counts,
)
from gammon.rules.dice import checked_dice
from gammon.rules.terms import HIGHEST_CUBE, Terms

#: Where games begin, by the name of the game; the same from both sides.
STARTS: dict[str, Points] = {
    "backgammon": OPENING,
    "nackgammon": (0, -2, -2, 0, 0, 0, 4, 0, 3, 0, 0, 0, -4, 4, 0, 0, 0, -3, 0, -4, 0, 0, 0, 2, 2, 0),
    "longgammon": (0, -15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 15, 0),
}


@dataclass(frozen=True, repr=False)
class Position:
    """The checkers of both sides, seen from the player on roll, with dice and context.

    Attributes:
        points: 26 counts: index 25 is the bar of the player on roll, 24..1 are the points, 0 is
            the opponent's bar. The opponent's checkers count negative.
        context: cube, score and rules. The default is money play.
        dice: the roll to play, or None.

    Raises:
        IllegalPositionError: the points are not a possible position.
        SettingError: the points are not whole numbers, the dice are not dice, or there is a roll
            while a double is on offer.
    """

    points: Points
    context: Context = field(default_factory=Context)
    dice: Dice = None

    def __post_init__(self) -> None:
        points = _whole(self.points)
        object.__setattr__(self, "points", check_points(points, str(points)))
        if self.dice is not None:
            object.__setattr__(self, "dice", checked_dice(self.dice))
        if not isinstance(self.context, Context):
            raise SettingError(f"context {shown(self.context)}: expected a Context")
        if self.dice is not None and self.context.offer:
            raise SettingError(f"dice {shown(self.dice)}: expected none beside a double on offer")

    @classmethod
    def opening(cls) -> "Position":
        """Return the opening position, for money."""
        return cls(OPENING)

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Read a position from a pasted text that contains its ID.

        The ID is an XGID, an OGID, or a GNU Position ID with or without a Match ID. It may stand
        alone, in a link, or in an export of eXtreme Gammon or GNU Backgammon. docs/files.md lists
        all formats.

        Raises:
            FormatError: the text contains no ID, a damaged ID, or two different IDs.
            IllegalPositionError: the checkers are not a possible position.
        """
        if not isinstance(text, str):
            raise SettingError(f"position {shown(text)}: expected a text")
        return cls(*read_pasted(text))

    @property
    def position_id(self) -> str:
        """GNU Backgammon's Position ID."""
        return format_position_id(self.points)

    @property
    def match_id(self) -> str:
        """GNU Backgammon's Match ID."""
        return format_match_id(self.context, self.dice)

    @property
    def xgid(self) -> str:
        """The XGID, with its prefix."""
        return format_xgid(self.points, self.context, self.dice)

    @property
    def ogid(self) -> str:
        """The OGID, with its prefix."""
        return format_ogid(self.points, self.context, self.dice)

    @property
    def pips(self) -> tuple[int, int]:
        """The pip counts of the player on roll and of the opponent."""
        return pip_counts(self.points)

    @property
    def off(self) -> tuple[int, int]:
        """The checkers that the player on roll and the opponent have borne off."""
        return off_counts(self.points)

    @property
    def is_over(self) -> bool:
        """Whether a side has borne off all its checkers."""
        return CHECKERS in self.off

    def after(self, points: Points) -> "Position":
        """Return the position with the opponent on roll and `points`, seen from the mover."""
        return Position(flipped(_whole(points)), self.context.after_play())

    def with_dice(self, dice: Dice) -> "Position":
        """Return the position with another roll or without one. A roll removes an offered double."""
        context, dice = self.context, None if dice is None else checked_dice(dice)
        if dice and context.offer:
            context = self.with_offer(False).context
        fields = vars(self) | {"context": context, "dice": dice}
        return unchecked(type(self), **fields)

    def with_offer(self, doubled: bool) -> "Position":
        """Return the position with or without an offered double of the player on roll.

        A double comes before the roll, so it removes the roll.
        """
        to_decide, offer = (-self.context.on_roll, "D") if doubled else (0, "")
        context = replace(self.context, offer=offer, to_decide=to_decide)
        return replace(self, context=context, dice=None if doubled else self.dice)

    def with_terms(self, terms: Terms) -> "Position":
        """Return the position with other terms, and without an offered double.

        Args:
            terms: what is at stake for the player on roll.

        Raises:
            SettingError: no game has such terms; see `Terms.checked`.
        """
        return replace(self, context=self.context.with_terms(terms))

    def flipped(self) -> "Position":
        """Return the same checkers with the other side on roll, before its roll."""
        return self.after(self.points)

    def __str__(self) -> str:
        return self.xgid

    def _repr_svg_(self) -> str:
        svg: str = view_module(self).svg_of(self)
        return svg

    def __repr__(self) -> str:
        return f"Position.parse({self.xgid!r})"


def _whole(points: Iterable[object]) -> Points:
    """Return counts as Python integers, after a check that each is from -15 to 15."""
    try:
        counts: tuple[Any, ...] = tuple(points)
    except TypeError:
        raise SettingError(f"points {shown(points)}: expected 26 whole numbers") from None
    if all(type(count) is int and -CHECKERS <= count <= CHECKERS for count in counts):
        return counts  # the usual case
    for place, count in enumerate(counts):
        if not is_whole(count, -CHECKERS, CHECKERS):
            kind = IllegalPositionError if is_whole(count) else SettingError
            raise kind(
                f"points[{place}] {shown(count)}: expected a whole number from -{CHECKERS} to {CHECKERS}"
            )
    return tuple(map(int, counts))


def parse_start(text: str) -> Points:
    """Return where games begin, seen from the player who begins: a name of `STARTS`, or an ID.

    Raises:
        SettingError: the text is neither a name nor an ID, or the ID has more than checkers: a roll,
            a score, a cube or rules, which a game that begins would ignore.
        IllegalPositionError: it is no position of a game in play.
    """
    if text in STARTS:
        return STARTS[text]
    try:
        position = Position.parse(text)
    except FormatError as error:
        raise SettingError(f"start {shown(text)}: expected {', '.join(STARTS)}, or an ID ({error})") from None
    if is_over(position.points):
        raise IllegalPositionError(f"start {shown(text)}: the game is over")
    ignored = _beside_checkers(position)
    if ignored:
        raise SettingError(
            f"start {shown(text)} with {', '.join(ignored)}: expected checkers alone, {position.position_id}"
        )
    return position.points


def _beside_checkers(position: Position) -> list[str]:
    """Return names of what a position has beside its checkers, in the context and the dice."""
    context = position.context
    cube = context.cube_log2 or context.cube_owner or context.offer or context.resignation
    parts = {
        "a roll": position.dice,
        "a score": context.length or any(context.scores),
        "a cube": cube,
        "a highest cube": context.max_cube_log2 < HIGHEST_CUBE.bit_length() - 1,
        "the Jacoby rule": context.jacoby,
        "beavers": context.beavers,
    }
    return [name for name, given in parts.items() if given]
