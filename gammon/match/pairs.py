"""Games of any kind between two players: in pairs with the same dice and swapped seats.

The player who moves first in a game has seat 0, the opponent seat 1. Both games of a pair have
the same dice and the same errors per seat, so a player scores exactly 0 against itself.

The random numbers of matches, too, are here: dice, who begins, and the seeds of the players' errors.
Each is a function of a seed and of the numbers of the pair, the game and the turn. So both matches
of a pair have the same dice (common random numbers), and any worker can play any match.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.checks import shown, whole
from gammon.base.errors import GammonError, SettingError
from gammon.compiled.hashing import mix, unit
from gammon.match.result import Floats, Mean, without_luck
from gammon.rules.dice import ROLLS, throw
from gammon.search import NOT_OVER, Game, Table, TreeSearch
from gammon.search.checks import as_text, check_outcome, checked_states
from gammon.search.game import Rows, State, no_offer

#: The opening roll is repeated until it is no double; its turn numbers begin here.
_OPENING_TURN = 1 << 32
#: Turn number of the draw that decides who begins a game of a match.
_STARTER = 1 << 39
#: Distance between the turn numbers of two games of a match.
_GAME_TURNS = 1 << 40
#: Chooses a successor. Takes a state, int8 [W], seen from the player who decides, an outcome,
#: and the random numbers of this seat in this game. Returns int8 [W], seen from the opponent.
Chooser = Callable[[State, int, np.random.Generator], npt.ArrayLike]
#: Draws an outcome. Takes the numbers of a pair and of a turn, and the chances, float64 [n].
Dice = Callable[[int, int, Floats], int]


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
    share = unit(key)
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


class SearchPlayer:
    """A player that searches.

    Args:
        search: the search, for the player who moves first. Noise differs from game to game.
        depth: plies of a decision, odd.
        megabytes: size of the transposition table, a new one for each game; 0 for none.
        max_seconds: time limit of a decision, as for `TreeSearch.decide`. The plays then depend on
            the machine; with a search's `max_evaluations` they do not.
    """

    def __init__(
        self, search: TreeSearch, depth: int, megabytes: float = 0.0, max_seconds: float | None = None
    ) -> None:
        if not isinstance(search, TreeSearch):
            raise SettingError(f"search {shown(search)}: expected a search.TreeSearch")
        self.search, self.depth = search, depth
        self.megabytes, self.max_seconds = megabytes, max_seconds
        self._searches = search, search.for_opponent()

    def in_seat(self, seat: int, seed: int) -> Chooser:
        """Return the chooser of a seat in one game, whose noise has a seed."""
        search = self._searches[seat]
        if search.problem.sigma > 0.0:
            search = search.with_noise(seed)
        table = Table.allocate(search.game, self.megabytes) if self.megabytes else None
        decide = partial(search.decide, depth=self.depth, table=table, max_seconds=self.max_seconds)

        def choose(state: State, outcome: int, random: np.random.Generator) -> State:
            decision = decide(state, outcome)
            best: State = decision.rows[decision.order[0]]
            return best

        return choose


class PairResult(NamedTuple):
    """P pairs of games, seen from the first player.

    Attributes:
        payoffs: float64 [P, 2], of the game in which the first player moves first, and of the other.
        luck: float64 [P, 2], luck of both players' dice, counted for the first; 0 without a judge.
        turns: int64 [P, 2], turns of both players, passes included.
    """

    payoffs: Floats
    luck: Floats
    turns: npt.NDArray[np.int64]

    @property
    def payoff(self) -> Mean:
        """The mean payoff of a game."""
        return Mean.of(self.payoffs.mean(axis=1))

    @property
    def adjusted(self) -> Mean:
        """The mean payoff of a game, less what the luck of the dice explains (a control variate)."""
        return without_luck(self.payoffs.mean(axis=1), self.luck.mean(axis=1))

    def __str__(self) -> str:
        return f"{self.payoffs.size} games, {self.payoff} a game, {self.adjusted} less luck"


def play_pairs(
    game: Game,
    starts: npt.ArrayLike,
    one: SearchPlayer | Chooser,
    two: SearchPlayer | Chooser,
    pairs: Sequence[int],
    seed: int = 1,
    *,
    judge: TreeSearch | None = None,
    dice: Dice | None = None,
    threads: int = 1,
    max_turns: int = 5_000,
) -> PairResult:
    """Play two games for each pair.

    Args:
        game: the rules; nobody may double in it.
        starts: int8 [S, W], seen from the player who moves first; pair k begins in row k modulo S.
        one: the first player, from whom the result is seen. All threads share a function.
        two: the second player.
        pairs: different numbers of the pairs, such as `range(100)`, which with the seed decide dice
            and errors.
        seed: seed of dice and errors.
        judge: values the luck of an outcome: the static value of the best successor, less the
            mean over all outcomes. The mean of this luck is 0 whoever plays and however bad the
            judge is.
        dice: draws the outcomes in place of the seed.
        threads: pairs played at a time. The result does not depend on it, unless a player has a
            time limit.
        max_turns: a game with more turns raises an error.

    Raises:
        SettingError: an argument is invalid, or a function chooses a state that is no successor.
        GameError: the game or an evaluator breaks its contract, where a search notices it.
        GammonError: a game does not end.
    """
    if game.offer is not no_offer:
        raise SettingError(f"pairs of {game.name}: expected a game in which nobody may double")
    rows = checked_states(game, starts, (None, game.width))
    over = [game.terminal(row, game.stake, game.params) != NOT_OVER for row in rows]
    if any(over) or not over:
        raise SettingError(f"starts of {game.name}: expected states in which the game goes on")
    searches = [] if judge is None else [judge]
    for player in (one, two):
        if isinstance(player, SearchPlayer):
            searches.append(player.search)
        elif not callable(player):
            raise SettingError(f"{shown(player)}: expected a SearchPlayer, or a function")
    for searched in (search.game for search in searches):
        if (searched.name, searched.width) != (game.name, game.width):
            raise SettingError(f"a search of {searched.name}: expected one of {game.name}")
    numbers = [whole("pairs", pair, 0, 2**32 - 1) for pair in pairs]
    if not numbers or len(set(numbers)) < len(numbers):  # a pair played twice would be counted as two
        raise SettingError(f"pairs {shown(pairs)}: expected one or more, each number once")
    max_turns = whole("max_turns", max_turns, 1)
    seed, threads = whole("seed", seed, 0, 2**64 - 1), whole("threads", threads, 1, 256)
    judges = None if judge is None else (judge, judge.for_opponent())
    draw = dice or partial(drawn_at, seed)
    games = _Games(game, rows, (one, two), seed, judges, draw, max_turns)
    with ThreadPoolExecutor(threads, "gammon-pairs") as pool:
        played = np.array(list(pool.map(games.pair, numbers)), np.float64).reshape(-1, 2, 3)
    return PairResult(played[..., 0], played[..., 1], played[..., 2].astype(np.int64))


class _Games(NamedTuple):
    """The arguments that all games share; see `play_pairs`."""

    game: Game
    starts: Rows
    players: tuple[SearchPlayer | Chooser, SearchPlayer | Chooser]
    seed: int
    judges: tuple[TreeSearch, TreeSearch] | None
    dice: Dice
    max_turns: int

    def pair(self, pair: int) -> list[tuple[float, float, int]]:
        """Play both games of a pair; return payoff and luck of the first player, and the turns."""
        payoff, luck, turns = self.play(pair, self.players[::-1])
        return [self.play(pair, self.players), (-payoff, -luck, turns)]

    def play(self, pair: int, players: tuple[SearchPlayer | Chooser, ...]) -> tuple[float, float, int]:
        """Play a game; return payoff and luck of the player who moves first, and the turns."""
        game, state, luck = self.game, self.starts[pair % len(self.starts)], 0.0
        seeds = [noise_seed(self.seed, pair, seat) for seat in (0, 1)]
        randoms = [np.random.default_rng(seed) for seed in seeds]
        choose = [
            player.in_seat(seat, seeds[seat]) if isinstance(player, SearchPlayer) else player
            for seat, player in enumerate(players)
        ]
        weight = np.empty(game.max_outcomes)
        for turn in range(self.max_turns):
            seat, to_first = turn % 2, 1 - 2 * (turn % 2)
            chances = weight[: game.outcomes(state, game.params, weight)]
            outcome = self.dice(pair, turn, chances)
            check_outcome(outcome, len(chances))
            luck += to_first * self.luck(state, outcome, chances, seat)
            chosen = choose[seat](state.copy(), outcome, randoms[seat])
            state = self.successor(state, outcome, chosen)
            payoff = game.terminal(state, -to_first * game.stake, game.params)
            if payoff != NOT_OVER:
                return -to_first * payoff, luck, turn + 1
        raise GammonError(f"pair {pair} has a game of {self.max_turns} turns")

    def luck(self, state: State, outcome: int, chances: Floats, seat: int) -> float:
        """Return how lucky an outcome is for the player who gets it."""
        if self.judges is None:
            return 0.0
        n = len(chances)
        ranking = self.judges[seat].rank(np.repeat(state[None], n, axis=0), np.arange(n))
        values = ranking.values[ranking.offsets[:-1]]
        return float(values[outcome] - chances @ values)

    def successor(self, state: State, outcome: int, chosen: npt.ArrayLike) -> State:
        """Return the chosen successor as a row, or raise a SettingError if it is no successor."""
        game = self.game
        row = checked_states(game, chosen, (game.width,))
        rows = np.empty((game.max_successors, game.width), np.int8)
        n = game.successors(state, outcome, game.params, rows)
        if not (rows[:n] == row).all(axis=1).any():
            raise SettingError(
                f"{as_text(row)} after outcome {outcome} of {as_text(state)} in {game.name}: "
                "expected a successor"
            )
        return row
