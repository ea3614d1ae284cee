"""Minds with the cube: they play at the terms of each board, double, and answer doubles."""

import time
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from gammon.base.errors import SettingError
from gammon.engine.bot import Bot
from gammon.engine.cube import CubeAnswer
from gammon.engine.engine import Engine
from gammon.engine.searcher import Searcher
from gammon.engine.worth import Worth, by_terms
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import leaf_and_probe
from gammon.formats.position import Position
from gammon.games.backgammon import filter_named
from gammon.match.player import (
    AllTerms,
    Answers,
    Boards,
    Ints,
    Mind,
    Player,
    check_errors,
    program_mind,
)
from gammon.rules.dice import ROLLS
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Terms
from gammon.search import Evaluator, Setup, Table


class OwnMind:
    """gammon as a player with the cube.

    It plays by values with the cube at its depth. Its decisions about doubles are those of a
    search by one ply less, so that both begin with the same kind of leaf. Noise errs in plays
    only.

    Args:
        player: its settings.
        leaf: an evaluator with the cube; that of the player's model unless given.
        met: the match equity table; Kazaross-XG2 unless given.

    Raises:
        SettingError: its algorithm does not play with the cube.
        ModelError: there is no such network.
    """

    def __init__(
        self, player: Player, leaf: Evaluator | None = None, met: MatchEquityTable | None = None
    ) -> None:
        self.player, self.met = player, met
        own, probe = leaf_and_probe(player.model)
        self.leaf, self.probe = leaf or cubeful_evaluator(own), cubeful_evaluator(probe)
        self._setup(Terms())  # raises now what the algorithm makes impossible

    def _setup(self, at: Terms, noise: float = 0.0, seed: int = 0) -> Setup:
        """Return the search at these terms, maybe with noise in points."""
        worth = Worth.cubeful(at, self.met)
        return Setup(
            worth.game, self.leaf, self.player.algorithm, self.probe,
            sigma=noise * worth.unit, noise_seed=seed,
            filter=filter_named(self.player.filter, worth.unit),
        )  # fmt: skip

    def _table(self, at: Terms) -> Table | None:
        """Return a new table for a search at these terms, if it is to have one."""
        return Table.at_depth(Worth.cubeful(at, self.met).game, self.player.depth)

    def plays(self, states: Boards, outcomes: Ints, terms: AllTerms, seeds: Ints) -> Boards:
        """Return the best plays, see `Mind`."""
        best, seeds = np.empty_like(states), self.player.seeds(seeds)
        if self.player.depth > 1 or self.player.noise > 0.0:
            for n, at in enumerate(terms):
                best[n] = self._searched(states[n], outcomes[n], at, seeds[n])
            return -best[:, ::-1]
        rolls = np.array(outcomes, np.int64)
        for at, group in by_terms(terms).items():
            found = self._setup(at).rank(states[group], rolls[group])
            for place, n in enumerate(group):
                best[n] = found.rows[found.offsets[place]]
        return -best[:, ::-1]

    def _searched(self, state: Boards, outcome: int, at: Terms, seed: int) -> Boards:
        """Return the best successor of one board by a search, seen from the opponent."""
        setup = self._setup(at, self.player.noise, seed)
        return Searcher(Worth.cubeful(at, self.met), setup, self.player.depth).best(
            state, outcome
        )

    def cubes(self, states: Boards, terms: AllTerms, seeds: Ints) -> Answers:
        """Return whether to double, and to take, see `Mind`."""
        doubles, takes = np.empty((2, len(terms)), np.bool_)
        for at, group in by_terms(terms).items():
            found = self._setup(at).cubes(
                states[group], self.player.depth - 1, table=self._table(at)
            )
            doubles[group], takes[group] = found.doubles, found.takes
        return Answers(doubles, takes)

    def cpu_seconds(self) -> float:
        """Return the processor time of this process, see `Mind`."""
        return time.process_time()


class _ByBot:
    """gammon with the cube at a level that plays games, or at a strength."""

    def __init__(self, player: Player, met: MatchEquityTable | None) -> None:
        self.engine = Engine(
            algorithm=player.algorithm, model=player.model, noise=player.noise, met=met,
            move_filter=player.filter or None, level=player.level or None,
            strength=player.strength,
        )  # fmt: skip
        self.player = player

    def _asked(
        self, states: Boards, terms: AllTerms, seeds: Ints
    ) -> Iterator[tuple[Bot, Position]]:
        """Yield each position, with what is at stake, and the player who is asked."""
        seeds = self.player.seeds(seeds)
        for points, at, seed in zip(states.tolist(), terms, seeds, strict=True):
            yield Bot(self.engine.with_errors(seed)), Position(tuple(points)).with_terms(at)

    def plays(self, states: Boards, outcomes: Ints, terms: AllTerms, seeds: Ints) -> Boards:
        asked = self._asked(states, terms, seeds)
        plays = [
            bot.play(at, ROLLS[roll]) for (bot, at), roll in zip(asked, outcomes, strict=True)
        ]
        return np.array([play.points for play in plays], np.int8)

    def cubes(self, states: Boards, terms: AllTerms, seeds: Ints) -> Answers:
        asked = list(self._asked(states, terms, seeds))
        doubles = [bot.doubles(at) for bot, at in asked]
        takes = [bot.answer(at) is not CubeAnswer.PASS for bot, at in asked]
        return Answers(np.array(doubles, np.bool_), np.array(takes, np.bool_))

    def cpu_seconds(self) -> float:
        return time.process_time()


@lru_cache(4)
def cube_mind_of(player: Player, met: MatchEquityTable | None = None) -> Mind:
    """Return the program that plays with the cube for a player.

    It is the same one while it is among the latest.

    Args:
        player: see `Player`.
        met: the match equity table of a player of gammon; Kazaross-XG2 unless given.

    Raises:
        SettingError: its program or its algorithm does not play with the cube; or as for
            `check_errors`.
        ModelError: there is no such network.
        GammonError: another program does not start, or does not listen.
    """
    check_errors(player)
    if player.program is not None:
        return program_mind(player, live=True)
    if player.errors != Player().errors:
        raise SettingError(f"{player} with the cube: expected errors of the equity")
    by_bot = player.level or player.strength is not None
    return _ByBot(player, met) if by_bot else OwnMind(player, met=met)
