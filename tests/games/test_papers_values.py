"""What the papers say of their games, and plain twins: the rules, written a second time."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from gammon import search
from gammon.games import (
    ballard,
    chance_tictactoe,
    dice_game,
    iterated_match,
    misere_nim,
    random_nim,
    uniform,
)
from gammon.games.nothing import NOTHING
from gammon.search import Options, Table
from tests.twins import payoff, replies, static_values

AS_WRITTEN = Options(static_order=False, deepen=False, divide=False)


def solve(game, root, depth, algorithm="star2"):
    found = search.decide(
        game, NOTHING, root, 0, depth, algorithm, options=AS_WRITTEN,
        table=Table.allocate(game, 4),
    )  # fmt: skip
    return found, found.values.max()


@cache
def misere_win(heaps):
    """Tell whether the player to move wins."""
    if sum(heaps) == 0:
        return True
    return any(
        not misere_win((*heaps[:i], left, *heaps[i + 1 :]))
        for i, beans in enumerate(heaps)
        for left in range(beans)
    )


@pytest.mark.parametrize(("heaps", "wins"), [((1, 2, 2), True), ((1, 3, 5, 7), False)])
def test_misere_nim_of_the_lectures(heaps, wins):
    assert misere_win(heaps) == wins
    game = misere_nim.game(heaps)
    for algorithm in ("alpha-beta", "star2"):
        found = solve(game, misere_nim.root(heaps), 2 * sum(heaps) - 1, algorithm)
        assert found[1] == (1 if wins else -1)


def test_misere_nim_against_the_twin():
    for heaps in np.ndindex(3, 4, 4):
        if sum(heaps):
            _, value = solve(misere_nim.game(heaps), misere_nim.root(heaps), 2 * sum(heaps) - 1)
            assert (value > 0) == misere_win(heaps), heaps


@cache
def random_nim_wins(heaps, w1):
    """Return the probability that the player who moves now wins."""
    best = Fraction(0)
    for i, beans in enumerate(heaps):
        for left in range(beans):
            after = list(heaps)
            after[i] = left
            if sum(after) == 0:
                return Fraction(1)
            loses = Fraction(0)
            for source, chance in ((0, w1), (1, 1 - w1)):
                moved = list(after)
                if moved[source]:
                    moved[source] -= 1
                    moved[source + 1] += 1
                loses += chance * (1 - random_nim_wins(tuple(moved), w1))
            best = max(best, loses)
    return best


@pytest.mark.parametrize(
    ("parts", "published"),
    [((1, 1), Fraction(1, 2)), ((1, 3), Fraction(3, 4)), ((2, 1), Fraction(2, 3))],
)
def test_random_nim_of_the_paper(parts, published):
    heaps = (0, 2, 1)
    assert random_nim_wins(heaps, Fraction(parts[0], sum(parts))) == published
    _, value = solve(random_nim.game(heaps, parts), random_nim.root(heaps), 5)
    assert (1 + value) / 2 == pytest.approx(float(published))


def test_random_nim_against_the_twin():
    for heaps in np.ndindex(3, 3, 3):
        if sum(heaps):
            game, root = random_nim.game(heaps, (1, 2)), random_nim.root(heaps)
            _, value = solve(game, root, 2 * sum(heaps) - 1)
            twin = random_nim_wins(heaps, Fraction(1, 3))
            assert (1 + value) / 2 == pytest.approx(float(twin)), heaps


LINES = ["123", "456", "789", "147", "258", "369", "159", "357"]


@cache
def x_scores(board, played):
    """Return what X gets on average; `board` is nine characters, ' ', 'X' or 'O'."""
    if played == 8:
        lines = [{board[int(cell) - 1] for cell in line} for line in LINES]
        x, o = {"X"} in lines, {"O"} in lines
        return Fraction(1, 2) if x == o else Fraction(int(x))
    values = []
    for cell in range(9):
        if board[cell] == " ":
            mark = "X" if played % 2 == 0 else "O"
            after = board[:cell] + mark + board[cell + 1 :]
            value = Fraction(0)
            if mark == "X":
                value = x_scores(after, played + 1)
            else:
                for (a, b), chance in (((1, 4), 2), ((2, 6), 3), ((5, 9), 6)):
                    cells = list(after)
                    cells[a - 1], cells[b - 1] = cells[b - 1], cells[a - 1]
                    value += x_scores("".join(cells), played + 1) / chance
            values.append(value)
    return max(values) if played % 2 == 0 else min(values)


def test_tic_tac_toe_of_the_paper():
    assert x_scores(" " * 9, 0) == Fraction(509, 864)
    game, root = chance_tictactoe.GAME, chance_tictactoe.ROOT
    for algorithm in ("star1", "star2"):
        found, value = solve(game, root, 17, algorithm)
        assert (1 + value) / 2 == pytest.approx(509 / 864, abs=1e-12)
        assert chance_tictactoe.cell(found.rows[found.order[0]]) == 9


def test_every_first_cell_of_tic_tac_toe():
    found = search.decide(
        chance_tictactoe.GAME, NOTHING, chance_tictactoe.ROOT, 0, 17, "star2", top=9,
        options=AS_WRITTEN, table=Table.allocate(chance_tictactoe.GAME, 16),
    )  # fmt: skip
    for row, value in zip(found.rows, found.values, strict=True):
        board = " " * (chance_tictactoe.cell(row) - 1) + "X"
        assert (1 + value) / 2 == pytest.approx(float(x_scores(board.ljust(9), 1)), abs=1e-12)


@pytest.mark.parametrize(
    ("strategy", "sixteenths"),
    [
        (iterated_match.ALWAYS_GAMBLE, [5, 6, 5]),
        (iterated_match.SAFE_WHEN_AHEAD, [10, 2, 4]),
        (iterated_match.FREE, [10, 2, 4]),
    ],
)
def test_iterated_game_of_the_paper(strategy, sixteenths):
    game = iterated_match.game(strategy)
    found = search.chance_value(game, NOTHING, iterated_match.root(4), 16, "star1", leaves=True)
    leaves = found.leaves
    results = leaves.signs * [payoff(game, row) for row in leaves.rows]
    chances = [16 * leaves.probabilities[results == result].sum() for result in (1, 0, -1)]
    assert chances == pytest.approx(sixteenths)


def test_a_safe_game_guarantees_the_draw():
    question = (iterated_match.game(), NOTHING, iterated_match.root(1), 0, 3)
    assert search.decide(*question, "guaranteed").values.tolist() == [-1, 0]
    assert search.decide(*question, "possible").values.tolist() == [1, 0]


@pytest.mark.parametrize("b", range(2, 7))
@pytest.mark.parametrize("moves", range(1, 7))
def test_alpha_beta_at_its_best(b, moves):
    question = (uniform.game(b), uniform.LEAF, uniform.root(), 0, 2 * moves - 1)
    found = search.decide(*question, "alpha-beta", options=AS_WRITTEN)
    assert found.stats.leaves == uniform.fewest_leaves(b, moves)
    if b**moves < 5000:
        full = search.decide(*question, "minimax")
        assert full.stats.leaves == b**moves
        assert full.values.max() == found.values.max() == 0


def test_eleven_leaves():
    assert uniform.fewest_leaves(3, 3) == 11


TABLE_1 = {
    2: (5, 5), 4: (40, 25), 6: (138, 58), 8: (336, 105), 10: (670, 166), 20: (5560, 677),
    30: (18990, 1532), 40: (45320, 2732),
}  # fmt: skip


@pytest.mark.parametrize("n", TABLE_1)
def test_ballards_table_1(n):
    for algorithm, published in zip(("star1", "star2"), TABLE_1[n], strict=True):
        found = search.decide(
            ballard.game(n, False), ballard.LEAF, ballard.root(), 0, 3, algorithm,
            options=AS_WRITTEN,
        )  # fmt: skip
        assert found.stats.leaves == published
        # The best * node: the largest arc above, the mean below, and then the smallest.
        assert found.values.max() == pytest.approx((n - 1) + (n - 1) / 2)


def test_random_trees_have_every_arc_once():
    n = 6
    game = ballard.game(n, True)
    orders = set()
    for seed in range(50):
        stars = replies(game, ballard.root(seed), 0)
        assert sorted(stars[:, 1]) == list(range(n))
        orders.add(tuple(stars[:, 1]))
        leaves = np.array([replies(game, stars[0], i) for i in range(n)])
        below = leaves[:, :, 1].astype(int) - stars[0, 1]
        assert sorted(below.min(axis=1)) == list(range(n)), "the arcs of the * node"
        for i in range(n):
            assert sorted(below[i] - below[i].min()) == list(range(n))
        assert len({row.tobytes() for row in leaves.reshape(-1, game.width)}) == n * n
    assert len(orders) > 40


def dice_twin(cells, n, m, column, depth):
    """Return the value to the player on roll, 0 at depth 0; `cells` is by (row, column)."""

    def line(side):
        steps = ((0, 1), (1, 0), (1, 1), (1, -1))
        return any(
            all(cells.get((r + k * dr, c + k * dc)) == side for k in range(m))
            for r, c in cells
            for dr, dc in steps
        )

    if line(-1):
        return -1.0
    if len(cells) == n * n or depth == 0:
        return 0.0
    total = 0.0
    for die in range(n):
        free = [
            (k, die) if column else (die, k)
            for k in range(n)
            if ((k, die) if column else (die, k)) not in cells
        ]
        boards = [{**cells, cell: 1} for cell in free] or [cells]
        total += max(
            -dice_twin(
                {cell: -mark for cell, mark in board.items()}, n, m, not column, depth - 2
            )
            for board in boards
        )
    return total / n


def test_dice_against_the_twin():
    n = m = 3
    game = dice_game.game(n, m)
    random = np.random.default_rng(5)
    values = []
    for _ in range(30):
        marks = random.permutation([0] * 4 + [1, 1, -1, -1, 1 - 2 * random.integers(2)])
        state = np.array(marks, np.int8)
        cells = {(k // n, k % n): int(mark) for k, mark in enumerate(marks) if mark}
        if payoff(game, state) != search.NOT_OVER:
            continue
        twin = dice_twin(cells, n, m, True, 6)
        found = search.chance_value(game, NOTHING, state, 6)
        assert found.value == pytest.approx(twin, abs=1e-9)
        values.append(twin)
    assert len(set(values)) > 5


def test_the_player_of_the_rows_sees_columns():
    rows = replies(dice_game.game(3, 3), dice_game.root(3), 1)
    # Column 1 of the first player is row 1 of the second one's board.
    assert rows.reshape(3, 3, 3)[:, 1].tolist() == [[-1, 0, 0], [0, -1, 0], [0, 0, -1]]


def test_a_full_line_is_a_pass_and_a_full_board_a_draw():
    game = dice_game.game(3, 3)
    full_column = np.array([1, 0, 0, -1, 0, 0, 1, 0, 0], np.int8)
    assert replies(game, full_column, 0).tolist() == [[-1, 1, -1, 0, 0, 0, 0, 0, 0]]
    draw = np.array([1, -1, 1, 1, -1, -1, -1, 1, 1], np.int8)
    assert payoff(game, draw) == 0


def test_windows_of_dice():
    game = dice_game.game(3, 3)
    boards = np.array([[1, 1, 0, 0, -1, 0, 0, 0, 0], [-1, -1, 0, 0, 1, 0, 0, 0, 0]], np.int8)
    out = static_values(game, dice_game.leaf(3, 3), boards[0], boards)
    # Own: two marks across, one down at the left. Theirs: one across, one on a diagonal.
    total = 1 / 4 + 1 / 16 - 2 / 16
    assert out[0] == pytest.approx(total / (1 + total))
    assert out[1] == -out[0]
    assert game.high == 1
