"""What people and programs see of an answer: text, HTML for notebooks, JSON.

Answers ask by way of `gammon.base.showing`. A module that shows answers is imported when one of
them is shown.
"""

from typing import TYPE_CHECKING, Any

from gammon.base.errors import SettingError
from gammon.base.showing import view_module

if TYPE_CHECKING:
    from gammon.formats.position import Position

__all__ = ["SCHEMA_VERSION", "html_of", "json_of", "not_shown", "svg_of", "to_json", "view_of"]

#: Changes where programs that read an older answer would misread it: docs/compatibility.md.
SCHEMA_VERSION = 1


def view_of(answer: object, *how: Any) -> Any:
    """Return an answer as a table that rich prints, and `gammon.view.plain` makes a text of.

    Args:
        answer: to be shown.
        *how: further arguments of the function that shows it.

    Raises:
        SettingError: answers of this type have no such look.
    """
    from gammon.engine.analysis import Analysis, RollTable
    from gammon.engine.bearoff import Bearoff
    from gammon.engine.cube import CubeDecision
    from gammon.engine.rolled import Rollout
    from gammon.engine.score_grid import PlayGrid, ScoreGrid

    match answer:
        case Analysis():
            from gammon.view.analysis import analysis_view

            return analysis_view(answer, *how)
        case RollTable():
            from gammon.view.analysis import roll_table_view

            return roll_table_view(answer, *how)
        case CubeDecision():
            from gammon.view.cube import cube_view

            return cube_view(answer, *how)
        case Rollout():
            from gammon.view.rollout import rollout_view

            return rollout_view(answer, *how)
        case PlayGrid():
            from gammon.view.score_grid import play_grid_view

            return play_grid_view(answer, *how)
        case ScoreGrid():
            from gammon.view.score_grid import score_grid_view

            return score_grid_view(answer, *how)
        case Bearoff():
            from gammon.view.bearoff import bearoff_view

            return bearoff_view(answer, *how)
    raise not_shown(answer, "an answer of an engine")


def html_of(answer: object) -> str:
    """Return an answer as HTML for a notebook. Raises as `view_of` does."""
    html: str = view_of(answer).html()
    return html


def svg_of(position: "Position") -> str:
    """Return a position as a drawing for a notebook."""
    from gammon.view.svg import board

    return str(board(position))


def json_of(answer: object) -> dict[str, Any]:
    """Return the entries of an answer of this package, without the version of the schema.

    Raises:
        SettingError: answers of this type have no JSON.
    """
    from gammon.view import json
    from gammon.view.json_parts import encoded

    found = json.json_of(answer)
    if found is None:
        raise not_shown(answer, "what to_json says it takes")
    made: dict[str, Any] = encoded(found)
    return made


def to_json(answer: Any) -> dict[str, Any]:
    """Return an answer as plain JSON values; `gammon schema` prints their JSON Schema.

    Args:
        answer: a `Position`; an answer of an engine, such as an `Analysis`, an `Evaluation` or
            `PlayValues`; a `ScoreGrid`, a `PlayGrid`, a `Rollout`, a `Bearoff` or a
            `MatchEquityTable`; of `gammon_study` a `Transcript` or a `Review`, and of its
            library the `Statistics` or the `FoundErrors`.

    Raises:
        SettingError: it is something else.
    """
    return {"schema_version": SCHEMA_VERSION, **view_module(answer).json_of(answer)}


def not_shown(answer: object, expected: str) -> SettingError:
    """Return the error of an answer that has no such look."""
    return SettingError(f"answer of the type {type(answer).__name__}: expected {expected}")
