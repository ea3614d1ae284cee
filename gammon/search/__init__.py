"""Search of any two-player zero-sum game of chance: expectimax, Star1, Star2 and more."""

from gammon.search.decide import Decision, decide, decide_many
from gammon.search.game import NOT_OVER, Evaluator, Game
from gammon.search.leaves import Leaves
from gammon.search.options import Options
from gammon.search.query import ALGORITHMS, LUCK, WITHOUT_CHANCE, SearchError
from gammon.search.stats import Stats
from gammon.search.table import Table
from gammon.search.value import Value, chance_value

__all__ = [
    "ALGORITHMS", "LUCK", "NOT_OVER", "WITHOUT_CHANCE", "Decision", "Evaluator", "Game",
    "Leaves", "Options", "SearchError", "Stats", "Table", "Value", "chance_value", "decide",
    "decide_many",
]  # fmt: skip
