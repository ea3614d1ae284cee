"""Games of any game between two players: in pairs with the same dice and swapped seats.

Who moves first in a game has seat 0, the other one seat 1. Both games of a pair have the same
dice, and the errors of a seat are the same in both: so a player is worth 0 against itself.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.checks import shown, whole
from gammon.base.errors import GammonError, SettingError
from gammon.match.dice import drawn_at, noise_seed
from gammon.match.result import Floats, Mean, without_luck
from gammon.search import NOT_OVER, Game, Setup, Table
from gammon.search.checks import as_text, check_outcome, checked_states
from gammon.search.game import Rows, State, no_offer

#: Chooses a successor: gets a state, int8 [W], seen from the player who decides, what chance
#: brought, and random numbers for this seat of this game. Returns int8 [W], seen from the
#: opponent.
Chooser = Callable[[State, int, np.random.Generator], npt.ArrayLike]
#: Brings an outcome: gets the numbers of a pair and of a turn, and the chances, float64 [n].
Dice = Callable[[int, int, Floats], int]


class SearchPlayer:
    """A player that searches.

    Args:
        setup: the search, for who moves first. If it has noise, each game has another one.
        depth: plies of a decision, odd.
        megabytes: of a table, which is a new one for each game; 0 for none.
        max_seconds: for a decision, as for `Setup.decide`. What is played then depends on the
            machine; with a setup's `max_evaluations` it does not.
    """

    def __init__(
        self, setup: Setup, depth: int, megabytes: float = 0.0, max_seconds: float | None = None
    ) -> None:
        if not isinstance(setup, Setup):
            raise SettingError(f"setup {shown(setup)}: expected a search.Setup")
        self.setup, self.depth = setup, depth
        self.megabytes, self.max_seconds = megabytes, max_seconds
        self._setups = setup, setup.turned()

    def in_seat(self, seat: int, seed: int) -> Chooser:
        """Return how it decides in a seat of one game, with the noise of a seed."""
        setup = self._setups[seat]
        if setup.problem.sigma > 0.0:
            setup = setup.with_noise(seed)
        table = Table.allocate(setup.game, self.megabytes) if self.megabytes else None
        asked = partial(setup.decide, depth=self.depth, table=table, max_seconds=self.max_seconds)

        def choose(state: State, outcome: int, random: np.random.Generator) -> State:
            found = asked(state, outcome)
            best: State = found.rows[found.order[0]]
            return best

        return choose


class PairResult(NamedTuple):
    """P pairs of games, seen from the first player.

    Attributes:
        payoffs: float64 [P, 2], of the game in which it moves first, and of the other one.
        luck: float64 [P, 2], of both players' dice, to it; 0 without a judge.
        turns: int64 [P, 2], of both players; a pass is one too.
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
        """The mean payoff of a game, less what the luck of the dice predicts of it."""
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
    judge: Setup | None = None,
    dice: Dice | None = None,
    threads: int = 1,
    max_turns: int = 5_000,
) -> PairResult:
    """Play two games for each pair.

    Args:
        game: the rules; nobody may double in it.
        starts: int8 [S, W], seen from who moves first; pair k begins in row k modulo S.
        one: the player from whom the result is seen. All threads call a function.
        two: the other player.
        pairs: their numbers, such as `range(100)`, which with the seed decide dice and errors.
        seed: of dice and errors.
        judge: says how lucky an outcome of chance is: the static value of the best successor,
            less the mean over all outcomes. The mean of this luck is 0, whoever plays and
            however bad the judge is.
        dice: in place of the seed's.
        threads: how many pairs are played at a time. The result is the same for any number of
            them, unless a player has a limit of time.
        max_turns: a game that goes on after so many is told as one without an end.

    Raises:
        SettingError: an argument is not as described here, or what a function chooses is no
            successor.
        GameError: the game or an evaluator breaks its contract, where a search sees it.
        GammonError: a game does not end.
    """
    if game.offer is not no_offer:
        raise SettingError(f"pairs of {game.name}: expected a game in which nobody may double")
    rows = checked_states(game, starts, (None, game.width))
    over = [game.terminal(row, game.stake, game.params) != NOT_OVER for row in rows]
    if any(over) or not over:
        raise SettingError(f"starts of {game.name}: expected states in which the game goes on")
    setups = [] if judge is None else [judge]
    for player in (one, two):
        if isinstance(player, SearchPlayer):
            setups.append(player.setup)
        elif not callable(player):
            raise SettingError(f"{shown(player)}: expected a SearchPlayer, or a function")
    for other in (setup.game for setup in setups):
        if (other.name, other.width) != (game.name, game.width):
            raise SettingError(f"a search of {other.name}: expected one of {game.name}")
    numbers = [whole("pairs", pair, 0, 2**32 - 1) for pair in pairs]
    seed, threads = whole("seed", seed, 0, 2**64 - 1), whole("threads", threads, 1, 256)
    judges = None if judge is None else (judge, judge.turned())
    thrown = dice or partial(drawn_at, seed)
    games = _Games(game, rows, (one, two), seed, judges, thrown, max_turns)
    with ThreadPoolExecutor(threads, "gammon-pairs") as pool:
        played = np.array(list(pool.map(games.pair, numbers)), np.float64).reshape(-1, 2, 3)
    return PairResult(played[..., 0], played[..., 1], played[..., 2].astype(np.int64))


class _Games(NamedTuple):
    """What all games have in common; see `play_pairs`."""

    game: Game
    starts: Rows
    players: tuple[SearchPlayer | Chooser, SearchPlayer | Chooser]
    seed: int
    judges: tuple[Setup, Setup] | None
    dice: Dice
    max_turns: int

    def pair(self, pair: int) -> list[tuple[float, float, int]]:
        """Play both games of a pair: payoff and luck to the first player, and the turns."""
        payoff, luck, turns = self.play(pair, self.players[::-1])
        return [self.play(pair, self.players), (-payoff, -luck, turns)]

    def play(self, pair: int, players: tuple[SearchPlayer | Chooser, ...]) -> tuple[float, float, int]:
        """Play a game, and return payoff and luck to who moves first, and the turns."""
        game, state, luck = self.game, self.starts[pair % len(self.starts)], 0.0
        seeds = [noise_seed(self.seed, pair, seat) for seat in (0, 1)]
        randoms = [np.random.default_rng(seed) for seed in seeds]
        choose = [
            each.in_seat(seat, seeds[seat]) if isinstance(each, SearchPlayer) else each
            for seat, each in enumerate(players)
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
        found = self.judges[seat].rank(np.repeat(state[None], n, axis=0), np.arange(n))
        values = found.values[found.offsets[:-1]]
        return float(values[outcome] - chances @ values)

    def successor(self, state: State, outcome: int, chosen: npt.ArrayLike) -> State:
        """Return the successor that was chosen, or raise a SettingError if it is none."""
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
