"""The stakes that version 0.1 of the Universal Backgammon Interface tells in words of its own.

Version 0.2 has none of them: there a position's ID says all. A Position ID alone gets the
stakes that were told.
"""

from dataclasses import replace
from typing import NamedTuple

from gammon.base.errors import FormatError
from gammon.formats.characters import quoted
from gammon.formats.position import Position
from gammon.rules.terms import Terms

__all__ = ["SessionTerms"]


class SessionTerms(NamedTuple):
    """The stakes of a session. The default is money with a centred cube.

    Attributes:
        length: points of the match, 0 for money.
        jacoby: whether gammons count only after the cube is turned (money).
        crawford: whether the match has a Crawford game.
        score: of players 0 and 1.
        crawford_score: the first score at which a side was one point away, or None.
        cube: its value.
        owner: 0, 1, or None for a centred cube.
        turn: who is on roll, 0 or 1.
    """

    length: int = 0
    jacoby: bool = False
    crawford: bool = True
    score: tuple[int, int] = (0, 0)
    crawford_score: tuple[int, int] | None = None
    cube: int = 1
    owner: int | None = None
    turn: int = 0

    def told(self, word: str, rest: list[str]) -> "SessionTerms":
        """Return the stakes after a line.

        Args:
            word: `newsession`, `setscore`, `setcube` or `setturn`.
            rest: the words after it.

        Raises:
            FormatError: these cannot be read.
        """
        try:
            return getattr(self, f"_{word}")(rest)  # type: ignore[no-any-return]
        except (ValueError, KeyError, IndexError):
            text = " ".join([word, *rest])
            raise FormatError(f"{quoted(text)}: expected {_EXPECTED[word]}") from None

    def _newsession(self, rest: list[str]) -> "SessionTerms":
        settings = dict(zip(rest[::2], rest[1::2], strict=True))
        kind = {"money": 0, "match": 1}[settings.pop("type")]
        length = int(settings.pop("length", "0"))
        if bool(length) != bool(kind) or length < 0:
            raise ValueError
        marks = {"on": True, "off": False}
        jacoby = marks[settings.pop("jacoby", "off")]
        crawford = marks[settings.pop("crawford", "on")]
        if settings:
            raise ValueError
        return SessionTerms(length, jacoby and not length, crawford)

    def _setscore(self, rest: list[str]) -> "SessionTerms":
        first, second = map(int, rest)
        if min(first, second) < 0:
            raise ValueError
        score, before = (first, second), self.crawford_score
        if before is None and self.length - 1 in score:
            before = score
        return self._replace(score=score, crawford_score=before)

    def _setcube(self, rest: list[str]) -> "SessionTerms":
        settings = dict(zip(rest[::2], rest[1::2], strict=True))
        owner = {"center": None, "p0": 0, "p1": 1}[settings.get("owner", "center")]
        return self._replace(cube=int(settings["value"]), owner=owner)

    def _setturn(self, rest: list[str]) -> "SessionTerms":
        (player,) = rest
        return self._replace(turn={"p0": 0, "p1": 1}[player])

    def placed(self, position: Position) -> Position:
        """Return a position, whose ID says nothing of the stakes, with these.

        Raises:
            SettingError: no game has such stakes.
        """
        if self == SessionTerms():
            return position
        own = 0 if self.owner is None else 1 if self.owner == self.turn else -1
        at = Terms(jacoby=self.jacoby, cube=self.cube, owner=own)
        if self.length:
            first, second = self.score
            away = self.length - first, self.length - second
            away = away if self.turn == 0 else (away[1], away[0])
            crawford = self.crawford and self.score == self.crawford_score and away != (1, 1)
            at = at._replace(length=self.length, away=away, crawford=crawford)
        return replace(position.with_terms(at), dice=position.dice)


_EXPECTED = {
    "newsession": "newsession type money, or newsession type match length N",
    "setscore": "setscore <p0> <p1>",
    "setcube": "setcube value <N> owner center|p0|p1",
    "setturn": "setturn p0|p1",
}
