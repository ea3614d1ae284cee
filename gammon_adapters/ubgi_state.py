"""The settings of a controller in the Universal Backgammon Interface: keys, score, cube and rules.

Version 0.1 has words for score, cube and rules, which apply to a Position ID alone. Version 0.2 has
no such words: the ID of a position has everything.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from gammon.base.errors import FormatError
from gammon.base.settings import Flag, Kind, OneOf, Text, Whole
from gammon.engine.question import DEPTHS, FILTERS, LEVELS, Question
from gammon.formats.characters import quoted
from gammon.formats.position import Position
from gammon.rules.terms import HIGHEST_CUBE, LONGEST_MATCH, Terms


class Key(NamedTuple):
    """A setting.

    Attributes:
        name: the name in the protocol.
        kind: the kind of the value.
        default: the value at first.
        text: the description.
        minor: whether the answers do not depend on the setting.
    """

    name: str
    kind: Kind
    default: Any
    text: str
    minor: bool = False

    @property
    def line(self) -> str:
        """The line that announces the setting."""
        mark = " !" if self.minor else ""
        return f"key {self.name} {_type(self.kind)} {written(self.default)}{mark} {self.text}"


def _type(kind: Kind) -> str:
    """Return the type and the range of a kind, such as `int 1..4`."""
    if isinstance(kind, Whole):
        return f"int {kind.low}..{kind.high}"
    if isinstance(kind, OneOf):
        return f"enum {'|'.join(kind.choices)}"
    return "bool" if isinstance(kind, Flag) else "string *"


#: The text for no value.
_NONE = "none"
#: The settings by their names.
KEYS = {
    key.name: key
    for key in (
        Key("game.variant", OneOf(("backgammon",)), "backgammon", "the only game"),
        Key("engine.ply", Whole(1, len(DEPTHS)), 2, "plies as XG counts them: 1 is static"),
        Key(
            "engine.level",
            OneOf((_NONE, *LEVELS)),
            _NONE,
            "in place of plies, a level, whose rollouts may settle close plays",
        ),
        Key("engine.model", OneOf(("large", "leaf", "probe")), "leaf", "the network"),
        Key("engine.filter", OneOf((_NONE, *FILTERS)), _NONE, "the move filter"),
        Key("engine.cube", Flag(), True, "plays are judged with the cube and the score"),
        Key("engine.met", Text(), _NONE, "the file of another match equity table"),
        Key("engine.noise", Whole(0, 1000), 0, "standard deviation of errors in 1/1000 points"),
        Key(
            "engine.strength",
            Whole(0, 30),
            0,
            "in place of plies and level, a player's performance rating from 2 on, 0 for none",
        ),
        Key("engine.seed", Whole(0, 2**31 - 1), 0, "the seed of the noise, and of a level's dice"),
        Key("engine.movetime", Whole(0, 3_600_000), 0, "milliseconds for a decision, 0 for no limit"),
        Key("engine.threads", Whole(1, 256), 1, "processors for one decision", True),
    )
}
#: Version 0.1's names of options, in lower case.
OLD_NAMES = {
    "threads": "engine.threads",
    "seed": "engine.seed",
    "ply": "engine.ply",
    "model": "engine.model",
    "evalmode": "engine.cube",
    "strength": "engine.strength",
}


def written(value: Any) -> str:
    """Return a value as the protocol writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def question_of(values: Mapping[str, Any]) -> Question:
    """Return the question that settings ask of each position.

    Args:
        values: the values of all keys, by name.

    Raises:
        SettingError, FormatError, GammonError: as for `Question`.
    """
    chosen, met, level = (
        None if values[name] == _NONE else values[name]
        for name in ("engine.filter", "engine.met", "engine.level")
    )
    milliseconds, strength = values["engine.movetime"], values["engine.strength"]
    return Question(
        depth=DEPTHS[values["engine.ply"] - 1],
        noise=values["engine.noise"] / 1000.0,
        noise_seed=values["engine.seed"],
        cubeless=not values["engine.cube"],
        max_seconds=milliseconds / 1000.0 if milliseconds else None,
        move_filter=chosen,
        met=met,
        level=None if strength else level,
        seed=values["engine.seed"],
        strength=strength or None,
    )


class SessionTerms(NamedTuple):
    """The score, the cube and the rules of a session. The default is money with a centred cube.

    Attributes:
        length: points of the match, 0 for money.
        jacoby: whether gammons count only after the cube is turned (money).
        crawford: whether the match has a Crawford game.
        score: the points of players 0 and 1.
        crawford_score: the first score at which a side was one point away, or None. It becomes
            None when the score goes back.
        cube: the value of the cube.
        owner: 0, 1, or None for a centred cube.
        turn: the player on roll, 0 or 1.
    """

    length: int = 0
    jacoby: bool = False
    crawford: bool = True
    score: tuple[int, int] = (0, 0)
    crawford_score: tuple[int, int] | None = None
    cube: int = 1
    owner: int | None = None
    turn: int = 0

    def after(self, word: str, rest: list[str]) -> "SessionTerms":
        """Return the session after a line.

        Args:
            word: `newsession`, `setscore`, `setcube` or `setturn`.
            rest: the words after it.

        Raises:
            FormatError: the words are malformed.
        """
        try:
            return self._after(word, rest)
        except (ValueError, KeyError):
            text = " ".join([word, *rest])
            raise FormatError(f"{quoted(text)}: expected {_EXPECTED[word]}") from None

    def _after(self, word: str, rest: list[str]) -> "SessionTerms":
        """Return the session after a line; raise a `ValueError` or a `KeyError` at a wrong line."""
        if word == "setscore":
            first, second = map(int, rest)
            if min(first, second) < 0 or 0 < self.length <= max(first, second):
                raise ValueError
            score, before = (first, second), self.crawford_score
            if first < self.score[0] or second < self.score[1]:
                before = None
            if before is None and self.length - 1 in score:
                before = score
            return self._replace(score=score, crawford_score=before)
        if word == "setturn":
            (player,) = rest
            return self._replace(turn={"p0": 0, "p1": 1}[player])
        given = dict(zip(rest[::2], rest[1::2], strict=True))
        if word == "setcube":
            owner = {"center": None, "p0": 0, "p1": 1}[given.get("owner", "center")]
            cube, own = int(given["value"]), int(owner is not None)
            Terms(self.length, 2 * (self.length,), cube=cube, owner=own).checked()
            return self._replace(cube=cube, owner=owner)
        is_match = {"money": False, "match": True}[given.pop("type")]
        length, marks = int(given.pop("length", "0")), {"on": True, "off": False}
        jacoby = marks[given.pop("jacoby", "off")]
        crawford = marks[given.pop("crawford", "on")]
        if given or is_match != bool(length) or not 0 <= length <= LONGEST_MATCH:
            raise ValueError
        return SessionTerms(length, jacoby and not length, crawford)

    def placed(self, position: Position) -> Position:
        """Return a position with the score, the cube and the rules of the session.

        Raises:
            SettingError: no game has such terms.
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
    "newsession": f"newsession type money, or newsession type match length N, N from 1 to {LONGEST_MATCH}",
    "setscore": "setscore <p0> <p1>, in a match below its length",
    "setcube": f"setcube value N owner center|p0|p1, N 1, 2, 4, ... {HIGHEST_CUBE}, with center at 1",
    "setturn": "setturn p0|p1",
}
