"""The random numbers of matches: dice, who begins, and the seeds of the players' errors.

Each is a function of a seed and of the numbers of the pair, the game and the turn. So both
matches of a pair have the same dice (common random numbers), and any worker can play any match.
"""

import numpy as np
import numpy.typing as npt

from gammon.compiled.hashing import mix
from gammon.rules.dice import ROLLS, throw

#: The opening roll is repeated until it is no double; its turn numbers begin here.
_OPENING_TURN = 1 << 32
#: Turn number of the draw that decides who begins a game of a match.
_STARTER = 1 << 39
#: Distance between the turn numbers of two games of a match.
_GAME_TURNS = 1 << 40


def roll_at(seed: int, pair: int, turn: int, game: int = 0) -> int:
    """Return the roll (0..20) at a turn of both matches of a pair.

    Args:
        seed: seed of all dice.
        pair: number of the pair of matches.
        turn: turn of the game, from 0 on.
        game: game of the match, from 0 on.
    """
    begin = game * _GAME_TURNS
    if turn > 0:
        return throw(np.uint64(seed), np.uint64(pair), np.uint64(begin + turn))
    for attempt in range(1_000):
        number = np.uint64(begin + _OPENING_TURN + attempt)
        outcome = throw(np.uint64(seed), np.uint64(pair), number)
        high, low = ROLLS[outcome]
        if high != low:
            return outcome
    raise AssertionError("a thousand doubles in a row")


def drawn_at(seed: int, pair: int, turn: int, chances: npt.NDArray[np.float64]) -> int:
    """Return the outcome of chance at a turn of both games of a pair, in any game.

    Args:
        seed: seed of all dice.
        pair: number of the pair of games.
        turn: turn of the game, from 0 on.
        chances: float64 [n], the chances of the outcomes.
    """
    key = mix(mix(mix(np.uint64(seed)) ^ np.uint64(pair)) ^ np.uint64(turn))
    share = int(key >> np.uint64(11)) * 2.0**-53
    return min(int(np.searchsorted(np.cumsum(chances), share, "right")), len(chances) - 1)


def starter_of(seed: int, pair: int, game: int) -> int:
    """Return the seat that begins a game: seat 0 begins the first game, later ones are random."""
    if game == 0:
        return 0
    number = np.uint64(game * _GAME_TURNS + _STARTER)
    return int(mix(mix(mix(np.uint64(seed)) ^ np.uint64(pair)) ^ number) & np.uint64(1))


def noise_seed(seed: int, match: int, side: int, game: int = 0) -> int:
    """Return the seed of a player's errors in a game, another one for each player and game.

    Args:
        seed: seed of the match's dice.
        match: number of the match.
        side: the player, 0 for A and 1 for B.
        game: game of the match, from 0 on.
    """
    number = (game << 32) + match
    return int(mix(mix(np.uint64(seed)) ^ np.uint64(2 * number + side + 1)))
