"""The Game of Dice of Hauk, Buro and Schaeffer: what *-minimax saves, by depth.

Measures leaves, nodes and time of every algorithm on boards of 5 x 5 and 11 x 11, with and without
each option of Star2, and the share of probes that cut. A tournament compares depths. The slides of
a lecture on their work have plots without numbers, so there is nothing to subtract ours from.
"""

from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon import search
from gammon.base.mean import mean_and_told_error, t_quantile
from gammon.base.store import Unit, are_numbers
from gammon.match import SearchPlayer, play_pairs
from gammon.search import NOT_OVER, Evaluator, Game, Options
from gammon_lab.experiments.measure import Costs, SearchCosts, Variant, are_costs, choices, measured, moments
from gammon_lab.experiments.study import Study
from gammon_lab.games import dice_game
from gammon_lab.report import Cell, Figure, Report, Sheet
from gammon_study.view.plot import Axes, draw_level, draw_means, draw_series, look


class Board(NamedTuple):
    """A board and what is measured on it.

    Attributes:
        n: the side of the board.
        m: marks in a line that win.
        marks: the least number of marks in a position, and the first number that is too large.
        positions: how many positions are searched.
        deepest: the depth to which all variants search.
        played: the depths of the tournament's players.
        pairs: pairs of games between two players.
    """

    n: int
    m: int
    marks: tuple[int, int]
    positions: int
    deepest: int
    played: tuple[int, ...]
    pairs: int


BOARDS = {
    "5x5": Board(5, 4, (2, 9), 100, 9, (1, 3, 5, 7), 1000),
    "11x11": Board(11, 5, (8, 33), 20, 7, (1, 3, 5), 600),
}
_QUICK_BOARDS = {
    "5x5": Board(5, 4, (2, 9), 20, 7, (1, 3), 100),
    "11x11": Board(11, 5, (8, 33), 4, 5, (1, 3), 5),
}
#: The variants of search to measure. A table of 16 megabytes holds all nodes of a
#: decision up to depth 7.
VARIANTS = {
    "expectimax": Variant("expectimax"),
    "star1": Variant("star1"),
    "star1, with a table": Variant("star1", Options(), 16),
    "star2": Variant("star2", Options(), 16),
    "no table": Variant("star2"),
    "no killers": Variant("star2", Options(killers=False), 16),
    "successors in the game's order": Variant("star2", Options(static_order=False), 16),
    "no shallower search first": Variant("star2", Options(deepen=False), 16),
    "one table for all candidates": Variant("star2", Options(divide=False), 16),
    "star2.5, 2 probes": Variant("star2.5", Options(probes=2), 16),
    "star2.5, 3 probes": Variant("star2.5", Options(probes=3), 16),
}
_MAIN = ("expectimax", "star1", "star2")
#: These variants search deeper than the others on the large board of the whole study.
_DEEP = ("star2",)
_BLOCK = 25


def position(board: Board, seed: int, number: int) -> tuple[npt.NDArray[np.int8], int]:
    """Return a state of random play and the number of the die."""
    game = dice_game.game(board.n, board.m)
    random = np.random.default_rng([seed, number])
    rows = np.zeros((game.max_successors, game.width), np.int8)
    while True:
        state = dice_game.root(board.n)
        for _ in range(random.integers(*board.marks)):
            n = game.successors(state, int(random.integers(board.n)), game.params, rows)
            state = rows[random.integers(n)].copy()
            if game.terminal(state, game.stake, game.params) != NOT_OVER:
                break
        else:
            return state, int(random.integers(board.n))


@cache
def _game(n: int, m: int) -> tuple[Game, Evaluator]:
    """Return the game on a board, and its evaluator."""
    return dice_game.game(n, m), dice_game.leaf(n, m)


def _search(
    board: Board, state: npt.NDArray[np.int8], die: int, depth: int, variant: Variant
) -> search.Decision:
    """Search a position by a variant."""
    game, leaf = _game(board.n, board.m)
    tree = search.TreeSearch(game, leaf, variant.algorithm, options=variant.options)
    return tree.decide(state, die, depth, table=variant.table(game))


@cache
def _warm_up() -> None:
    """Load the compiled code, so that loading is not charged to the first unit."""
    for name in _MAIN:
        _search(BOARDS["5x5"], dice_game.root(5), 0, 3, VARIANTS[name])


def measure(unit: Unit) -> list[float]:
    """Search one position; return the costs as `measured` does."""
    _warm_up()
    board = BOARDS[unit["board"]]
    state, die = position(board, unit["seed"], unit["number"])
    return measured(lambda: _search(board, state, die, unit["depth"], VARIANTS[unit["variant"]]))


@lru_cache(1)
def _rolls(seed: int, pair: int, n: int) -> npt.NDArray[np.int64]:
    """Return the dice of a pair of games, many more than any game needs: passes are rare."""
    return np.random.default_rng([seed, pair]).integers(n, size=5000)


def play(unit: Unit) -> list[float]:
    """Play pairs of games; return the scores of `deep`: a win is 1, a draw 1/2."""
    board = BOARDS[unit["board"]]
    game, leaf = _game(board.n, board.m)
    tree = search.TreeSearch(game, leaf)
    deep, shallow = (SearchPlayer(tree, unit[player]) for player in ("deep", "shallow"))

    def thrown(pair: int, turn: int, chances: npt.NDArray[np.float64]) -> int:
        return int(_rolls(unit["seed"], pair, board.n)[turn])

    pairs = range(unit["first"], unit["first"] + unit["pairs"])
    played = play_pairs(game, [dice_game.root(board.n)], deep, shallow, pairs, dice=thrown)
    scores: list[float] = ((1 + played.payoffs.mean(axis=1)) / 2).tolist()
    return scores


def _are_scores(unit: Unit, result: Any) -> bool:
    """Return whether a stored value can be a result of `play`."""
    return are_numbers(result, unit["pairs"])


def _searches(boards: dict[str, Board], seed: int) -> list[Unit]:
    """Return the units of the searches."""
    return [
        {"board": name, "seed": seed, "number": number, "depth": depth, "variant": variant}
        for name, board in boards.items()
        for depth in range(1, board.deepest + 1 + 2 * (board == BOARDS["11x11"]), 2)
        for number in range(board.positions)
        for variant in (VARIANTS if depth <= board.deepest else _DEEP)
    ]


def _games(boards: dict[str, Board], seed: int) -> list[Unit]:
    """Return the units of the tournament."""
    return [
        {
            "board": name,
            "seed": seed,
            "deep": deep,
            "shallow": shallow,
            "first": first,
            "pairs": min(_BLOCK, board.pairs - first),
        }
        for name, board in boards.items()
        for deep in board.played
        for shallow in board.played
        if shallow < deep
        for first in range(0, board.pairs, _BLOCK)
    ]


def reproduce(study: Study) -> Report:
    """Measure all variants by depth, and play the tournament."""
    boards = _QUICK_BOARDS if study.quick else BOARDS
    units, games = _searches(boards, study.seed), _games(boards, study.seed)
    total = len(units) + len(games)
    rows = study.part(0, total).run(measure, units, "dice", are_costs, Costs._fields)
    results = SearchCosts.of(units, rows, "board", "depth", "variant")
    tournament = _tournament(games, study.part(len(units), total).run(play, games, "dice", _are_scores))
    tables = [_savings(results), *(_choices(results, *item) for item in boards.items()), tournament]
    figures = [
        Figure(f"dice-{what}-{name}", partial(_draw, results, name, what))
        for name in boards
        for what in ("leaves", "seconds")
    ]
    figures.append(Figure("dice-probes", lambda axes: _draw_probes(axes, results, boards)))
    figures.append(Figure("dice-tournament", lambda axes: _draw_games(axes, tournament)))
    sizes = ", ".join(f"{board.positions} of {name}" for name, board in boards.items())
    notes = [
        f"Positions of random play: {sizes}; seed {study.seed}.",
        "Seconds are processor time. The plots of the lecture have no numbers to compare with.",
        f"The best values of all variants differ by at most {results.spread():.1e}.",
    ]
    return Report("Game of Dice: after Hauk, Buro and Schaeffer", tables, figures, notes)


def _savings(results: SearchCosts) -> Sheet:
    """Return the table of the main algorithms, with means over positions."""
    rows: list[list[Cell]] = []
    for board, depth in sorted({key[:2] for key in results}, key=lambda k: (len(k[0]), k)):
        full = results.get((board, depth, "expectimax"))
        for variant in _MAIN:
            costs = results.get((board, depth, variant))
            if costs is None:
                continue
            shares = (None, None) if full is None else costs.shares(full)
            rows.append([
                board, depth, variant, *moments(costs.leaves), float(costs.nodes.mean()),
                float(costs.seconds.mean()), *shares, *moments(costs.efficiency),
            ])  # fmt: skip
    columns = (
        "board", "depth", "algorithm", "leaves", "sigma", "nodes", "seconds",
        "leaves %", "time %", "probe efficiency %", "sigma",
    )  # fmt: skip
    return Sheet("dice-savings", "Leaves, nodes and time of a decision", columns, rows)


def _choices(results: SearchCosts, name: str, board: Board) -> Sheet:
    """Return the table of all variants on a board, at its deepest depth."""
    depth = board.deepest
    title = f"{name}, depth {depth}: star2 with a table, and with one thing changed"
    costs = {variant: results[name, depth, variant] for variant in VARIANTS}
    return choices(f"dice-choices-{name}", title, "variant", costs)


def _tournament(games: list[Unit], scores: list[list[float]]) -> Sheet:
    """Return the table of the tournament's scores."""
    by_players: dict[tuple[str, int, int], list[float]] = {}
    for unit, block in zip(games, scores, strict=True):
        key = (unit["board"], unit["deep"], unit["shallow"])
        by_players.setdefault(key, []).extend(block)
    rows: list[list[Cell]] = []
    for players, pair_scores in by_players.items():
        mean, error = mean_and_told_error(pair_scores)
        percent = None if error is None else 100 * error
        rows.append([*players, 2 * len(pair_scores), 100 * mean, percent])
    columns = ("board", "depth", "against", "games", "score %", "s.e.")
    title = "Tournament: same dice for both seats, a draw is half a win"
    return Sheet("dice-tournament", title, columns, rows)


def _draw(results: SearchCosts, board: str, what: str, axes: Axes) -> None:
    """Draw what a decision on a board costs by depth, a line for each variant."""
    shown = (*_MAIN, "star2.5, 2 probes", "successors in the game's order")
    for place, variant in enumerate(shown):
        depths = sorted(d for b, d, v in results if (b, v) == (board, variant))
        label = f"star2, {variant}" if "order" in variant else variant
        samples = [getattr(results[board, d, variant], what) for d in depths]
        series = look(variant.partition(",")[0], place + 1)
        draw_means(axes, label, depths, samples, series)
    axes.set(yscale="log", xticks=sorted({d for b, d, _ in results if b == board}))
    axes.set_xlabel("depth (plies)")
    axes.set_ylabel(f"{what} of a decision, {board} (means, 95 % intervals)")


def _draw_probes(axes: Axes, results: SearchCosts, boards: dict[str, Board]) -> None:
    """Draw the probe efficiency by depth, with and without move ordering."""
    for place, board in enumerate(boards):
        for style, variant in (("-", "star2"), ("--", "successors in the game's order")):
            depths = sorted(d for b, d, v in results if (b, v) == (board, variant) and d > 1)
            label = f"{board}, {'ordered' if variant == 'star2' else variant}"
            samples = [results[board, d, variant].efficiency for d in depths]
            draw_means(axes, label, depths, samples, look(board, place) | {"linestyle": style})
    axes.set(ylim=(0, 105), xticks=sorted({depth for _, depth, _ in results if depth > 1}))
    axes.set_xlabel("depth (plies)")
    axes.set_ylabel("probes that cut, % (means, 95 % intervals)")


def _draw_games(axes: Axes, tournament: Sheet) -> None:
    """Draw the scores against depth 1."""
    for place, board in enumerate(dict.fromkeys(str(row[0]) for row in tournament.rows)):
        rows = [row[1:] for row in tournament.rows if row[0] == board and row[2] == 1]
        depths, _, games, score, error = np.array(rows, np.float64).T
        reach = [t_quantile(int(n) // 2 - 1) for n in games] * error
        draw_series(axes, board, depths, score, reach, look(board, place))
    draw_level(axes, 50.0)
    axes.set_xticks(sorted({int(str(row[1])) for row in tournament.rows}))
    axes.set_xlabel("depth (plies)")
    axes.set_ylabel("score against depth 1, % (95 % intervals)")
