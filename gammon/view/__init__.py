"""The presentation of answers: text, HTML for notebooks, JSON.

`gammon.base.showing` calls this package. The module for a type of answer is imported when it is
needed.
"""

from typing import TYPE_CHECKING, Any

from gammon.base.errors import SettingError
from gammon.base.showing import view_module

if TYPE_CHECKING:
    from gammon.formats.position import Position

__all__ = ["SCHEMA_VERSION", "html_of", "json_of", "not_shown", "svg_of", "to_json", "view_of"]

#: Changes when programs for older answers would misread new ones; see docs/python.md.
SCHEMA_VERSION = 2


def view_of(answer: object, *how: Any) -> Any:
    """Return an answer as tables for rich, or for `plain_text` of `gammon.view.tables`.

    Args:
        answer: the answer.
        *how: further arguments of the function for this type of answer.

    Raises:
        SettingError: there is no view for this type of answer.
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
            from gammon.view.cube import play_grid_view

            return play_grid_view(answer, *how)
        case ScoreGrid():
            from gammon.view.cube import score_grid_view

            return score_grid_view(answer, *how)
        case Bearoff():
            from gammon.view.bearoff import bearoff_view

            return bearoff_view(answer, *how)
    raise not_shown(answer, "an answer of an engine")


def html_of(answer: object) -> str:
    """Return an answer as HTML for a notebook; for errors see `view_of`."""
    html: str = view_of(answer).html()
    return html


def svg_of(position: "Position") -> str:
    """Return a position as a drawing for a notebook."""
    from gammon.view.svg import board

    return str(board(position))


def json_of(answer: object) -> dict[str, Any]:
    """Return the JSON entries of an answer of this package, without the schema version.

    Raises:
        SettingError: there is no JSON for this type of answer.
    """
    from gammon.view import json
    from gammon.view.json_parts import encoded

    entries = json.json_of(answer)
    if entries is None:
        raise not_shown(answer, "a type that the docstring of to_json lists")
    values: dict[str, Any] = encoded(entries)
    return values


def to_json(answer: Any) -> dict[str, Any]:
    """Return an answer as JSON values; `gammon schema` prints their JSON Schema.

    Args:
        answer: a `Position`; an answer of an engine, such as an `Analysis`, an `Evaluation` or
            `PlayValues`; a `ScoreGrid`, a `PlayGrid`, a `Rollout`, a `Bearoff` or a
            `MatchEquityTable`; from `gammon_study` a `Transcript` or a `Review`, and from its
            library `Statistics`, `LargestErrors`, `ReferencePositions`, a `MatchList`,
            a `StoredReview`, a `Plan` or a `DrillProgress`.

    Raises:
        SettingError: the answer is of another type.
    """
    return {"schema_version": SCHEMA_VERSION, **view_module(answer).json_of(answer)}


def not_shown(answer: object, expected: str) -> SettingError:
    """Return an error about an answer of a type that has no such view."""
    return SettingError(f"answer of the type {type(answer).__name__}: expected {expected}")
