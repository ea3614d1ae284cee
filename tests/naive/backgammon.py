"""The twin of searches of backgammon: values of plays from the slow generator of plays."""

import numpy as np

from gammon.engine.scale import Scale
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import backgammon
from gammon.rules.board import Points, flipped
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.outcome import IN_PLAY, result_of
from gammon.rules.terms import Terms
from gammon.search import Evaluator, Game
from tests.naive.plays import enumerate_plays
from tests.naive.search import defined_value, replies, static_value


def plain_value(
    points: Points, dice: tuple[int, int], depth: int, stakes: Terms, game: Game, leaf: Evaluator
) -> float:
    """The value of a decision to the player on roll, from the slow generator of plays.

    `stakes` are that player's; a static value is asked for with the game of those stakes.
    """
    values = []
    for after in enumerate_plays(points, dice):
        theirs = flipped(after)
        row = np.array(theirs, np.int8)
        result = result_of(row)
        if result != IN_PLAY:
            value = stakes.for_opponent().payoffs.ascending[result]
        elif depth == 1:
            value = static_value(backgammon(stakes.for_opponent()), leaf, row, 0)
        else:
            value = sum(
                chance * plain_value(theirs, roll, depth - 2, stakes.for_opponent(), game, leaf)
                for roll, chance in zip(ROLLS, PROBABILITIES, strict=True)
            )
        values.append(-value)
    return max(values)


NETWORK = load_evaluator("probe")


LEAF = cubeful_evaluator(NETWORK)


def values_by_definition(state, outcome, at, depth):
    """The value of each successor to the mover, by its bytes."""
    game = Scale.at(at).game
    return {
        row.tobytes(): -defined_value(game, LEAF, row, depth - 1, -game.stake, on_turn=True)
        for row in replies(game, state, outcome)
    }
