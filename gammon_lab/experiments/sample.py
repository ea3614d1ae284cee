"""Positions from games of self-play, for benchmarks and comparisons."""

from functools import cache

import numpy as np

from gammon.engine.engine import Engine
from gammon.rules.board import OPENING, Points, has_contact, is_over
from gammon.rules.dice import ROLLS, throw


def self_play_positions(engine: Engine, count: int, seed: int, every: int = 7) -> list[tuple[Points, int]]:
    """Return positions from an engine's games against itself, with the rolls thrown.

    Args:
        engine: the player of both sides; depth 1 is quick.
        count: the number of positions.
        seed: the seed of the dice.
        every: one position in this many is kept, because neighbouring positions are alike.

    Returns:
        `count` pairs of points, seen from the player on roll, and an outcome, 0..20. No
        game is over.
    """
    positions: list[tuple[Points, int]] = []
    points, game, turn = OPENING, 0, 0
    while len(positions) < count:
        outcome = throw(np.uint64(seed), np.uint64(game), np.uint64(turn))
        if (turn + game) % every == 0:
            positions.append((points, outcome))
        after = engine.best_plays([points], [ROLLS[outcome]])[0]
        points = tuple(int(count) for count in -after[::-1])
        turn += 1
        if is_over(points):
            points, game, turn = OPENING, game + 1, 0
    return positions


def contact_positions(engine: Engine, count: int, seed: int) -> list[tuple[Points, int]]:
    """Return positions of `self_play_positions` whose sides can still hit each other."""
    positions: list[tuple[Points, int]] = []
    wanted = 2 * count
    while len(positions) < count:
        played = self_play_positions(engine, wanted, seed)
        positions = [(points, roll) for points, roll in played if has_contact(points)][:count]
        wanted *= 2
    return positions


@cache
def contact_sample(count: int, seed: int) -> list[tuple[Points, int]]:
    """Return `contact_positions` of games at depth 1; a process plays them only once."""
    return contact_positions(Engine(depth=1, cubeless=True), count, seed)
