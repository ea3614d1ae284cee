"""The iterated game of Melko and Nagy (2007): a fair game that patience wins."""

import numpy as np

from gammon import search
from gammon.games.nothing import NOTHING
from gammon_lab.algorithms import ALGORITHMS
from gammon_lab.experiments.study import NOT_RANDOM, Study
from gammon_lab.games import iterated_match
from gammon_lab.games.iterated_match import ALWAYS_GAMBLE, FREE, SAFE_WHEN_AHEAD
from gammon_lab.reports.report import MELKO_NAGY, Figure, Report, Sheet, beside, formula, printed, program
from gammon_study.view.plot import Axes, look

_GAMES = 4
_RESULTS = {"A wins": 1.0, "draw": 0.0, "B wins": -1.0}
_PRINTED = printed(MELKO_NAGY, "section 4")
_OUTCOMES = formula(MELKO_NAGY, "section 4: A1 is a draw, A3 wins or loses by even chances")
#: Strategy, the chances of the results in sixteenths, and their source: the paper does not give
#: the best strategy.
_STRATEGIES = {
    "always A3": (ALWAYS_GAMBLE, (5, 6, 5), _PRINTED),
    "safe when ahead": (SAFE_WHEN_AHEAD, (10, 2, 4), _PRINTED),
    "best play": (FREE, (10, 2, 4), program("tests/naive/games.py")),
}


def chances(strategy: int, games: int) -> list[float]:
    """Return the chances of A's win, a draw and B's win, computed from the principal leaves."""
    game = iterated_match.game(strategy)
    tree = search.TreeSearch(game, NOTHING, "star1")
    analysis = tree.value(iterated_match.root(games), 4 * games, leaves=True)
    assert analysis.leaves is not None
    payoffs = [game.terminal(row, game.stake, game.params) for row in analysis.leaves.rows]
    results = analysis.leaves.signs * np.array(payoffs)
    return [float(analysis.leaves.probabilities[results == result].sum()) for result in _RESULTS.values()]


def reproduce(study: Study) -> Report:
    """Compute the chances of the results for the two strategies and for best play."""
    rows = [
        [name, result, *beside(expected, 16 * ours, citation)]
        for name, (strategy, sixteenths, citation) in study.steps(list(_STRATEGIES.items()))
        for result, expected, ours in zip(_RESULTS, sixteenths, chances(strategy, _GAMES), strict=True)
    ]
    single = iterated_match.root(1)
    decisions = {
        name: search.TreeSearch(iterated_match.game(), NOTHING, ALGORITHMS[name]).decide(single, 0, 3)
        for name in ("guaranteed", "expectimax", "possible")
    }
    # Successors are in the order of the game: the gamble first.
    values = [
        [choice, name, *beside(expected, float(decision.values[place]), _OUTCOMES)]
        for place, choice, expected_values in ((1, "A1", (0, 0, 0)), (0, "A3", (-1, 0, 1)))
        for (name, decision), expected in zip(decisions.items(), expected_values, strict=True)
    ]
    more = ("expected", "ours", "difference", "source")
    title = "One game: guaranteed, expected and possible (a win is 1, a loss -1)"
    tables = [
        Sheet("iterated", "Chances in sixteenths, four games", ("strategy", "result", *more), rows),
        Sheet("iterated-choices", title, ("choice", "value", *more), values),
    ]
    figure = Figure("iterated", _draw)
    return Report("The iterated game: Melko and Nagy (2007)", tables, [figure], [NOT_RANDOM])


def _draw(axes: Axes) -> None:
    """Draw A's lead by the games in the match, a line for each strategy."""
    lengths = list(range(1, 5))
    for place, (name, (strategy, *_)) in enumerate(_STRATEGIES.items()):
        results = [chances(strategy, games) for games in lengths]
        edges = [wins - losses for wins, _, losses in results]
        axes.plot(lengths, edges, "--" if strategy == FREE else "-", label=name, **look(name, place))
    axes.set(xticks=lengths, xlabel="games in the match", ylabel="P(A wins) - P(B wins)")
