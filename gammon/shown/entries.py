"""The entries of answers in JSON: which attributes of their parts programs see.

`scripts/write_openapi.py` makes the schemas of these parts from the same table, from the types
of the attributes and from what their docstrings say.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from gammon.base.plain import plain
from gammon.eval.equity import Probabilities
from gammon.formats.notation import format_play
from gammon.formats.transcript import Action, ActionKind

#: An attribute; `name=way`, where the way leads to one with another name, as far as it goes;
#: `*name` for the entries of an attribute among the others; or a name and a function.
Entries = tuple[str | tuple[str, Callable[[Any], Any]], ...]


def _chances(found: Any) -> Probabilities:
    return Probabilities(*found.probabilities)


def _played(action: Action) -> str | None:
    """Return the play of a roll; None: the action is no roll."""
    return format_play(action.moves) if action.kind is ActionKind.ROLL else None


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
    "ErrorSums": (
        "choices", "counted", "active", "wrong", "error", "cost", "marks", "pr", "rate",
    ),
    "Group": (
        "name", "matches", "pr", "pr_class", "choices=sums.choices",
        "counted=sums.counted", "active=sums.active", "wrong=sums.wrong", "error=sums.error",
        "cost=sums.cost", "bad", "luck", "won", "of", "plays", "doubles", "takes",
    ),
    "Part": ("pr", "counted", "wrong", "bad", "error"),
    "Totals": (
        "pr=all.pr", "pr_class=all.pr_class", "snowie_rate=snowie", "rating", "all", "plays",
        "cube", "doubles", "takes", "kinds", "luck", "luck_worth",
    ),
    "ReviewedPlayer": ("name", "*totals", "result", "luck_adjusted_result"),
    "ReviewedGame": (
        "score=game.score.points", "crawford=game.score.crawford", "jacoby=game.score.jacoby",
        "winner=game.winner", "points=game.points", "players",
    ),
    "GameTranscript": (
        "score=score.points", "crawford=score.crawford", "jacoby=score.jacoby", "winner",
        "points", "actions",
    ),
    "Action": ("kind", "side", "dice", ("play", _played), "points"),
    "ReviewedChoice": ("*choice", "stored", "worth", "why", "themes"),
    "StudiedChoice": ("*choice", "stored", "why", "themes", "names", "where"),
    "StoredPlay": ("play", "equity", "level", ("probabilities", _chances)),
    "StoredCube": ("no_double", "double_take", "level", ("probabilities", _chances)),
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
