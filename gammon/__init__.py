"""A backgammon engine that searches with *-minimax.

    import gammon
    position = gammon.Position.parse("4HPwATDgc/ABMA")
    engine = gammon.Engine(depth=3)
    analysis = engine.analyze(position, (3, 1))
    print(analysis.candidates[0].play, analysis.candidates[0].equity)

The public names are loaded on first use, so that `import gammon` and `gammon --help` start at
once.
"""

from typing import TYPE_CHECKING

from gammon.base.plugins import imported_when_used

#: The version of the package; pyproject.toml reads it here.
__version__ = "0.4.0"

if TYPE_CHECKING:
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
    from gammon.engine.analysis import Analysis, Candidate, Evaluation, Kind, RollTable
    from gammon.engine.boards import CubeDecisions, Evaluations, PlayValues
    from gammon.engine.cube import CubeAction, CubeAnswer, CubeDecision, CubeValue, cube_from_chances
    from gammon.engine.engine import Engine
    from gammon.engine.question import Question
    from gammon.engine.rolled import RolledCandidate, Rollout
    from gammon.engine.rollout import rollout
    from gammon.engine.score_grid import PlayGrid, ScoreGrid
    from gammon.eval.equity import Probabilities
    from gammon.formats.met_file import read_met
    from gammon.formats.play import Play, find_play, legal_plays
    from gammon.formats.position import Position
    from gammon.rules.match_equity import MatchEquityTable
    from gammon.rules.terms import Payoffs, Terms, parse_stakes
    from gammon.view import svg, to_json

__all__ = [
    "AmbiguousPlayError", "Analysis", "Candidate", "CubeAction", "CubeAnswer", "CubeDecision",
    "CubeDecisions", "CubeValue", "Engine", "Evaluation", "Evaluations", "FormatError",
    "GameError", "GammonError", "IllegalPlayError", "IllegalPositionError", "Kind",
    "MatchEquityTable", "MissingExtraError", "ModelError", "Payoffs", "Play", "PlayGrid",
    "PlayValues", "Position", "Probabilities", "Question", "RollTable", "RolledCandidate",
    "Rollout", "ScoreGrid", "SearchError", "SettingError", "Stop", "Terms", "UnfinishedError",
    "cube_from_chances", "find_play", "legal_plays", "parse_stakes", "read_met", "rollout",
    "svg", "to_json",
]  # fmt: skip

#: The public names by module; a test compares them with the imports above.
_HOMES = {
    "gammon.base.errors": (
        "AmbiguousPlayError FormatError GameError GammonError IllegalPlayError "
        "IllegalPositionError MissingExtraError ModelError SearchError SettingError "
        "UnfinishedError"
    ),
    "gammon.base.stop": "Stop",
    "gammon.engine.analysis": "Analysis Candidate Evaluation Kind RollTable",
    "gammon.engine.boards": "CubeDecisions Evaluations PlayValues",
    "gammon.engine.cube": "CubeAction CubeAnswer CubeDecision CubeValue cube_from_chances",
    "gammon.engine.engine": "Engine",
    "gammon.engine.question": "Question",
    "gammon.engine.rolled": "RolledCandidate Rollout",
    "gammon.engine.rollout": "rollout",
    "gammon.engine.score_grid": "PlayGrid ScoreGrid",
    "gammon.eval.equity": "Probabilities",
    "gammon.formats.met_file": "read_met",
    "gammon.formats.play": "Play find_play legal_plays",
    "gammon.formats.position": "Position",
    "gammon.rules.match_equity": "MatchEquityTable",
    "gammon.rules.terms": "Payoffs Terms parse_stakes",
    "gammon.view": "svg to_json",
}

if not TYPE_CHECKING:  # with `__getattr__`, type checkers would accept any name
    __getattr__ = imported_when_used(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
