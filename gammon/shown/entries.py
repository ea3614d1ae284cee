"""The entries of answers in JSON: which attributes of their parts programs see.

`scripts/write_openapi.py` makes the schemas of these parts from the same table, from the types
of the attributes and from what their docstrings say.
"""

from collections.abc import Mapping
from enum import Enum
from operator import attrgetter
from typing import Any

__all__ = ["ENTRIES", "encoded"]

#: By the name of the type, attributes in the order of the JSON. Behind `=` stands the way to an
#: attribute that has another name.
ENTRIES = {
    "Candidate": (
        "play=play.notation", "points=play.points", "equity", "mwc", "cubeless_equity", "loss",
        "exact", "kind", "depth", "probabilities", "probabilities_depth", "named",
    ),
    "CubeValue": ("equity", "mwc", "kind"),
    "CubeDecision": (
        "no_double", "double_take", "double_pass", "action", "answer", "verdict", "gain",
        "close", "answer_gain", "answer_close",
    ),
    "ErrorSums": (
        "choices", "counted", "active", "wrong", "error", "cost", "marks", "rate",
    ),
    "Totals": (
        "pr=all.pr", "pr_class=all.pr_class", "snowie_rate=snowie", "rating", "all", "plays",
        "cube", "kinds", "luck", "luck_worth",
    ),
}  # fmt: skip


def encoded(value: Any) -> Any:
    """Return a value as plain JSON values.

    Args:
        value: of a type of `ENTRIES`; a tuple with names, a list, a mapping; a word of an
            enumeration, a number, a text or None.
    """
    names = ENTRIES.get(type(value).__name__) or getattr(value, "_fields", None)
    if names:
        ways = [(name, way or name) for name, _, way in (each.partition("=") for each in names)]
        return {name: encoded(attrgetter(way)(value)) for name, way in ways}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {encoded(name): encoded(each) for name, each in value.items()}
    return [encoded(each) for each in value] if isinstance(value, tuple | list) else value
