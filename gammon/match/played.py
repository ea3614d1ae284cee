"""Games in pairs with the same dice and swapped seats, many at a time."""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple, TypedDict, get_origin, get_type_hints

import numpy as np

from gammon.base.errors import GammonError
from gammon.compiled.hashing import mix
from gammon.formats.position_id import format_position_ids
from gammon.games.backgammon import backgammon
from gammon.match.luck import luck_of
from gammon.match.player import Mind
from gammon.rules.board import OPENING, in_play
from gammon.rules.dice import ROLLS
from gammon.rules.outcome import points_of
from gammon.rules.stakes import MONEY, Stakes
from gammon.rules.throw import throw
from gammon.search import Evaluator

__all__ = [
    "MOST_TURNS", "Batch", "GameRecord", "is_game_record", "noise_seed", "play_pairs",
    "roll_of",
]  # fmt: skip

#: The opening throw is repeated until it is not a double, with turn numbers from here on.
_OPENING_TURN = 1 << 32
#: How far apart the numbers of the turns of a match's games are.
_GAME_TURNS = 1 << 40
#: A longer game is a bug.
MOST_TURNS = 5_000


class GameRecord(TypedDict):
    """A game as JSON has it.

    Attributes:
        game: its number; games 2n and 2n + 1 are pair n.
        first: who began, 0 for A and 1 for B.
        rolls: two digits for each turn, one after the other.
        positions: the Position ID after each play, seen from its opponent.
        points: those that A won, 1 to 3, negative where B did.
        luck: how lucky A's and B's dice were in all, in the stakes' unit, to A.
    """

    game: int
    first: int
    rolls: str
    positions: list[str]
    points: int
    luck: float


class Batch(NamedTuple):
    """The games of some pairs, and the effort that they took.

    Attributes:
        games: two for each pair, A begins the first.
        decisions: how many each player took.
        seconds: that each player took for them.
        luck_seconds: that it took to see how lucky the dice were.
    """

    games: list[GameRecord]
    decisions: tuple[int, int]
    seconds: tuple[float, float]
    luck_seconds: float


_KINDS = {name: get_origin(kind) or kind for name, kind in get_type_hints(GameRecord).items()}


def is_game_record(value: Any) -> bool:
    """Tell whether plain JSON values, such as a file's, are a game's."""
    return (
        isinstance(value, dict)
        and {name: type(entry) for name, entry in value.items()} == _KINDS
        and value["first"] in (0, 1)
        and -3 <= value["points"] <= 3
        and value["points"] != 0
        and abs(value["luck"]) < 1e6
        and len(value["rolls"]) == 2 * len(value["positions"])
        and all(isinstance(text, str) for text in value["positions"])
    )


def roll_of(seed: int, pair: int, turn: int, game: int = 0) -> int:
    """Return the outcome (0..20) that both sides of a pair have at a turn, from 0 on.

    Args:
        seed: of all dice.
        pair: of games, or of matches.
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


def noise_seed(seed: int, game: int, side: int) -> int:
    """Return which errors a player makes in a game: its own, and others in each game."""
    return int(mix(mix(np.uint64(seed)) ^ np.uint64(2 * game + side + 1)))


def play_pairs(
    minds: tuple[Mind, Mind],
    pairs: Sequence[int],
    seed: int,
    judge: Evaluator | None,
    stakes: Stakes = MONEY,
) -> Batch:
    """Play two games for each pair.

    Args:
        minds: of A and of B.
        pairs: their numbers, which with the seed decide the dice.
        seed: of dice and noise.
        judge: says what rolls are worth; None leaves luck at 0.
        stakes: what results are worth to A.

    Raises:
        GammonError: a game does not end.
    """
    games: list[GameRecord] = [
        {
            "game": 2 * pair + first,
            "first": first,
            "rolls": "",
            "positions": [],
            "points": 0,
            "luck": 0.0,
        }
        for pair in pairs
        for first in (0, 1)
    ]
    states = np.tile(np.array(OPENING, np.int8), (len(games), 1))
    game_of = backgammon(stakes), backgammon(stakes.turned())
    decisions, seconds, luck_seconds = [0, 0], [0.0, 0.0], 0.0
    alive = list(range(len(games)))
    for turn in range(MOST_TURNS):
        if not alive:
            break
        still = []
        for side in (0, 1):
            mine = [i for i in alive if (games[i]["first"] + turn) % 2 == side]
            if not mine:
                continue
            before = states[mine]
            rolls = [roll_of(seed, games[i]["game"] // 2, turn) for i in mine]
            sign = 1 if side == 0 else -1
            if judge is not None:
                begun = time.perf_counter()
                lucks = sign * luck_of(game_of[side], judge, before, rolls, turn == 0)
                luck_seconds += time.perf_counter() - begun
                for i, luck in zip(mine, lucks, strict=True):
                    games[i]["luck"] += float(luck)
            begun = time.perf_counter()
            seeds = [noise_seed(seed, games[i]["game"], side) for i in mine]
            after = minds[side](before, rolls, seeds)
            seconds[side] += time.perf_counter() - begun
            decisions[side] += len(mine)
            states[mine] = -after[:, ::-1]
            over = ~in_play(states[mine])
            ids = format_position_ids(states[mine])
            for i, outcome, text, ended in zip(mine, rolls, ids, over.tolist(), strict=True):
                game = games[i]
                game["rolls"] += "{}{}".format(*ROLLS[outcome])
                game["positions"].append(text)
                if ended:  # the points are those of the player who did not move
                    game["points"] = -sign * points_of(states[i])
                else:
                    still.append(i)
        alive = sorted(still)
    if alive:
        raise GammonError(f"game {games[alive[0]]['game']} does not end in {MOST_TURNS} turns")
    for game in games:
        game["luck"] = round(game["luck"], 6)
    return Batch(games, (decisions[0], decisions[1]), (seconds[0], seconds[1]), luck_seconds)
