"""A position with its dice and context, read from and written to the common IDs."""

import re
from dataclasses import dataclass, field, replace

from gammon.errors import FormatError
from gammon.formats.context import Context
from gammon.formats.match_id import Dice, format_match_id, parse_match_id
from gammon.formats.position_id import format_position_id, parse_position_id
from gammon.formats.xgid import PREFIX, format_xgid, parse_xgid
from gammon.rules.board import OPENING, Points, check_points, flipped, off_counts, pip_counts

__all__ = ["Position"]

#: The two lines that GNU Backgammon prints above its board.
_GNU_LABELS = re.compile(r"\b(?:GNU Backgammon|Position ID|Match ID)\s*:?", re.IGNORECASE)


@dataclass(frozen=True, repr=False)
class Position:
    """The checkers of both sides, seen from the player on roll, with dice and context.

    Attributes:
        points: 26 counts: index 25 is the own bar, 24..1 are the points, 0 is the
            opponent's bar. The opponent's checkers count negative.
        context: cube, score and so on. The default is money play.
        dice: the roll to be played, or None.

    Raises:
        IllegalPositionError: the points are not a possible position.
    """

    points: Points
    context: Context = field(default_factory=Context)
    dice: Dice = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", check_points(self.points, str(tuple(self.points))))

    @classmethod
    def opening(cls) -> "Position":
        """Return the opening position, for money."""
        return cls(OPENING)

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Read a GNU Position ID, "PositionID:MatchID", or an XGID with or without "XGID=".

        Surrounding blanks are ignored, and so are GNU Backgammon's labels "Position ID:"
        and "Match ID:".

        Raises:
            FormatError: the text is none of these, or a field is out of range.
            IllegalPositionError: the checkers are not a possible position.
        """
        body = " ".join(_GNU_LABELS.sub(" ", text).split())
        if body.upper().startswith(PREFIX) or body.count(":") > 1:
            return cls(*parse_xgid(body))
        parts = re.split(r"[:\s]+", body)
        if len(parts) > 2 or not body:
            raise FormatError(
                f"{text!r}: expected a Position ID such as 4HPwATDgc/ABMA, with a Match ID "
                "after a colon or without, or an XGID"
            )
        points = parse_position_id(parts[0])
        return cls(points, *parse_match_id(parts[1])) if len(parts) == 2 else cls(points)

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
        return 15 in self.off

    def after(self, points: Points) -> "Position":
        """Return the position with the opponent on roll and `points`, seen from the mover."""
        return Position(flipped(points), self.context.after_play())

    def with_dice(self, dice: Dice) -> "Position":
        """Return the position with another roll, or none. No double is on offer at a roll."""
        context = self.context
        if dice and context.offer:
            context = replace(context, offer="", to_decide=0)
        return replace(self, dice=dice, context=context)

    def flipped(self) -> "Position":
        """Return the same checkers with the other side on roll, before its roll."""
        return self.after(self.points)

    def __str__(self) -> str:
        return self.xgid

    def __repr__(self) -> str:
        return f"Position.parse({self.xgid!r})"
