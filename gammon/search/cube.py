"""A decision about a double: what rolling is worth, and what a double is."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.search.checks import checked_states
from gammon.search.game import NOT_OVER, Evaluator, Game
from gammon.search.value import Value, chance_value, chance_values

__all__ = ["Cube", "Cubes", "cube_values", "cube_values_many"]

#: Values that differ by less are equal: sums over outcomes are rounded.
_EQUAL = 1e-6


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


class Cubes(NamedTuple):
    """The values of N decisions about a double that may be made; see `Cube`.

    Attributes:
        no_double: float64 [N], of rolling now.
        double_take: float64 [N], of a double that is taken.
        double_pass: what the player gets if the opponent passes.
    """

    no_double: npt.NDArray[np.float64]
    double_take: npt.NDArray[np.float64]
    double_pass: float

    @property
    def takes(self) -> npt.NDArray[np.bool_]:
        """Where the opponent's right answer to a double is to take it, bool [N]."""
        return np.asarray(self.double_take < self.double_pass)

    @property
    def doubles(self) -> npt.NDArray[np.bool_]:
        """Where a double is right, bool [N].

        It is where rolling is worth less, and where it is worth as much as a pass that is the
        right answer: the opponent may err.
        """
        worth = np.minimum(self.double_take, self.double_pass)
        certain = ~self.takes & (self.no_double <= self.double_pass + _EQUAL)
        return (worth > self.no_double) | certain


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
    settings |= {"max_nodes": None, "max_seconds": None, "stop": None}
    if no_double.depth > common:
        no_double = chance_value(game, evaluator, state, common, **settings)
    if taken.depth > common:
        taken = chance_value(after, evaluator, state, common, **settings)
    return Cube(no_double, taken._replace(value=double.factor * taken.value), double.cash)


def cube_values_many(
    game: Game, evaluator: Evaluator, states: npt.ArrayLike, depth: int, **settings: Any
) -> Cubes:
    """Search N decisions about a double, in two calls of the kernel: all values are exact.

    Args:
        game: the rules, and the stake of the players on roll, who may double.
        evaluator: what leaves are worth; it also orders successors.
        states: int8 [N, W], each seen from its player on roll; no game is over.
        depth: plies, even.
        settings: further arguments of `chance_values`, for both searches.

    Raises:
        GameError: see `chance_values`.
        SearchError: an argument is not as described there.
    """
    double = game.offer(game.stake, game.params)
    after = game._replace(stake=double.stake, low=double.low, high=double.high)
    no_double, taken = (
        chance_values(each, evaluator, states, depth, **settings).values
        for each in (game, after)
    )
    return Cubes(no_double, double.factor * taken, double.cash)
