"""The twin of the search: a chance node's value by its definition, one state at a time."""

from collections.abc import Callable

import numpy as np

from gammon.search import NOT_OVER, Evaluator, Game
from gammon.search.game import Doubled

State = np.ndarray


def payoff(game: Game, state: State, stake: int = 0) -> float:
    """The payoff of a state to its player on roll, or NOT_OVER."""
    return float(game.terminal(state, stake, game.params))


def chances(game: Game, state: State) -> np.ndarray:
    """The probabilities of the n outcomes, float64 [n]."""
    weight = np.full(game.max_outcomes, np.nan)
    return weight[: game.outcomes(state, game.params, weight)]


def replies(game: Game, state: State, outcome: int) -> State:
    """The successors after an outcome, int8 [n, W]; what is left in scratch rows is cut off."""
    rows = np.full((game.max_successors, game.width), 77, np.int8)
    return rows[: game.successors(state, outcome, game.params, rows)].copy()


def outputs(evaluator: Evaluator, parent: State, rows: State) -> np.ndarray:
    """The outputs that the evaluator writes of siblings, float32 [n, K]."""
    out = np.full((len(rows), evaluator.outputs), np.nan, np.float32)
    evaluator.evaluate(parent, rows, len(rows), evaluator.weights, out, evaluator.new_scratch())
    return out


def static_values(game: Game, evaluator: Evaluator, parent: State, rows: State, stake: int = 0) -> np.ndarray:
    """The static values of siblings to their players on roll, float32 [n]."""
    values = np.full(len(rows), np.nan, np.float32)
    out = outputs(evaluator, parent, rows)
    evaluator.fold(out, len(rows), stake, game.params, values)
    return values


def static_value(game: Game, evaluator: Evaluator, state: State, stake: int = 0) -> float:
    """The static value of a state to its player on roll."""
    return float(static_values(game, evaluator, state, state[None], stake)[0])


def favourite(
    game: Game, evaluator: Evaluator, parent: State, rows: State, values: np.ndarray, stake: int
) -> int:
    """The successor of least value, and of those of one value the one with the least tie.

    `values` and `stake` are those of the players on roll in the rows.
    """
    best = int(values.argmin())
    if not evaluator.has_tie or payoff(game, rows[best], stake) != NOT_OVER:
        return best
    ties = np.full(len(rows), np.nan, np.float32)
    written = outputs(evaluator, parent, rows)
    evaluator.tie(rows, written, len(rows), stake, game.params, ties)
    equal = [
        j for j in range(len(rows)) if values[j] == values[best] and payoff(game, rows[j], stake) == NOT_OVER
    ]
    return min(equal, key=lambda j: (ties[j], j != best, j))


def before_roll(double: Doubled, rolled: float, taken: float) -> float:
    """The worth of a state to a player who may double, or roll."""
    answers = (double.factor * taken, double.beaver * taken, double.cash)
    return max(rolled, min(answers))


def leaf_values(
    game: Game,
    evaluator: Evaluator,
    states: State,
    stake: int,
    error: Callable[[State], float],
    bounds: tuple[float, float],
    on_turn: bool,
) -> list[float]:
    """The values of siblings that are searched no deeper; see `defined_value`."""
    found = [payoff(game, state, stake) for state in states]
    left = [place for place, paid in enumerate(found) if paid == NOT_OVER]
    if left:
        open_ones = states[left]
        static = static_values(game, evaluator, open_ones[0], open_ones, stake).tolist()
        double = game.offer(stake, game.params)
        if on_turn and double.cash != NOT_OVER:
            taken = static_values(game, evaluator, open_ones[0], open_ones, double.stake).tolist()
            static = [float(np.float32(before_roll(double, *e))) for e in zip(static, taken, strict=True)]
        for place, value in zip(left, static, strict=True):
            found[place] = min(max(value + error(states[place]), bounds[0]), bounds[1])
    return found


def defined_value(
    game: Game,
    evaluator: Evaluator,
    state: State,
    depth: int,
    stake: int = 0,
    error=lambda state: 0.0,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    on_turn: bool = False,
) -> float:
    """A chance node's value by its definition.

    Args:
        game: the rules.
        evaluator: says what leaves are worth.
        state: seen from the player on roll.
        depth: plies, even.
        stake: of the player on roll.
        error: what is added to a leaf's static value, by its state.
        bounds: leaves are kept within them; those of the player on roll.
        on_turn: the player on roll may double first.
    """
    if depth == 0:
        return leaf_values(game, evaluator, state[None], stake, error, bounds, on_turn)[0]
    paid = payoff(game, state, stake)
    if paid != NOT_OVER:
        return paid
    double = game.offer(stake, game.params)
    if on_turn and double.cash != NOT_OVER:
        rolled = defined_value(game, evaluator, state, depth, stake, error, bounds)
        wider = (double.low, double.high)
        taken = defined_value(game, evaluator, state, depth, double.stake, error, wider)
        return before_roll(double, rolled, taken)
    below = (-bounds[1], -bounds[0])
    total = 0.0
    for outcome, chance in enumerate(chances(game, state)):
        rows = replies(game, state, outcome)
        if depth == 2:
            values = leaf_values(game, evaluator, rows, -stake, error, below, True)
        else:
            values = [
                defined_value(game, evaluator, row, depth - 2, -stake, error, below, True) for row in rows
            ]
        total += chance * -min(values)
    return total
