"""Tables, HTML and JSON of matches, reviews and libraries; see `gammon.view`."""

from typing import Any

from gammon.view import not_shown
from gammon.view.json_parts import encoded
from gammon_study.library.cover import ReferencePositions
from gammon_study.library.matches import MatchList, StoredReview
from gammon_study.library.plan import DrillProgress, Plan
from gammon_study.library.stats import LargestErrors, Statistics
from gammon_study.match_files.transcript import Transcript as Transcript
from gammon_study.reviews.review import Review

_SHOWN = (
    "a Review, Statistics, LargestErrors, ReferencePositions, a MatchList, StoredReview, Plan "
    "or DrillProgress"
)


def view_of(answer: object, *how: Any) -> Any:
    """Return an answer as a table; see `gammon.view.view_of`."""
    match answer:
        case Review():
            from gammon_study.view.review import review_view

            return review_view(answer, *how)
        case Statistics():
            from gammon_study.view.study import statistics_view

            return statistics_view(answer, *how)
        case LargestErrors():
            from gammon_study.view.study import errors_view

            return errors_view(answer, *how)
        case ReferencePositions():
            from gammon_study.view.study import references_view

            return references_view(answer, *how)
        case MatchList():
            from gammon_study.view.study import match_list_view

            return match_list_view(answer, *how)
        case StoredReview():
            from gammon_study.view.plan import stored_review_view

            return stored_review_view(answer, *how)
        case Plan():
            from gammon_study.view.plan import plan_view

            return plan_view(answer, *how)
        case DrillProgress():
            from gammon_study.view.plan import progress_view

            return progress_view(answer, *how)
    raise not_shown(answer, _SHOWN)


def html_of(answer: object) -> str:
    """Return an answer as HTML for a notebook; see `gammon.view.html_of`."""
    if not isinstance(answer, Review):
        raise not_shown(answer, "a Review")
    from gammon_study.view.review import review_html

    return review_html(answer)


def json_of(answer: object) -> dict[str, Any]:
    """Return the JSON of an answer; see `gammon.view.json_of`."""
    from gammon_study.view import json

    entries = json.json_of(answer)
    if entries is None:
        raise not_shown(answer, f"a Transcript, {_SHOWN}")
    encoded_entries: dict[str, Any] = encoded(entries)
    return encoded_entries
