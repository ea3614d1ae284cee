"""JSON that several packages use: numbers and records in general, IDs, and terms.

The TypedDicts here and in `gammon.view.json` define the JSON of answers;
`scripts/write_openapi.py` makes schemas from them and their docstrings. `entries_of` takes the values
from an answer, and `encoded` converts these to JSON values. A TypedDict that extends others also names
`TypedDict` as a base, so that Python 3.11 keeps its other bases.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, TypedDict, TypeVar, cast

import numpy as np

from gammon.base.checks import plain
from gammon.formats.position import Position
from gammon.rules.terms import Terms

J = TypeVar("J")


def entries_of(kind: type[J], answer: object, /, **others: Any) -> J:
    """Return the entries of a type of JSON.

    Args:
        kind: a TypedDict.
        answer: has an attribute for each entry that is not among the others.
        others: the entries that are no attributes of the answer, or have other values.
    """
    names = kind.__annotations__
    entries = {name: others[name] if name in others else getattr(answer, name) for name in names}
    return cast(J, entries)


def encoded(value: Any) -> Any:
    """Convert a value to JSON values.

    Args:
        value: a named tuple or a dataclass, which becomes an object of its fields; a mapping, a
            list or a tuple; an array, which becomes lists; a member of an enumeration; a number, which
            becomes null if it is infinite or nan; a text or None.
    """
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {encoded(name): encoded(entry) for name, entry in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return encoded(value._asdict())
    if is_dataclass(value):
        return {field.name: encoded(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Enum):
        return value.value
    return list(map(encoded, value)) if isinstance(value, tuple | list) else plain(value)


class IdsJson(TypedDict):
    """The IDs of the position of an answer.

    Attributes:
        position_id: GNU Backgammon's Position ID.
        match_id: GNU Backgammon's Match ID.
        xgid: The XGID, with its prefix.
        ogid: The OGID, with its prefix.
    """

    position_id: str
    match_id: str
    xgid: str
    ogid: str


def ids_json(position: Position) -> IdsJson:
    """Return the IDs of a position."""
    return entries_of(IdsJson, position)


class TermsJson(TypedDict):
    """The terms of a game as the player on roll sees them. The default is money with a centred cube.

    Attributes:
        length: points of the match, 0 for money.
        away: the points that the player on roll and the opponent still need; (0, 0) for money.
        crawford: whether this is the Crawford game.
        cube: the value of the cube, 1, 2, 4, ... 64.
        owner: the owner of the cube: 1 the player on roll, -1 the opponent, 0 nobody.
        jacoby: whether gammons count only after the cube is turned (money).
        beavers: whether a double can be redoubled at once (money).
    """

    length: int
    away: tuple[int, int]
    crawford: bool
    cube: int
    owner: int
    jacoby: bool
    beavers: bool


def terms_json(terms: Terms) -> TermsJson:
    """Return the terms without `live`, whether the cube may still be turned."""
    return entries_of(TermsJson, terms)
