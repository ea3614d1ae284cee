"""A backgammon engine, and a laboratory for *-minimax search in games of chance.

    import gammon
    position = gammon.Position.parse("4HPwATDgc/ABMA")
    engine = gammon.Engine(depth=3)
    analysis = engine.analyze(position, (3, 1))
    print(analysis.candidates[0].play, analysis.candidates[0].equity)

The names below are loaded when they are first used, so that `import gammon` and
`gammon --help` start at once.
"""

import importlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

#: The version of the package; pyproject.toml reads it here.
__version__ = "0.3.0"

if TYPE_CHECKING:
    from gammon import svg
    from gammon.answers.analysis import Analysis, Candidate, Evaluation, Kind, RollTable
    from gammon.answers.boards import Evaluations, PlayValues
    from gammon.answers.cube import (
        CubeAction,
        CubeAnswer,
        CubeDecision,
        CubeValue,
        cube_from_chances,
    )
    from gammon.answers.engine import Engine
    from gammon.answers.question import Question
    from gammon.answers.rolled import RolledCandidate, Rollout
    from gammon.answers.rollout import rollout
    from gammon.answers.score_grid import PlayGrid, ScoreGrid
    from gammon.base.errors import (
        AmbiguousPlayError,
        FormatError,
        GameError,
        GammonError,
        IllegalPlayError,
        IllegalPositionError,
        MissingExtraError,
        ModelError,
        SearchError,
        SettingError,
        UnfinishedError,
    )
    from gammon.base.stop import Stop
    from gammon.eval.equity import Probabilities
    from gammon.formats.match_file import read_transcript, write_transcript
    from gammon.formats.met_file import read_met
    from gammon.formats.play import Play, find_play, legal_plays
    from gammon.formats.position import Position
    from gammon.formats.transcript import Transcript
    from gammon.reviews.review import Review, review
    from gammon.rules.match_equity import MatchEquityTable
    from gammon.rules.stakes import Stakes, parse_stakes
    from gammon.rules.terms import Terms
    from gammon.shown import to_json

__all__ = [
    "AmbiguousPlayError", "Analysis", "Candidate", "CubeAction", "CubeAnswer",
    "CubeDecision", "CubeValue", "Engine", "Evaluation", "Evaluations", "FormatError",
    "GameError", "GammonError", "IllegalPlayError", "IllegalPositionError", "Kind",
    "MatchEquityTable", "MissingExtraError", "ModelError", "Play", "PlayGrid", "PlayValues",
    "Position", "Probabilities", "Question", "Review", "RollTable", "RolledCandidate",
    "Rollout", "ScoreGrid", "SearchError", "SettingError", "Stakes", "Stop", "Terms",
    "Transcript", "UnfinishedError", "cube_from_chances", "find_play", "legal_plays",
    "parse_stakes", "read_met", "read_transcript", "review", "rollout", "svg", "to_json",
    "write_transcript",
]  # fmt: skip


#: The module of each name, by the imports above, which are written for type checkers.
_HOME_OF = {
    name: home
    for home, names in re.findall(
        r"^    from (gammon\S*) import (\([^)]*\)|.*)$",
        Path(__file__).read_text(encoding="utf-8"), re.MULTILINE,
    )
    for name in re.findall(r"\w+", names)
}  # fmt: skip


if not TYPE_CHECKING:  # type checkers would take every name for one of these

    def __getattr__(name: str) -> Any:
        if name == "svg":  # a package, whose names go by its own
            return importlib.import_module("gammon.svg")
        if name not in _HOME_OF:
            raise AttributeError(f"module 'gammon' has no attribute {name!r}")
        value = getattr(importlib.import_module(_HOME_OF[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
