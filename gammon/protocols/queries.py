"""Queries: lines of JSON that ask for analyses, each with an `id` that its answers carry."""

import json
from dataclasses import dataclass, field, fields, replace
from typing import Any

from gammon.base.checks import is_whole, one_of, shown, whole
from gammon.base.errors import FormatError, GammonError, SettingError
from gammon.rules.dice import checked_dice, parse_dice

__all__ = ["Id", "Query", "Refused", "Terminate", "read_query"]

#: The name of a query: a text, a whole number, or null.
Id = str | int | None

_DEPTHS = (1, 3, 5, 7)


@dataclass(frozen=True)
class Query:
    """A question about a position.

    Attributes:
        position: its ID, or a pasted text that holds it.
        id: any name.
        dice: in place of the position's own; None leaves these.
        depth: plies to search.
        top: how many plays get exact values.
        plays: others that do.
        rolls: whether the best play of each roll is asked for, where the position has none.
        interim: whether the answers of lower depths are wanted too, as they come.
    """

    position: str = ""
    id: Id = None
    dice: tuple[int, int] | None = None
    depth: int = 5
    top: int = 5
    plays: tuple[str, ...] = ()
    rolls: bool = False
    interim: bool = False

    @property
    def depths(self) -> tuple[int, ...]:
        """The depths whose answers are wanted, in their order."""
        if not self.interim:
            return (self.depth,)
        return tuple(depth for depth in _DEPTHS if depth <= self.depth)


@dataclass(frozen=True)
class Terminate:
    """A wish that a query ends at once, with the answer so far.

    Attributes:
        id: of this line.
        terminate: that of the query.
    """

    id: Id
    terminate: Id


@dataclass(frozen=True)
class Refused:
    """A line that was meant as a query, but is not one.

    Attributes:
        id: of the line, as far as it can be told.
        error: a line that says what is wrong.
    """

    id: Id
    error: GammonError = field(compare=False)


#: A line with none of these is a pasted text.
_MARKS = ("id", "position", "terminate")
_FIELDS = tuple(each.name for each in fields(Query))


def read_query(line: str, defaults: Query) -> Query | Terminate | Refused | None:
    """Read a line; None: it is a pasted text.

    Args:
        line: of the input.
        defaults: have the fields that the line leaves out.
    """
    if not line.lstrip().startswith("{"):
        return None
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict) or not any(mark in given for mark in _MARKS):
        return None
    name = given.get("id")
    if not _is_id(name):
        return Refused(
            None, FormatError(f"id {shown(name)}: expected a text or a whole number")
        )
    try:
        if "terminate" in given:
            return _terminate(given)
        return replace(defaults, **{each: _read(each, given[each]) for each in _known(given)})
    except GammonError as error:
        return Refused(name, error)


def _is_id(value: Any) -> bool:
    return value is None or isinstance(value, str) or is_whole(value)


def _terminate(given: dict[str, Any]) -> Terminate:
    target = given["terminate"]
    if target is None or not _is_id(target) or not set(given) <= {"id", "terminate"}:
        raise FormatError(
            f"terminate {shown(target)}: expected the id of a query, with no more than an id "
            "beside it"
        )
    return Terminate(given.get("id"), target)


def _known(given: dict[str, Any]) -> list[str]:
    """Return the names of the fields, after a check that there are such fields."""
    for name in given:
        if name not in _FIELDS:
            names = ", ".join(_FIELDS)
            raise FormatError(f"field {shown(name)}: expected some of {names}, or terminate")
    if "position" not in given:
        raise FormatError("no position: expected the field position, with an ID")
    return list(given)


def _read(name: str, value: Any) -> Any:
    """Return the value of a field.

    Raises:
        SettingError, FormatError: it is not a value of this field.
    """
    if name == "dice":
        return parse_dice(value) if isinstance(value, str) else checked_dice(value)
    if name == "depth":
        return one_of(name, value, _DEPTHS)
    if name == "top":
        return whole(name, value, 1)
    if name == "plays":
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return tuple(value)
        raise SettingError(f"plays {shown(value)}: expected a list of texts")
    wanted = bool if name in ("rolls", "interim") else str
    if name != "id" and not isinstance(value, wanted):
        kind = "true or false" if wanted is bool else "a text"
        raise SettingError(f"{name} {shown(value)}: expected {kind}")
    return value
