"""Tables, HTML and JSON of matches, reviews and libraries; see `gammon.view`."""

from importlib import import_module
from typing import Any

from gammon.view import not_shown

#: The module and the function that show an answer as a table, by the name of the answer's type. The
#: types are not imported: to list matches must not wait for the imports of a review.
_VIEWS = {
    "Review": ("review", "review_view"),
    "Statistics": ("study", "statistics_view"),
    "LargestErrors": ("study", "errors_view"),
    "ReferencePositions": ("study", "references_view"),
    "MatchList": ("study", "match_list_view"),
    "NoteList": ("study", "note_list_view"),
    "StoredReview": ("study", "stored_review_view"),
    "Plan": ("study", "plan_view"),
    "DrillProgress": ("study", "progress_view"),
}
_SHOWN = ", ".join(_VIEWS)


def view_of(answer: object, *how: Any) -> Any:
    """Return an answer as a table; see `gammon.view.view_of`."""
    if type(answer).__name__ not in _VIEWS:
        raise not_shown(answer, f"a {_SHOWN}")
    module, function = _VIEWS[type(answer).__name__]
    return getattr(import_module(f"gammon_study.view.{module}"), function)(answer, *how)


def html_of(answer: object) -> str:
    """Return an answer as HTML for a notebook; see `gammon.view.html_of`."""
    if type(answer).__name__ != "Review":
        raise not_shown(answer, "a Review")
    from gammon_study.view.review import review_html

    return review_html(answer)  # type: ignore[arg-type]


def json_of(answer: object) -> dict[str, Any]:
    """Return the JSON of an answer; see `gammon.view.json_of`."""
    from gammon.view.json_parts import encoded
    from gammon_study.view import json

    entries = json.json_of(answer)
    if entries is None:
        raise not_shown(answer, f"a Transcript, {_SHOWN}")
    encoded_entries: dict[str, Any] = encoded(entries)
    return encoded_entries
