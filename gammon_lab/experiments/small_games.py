"""Small games, solved: the games of Melko and Nagy (2007), misere NIM, Pig, and a small EinStein.

Random NIM from (0, 2, 1) has no draw, and is fair for P(w1) = 1/2: its value, the probability of a
win for the first player, is max(P(w1), P(w2)). Misere NIM is of class notes. Tic-tac-toe with swaps
has a value, a best first cell, and luck. The iterated game is a fair game that patience wins. Pig is
solved as in Neller and Presser (2004), and EinStein würfelt nicht! on a board of 3 x 3.
"""

import time

import numpy as np

from gammon import search
from gammon.games.nothing import NOTHING
from gammon_lab.algorithms import ALGORITHMS
from gammon_lab.experiments.study import IN_ORDER, NOT_RANDOM, Study
from gammon_lab.games import chance_tictactoe, einstein, iterated_match, misere_nim, pig, random_nim
from gammon_lab.games.iterated_match import ALWAYS_GAMBLE, FREE, SAFE_WHEN_AHEAD
from gammon_lab.report import (
    MCGILL_NOTES,
    MELKO_NAGY,
    Cell,
    Citation,
    Figure,
    Report,
    Sheet,
    beside,
    formula,
    printed,
    program,
)
from gammon_study.view.plot import Axes, draw_level, look

_TWIN = program("tests/naive/games.py")
_HEAPS = (0, 2, 1)
_FORMULA = formula(MELKO_NAGY, "section 3.1: max(P(w1), P(w2))")
#: P(w1) : P(w2), the expected value, and its source.
_RANDOM_NIM = (
    ((1, 1), 1 / 2, printed(MELKO_NAGY, "section 3.1")),
    ((1, 3), 3 / 4, _FORMULA),
    ((2, 1), 2 / 3, _FORMULA),
)
#: Heaps, the expected result, and its source; the notes do not give the second result.
_MISERE_NIM = (((1, 2, 2), "win", printed(MCGILL_NOTES, "figure 1")), ((1, 3, 5, 7), "loss", _TWIN))
_NIM_ALGORITHMS = ("expectimax", "gamma", "star1", "star2")
_TICTACTOE_PLIES = 2 * chance_tictactoe.PLIES - 1
#: The expected value, the minimal guaranteed and the maximal possible value, as X's score. The
#: paper has the rules, but no value of the whole game.
_TICTACTOE = {"expected": 509 / 864, "guaranteed": 0.0, "possible": 1.0}
#: Algorithms, each with or without a table; without one, Star2 searches many nodes twice.
_TICTACTOE_SOLVERS = (
    ("expectimax", False),
    ("gamma", False),
    ("star1", False),
    ("star1", True),
    ("star2", False),
    ("star2", True),
)
_ITERATED_GAMES = 4
_ITERATED_RESULTS = {"A wins": 1.0, "draw": 0.0, "B wins": -1.0}
_ITERATED_PRINTED = printed(MELKO_NAGY, "section 4")
_ITERATED_OUTCOMES = formula(MELKO_NAGY, "section 4: A1 is a draw, A3 wins or loses by even chances")
#: Strategy, the chances of the results in sixteenths, and their source: the paper does not give
#: the best strategy.
_STRATEGIES = {
    "always A3": (ALWAYS_GAMBLE, (5, 6, 5), _ITERATED_PRINTED),
    "safe when ahead": (SAFE_WHEN_AHEAD, (10, 2, 4), _ITERATED_PRINTED),
    "best play": (FREE, (10, 2, 4), _TWIN),
}
_NELLER = printed("T. Neller, C. Presser, Optimal Play of the Dice Game Pig (2004)", "as others quote it")
#: Values by a second program of ours: Pig to 20, and EinStein with three stones a side.
_PIG_20, _EINSTEIN_3 = 0.6155585498, 0.3991769547
#: More plies than a game of EinStein on 3 x 3 has.
_EINSTEIN_PLIES = 40


def _nim_win(parts: tuple[int, int], algorithm: str) -> tuple[float, int]:
    """Return the chance that the first player wins, and the leaves of the search."""
    game = random_nim.game(_HEAPS, parts)
    tree = search.TreeSearch(game, NOTHING, ALGORITHMS[algorithm], options=IN_ORDER)
    decision = tree.decide(random_nim.root(_HEAPS), 0, 2 * sum(_HEAPS) - 1)
    return (1.0 + float(decision.values[decision.order[0]])) / 2.0, decision.stats.leaves


def _nim_winner(heaps: tuple[int, ...]) -> tuple[str, int]:
    """Return the result of misere NIM for the first player, and the nodes of the search."""
    game = misere_nim.game(heaps)
    tree = search.TreeSearch(game, NOTHING, "alpha-beta", options=IN_ORDER)
    table = search.Table.allocate(game, 1)
    decision = tree.decide(misere_nim.root(heaps), 0, 2 * sum(heaps) - 1, table=table)
    return "win" if decision.values[decision.order[0]] > 0 else "loss", decision.stats.nodes


def solve_nim(study: Study) -> Report:
    """Solve the games of the paper and of the notes."""
    rows = []
    for parts, expected, citation in _RANDOM_NIM:
        for algorithm in _NIM_ALGORITHMS:
            value, leaves = _nim_win(parts, algorithm)
            cells = beside(expected, value, citation)
            rows.append([f"{parts[0]}/{sum(parts)}", algorithm, *cells, leaves])
    misere: list[list[Cell]] = []
    for heaps, result, citation in study.steps(_MISERE_NIM):
        ours, nodes = _nim_winner(heaps)
        misere.append([str(heaps), result, ours, citation, nodes])
    columns = ("P(w1)", "algorithm", "expected", "ours", "difference", "source", "leaves")
    title = f"Random NIM {_HEAPS}: the chance to win for who begins"
    tables = [
        Sheet("nim-random", title, columns, rows),
        Sheet(
            "nim-misere",
            "Misere NIM, for who begins",
            ("heaps", "expected", "ours", "source", "nodes"),
            misere,
        ),
    ]
    figure = Figure("nim-random", _draw_nim)
    return Report("NIM, with beans that move and misere", tables, [figure], [NOT_RANDOM])


def _draw_nim(axes: Axes) -> None:
    """Draw the probability of winning random NIM by P(w1), ours and the formula's."""
    total = 24
    chances = [part / total for part in range(total + 1)]
    ours = [_nim_win((part, total - part), "star2")[0] for part in range(total + 1)]
    formula = [max(p, 1 - p) for p in chances]
    axes.plot(chances, ours, linestyle="none", label="ours", **look("ours"))
    line = {"color": look("formula", 1)["color"], "zorder": 1.5}
    axes.plot(chances, formula, label="max(P(w1), P(w2))", **line)
    axes.set(xlabel="P(w1)", ylabel=f"chance to win {_HEAPS}")


def _solved_tictactoe(algorithm: str, tabled: bool, top: int = 1) -> tuple[search.Decision, float]:
    """Solve the game; return the decision about the first cell, and the seconds."""
    game = chance_tictactoe.GAME
    tree = search.TreeSearch(game, NOTHING, ALGORITHMS[algorithm], options=IN_ORDER)
    begun = time.process_time()
    table = search.Table.allocate(game, 64) if tabled else None
    decision = tree.decide(chance_tictactoe.ROOT, 0, _TICTACTOE_PLIES, top=top, table=table)
    return decision, time.process_time() - begun


def _score_of_x(decision: search.Decision, place: int | None = None) -> float:
    """Return X's score after a first cell, by default the best: a win is 1, a draw 1/2."""
    return (1.0 + float(decision.values[decision.order[0] if place is None else place])) / 2.0


def solve_tictactoe(study: Study) -> Report:
    """Solve the game by every algorithm, and rate every first cell."""
    solvers = _TICTACTOE_SOLVERS[3:] if study.quick else _TICTACTOE_SOLVERS
    biases = () if study.quick else ("guaranteed", "possible")
    solved = {
        (algorithm, tabled): _solved_tictactoe(algorithm, tabled)
        for algorithm, tabled in study.steps([*solvers, *((name, False) for name in biases)])
    }
    rows = []
    for solver in solvers:
        decision, seconds = solved[solver]
        cells = beside(_TICTACTOE["expected"], _score_of_x(decision), _TWIN)
        best = chance_tictactoe.cell(decision.rows[decision.order[0]])
        stats = decision.stats
        rows.append(
            [solver[0], "yes" if solver[1] else "no", *cells, best, stats.leaves, stats.nodes, seconds]
        )
    luck = [[name, *beside(_TICTACTOE[name], _score_of_x(solved[name, False][0]), _TWIN)] for name in biases]
    nine, _ = _solved_tictactoe("star2", True, top=9)
    first = {chance_tictactoe.cell(row): _score_of_x(nine, place) for place, row in enumerate(nine.rows)}
    more = ("expected", "ours", "difference", "source")
    columns = ("algorithm", "table", *more, "best cell", "leaves", "nodes", "seconds")
    tables = [
        Sheet("tictactoe", "The value for X, 509/864, and the best cell", columns, rows),
        Sheet(
            "tictactoe-cells",
            "The value of each first cell",
            ("cell", "value"),
            [[cell, value] for cell, value in sorted(first.items())],
        ),
    ]
    if luck:
        tables.append(Sheet("tictactoe-luck", "If chance takes sides", ("value", *more), luck))
    figure = Figure("tictactoe-cells", lambda axes: _draw_cells(axes, first))
    return Report("Tic-tac-toe with swaps: Melko and Nagy (2007)", tables, [figure], [NOT_RANDOM])


def _draw_cells(axes: Axes, first: dict[int, float]) -> None:
    """Draw the values of the first cells as bars from 1/2."""
    cells = sorted(first)
    over = [first[cell] - 0.5 for cell in cells]
    axes.bar(cells, over, bottom=0.5, color=look("cells")["color"])
    draw_level(axes, 0.5)
    axes.set(ylim=(0.4, 0.6), xticks=cells, xlabel="first cell of X")
    axes.set_ylabel("value for X (win 1, draw 1/2)")


def iterated_chances(strategy: int, games: int) -> list[float]:
    """Return the chances of A's win, a draw and B's win, computed from the principal leaves."""
    game = iterated_match.game(strategy)
    tree = search.TreeSearch(game, NOTHING, "star1")
    analysis = tree.value(iterated_match.root(games), 4 * games, leaves=True)
    assert analysis.leaves is not None
    payoffs = [game.terminal(row, game.stake, game.params) for row in analysis.leaves.rows]
    results = analysis.leaves.signs * np.array(payoffs)
    return [
        float(analysis.leaves.probabilities[results == result].sum()) for result in _ITERATED_RESULTS.values()
    ]


def solve_iterated(study: Study) -> Report:
    """Compute the chances of the results for the two strategies and for best play."""
    rows = [
        [name, result, *beside(expected, 16 * ours, citation)]
        for name, (strategy, sixteenths, citation) in study.steps(list(_STRATEGIES.items()))
        for result, expected, ours in zip(
            _ITERATED_RESULTS, sixteenths, iterated_chances(strategy, _ITERATED_GAMES), strict=True
        )
    ]
    single = iterated_match.root(1)
    decisions = {
        name: search.TreeSearch(iterated_match.game(), NOTHING, ALGORITHMS[name]).decide(single, 0, 3)
        for name in ("guaranteed", "expectimax", "possible")
    }
    # Successors are in the order of the game: the gamble first.
    values = [
        [choice, name, *beside(expected, float(decision.values[place]), _ITERATED_OUTCOMES)]
        for place, choice, expected_values in ((1, "A1", (0, 0, 0)), (0, "A3", (-1, 0, 1)))
        for (name, decision), expected in zip(decisions.items(), expected_values, strict=True)
    ]
    more = ("expected", "ours", "difference", "source")
    title = "One game: guaranteed, expected and possible (a win is 1, a loss -1)"
    tables = [
        Sheet("iterated", "Chances in sixteenths, four games", ("strategy", "result", *more), rows),
        Sheet("iterated-choices", title, ("choice", "value", *more), values),
    ]
    figure = Figure("iterated", _draw_lead)
    return Report("The iterated game: Melko and Nagy (2007)", tables, [figure], [NOT_RANDOM])


def _draw_lead(axes: Axes) -> None:
    """Draw A's lead by the games in the match, a line for each strategy."""
    lengths = list(range(1, 5))
    for place, (name, (strategy, *_)) in enumerate(_STRATEGIES.items()):
        results = [iterated_chances(strategy, games) for games in lengths]
        edges = [wins - losses for wins, _, losses in results]
        axes.plot(lengths, edges, "--" if strategy == FREE else "-", label=name, **look(name, place))
    axes.set(xticks=lengths, xlabel="games in the match", ylabel="P(A wins) - P(B wins)")


def _first_of_einstein() -> float:
    """Return the value of EinStein on a board of 3 x 3 to the first player."""
    game = einstein.game(3, 2)
    tree = search.TreeSearch(game, NOTHING)
    return tree.value([0] * game.width, _EINSTEIN_PLIES, table=search.Table.allocate(game, 16)).value


def solve_pig(study: Study) -> Report:
    """Solve the games, and compare with what is printed."""
    found: list[tuple[str, float, float, Citation]] = [
        ("Pig to 100: chance of the first player", 0.5306, float(pig.solve()[0, 0]), _NELLER),
        ("Pig to 20: chance of the first player", _PIG_20, float(pig.solve(20)[0, 0]), _TWIN),
        ("EinStein 3 x 3, three stones: value", _EINSTEIN_3, _first_of_einstein(), _TWIN),
    ]
    rows: list[list[Cell]] = [
        [name, *beside(expected, ours, citation)] for name, expected, ours, citation in found
    ]
    sheet = Sheet("pig", "Values of the start", ("what", "expected", "ours", "difference", "source"), rows)
    return Report("Pig, solved", [sheet], [Figure("pig", _draw_pig)], [NOT_RANDOM])


def _draw_pig(axes: Axes) -> None:
    """Draw the chance of the first player by the goal."""
    goals = list(range(10, 121, 10))
    axes.plot(goals, [pig.solve(goal)[0, 0] for goal in goals], label="first player", **look("first player"))
    axes.set(xlabel="goal", ylabel="chance to win")
