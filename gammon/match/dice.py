"""What chance brings to the games of a match: dice, who begins, and the errors of players.

All of it is a function of a seed and of the number of the pair, the game and the turn. So the
two matches of a pair have the same dice, and any worker can play any of them.
"""

import numpy as np
import numpy.typing as npt

from gammon.compiled.hashing import mix
from gammon.rules.dice import ROLLS, throw

#: The opening throw is repeated until it is no double, with turn numbers from here on.
_OPENING_TURN = 1 << 32
#: The number of the throw that says who begins a game of a match.
_STARTER = 1 << 39
#: The turns of a match's games have numbers so far apart.
_GAME_TURNS = 1 << 40


def roll_at(seed: int, pair: int, turn: int, game: int = 0) -> int:
    """Return the outcome (0..20) that both sides of a pair have at a turn, from 0 on.

    Args:
        seed: of all dice.
        pair: of matches.
        turn: of the game.
        game: of the match, from 0 on.
    """
    begin = game * _GAME_TURNS
    if turn > 0:
        return throw(np.uint64(seed), np.uint64(pair), np.uint64(begin + turn))
    for again in range(1_000):
        number = np.uint64(begin + _OPENING_TURN + again)
        outcome = throw(np.uint64(seed), np.uint64(pair), number)
        high, low = ROLLS[outcome]
        if high != low:
            return outcome
    raise AssertionError("a thousand doubles in a row")


def drawn_at(seed: int, pair: int, turn: int, chances: npt.NDArray[np.float64]) -> int:
    """Return what chance brings at a turn of both games of a pair, in any game.

    Args:
        seed: of all dice.
        pair: of games.
        turn: of the game, from 0 on.
        chances: float64 [n], of the outcomes.
    """
    key = mix(mix(mix(np.uint64(seed)) ^ np.uint64(pair)) ^ np.uint64(turn))
    share = int(key >> np.uint64(11)) * 2.0**-53
    return min(int(np.searchsorted(np.cumsum(chances), share, "right")), len(chances) - 1)


def starter_of(seed: int, pair: int, game: int) -> int:
    """Return the seat that begins a game: 0 begins the first, then chance decides."""
    if game == 0:
        return 0
    number = np.uint64(game * _GAME_TURNS + _STARTER)
    return int(mix(mix(mix(np.uint64(seed)) ^ np.uint64(pair)) ^ number) & np.uint64(1))


def noise_seed(seed: int, match: int, side: int, game: int = 0) -> int:
    """Return which errors a player makes in a game: its own, and others in each game.

    Args:
        seed: of the match's dice.
        match: its number.
        side: of the player, 0 for A and 1 for B.
        game: of the match, from 0 on.
    """
    number = (game << 32) + match
    return int(mix(mix(np.uint64(seed)) ^ np.uint64(2 * number + side + 1)))
