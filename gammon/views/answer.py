"""Any answer as plain JSON values: what the commands and the server write, and `to_json`."""

from importlib import import_module
from typing import Any

from gammon.errors import SettingError

__all__ = ["SCHEMA_VERSION", "to_json"]

#: Changes where programs that read an older answer would misread it: docs/compatibility.md.
SCHEMA_VERSION = 1
#: The function of this package that writes each type. Those that are not used are not loaded.
_WRITERS = {
    "gammon.analysis.Analysis": "json.analysis_json",
    "gammon.analysis.RollTable": "json.roll_table_json",
    "gammon.bearoff.Bearoff": "bearoff.bearoff_json",
    "gammon.cube.CubeDecision": "json.cube_json",
    "gammon.reviews.review.Review": "review.review_json",
    "gammon.rollouts.answer.Rollout": "json.rollout_json",
    "gammon.rules.match_equity.MatchEquityTable": "met.met_json",
    "gammon.score_grid.PlayGrid": "json.play_grid_json",
    "gammon.score_grid.ScoreGrid": "json.score_grid_json",
}


def to_json(answer: Any) -> dict[str, Any]:
    """Return an answer as plain JSON values; `gammon schema` prints their JSON Schema.

    Args:
        answer: an `Analysis`, a `RollTable`, a `CubeDecision`, a `ScoreGrid`, a `PlayGrid`, a
            `Rollout`, a `Review`, a `MatchEquityTable`, or what `gammon.bearoff` returns.

    Raises:
        SettingError: it is something else.
    """
    kind = type(answer)
    module, _, writer = _WRITERS.get(f"{kind.__module__}.{kind.__name__}", "").partition(".")
    if not writer:
        names = ", ".join(name.rpartition(".")[2] for name in _WRITERS)
        raise SettingError(f"answer of the type {kind.__name__}: expected one of {names}")
    values = getattr(import_module(f"gammon.views.{module}"), writer)(answer)
    return {"schema_version": SCHEMA_VERSION, **values}
