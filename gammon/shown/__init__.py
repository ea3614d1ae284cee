"""What people and programs see of an answer: text, HTML for notebooks, a drawing, a page, JSON.

`LOOKS` has the function for each look of a type. Answers ask by way of `gammon.base.showing`.
"""

from importlib import import_module
from typing import Any

from gammon.base.errors import SettingError

__all__ = ["LOOKS", "SCHEMA_VERSION", "look_of", "to_json"]

#: Changes where programs that read an older answer would misread it: docs/compatibility.md.
SCHEMA_VERSION = 1
#: The modules and functions that lay answers out, for text and HTML alike.
_VIEWS = {
    "Analysis": "gammon.shown.analysis:analysis_view",
    "CubeDecision": "gammon.shown.cube:cube_view",
    "PlayGrid": "gammon.shown.score_grid:play_grid_view",
    "RollTable": "gammon.shown.analysis:roll_table_view",
    "Rollout": "gammon.shown.rollout:rollout_view",
    "ScoreGrid": "gammon.shown.score_grid:score_grid_view",
}
#: The modules and functions that show answers, by the look and the name of the type; for JSON
#: the entries.
LOOKS = {
    "text": {
        **_VIEWS,
        "Review": "gammon.shown.review:review_view",
        "Bearoff": "gammon.shown.bearoff:bearoff_view",
        "FoundErrors": "gammon.shown.study:errors_view",
        "Statistics": "gammon.shown.study:statistics_view",
    },
    "html": {**_VIEWS, "Review": "gammon.shown.review:review_html"},
    "svg": {"Position": "gammon.svg:board"},
    "page": {"Review": "gammon.shown.report:review_page"},
    "json": {
        "Analysis": "gammon.shown.json:ANALYSIS",
        "Bearoff": "gammon.shown.bearoff:BEAROFF",
        "CubeDecision": "gammon.shown.json:CUBE",
        "Evaluation": "gammon.shown.json:EVALUATION",
        "Evaluations": "gammon.shown.arrays:EVALUATIONS",
        "FoundErrors": "gammon.shown.study:ERRORS",
        "MatchEquityTable": "gammon.shown.met:MET",
        "PlayGrid": "gammon.shown.json:PLAY_GRID",
        "PlayValues": "gammon.shown.arrays:PLAY_VALUES",
        "Position": "gammon.shown.json:POSITION",
        "Review": "gammon.shown.review_json:REVIEW",
        "RollTable": "gammon.shown.json:ROLL_TABLE",
        "Rollout": "gammon.shown.json:ROLLOUT",
        "ScoreGrid": "gammon.shown.json:SCORE_GRID",
        "Statistics": "gammon.shown.study:STATISTICS",
        "Transcript": "gammon.shown.json:TRANSCRIPT",
    },
}


def look_of(answer: object, look: str, *how: Any) -> Any:
    """Return an answer as somebody sees it.

    Modules that are not needed for it are not loaded.

    Args:
        answer: to be shown.
        look: one of `LOOKS` but JSON. A text is a view that `gammon.shown.plain` makes plain.
        how: further arguments of the function that shows it.

    Raises:
        SettingError: answers of this type have no such look.
    """
    shown = _found(answer, look)(answer, *how)
    return shown.html() if look == "html" and not isinstance(shown, str) else shown


def _found(answer: object, look: str) -> Any:
    """Return what `LOOKS` names for an answer."""
    known = LOOKS[look]
    name = type(answer).__name__
    if name not in known:
        raise SettingError(f"answer of the type {name}: expected one of {', '.join(known)}")
    home, _, found = known[name].partition(":")
    return getattr(import_module(home), found)


def to_json(answer: Any) -> dict[str, Any]:
    """Return an answer as plain JSON values; `gammon schema` prints their JSON Schema.

    Args:
        answer: a `Position`; an answer of an engine, such as an `Analysis`, an `Evaluation` or
            `PlayValues`; a `ScoreGrid`, a `PlayGrid`, a `Rollout`, a `Transcript`, a `Review`,
            a `MatchEquityTable`, a `Bearoff`, or of a library the `Statistics` or the
            `FoundErrors`.

    Raises:
        SettingError: it is something else.
    """
    entries = _found(answer, "json")
    from gammon.shown.entries import encoded

    return {"schema_version": SCHEMA_VERSION, **encoded(answer, entries)}
