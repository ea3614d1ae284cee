"""What people see of an answer: a text, HTML for notebooks, a drawing, a page.

Answers ask by way of `gammon.showing`; `LOOKS` has the function for each look of each type.
"""

from importlib import import_module
from typing import Any

__all__ = ["LOOKS", "look_of"]

#: The modules and functions that show answers, by the look and the name of the type.
LOOKS = {
    "text": {
        "Analysis": "gammon.text.analysis:analysis_view",
        "CubeDecision": "gammon.text.cube:cube_view",
        "PlayGrid": "gammon.text.score_grid:play_grid_view",
        "Review": "gammon.reviews.table:review_view",
        "RollTable": "gammon.text.analysis:roll_table_view",
        "Rollout": "gammon.rollouts.view:rollout_view",
        "ScoreGrid": "gammon.text.score_grid:score_grid_view",
    },
    "html": {
        "Analysis": "gammon.text.html:analysis_html",
        "CubeDecision": "gammon.text.html:cube_html",
        "PlayGrid": "gammon.text.html:grid_html",
        "Review": "gammon.reviews.html:review_html",
        "RollTable": "gammon.text.html:roll_table_html",
        "Rollout": "gammon.rollouts.view:rollout_html",
        "ScoreGrid": "gammon.text.html:grid_html",
    },
    "svg": {"Position": "gammon.svg:board"},
    "page": {"Review": "gammon.reviews.page.whole:review_page"},
}


def look_of(answer: object, look: str, *how: Any) -> str:
    """Return an answer as somebody sees it; see `gammon.showing`.

    Raises:
        KeyError: answers of this type have no such look.
    """
    home, _, name = LOOKS[look][type(answer).__name__].partition(":")
    found = getattr(import_module(home), name)(answer, *how)
    if look == "text":
        found = import_module("gammon.text.plain").plain_text(found)
    return str(found)
