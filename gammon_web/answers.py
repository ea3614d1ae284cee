"""The types of the server's answers, except the engine's answers.

`scripts/write_openapi.py` makes the schemas from these types and their docstrings.
"""

import json
from collections.abc import Sequence
from typing import Literal, TypedDict

from gammon.base.checks import plain
from gammon.rules.board import Points
from gammon.view.json_parts import TermsJson

#: 1 is at the bottom, -1 at the top, as in an XGID.
Seat = Literal[1, -1]


class GameEnd(TypedDict):
    """The end of a game.

    Attributes:
        winner: the seat of the player who wins the game.
        points: 1, 2 or 3, without the cube.
        scored: the points, including the cube.
    """

    winner: Seat
    points: int
    scored: int


class LegalPlay(TypedDict):
    """A play of a roll.

    Attributes:
        notation: the play as people write it.
        points: the board after the play, seen from the player who makes it.
        xgid: the position after the play, before the opponent's roll.
    """

    notation: str
    points: Points
    xgid: str


class Position(TypedDict):
    """A position as the page needs it, for the player on roll.

    Attributes:
        points: the board.
        dice: the roll, such as `31`.
        xgid: the position as eXtreme Gammon writes it.
        ogid: the position as OpenGammon writes it.
        position_id: the checkers as GNU Backgammon writes them.
        match_id: the rest of the position as GNU Backgammon writes it.
        terms: the score, the cube and the rules.
        pips: the pip counts of both players.
        doubled: a double is on offer, and the position asks for a take or a pass.
        turn: the seat of the player on roll.
        over: the end of the game; None if the game goes on.
        may_double: the player on roll may double now.
        after_double: the XGID with a double on offer, if the player on roll may double.
        after_take: the XGID after a take, if a double is on offer.
        after_pass: the end of the game by a pass, if a double is on offer.
        plays: the legal plays of the roll.
        steps: for each node the steps [from, to, die, node]; 25 is the bar, 0 is off; node 0
            is the position before the play.
        ends: the nodes without steps, with the index of their play.
    """

    points: Points
    dice: str | None
    xgid: str
    ogid: str
    position_id: str
    match_id: str
    terms: TermsJson
    pips: tuple[int, int]
    doubled: bool
    turn: Seat
    over: GameEnd | None
    may_double: bool
    after_double: str | None
    after_take: str | None
    after_pass: GameEnd | None
    plays: list[LegalPlay] | None
    steps: Sequence[Sequence[tuple[int, int, int, int]]] | None
    ends: dict[int, int] | None


class RolledOrPassed(TypedDict):
    """The engine rolls, or passes a double."""

    action: Literal["roll", "pass"]


class CubeTurned(TypedDict):
    """The engine doubles, takes or beavers.

    Attributes:
        action: the action.
        position: the position after the action.
    """

    action: Literal["double", "take", "beaver"]
    position: Position


class RollPlayed(TypedDict):
    """The engine plays a roll.

    Attributes:
        action: the action.
        notation: the play as people write it.
        steps: the moves [from, to].
        xgid: the position after the play, for the opponent.
        position: the same position with all its entries.
    """

    action: Literal["play"]
    notation: str
    steps: list[tuple[int, int]]
    xgid: str
    position: Position


#: The action of the engine as a player.
Turn = RolledOrPassed | CubeTurned | RollPlayed


class Resigned(TypedDict):
    """The answer to a resignation.

    Attributes:
        accept: the engine accepts the resignation.
        won: the end of the game by the resignation.
    """

    accept: bool
    won: GameEnd


class MatchScore(TypedDict):
    """The score of a match after some games, and the beginning of the next game.

    Attributes:
        score: the points of the bottom and of the top player, at most the length of the match.
        crawford: the next game is the Crawford game.
        opening: the XGID before its first roll, with the bottom player on roll; None if the match
            is over.
    """

    score: tuple[int, int]
    crawford: bool
    opening: str | None


class Dice(TypedDict):
    """Rolls of a seed.

    Attributes:
        seed: the seed of the dice.
        begin: the number of the first roll.
        dice: rolls such as `31`; the first digit is the die of the first player, or the left die.
    """

    seed: int
    begin: int
    dice: list[str]


class Progress(TypedDict):
    """The progress of a review.

    Attributes:
        done: how many decisions this pass has analyzed.
        total: how many decisions there are.
        depth: plies of the pass; a deep review begins with a quick pass.
    """

    done: int
    total: int
    depth: int


class Health(TypedDict):
    """The state of the server, and its limits.

    Attributes:
        status: always `ok`.
        version: the version of gammon.
        model: the network that plays.
        compiled: whether the engine is ready, so that answers come at once.
        depth: the most plies of a search.
        seconds: the most seconds of a search.
        searches: how many long searches can run at the same time.
        searching: how many long searches run or wait now.
        library: whether the server has a library of matches.
        editable: whether requests may add matches to it, remove them and rename players.
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
    editable: bool


class Plain(str):
    """An answer that is text, not JSON."""


def json_bytes(value: object) -> bytes:
    """Return a value as JSON in one line of ASCII; infinite numbers are null."""
    try:
        text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(plain(value), allow_nan=False, separators=(",", ":"))
    return text.encode()
