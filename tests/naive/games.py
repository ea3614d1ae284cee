"""The twins of the papers' games: their rules, written a second time."""

from fractions import Fraction
from functools import cache

from gammon.search import NOT_OVER
from gammon_lab.games import synthetic
from tests.naive.search import chances, payoff, replies, static_value

LINES = ["123", "456", "789", "147", "258", "369", "159", "357"]


def average(scores):
    """Return the mean of what the three swaps lead to."""
    return sum(score / chance for score, chance in zip(scores, (2, 3, 6), strict=True))


@cache
def x_scores(board, played, chance=average):
    """Return what X gets; `board` is nine characters, ' ', 'X' or 'O'.

    `chance` makes one score of those after the swaps.
    """
    if played == 8:
        lines = [{board[int(cell) - 1] for cell in line} for line in LINES]
        x, o = {"X"} in lines, {"O"} in lines
        return Fraction(1, 2) if x == o else Fraction(int(x))
    values = []
    for cell in range(9):
        if board[cell] == " ":
            mark = "X" if played % 2 == 0 else "O"
            after = board[:cell] + mark + board[cell + 1 :]
            if mark == "X":
                values.append(x_scores(after, played + 1, chance))
                continue
            scores = []
            for a, b in ((1, 4), (2, 6), (5, 9)):
                cells = list(after)
                cells[a - 1], cells[b - 1] = cells[b - 1], cells[a - 1]
                scores.append(x_scores("".join(cells), played + 1, chance))
            values.append(chance(scores))
    return max(values) if played % 2 == 0 else min(values)


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
            -dice_twin({cell: -mark for cell, mark in board.items()}, n, m, not column, depth - 2)
            for board in boards
        )
    return total / n


@cache
def best_chances(games, lead):
    """Return the chances of A's win, a draw and B's win if A plays best: a recursion."""
    if games == 0:
        return tuple(Fraction(lead * sign > 0) for sign in (1, 0, -1)) if lead else (0, 1, 0)
    safe = best_chances(games - 1, lead)
    won, lost = (best_chances(games - 1, lead + sign) for sign in (1, -1))
    gamble = tuple((a + b) / Fraction(2) for a, b in zip(won, lost, strict=True))
    return max(gamble, safe, key=lambda chances: chances[0] - chances[2])


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


def pig_chances(goal, sweeps=400):
    """Return the chance that the player to throw wins, by both scores and the points at risk."""
    states = [(i, j, k) for i in range(goal) for j in range(goal) for k in range(goal - i)]
    chance = dict.fromkeys(states, 0.5)

    def thrown(i, j, number, k):
        if number == 1:
            return 1 - chance[j, i, 0]
        if i + k + number >= goal:
            return 1.0
        return max(chance[i, j, k + number], 1 - chance[j, i + k + number, 0])

    for _ in range(sweeps):
        for i, j, k in reversed(states):
            chance[i, j, k] = sum(thrown(i, j, number, k) for number in range(1, 7)) / 6
    return chance


def einstein_value(side, own, their, cache):
    """Return the value of EinStein to the player on roll, who moves towards (side - 1, side - 1).

    `own` and `their` are pairs of a number and a cell, each seen by its owner; gone stones are missing.
    """
    key = own, their
    if (side - 1, side - 1) in dict(their).values() or not own:
        return -1.0
    if key in cache:
        return cache[key]
    numbers = range(1, cache["stones"] + 1)
    total = 0.0
    for die in numbers:
        mine = dict(own)
        lower, higher = [n for n in mine if n <= die], [n for n in mine if n >= die]
        movers = {die} if die in mine else {*lower[-1:], *higher[:1]}
        values = []
        for mover in movers:
            for right, down in ((0, 1), (1, 0), (1, 1)):
                x, y = mine[mover][0] + right, mine[mover][1] + down
                if max(x, y) == side:
                    continue
                after = {n: cell for n, cell in mine.items() if cell != (x, y)} | {mover: (x, y)}
                met = (side - 1 - x, side - 1 - y)
                rest = tuple((n, cell) for n, cell in their if cell != met)
                values.append(-einstein_value(side, rest, tuple(sorted(after.items())), cache))
        total += max(values)
    cache[key] = total / len(numbers)
    return cache[key]


def value_with_sides(game, state, depth, good):
    """Return the value of a chance node whose outcome the better or worse side picks."""
    paid = payoff(game, state)
    if paid != NOT_OVER:
        return paid
    if depth == 0:
        return static_value(game, synthetic.LEAF, state)
    values = [
        max(-value_with_sides(game, row, depth - 2, not good) for row in replies(game, state, outcome))
        for outcome, chance in enumerate(chances(game, state))
        if chance > 0
    ]
    return max(values) if good else min(values)
