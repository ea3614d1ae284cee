"""The twin of bounded search: a chance node's value by its definition, one state at a time."""

import numpy as np

from gammon.search import NOT_OVER, Evaluator, Game
from tests.naive.search import State, before_roll, chances, leaf_values, payoff, replies, static_value

#: The state of a row as a key, and its value to the player who decides.
Values = dict[bytes, float]


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


def ceiling(
    game: Game,
    leaf: Evaluator,
    width: Evaluator,
    parameters: tuple[float, ...],
    row: State,
    depth: int,
    stake: int,
) -> float:
    """The highest value of a candidate to the player who decides, if its node is held as a reply's is.

    `row` is the candidate, `depth` the depth of its chance node, and `stake` the stake of its player.
    """
    paid = payoff(game, row, stake)
    if paid != NOT_OVER:
        return -paid
    ratio = parameters[min(depth // 2 - 1, len(parameters) - 1)]

    def least(stake: int) -> float:
        away = float(np.float32(parameters[0]) * np.float32(static_value(game, width, row, stake)))
        return bounded_value(game, leaf, width, parameters, row, 2, stake) - ratio * away

    double, rolled = game.offer(stake, game.params), max(least(stake), -game.high)
    if double.cash == NOT_OVER:
        return -rolled
    return -before_roll(double, rolled, max(least(double.stake), double.low))


def bounded_values(
    game: Game,
    leaf: Evaluator,
    width: Evaluator,
    parameters: tuple[float, ...],
    state: State,
    outcome: int,
    depth: int,
) -> dict[int, Values]:
    """The values of all candidates of a decision to the player who decides, at each depth from 3 on.

    Args:
        game: the rules.
        leaf: says what leaves are worth.
        width: says how wide a state is.
        parameters: k, and r_l from level 2 on.
        state: seen from the player who decides.
        outcome: the outcome of chance.
        depth: the greatest, odd.
    """
    rows, settings = replies(game, state, outcome), (game, leaf, width, parameters)
    return {
        plies: {
            row.tobytes(): -bounded_value(*settings, row, plies - 1, -game.stake, True, True) for row in rows
        }
        for plies in range(3, depth + 1, 2)
    }


def bounded_decision(
    game: Game,
    leaf: Evaluator,
    width: Evaluator,
    parameters: tuple[float, ...],
    deeper: dict[int, Values],
    top: int,
) -> tuple[Values, Values]:
    """A decision by its definition, as the values of candidates to the player who decides.

    Returns:
        The values of the best `top` candidates, and the ceilings of those that the last pass does not
        search.

    Args:
        game: the rules.
        leaf: says what leaves are worth.
        width: says how wide a state is.
        parameters: k, and r_l from level 2 on.
        deeper: the values of all candidates at each depth, from `bounded_values`.
        top: how many candidates are wanted.
    """

    def best(values: Values) -> Values:
        return dict(sorted(values.items(), key=lambda item: -item[1])[:top])

    leading, cut = best(deeper[3]), {}
    for depth in range(5, 2 * len(deeper) + 2, 2):
        deep = deeper[depth]
        floor = min(deep[key] for key in leading)
        ceilings = {
            key: ceiling(
                game, leaf, width, parameters, np.frombuffer(key, np.int8).copy(), depth - 1, -game.stake
            )
            for key in deep
        }
        cut = {key: most for key, most in ceilings.items() if key not in leading and most <= floor}
        leading = best({key: value for key, value in deep.items() if key not in cut})
    return leading, cut
