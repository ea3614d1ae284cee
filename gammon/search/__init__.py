"""Search of any two-player zero-sum game of chance: expectimax, Star1, Star2, Star2.5, bounded search."""

from gammon.base.errors import GameError, SearchError
from gammon.base.stop import Stop
from gammon.search.algorithms import ALGORITHMS, WITHOUT_CHANCE, Algorithm
from gammon.search.candidates import BOUND, EXACT, STATIC
from gammon.search.checks import problem_of
from gammon.search.contract import check_game
from gammon.search.from_function import function_evaluator
from gammon.search.game import NOT_OVER, Evaluator, Game
from gammon.search.leaves import Leaves
from gammon.search.problem import Filter, Options, Problem
from gammon.search.root import MAX_THREADS
from gammon.search.stats import Stats
from gammon.search.table import Table
from gammon.search.tree_search import Cube, Cubes, Decision, Ranking, TreeSearch, Value, Values

__all__ = [
    "ALGORITHMS", "BOUND", "EXACT", "MAX_THREADS", "NOT_OVER", "STATIC", "WITHOUT_CHANCE", "Algorithm",
    "Cube", "Cubes", "Decision", "Evaluator", "Filter", "Game", "GameError", "Leaves", "Options",
    "Problem", "Ranking", "SearchError", "Stats", "Stop", "Table", "TreeSearch", "Value", "Values",
    "check_game", "function_evaluator", "problem_of",
]  # fmt: skip
