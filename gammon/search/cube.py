"""A decision about a double: what rolling is worth, and what a double is."""

from typing import Any, NamedTuple

import numpy.typing as npt

from gammon.search.checks import checked_states
from gammon.search.game import NOT_OVER, Evaluator, Game
from gammon.search.value import Value, chance_value

__all__ = ["Cube", "cube_values"]


class Cube(NamedTuple):
    """The values of the actions of a player who is on roll and may double.

    Attributes:
        no_double: of rolling now.
        double_take: of a double that is taken: `Value.value` is multiplied by the factor of
            the double, but not by that of a beaver. None where the player may not double.
        double_pass: what the player gets if the opponent passes, or None.
    """

    no_double: Value
    double_take: Value | None
    double_pass: float | None


def cube_values(
    game: Game, evaluator: Evaluator, state: npt.ArrayLike, depth: int, **settings: Any
) -> Cube:
    """Search the decision whether to double, and whether to take: all values are exact.

    Args:
        game: the rules, with an `offer`, and the stake.
        evaluator: what leaves are worth; it also orders successors.
        state: int8 [W], seen from the player on roll.
        depth: plies, even.
        settings: further arguments of `chance_value`, for both searches. A limit counts for
            each, and the answer is that of the depth to which both came.

    Raises:
        GameError: see `chance_value`.
        SearchError: an argument is not as described there.
    """
    state = checked_states(game, state, (game.width,))
    no_double = chance_value(game, evaluator, state, depth, **settings)
    double = game.offer(game.stake, game.params)
    over = game.terminal(state, game.stake, game.params) != NOT_OVER
    if double.cash == NOT_OVER or over:
        return Cube(no_double, None, None)
    after = game._replace(stake=double.stake, low=double.low, high=double.high)
    taken = chance_value(after, evaluator, state, depth, **settings)
    # Values of different depths are not compared.
    common = min(no_double.depth, taken.depth)
    settings |= {"max_nodes": None, "max_seconds": None}
    if no_double.depth > common:
        no_double = chance_value(game, evaluator, state, common, **settings)
    if taken.depth > common:
        taken = chance_value(after, evaluator, state, common, **settings)
    return Cube(no_double, taken._replace(value=double.factor * taken.value), double.cash)
