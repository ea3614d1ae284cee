"""Queries: lines of JSON that ask for analyses, each with an `id` that its answers carry."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from gammon.base.checks import is_whole, shown
from gammon.base.errors import FormatError, GammonError
from gammon.base.settings import Flag, Setting, Text, settings_of
from gammon.engine.question import HOW_WELL, Question, check_depths

#: The question of a line that says no more than a position.
USUAL = Question()
#: The name of a query: a text, a whole number, or null.
Id = str | int | None


@dataclass(frozen=True)
class Query:
    """A question about a position that is still a text.

    Attributes:
        position: its ID, or a pasted text that holds it.
        id: any name.
        interim: whether the answers of lower depths are wanted too, as they come.
        question: all the rest.
    """

    position: str
    id: Id = None
    interim: bool = False
    question: Question = USUAL

    def questions(self) -> Iterator[Question]:
        """Yield what is asked, in the order of the answers.

        Raises:
            FormatError, IllegalPositionError: there is no position in the text.
        """
        from gammon.formats.position import Position

        last = replace(self.question, position=Position.parse(self.position))
        if self.interim:
            yield from last.shallower()
        yield last


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
_NAMED = re.compile(rf'"({"|".join(_MARKS)})"\s*:')
_SETTINGS = {each.entry: each for each in settings_of(Question).values()}
#: The names of the fields of a query.
FIELDS = ("position", "id", *(name for name in _SETTINGS if name != "position"), "interim")


def read_query(line: str, defaults: Question) -> Query | Terminate | Refused | None:
    """Read a line; None: it is a pasted text.

    A line that names a field of a query, and is no JSON, is a damaged query.

    Args:
        line: of the input.
        defaults: have the fields that the line leaves out.
    """
    if not line.lstrip().startswith("{"):
        return None
    try:
        given = json.loads(line)
    except (ValueError, RecursionError) as error:
        if _NAMED.search(line) is None:
            return None
        wrong = ", or too deep"
        if isinstance(error, json.JSONDecodeError):
            wrong = f": {error.msg} at column {error.colno}"
        return Refused(None, FormatError(f"no JSON{wrong}"))
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
        return _query(name, given, defaults)
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


def _query(name: Id, given: dict[str, Any], defaults: Question) -> Query:
    """Return the query of a line, after a check that there are such fields."""
    for each in given:
        if each not in FIELDS:
            near = get_close_matches(each, FIELDS, 1)
            names = f"{near[0]}?" if near else f"some of {', '.join(FIELDS)}, or terminate"
            wanted = "did you mean" if near else "expected"
            raise FormatError(f"field {shown(each)}: {wanted} {names}")
    if "position" not in given:
        raise FormatError("no position: expected the field position, with an ID")
    position = Text().checked("position", given["position"])
    interim = Flag().checked("interim", given.get("interim", False))
    values = {
        _SETTINGS[each].name: _value(_SETTINGS[each], value)
        for each, value in given.items()
        if each not in ("position", "id", "interim")
    }
    check_depths(values)
    named = [each for each in HOW_WELL if each in values]
    if any(values[each] is not None or getattr(defaults, each) is not None for each in named):
        values = {each: getattr(USUAL, each) for each in HOW_WELL} | values
    return Query(position, name, interim, replace(defaults, **values))


def _value(setting: Setting, value: Any) -> Any:
    """Return the value of a setting; null says what nothing says, where nothing says it."""
    if value is None and setting.default is None:
        return None
    return setting.kind.decoded(setting.entry, value)
