"""The answers of the server beside those of the engine: their entries and what they mean.

`scripts/write_openapi.py` makes their schemas from these types and their docstrings.
"""

import json
from collections.abc import Sequence
from typing import Literal, TypedDict

from gammon.base.checks import plain
from gammon.rules.board import Points
from gammon.view.json_parts import StakesJson

#: 1 is at the bottom, -1 at the top, as in an XGID.
Seat = Literal[1, -1]


class Won(TypedDict):
    """The end of a game.

    Attributes:
        winner: the seat of the player who wins it.
        points: 1, 2 or 3, times the cube.
        scored: the points with the cube.
    """

    winner: Seat
    points: int
    scored: int


class LegalPlay(TypedDict):
    """A play of a roll.

    Attributes:
        notation: the play as people write it.
        points: after it, seen from the player who makes it.
        xgid: of the opponent's position, before the roll.
    """

    notation: str
    points: Points
    xgid: str


class Position(TypedDict):
    """A position as the page needs it, for the player on roll.

    Attributes:
        points: the board.
        dice: the roll, such as `31`.
        xgid: as eXtreme Gammon writes the position.
        ogid: as OpenGammon writes it.
        position_id: as GNU Backgammon writes the checkers.
        match_id: as GNU Backgammon writes all else.
        stakes: what is played for.
        pips: of both players.
        doubled: a take or a pass is asked for.
        turn: the seat of the player on roll.
        over: None where the game goes on.
        may_double: the player on roll may double now.
        after_double: the XGID with that double on offer.
        after_take: where a double is on offer, the XGID after a take.
        after_pass: the end of the game that a pass then is.
        plays: those of the roll.
        steps: for each node the steps [from, to, die, node]; 25 is the bar, 0 is off; node 0
            is before the play.
        ends: nodes without steps, and the index of their play.
    """

    points: Points
    dice: str | None
    xgid: str
    ogid: str
    position_id: str
    match_id: str
    stakes: StakesJson
    pips: tuple[int, int]
    doubled: bool
    turn: Seat
    over: Won | None
    may_double: bool
    after_double: str | None
    after_take: str | None
    after_pass: Won | None
    plays: list[LegalPlay] | None
    steps: Sequence[Sequence[tuple[int, int, int, int]]] | None
    ends: dict[int, int] | None


class RolledOrPassed(TypedDict):
    """The engine rolls, or passes a double."""

    action: Literal["roll", "pass"]


class CubeTurned(TypedDict):
    """The engine does something with the cube.

    Attributes:
        action: the deed.
        position: after it.
    """

    action: Literal["double", "take", "beaver"]
    position: Position


class RollPlayed(TypedDict):
    """The engine plays a roll.

    Attributes:
        action: the deed.
        notation: the play as people write it.
        steps: from, to.
        xgid: after it, for the opponent.
        position: the same.
    """

    action: Literal["play"]
    notation: str
    steps: list[tuple[int, int]]
    xgid: str
    position: Position


#: The deed of the engine as a player.
Turn = RolledOrPassed | CubeTurned | RollPlayed


class Resigned(TypedDict):
    """The answer to a resignation.

    Attributes:
        accept: the engine takes it.
        won: the end of the game that it then is.
    """

    accept: bool
    won: Won


class MatchScore(TypedDict):
    """The score of a match after some games, and how the next one begins.

    Attributes:
        score: the points of the bottom and of the top player; those beyond the length of the
            match do not count.
        crawford: the next game is the Crawford game.
        opening: the XGID before its first roll, with the bottom player on roll; None where the
            match is over.
    """

    score: tuple[int, int]
    crawford: bool
    opening: str | None


class Dice(TypedDict):
    """Rolls of a seed.

    Attributes:
        seed: of the dice.
        begin: the number of the first one.
        dice: rolls such as `31`, the die of the first player, or on the left, first.
    """

    seed: int
    begin: int
    dice: list[str]


class Progress(TypedDict):
    """How far a review is.

    Attributes:
        done: decisions that are analyzed in this pass.
        of: all of them.
        depth: plies of the pass; in a deeper review a quick pass comes first.
    """

    done: int
    of: int
    depth: int


class Health(TypedDict):
    """How the server is, and what it allows.

    Attributes:
        status: always `ok`.
        version: of gammon.
        model: the network that plays.
        compiled: whether answers come at once.
        depth: plies that may be asked for.
        seconds: that a search may take.
        searches: long pieces of work at the same time.
        searching: those that are done now, or wait.
        library: whether it has a library of matches.
    """

    status: Literal["ok"]
    version: str
    model: str
    compiled: bool
    depth: int
    seconds: float
    searches: int
    searching: int
    library: bool


class Plain(str):
    """An answer that is text, not JSON."""


def json_bytes(value: object) -> bytes:
    """Return a value as JSON in one line of ASCII; infinite numbers are null."""
    try:
        text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(plain(value), allow_nan=False, separators=(",", ":"))
    return text.encode()
