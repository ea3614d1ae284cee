"""The twin of bounded search: a chance node's value by its definition, one state at a time."""

import numpy as np

from gammon.search import NOT_OVER, Evaluator, Game
from tests.naive.search import State, before_roll, chances, leaf_values, payoff, replies, static_value


def bounded_value(
    game: Game,
    leaf: Evaluator,
    width: Evaluator,
    parameters: tuple[float, ...],
    state: State,
    depth: int,
    stake: int = 0,
    on_turn: bool = False,
    free: bool = False,
) -> float:
    """A chance node's value, held within its width unless it is free; see `gammon.search.bounded`.

    Args:
        game: the rules.
        leaf: says what leaves are worth.
        width: says how wide a state is.
        parameters: k, and r_l from level 2 on.
        state: seen from the player on roll.
        depth: plies, even.
        stake: of the player on roll.
        on_turn: the player on roll may double first.
        free: the node is at the root.
    """
    paid = payoff(game, state, stake)
    if paid != NOT_OVER:
        return paid
    double = game.offer(stake, game.params)
    if depth > 0 and on_turn and double.cash != NOT_OVER:
        settings = game, leaf, width, parameters, state, depth
        rolled = bounded_value(*settings, stake, free=free)
        return before_roll(double, rolled, bounded_value(*settings, double.stake, free=free))
    if depth == 0:
        return leaf_values(game, leaf, state[None], stake, lambda _: 0.0, (-np.inf, np.inf), on_turn)[0]
    static = static_value(game, leaf, state, stake)
    away = float(np.float32(parameters[0]) * np.float32(static_value(game, width, state, stake)))
    shallow = deep = 0.0
    for outcome, chance in enumerate(chances(game, state)):
        rows = replies(game, state, outcome)
        best = min(bounded_value(game, leaf, width, parameters, row, 0, -stake, True) for row in rows)
        shallow -= chance * best
        if depth > 2:
            below = [
                bounded_value(game, leaf, width, parameters, row, depth - 2, -stake, True) for row in rows
            ]
            deep -= chance * min(below)
    if free:
        return shallow if depth == 2 else deep
    held = min(max(shallow, static - away), static + away)
    if depth == 2:
        return held
    more = parameters[min(depth // 2 - 1, len(parameters) - 1)] * away
    return min(max(deep, held - more), held + more)
