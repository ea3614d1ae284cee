"""The entries of answers in JSON: which attributes of their parts programs see.

`scripts/write_openapi.py` makes the schemas of these parts from the same table, from the types
of the attributes and from what their docstrings say.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from gammon.base.plain import plain

#: An attribute; `name=way`, where the way leads to one with another name, as far as it goes;
#: `*name` for the entries of an attribute among the others; or a name and a function.
Entries = tuple[str | tuple[str, Callable[[Any], Any]], ...]


#: The IDs of the position of an answer.
IDS: Entries = (
    "position_id=position.position_id", "match_id=position.match_id", "xgid=position.xgid",
    "ogid=position.ogid",
)  # fmt: skip

#: By the name of the type, in the order of the JSON. Tuples with names need no line here.
ENTRIES: dict[str, Entries] = {
    "Candidate": (
        "play=play.notation", "points=play.points", "equity", "mwc", "cubeless_equity", "loss",
        "exact", "kind", "depth", "bound", "probabilities", "probabilities_depth", "named",
        "games",
    ),
    "BestOfRoll": ("dice", "probability", "*best"),
    "BestAtScore": ("away", "*best"),
    "CubeValue": ("equity", "mwc", "kind", "error"),
    "CubeDecision": (
        "no_double", "double_take", "double_pass", "action", "answer", "verdict", "gain",
        "close", "answer_gain", "answer_close", "sure",
    ),
    "Terms": ("length", "away", "crawford", "cube", "owner", "jacoby", "beavers"),
    "RolledCandidate": (
        "name", "points=play.points", "equity", "error", "interval", "loss", "jsd",
        "may_be_best", "mwc", "mwc_error", "plain", "probabilities", "trials", "out",
    ),
    "Side": ("checkers", "pips", "exact", "mean_rolls", "epc", "wastage", "rolls"),
}  # fmt: skip


def encoded(value: Any, entries: Entries = ()) -> Any:
    """Return a value as plain JSON values. A number that is infinite, or none, is null.

    Args:
        value: of a type of `ENTRIES`; a tuple with names, a list, a mapping; a word of an
            enumeration, a number, a text or None.
        entries: of the value, if they are not those of its type.
    """
    names = entries or ENTRIES.get(type(value).__name__) or getattr(value, "_fields", None)
    if names:
        found: dict[str, Any] = {}
        for each in names:
            if isinstance(each, tuple):
                found[each[0]] = encoded(each[1](value))
            elif each[0] == "*":
                found |= encoded(getattr(value, each[1:]))
            else:
                name, _, way = each.partition("=")
                found[name] = encoded(_at(value, way or name))
        return found
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {encoded(name): encoded(each) for name, each in value.items()}
    return list(map(encoded, value)) if isinstance(value, tuple | list) else plain(value)


def _at(value: Any, way: str) -> Any:
    """Return what a way of attributes leads to; None where a part of it is None."""
    for step in way.split("."):
        value = None if value is None else getattr(value, step)
    return value
