"""The query of a request, its parameters and its body parsed and checked, and its client."""

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qs

from starlette.types import Receive

from gammon.base.checks import is_whole
from gammon.base.errors import GammonError, SettingError
from gammon.base.settings import Flag, SettingKind, Whole, settings_of
from gammon.base.stop import Stop
from gammon.engine.question import TERMS, Question, check_depths
from gammon.formats.characters import visible, visible_in
from gammon_web.limits import Limits
from gammon_web.parameters import ID, QUESTION_PARAMETERS, Known, Parameter
from gammon_web.refusal import Refusal, bad, refusal_of, shown

if TYPE_CHECKING:
    from gammon.formats.position import Position


R = TypeVar("R")
#: The most parameters of a request.
_MOST = 100


class ClientLeftError(Exception):
    """The client has left, so nobody waits for the answer."""


class Client:
    """Signals to the work for a request, in another thread, that its client has left.

    Attributes:
        stop: ends the work when the client leaves.
    """

    def __init__(self) -> None:
        self.stop = Stop()

    @property
    def left(self) -> bool:
        """Whether the client has left."""
        return self.stop.is_set()

    def leave(self) -> None:
        """Signal that the client has left."""
        self.stop.set()

    def check(self, late: float = math.inf) -> None:
        """Raise an error if the client has left, or the time is over.

        Args:
            late: the end of the time, by `time.monotonic`.

        Raises:
            ClientLeftError: the client has left.
            Refusal: the time is over.
        """
        if self.left:
            raise ClientLeftError
        if time.monotonic() > late:
            raise Refusal(504, "timeout", "this takes too long for this server")


async def client_left(receive: Receive) -> None:
    """Return once the client has left. Call this after all of the request is read."""
    while (await receive())["type"] != "http.disconnect":
        pass


class Query:
    """The parameters of a request, and its body.

    Args:
        query: the query string of the address.
        body: the body.
        limits: the limits of requests.
        known: the names that the request may have; None: any.
        depth: plies unless the request gives them.

    Attributes:
        body: the body.
        limits: the limits of requests.
        depth: plies of a search.
        level: the level whose rollouts settle close plays, or None.

    Raises:
        Refusal: there are too many parameters, an unknown one, or no such depth or level.
    """

    def __init__(
        self, query: bytes, body: bytes, limits: Limits, known: Known | None, depth: int = 1
    ) -> None:
        try:
            values = parse_qs(query.decode("latin-1"), keep_blank_values=True, max_num_fields=_MOST)
        except ValueError:
            raise bad(f"more than {_MOST} parameters") from None
        for name, given in values.items():
            if "" in visible_in([value for value in given if value]):
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
                question = Question(**{name: self.value(QUESTION_PARAMETERS[name])})
                self.depth, self.level = question.depth, question.level
                if self.depth > limits.depth:
                    raise bad(f"{name} {text}: this server goes to {limits.depth}", name)

    def text(self, name: str) -> str | None:
        """Return the last value of a parameter; None if it is missing or empty."""
        return self._values.get(name, [""])[-1] or None

    def texts(self, name: str) -> list[str]:
        """Return all values of a parameter that are not empty."""
        return [value for value in self._values.get(name, []) if value]

    def has(self, parameter: Parameter) -> bool:
        """Return whether the request has a parameter. A flag may be its name alone."""
        values = self._values.get(parameter.name, [])
        return bool(values) and (isinstance(parameter.kind, Flag) or any(values))

    def value(self, parameter: Parameter) -> Any:
        """Return the value of a parameter, the last one of its name; or its default.

        Raises:
            Refusal: the value is invalid.
        """
        if parameter.kind is None or not self.has(parameter):
            return parameter.usual
        return self._read(parameter.kind, parameter.name, self.text(parameter.name) or "")

    def _read(self, kind: SettingKind, name: str, text: str) -> Any:
        """Return the value of a parameter from its text."""
        try:
            return kind.read(name, text)
        except GammonError as error:
            raise refusal_of(error, name) from None

    def question(self) -> Question:
        """Return the question that the parameters ask about a position.

        Raises:
            Refusal: there is no position, the game is over, or a parameter is invalid.
        """
        position, given = self.position(), {}
        for name, parameter in QUESTION_PARAMETERS.items():
            if name not in ("depth", "level", "plays") and self.has(parameter):
                given[name] = self.value(parameter)
        question = Question(position=position, depth=self.depth, level=self.level, **given)
        try:
            position = question.placed()
        except SettingError as error:
            first = next(name for name in TERMS if name in given)
            wrong = error.setting if error.setting in given else first
            raise bad(str(error), wrong) from None
        _check(position)
        return replace(question, plays=tuple(self.plays(position)))

    def startable(self) -> Question:
        """Return the question, after a check that its answer can begin.

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
        """Return a record with the values of the parameters; missing ones have their defaults.

        Args:
            kind: a dataclass with settings.

        Raises:
            Refusal: a parameter is invalid.
        """
        texts = {name: self.text(setting.word) for name, setting in settings_of(kind).items()}
        return kind(
            **{
                name: self._read(settings_of(kind)[name].kind, name, text)
                for name, text in texts.items()
                if text is not None
            }
        )

    def dice(self) -> tuple[int, int] | None:
        """Return the roll of the parameter `dice`, or None without one.

        Raises:
            Refusal: the value is not a roll.
        """
        return read_dice(self.text("dice"))

    def position(self) -> "Position":
        """Return the position of the parameter `id`, with the roll of `dice` if there is one.

        Raises:
            Refusal: `id` is missing or has no position, or `dice` is not a roll.
        """
        text = self.text(ID.name)
        if text is None:
            raise bad("no id: expected a position, such as id=4HPwATDgc/ABMA", "id")
        position, dice = read_position(text, "id"), self.dice()
        return position if dice is None else position.with_dice(dice)

    def decision(self) -> "Position":
        """Return the position of `id` and `dice`, after a check that the engine can analyze it.

        Raises:
            Refusal: there is no position, the game is over, or no game has such terms.
        """
        position = self.position()
        _check(position)
        return position

    def plays(self, position: "Position") -> list[str]:
        """Return the plays of the parameters `play`, after a check that they are legal.

        Args:
            position: the position, with the roll.

        Raises:
            Refusal: a play is not legal, or there is no roll.
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
            Refusal: the body is not a JSON object, or has an unknown entry.
        """
        try:
            body = visible_in(json.loads(self.body, object_pairs_hook=_entries))
        except (ValueError, RecursionError):
            raise bad("the body is not JSON: expected an object") from None
        if not isinstance(body, dict):
            raise bad(f"the body is {shown(body)}: expected a JSON object")
        if self._known is not None:
            self._known.check_body(body)
        return body


def _entries(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of a body.

    Raises:
        Refusal: an entry occurs twice.
    """
    entries: dict[str, Any] = {}
    for name, value in pairs:
        if name in entries:
            raise bad(f"{shown(name)} is there twice: expected it once", name[:60])
        entries[name] = value
    return entries


def _check(position: "Position") -> None:
    """Raise a `Refusal` if the engine cannot analyze a position."""
    from gammon.formats.play import check_in_play

    try:
        check_in_play(position)
        position.context.terms()
    except GammonError as error:
        raise bad(str(error), "id", "invalid_position") from None


def read_dice(value: object, field: str = "dice") -> tuple[int, int] | None:
    """Return a roll such as `31`, or None for no text.

    Args:
        value: a text, or None.
        field: the name of the value, for a refusal.

    Raises:
        Refusal: the value is not a roll.
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
        text: a text that contains an ID.
        field: the name of the text, for a refusal.

    Raises:
        Refusal: the text has no position.
    """
    from gammon.formats.position import Position

    if not isinstance(text, str):
        raise bad(f"{field} {shown(text)}: expected a text", field)
    try:
        return Position.parse(text)
    except GammonError as error:
        refusal = refusal_of(error, field)
        raise Refusal(refusal.status, "invalid_position", refusal.message, field) from None


def read_entry(body: Mapping[str, Any], name: str, kind: SettingKind, usual: Any, within: str = "") -> Any:
    """Return an entry of a body, or of an object in it.

    Args:
        body: the object.
        name: the name of the entry.
        kind: the kind of the value.
        usual: the default, if the entry is missing.
        within: the path before the name in a refusal, such as `games[0].`.

    Raises:
        Refusal: the value is of another kind.
    """
    field, value = f"{within}{name}", body.get(name, usual)
    try:
        return kind.checked(field, value)
    except GammonError as error:
        wanted = str(error).rpartition(": ")[2]  # the part after the value, which Python formats differently
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
    value, field = body.get(name, usual), f"{within}{name}"
    if not isinstance(value, list) or [is_whole(number, low, high) for number in value] != [1, 1]:
        limits = "" if high == math.inf else f" from {low} to {high}"
        raise bad(f"{field} {shown(value)}: expected two numbers{limits}", field)
    return int(value[0]), int(value[1])
