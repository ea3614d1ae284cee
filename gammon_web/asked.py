"""The question of a request: its parameters and its body, read and checked."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qs

from gammon.base.checks import is_whole
from gammon.base.errors import GammonError, SettingError
from gammon.base.settings import Flag, Kind, Whole, settings_of
from gammon.engine.question import TERMS, Question, check_depths
from gammon.formats.characters import visible, visible_in
from gammon_web.limits import Limits
from gammon_web.parameters import ASKED, ID, Known, Parameter
from gammon_web.refusal import Refusal, bad, refusal_of, shown

if TYPE_CHECKING:
    from gammon.formats.position import Position

R = TypeVar("R")
#: Parameters of a request, at most.
_MOST = 100


class Asked:
    """The parameters of a request, and its body.

    Args:
        query: behind the question mark of the address, as it came.
        body: as it came.
        limits: on what may be asked.
        known: the names that the request may have; None: any.
        depth: plies unless the request says so.

    Attributes:
        body: of the request.
        limits: on what may be asked.
        depth: plies of a search.
        level: the level that plays games where plays are close, or None.

    Raises:
        Refusal: there are too many parameters, or there is no such depth or level.
    """

    def __init__(
        self, query: bytes, body: bytes, limits: Limits, known: Known | None, depth: int = 1
    ) -> None:
        try:
            values = parse_qs(query.decode("latin-1"), keep_blank_values=True, max_num_fields=_MOST)
        except ValueError:
            raise bad(f"more than {_MOST} parameters") from None
        for name, given in values.items():
            if "" in visible_in([each for each in given if each]):
                shown_name = visible(name)
                raise bad(f"{shown_name}: expected a text that can be seen", shown_name)
        self._values: dict[str, list[str]] = visible_in(values)
        self.body, self.limits, self._known = body, limits, known
        if known is not None:
            known.check_parameters(self._values)
        try:
            check_depths({name: self.text(name) for name in self._values})
        except SettingError as error:
            raise bad(str(error)) from None
        self.depth, self.level = min(depth, limits.depth), None
        for name in ("depth", "level"):
            text = self.text(name)
            if text is not None:
                found = Question(**{name: self.value(ASKED[name])})
                self.depth, self.level = found.depth, found.level
                if self.depth > limits.depth:
                    raise bad(f"{name} {text}: this server goes to {limits.depth}", name)

    def text(self, name: str) -> str | None:
        """Return the last value of a parameter; None where there is none, or an empty one."""
        return self._values.get(name, [""])[-1] or None

    def texts(self, name: str) -> list[str]:
        """Return all values of a parameter that are not empty."""
        return [value for value in self._values.get(name, []) if value]

    def says(self, parameter: Parameter) -> bool:
        """Return whether the request has a parameter. A flag may be its name alone."""
        values = self._values.get(parameter.name, [])
        return bool(values) and (isinstance(parameter.kind, Flag) or any(values))

    def value(self, parameter: Parameter) -> Any:
        """Return what a parameter says, the last one of its name; or its usual value.

        Raises:
            Refusal: it says what cannot be.
        """
        if parameter.kind is None or not self.says(parameter):
            return parameter.usual
        return self._read(parameter.kind, parameter.name, self.text(parameter.name) or "")

    def _read(self, kind: Kind, name: str, text: str) -> Any:
        """Return the value that the text of a parameter stands for."""
        try:
            return kind.read(name, text)
        except GammonError as error:
            raise refusal_of(error, name) from None

    def question(self) -> Question:
        """Return what the parameters ask about a position that the engine can look at.

        Raises:
            Refusal: there is no position; the game is over; a parameter says what cannot be.
        """
        position, given = self.position(), {}
        for name, parameter in ASKED.items():
            if name not in ("depth", "level", "plays") and self.says(parameter):
                given[name] = self.value(parameter)
        asked = Question(position=position, depth=self.depth, level=self.level, **given)
        try:
            position = asked.placed()
        except SettingError as error:
            first = next(name for name in TERMS if name in given)
            wrong = error.setting if error.setting in given else first
            raise bad(str(error), wrong) from None
        _check(position)
        return replace(asked, plays=tuple(self.plays(position)))

    def startable(self) -> Question:
        """Return the question, once it is clear that its answer can begin.

        Raises:
            Refusal: as for `question`; or a double is on offer that the rules forbid.
        """
        from gammon.engine.cube import decision_terms

        question = self.question()
        position = question.placed()
        if not (position.dice or question.rolls or question.cubeless or question.stakes):
            try:
                decision_terms(position)
            except GammonError as error:
                raise refusal_of(error) from None
        return question

    def record(self, kind: Callable[..., R]) -> R:
        """Return a record that the parameters make; those that are not there are its defaults.

        Args:
            kind: a dataclass with settings.

        Raises:
            Refusal: a parameter says what cannot be.
        """
        texts = {name: self.text(each.word) for name, each in settings_of(kind).items()}
        return kind(
            **{
                name: self._read(settings_of(kind)[name].kind, name, text)
                for name, text in texts.items()
                if text is not None
            }
        )

    def dice(self) -> tuple[int, int] | None:
        """Return the roll of the parameter `dice`, if there is one.

        Raises:
            Refusal: it is none.
        """
        return read_dice(self.text("dice"))

    def position(self) -> "Position":
        """Return the position of the parameter `id`, with the roll of `dice` if there is one.

        Raises:
            Refusal: there is no position, or no roll.
        """
        text = self.text(ID.name)
        if text is None:
            raise bad("no id: expected a position, such as id=4HPwATDgc/ABMA", "id")
        position, dice = read_position(text, "id"), self.dice()
        return position if dice is None else position.with_dice(dice)

    def decision(self) -> "Position":
        """Return the position of `id` and `dice`, which is one that the engine can look at.

        Raises:
            Refusal: there is none; the game is over, or no game has such stakes.
        """
        position = self.position()
        _check(position)
        return position

    def plays(self, position: "Position") -> list[str]:
        """Return the plays of the parameters `play`, which are legal.

        Args:
            position: with the roll that they play.

        Raises:
            Refusal: one is none, or there is no roll.
        """
        from gammon.formats.play import choose_play, legal_plays

        plays, dice = self.texts("play"), position.dice
        if plays and dice is None:
            raise bad("a play without a roll: expected dice too, such as dice=31", "play")
        if plays and dice is not None:
            legal = legal_plays(position, dice)
            for play in plays:
                try:
                    choose_play(legal, dice, play)
                except GammonError as error:
                    raise refusal_of(error, "play") from None
        return plays

    def json(self) -> Mapping[str, Any]:
        """Return the body, a JSON object.

        Raises:
            Refusal: it is none.
        """
        try:
            found = visible_in(json.loads(self.body, object_pairs_hook=_entries))
        except (ValueError, RecursionError):
            raise bad("the body is no JSON: expected an object") from None
        if not isinstance(found, dict):
            raise bad(f"the body is {shown(found)}: expected a JSON object")
        if self._known is not None:
            self._known.check_body(found)
        return found


def _entries(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of a body.

    Raises:
        Refusal: an entry is there twice.
    """
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise bad(f"{shown(name)} is there twice: expected it once", name[:60])
        found[name] = value
    return found


def _check(position: "Position") -> None:
    """Raise a `Refusal` if the engine cannot look at a position."""
    from gammon.formats.play import check_in_play

    try:
        check_in_play(position)
        position.context.terms()
    except GammonError as error:
        raise bad(str(error), "id", "invalid_position") from None


def read_dice(value: object, field: str = "dice") -> tuple[int, int] | None:
    """Return a roll such as `31`; None for none.

    Args:
        value: a text, or None.
        field: the value's name.

    Raises:
        Refusal: it is no roll.
    """
    from gammon.rules.dice import parse_dice

    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise bad(f"{field} {shown(value)}: expected a text such as '31'", field)
    try:
        return parse_dice(value[:20])
    except GammonError as error:
        raise bad(str(error), field) from None


def read_position(text: object, field: str) -> "Position":
    """Return the position of a pasted text.

    Args:
        text: that holds an ID.
        field: the text's name.

    Raises:
        Refusal: there is none in it.
    """
    from gammon.formats.position import Position

    if not isinstance(text, str):
        raise bad(f"{field} {shown(text)}: expected a text", field)
    try:
        return Position.parse(text)
    except GammonError as error:
        found = refusal_of(error, field)
        raise Refusal(found.status, "invalid_position", found.message, field) from None


def read_entry(body: Mapping[str, Any], name: str, kind: Kind, usual: Any, within: str = "") -> Any:
    """Return an entry of a body, or of an object in it; `usual` where there is none.

    Args:
        body: the object.
        name: of the entry.
        kind: what it must be.
        usual: where there is none.
        within: stands before the name in a refusal, such as `games[0].`.

    Raises:
        Refusal: it is something else.
    """
    field, value = f"{within}{name}", body.get(name, usual)
    try:
        return kind.checked(field, value)
    except GammonError as error:
        wanted = str(error).rpartition(": ")[2]  # behind the value, as Python writes it
        raise bad(f"{field} {shown(value)}: {wanted}", field) from None


def read_whole(
    body: Mapping[str, Any], name: str, usual: int, low: int, high: int | None = None, within: str = ""
) -> int:
    """Return a whole number, as `read_entry` does."""
    return int(read_entry(body, name, Whole(low, high), usual, within))


def read_flag(body: Mapping[str, Any], name: str, usual: bool = False, within: str = "") -> bool:
    """Return a truth value, as `read_entry` does."""
    return bool(read_entry(body, name, Flag(), usual, within))


def read_pair(
    body: Mapping[str, Any], name: str, usual: object, low: int, high: float = math.inf, within: str = ""
) -> tuple[int, int]:
    """Return two whole numbers from `low` to `high`, as `read_entry` does."""
    found, field = body.get(name, usual), f"{within}{name}"
    if not isinstance(found, list) or [is_whole(each, low, high) for each in found] != [1, 1]:
        limits = "" if high == math.inf else f" from {low} to {high}"
        raise bad(f"{field} {shown(found)}: expected two numbers{limits}", field)
    return int(found[0]), int(found[1])
