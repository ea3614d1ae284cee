"""Players: settings as text, such as `depth=3,noise=0.03`, and the programs that play by them."""

import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from gammon.base.checks import shown
from gammon.base.errors import FormatError, SettingError
from gammon.base.plugins import PLAYERS, plugin, plugins
from gammon.base.settings import SettingKind, Text, Whole, settings_of
from gammon.engine.bot import Bot
from gammon.engine.cube import CubeAnswer
from gammon.engine.engine import Engine
from gammon.engine.question import Question, check_depths
from gammon.engine.scale import Scale, by_terms
from gammon.engine.search import Search
from gammon.eval.cubeful import evaluator_at
from gammon.eval.erring import Errors, erring, set_seed
from gammon.eval.evaluators import leaf_and_probe
from gammon.eval.width import bounds_of
from gammon.formats.position import Position
from gammon.games.backgammon import filter_named
from gammon.rules.dice import ROLLS
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import CUBELESS, Terms
from gammon.search import Evaluator, Table, TreeSearch

Boards = npt.NDArray[np.int8]
#: N numbers and N terms, one per board.
Ints = Sequence[int]
AllTerms = Sequence[Terms]


class Player(NamedTuple):
    """The settings of a player. Two players with equal settings play alike.

    Attributes:
        depth: plies of the search.
        algorithm: the search's algorithm.
        model: the leaf network, a name or a file.
        noise: standard deviation of the noise at the leaves.
        filter: name of the move filter, or empty.
        errors: the kind of noise; see `gammon.eval.erring`.
        program: name and setting (such as a number of plies) of another program that plays
            in place of gammon; None: gammon plays. See `PlayerPlugin`.
        level: in place of the depth, one of `gammon.engine.question.LEVELS`; or empty.
        strength: in place of the depth, a performance rating to play at; or None.
        noise_seed: seed of the noise or of the errors of the strength in all games, as for an
            `Engine`; None: the match chooses another seed for each game.
        max_evaluations: limit for each search, as for a `search.TreeSearch`; None: no limit.
    """

    depth: int = 1
    algorithm: str = "bounded"
    model: str = "leaf"
    noise: float = 0.0
    filter: str = ""
    errors: str = "equity"
    program: tuple[str, int | str] | None = None
    level: str = ""
    strength: float | None = None
    noise_seed: int | None = None
    max_evaluations: int | None = None

    def __str__(self) -> str:
        if self.program is not None:
            return "{}={}".format(*self.program)
        default = Player(self.depth)
        given_instead = self.level or self.strength is not None
        parts = [] if given_instead else [f"depth={self.depth}"]
        parts += [
            f"{name}={value:g}" if name == "strength" else f"{name}={value}"
            for name, value in self._asdict().items()
            if value != getattr(default, name)
        ]
        return ",".join(parts)

    def seeds(self, seeds: Ints) -> Ints:
        """Return the seeds of the player's errors: its own seed, or else those given."""
        return seeds if self.noise_seed is None else [self.noise_seed] * len(seeds)


_QUESTION = {setting.word: setting.kind for setting in settings_of(Question).values()}
#: The kinds of a player's settings; a question has some of the same settings.
_KINDS: dict[str, SettingKind] = {
    "depth": _QUESTION["depth"], "level": _QUESTION["level"], "strength": _QUESTION["strength"],
    "algorithm": _QUESTION["algorithm"], "model": Text(),
    "noise": _QUESTION["noise"], "noise_seed": _QUESTION["noise_seed"],
    "filter": _QUESTION["filter"], "errors": Text(), "max_evaluations": Whole(0),
}  # fmt: skip


def parse_player(text: str) -> Player:
    """Read a player: settings such as `depth=3,noise=0.03,model=leaf`, `gnubg=0`, `bgsage=1`,
    `external=127.0.0.1:1234`.

    Raises:
        FormatError: a setting is unknown, empty or given twice, or another program comes with
            further settings.
        SettingError, ModelError: no player can have these settings.
    """
    settings: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if not equals or name in settings or (name not in _KINDS and name not in plugins(PLAYERS)):
            names = ", ".join((*_KINDS, *plugins(PLAYERS)))
            raise FormatError(
                f"player {text!r}: {part!r} is not a setting; expected NAME=VALUE, each name once, of {names}"
            )
        if not value:
            raise FormatError(f"player {text!r}: {value!r} is not a value of {name}")
        read = _KINDS[name].read if name in _KINDS else program_named(name).read
        settings[name] = read(name, value)
    programs = [(name, value) for name, value in settings.items() if name not in _KINDS]
    if programs:
        if len(settings) > 1:
            raise FormatError(f"player {text!r}: expected {programs[0][0]} alone")
        return Player(program=programs[0])
    check_depths(settings)
    question = Question(
        level=settings.pop("level", None),
        depth=settings.get("depth", Player().depth),
        strength=settings.get("strength"),
    )
    player = Player(**settings | {"depth": question.depth, "level": question.level or ""})
    match_player_of(player)  # raises the engine's errors now
    return player


def check_errors(player: Player) -> None:
    """Check that a player makes errors of one kind only, and that each setting has an effect.

    Raises:
        SettingError: the player has noise and a strength, a kind or a seed of errors without
            errors, or a limit of evaluations without a depth.
    """
    if player.max_evaluations is not None and (player.level or player.strength is not None):
        instead = "a level" if player.level else "a strength"
        raise SettingError(f"max_evaluations {player.max_evaluations} with {instead}: expected a depth")
    if player.strength is not None and player.noise != 0.0:
        raise SettingError(f"noise {player.noise} with a strength: expected one of them")
    if player.errors != Player().errors and player.noise == 0.0:
        raise SettingError(f"errors {shown(player.errors)} without noise: expected noise too")
    if player.noise_seed is not None and player.noise == 0.0 and player.strength is None:
        raise SettingError(f"noise_seed {player.noise_seed} without errors: expected noise or a strength too")


class Answers(NamedTuple):
    """The right decisions about N doubles.

    Attributes:
        doubles: bool [N], whether to double.
        takes: bool [N], whether to take a double.
    """

    doubles: npt.NDArray[np.bool_]
    takes: npt.NDArray[np.bool_]


class MatchPlayer(Protocol):
    """A program that plays for a player. Each board comes with its own terms."""

    def plays(self, states: Boards, outcomes: Ints, terms: AllTerms, seeds: Ints) -> Boards:
        """Return the positions after the best plays, int8 [N, 26], seen from the mover.

        Args:
            states: int8 [N, 26], each seen from its player on roll.
            outcomes: N rolls, 0..20.
            terms: the terms of the N players on roll.
            seeds: N seeds of noise.
        """

    def cubes(self, states: Boards, terms: AllTerms, seeds: Ints) -> Answers:
        """Return whether to double, and whether to take a double.

        Args:
            states: int8 [N, 26], each seen from its player on roll.
            terms: the terms of the N players on roll, who may all double.
            seeds: N seeds of noise.
        """

    def cpu_seconds(self) -> float | None:
        """Return the processor time of all threads of the process that plays, in seconds.

        The process is this one or another program's. None: its time cannot be read.
        """


class PlayerPlugin(Protocol):
    """Another program as a player, added by a package (`gammon.base.plugins`).

    Attributes:
        alone: whether it can play for only one worker at a time.
    """

    alone: bool

    def read(self, name: str, text: str) -> int | str:
        """Read the program's setting, such as a number of plies.

        Raises:
            SettingError, FormatError: the text is no such setting.
        """

    def check(self, player: str, live: bool) -> None:
        """Check that the program plays with a live cube, or without the cube.

        Raises:
            SettingError: the program does not; the message begins with the player.
        """

    def check_installed(self, value: int | str) -> None:
        """Check that the program is installed, without starting it.

        Raises:
            GammonError: the program is not installed.
        """

    def pairs(self, value: int | str) -> int:
        """Return how many pairs of games take a few seconds at a setting."""

    def match_player(self, value: int | str, live: bool) -> MatchPlayer:
        """Return the program as a player, and start it unless it runs.

        Raises:
            GammonError: the program does not start.
        """


def program_named(name: str) -> PlayerPlugin:
    """Return the program with a name.

    Raises:
        GammonError: no installed package has such a program.
    """
    program: PlayerPlugin = plugin(PLAYERS, name)
    return program


class DepthPlayer:
    """gammon as a player that searches to a fixed depth.

    A cube decision searches one ply less than a play, so that the leaves of both are positions
    before a roll. With the cube, noise affects plays only. Without the cube, the network itself
    errs in one of several ways (`gammon.eval.erring`), so a move filter sees the errors too.

    Args:
        player: its settings.
        leaf: an evaluator of chances; the player's model unless given.
        met: the match equity table; Kazaross-XG2 unless given.
        cubeless: whether the games are without the cube.

    Raises:
        SettingError: the algorithm does not play with the cube, or the kind of errors is unknown.
        ModelError: there is no such network.
    """

    def __init__(
        self,
        player: Player,
        leaf: Evaluator | None = None,
        met: MatchEquityTable | None = None,
        cubeless: bool = False,
    ) -> None:
        self.player, self.met = player, met
        own, self.probe = leaf_and_probe(player.model)
        self.leaf, self.noise = leaf or own, player.noise
        errors = Errors.named(player.noise, player.errors)
        self.has_noise = cubeless and errors.sigma > 0.0
        if self.has_noise:
            self.leaf, self.noise = erring(self.leaf, errors), 0.0
        self._tree(CUBELESS if cubeless else Terms())  # raises errors of the settings now

    def _tree(self, at: Terms, seed: int | None = None) -> TreeSearch:
        """Return the search for some terms; its noise has the seed, or is off without a seed."""
        scale = Scale.at(at, self.met)
        leaf = self.leaf if self.has_noise else evaluator_at(self.leaf, at)
        return TreeSearch(
            scale.game,
            leaf,
            probe=evaluator_at(self.probe, at),
            **bounds_of(self.player.algorithm, self.leaf, self.noise > 0.0 or bool(self.player.filter)),
            sigma=0.0 if seed is None else self.noise * scale.unit,
            noise_seed=seed or 0,
            filter=filter_named(self.player.filter, scale.unit),
            max_evaluations=self.player.max_evaluations,
        )

    def _table(self, at: Terms) -> Table | None:
        """Return a new transposition table for a search at these terms, or None if the depth needs none."""
        return Table.at_depth(Scale.at(at, self.met).game, self.player.depth)

    def plays(self, states: Boards, outcomes: Ints, terms: AllTerms, seeds: Ints) -> Boards:
        """Return the best plays, see `MatchPlayer`."""
        best, seeds = np.empty_like(states), self.player.seeds(seeds)
        rolls = np.array(outcomes, np.int64)
        for at, group in by_terms(terms).items():
            if at.cubeless and not self.has_noise:
                best[group] = self._best(at, states[group], rolls[group])
            elif self.player.depth > 1 or self.player.noise > 0.0:
                for n in group:
                    best[n] = self._searched(at, states[n], outcomes[n], seeds[n])
            else:
                ranking = self._tree(at).rank(states[group], rolls[group])
                best[group] = ranking.rows[ranking.offsets[:-1]]
        return -best[:, ::-1]

    def _best(self, at: Terms, states: Boards, rolls: npt.NDArray[np.int64]) -> Boards:
        """Return the best successors of several boards, seen from the opponents."""
        tree = self._tree(at)
        best: Boards = tree.best(states, rolls, self.player.depth, table=self._table(at))
        return best

    def _searched(self, at: Terms, state: Boards, outcome: int, seed: int) -> Boards:
        """Return the best successor of one board, seen from the opponent."""
        if self.has_noise:
            set_seed(self.leaf, seed)
            best: Boards = self._best(at, state[None], np.array([outcome]))[0]
            return best
        tree = self._tree(at, seed)
        search = Search(Scale.at(at, self.met), tree, self.player.depth)
        return search.best(state, outcome)

    def cubes(self, states: Boards, terms: AllTerms, seeds: Ints) -> Answers:
        """Return whether to double, and to take, see `MatchPlayer`."""
        doubles, takes = np.empty((2, len(terms)), np.bool_)
        for at, group in by_terms(terms).items():
            decisions = self._tree(at).cubes(states[group], self.player.depth - 1, table=self._table(at))
            doubles[group], takes[group] = decisions.doubles, decisions.takes
        return Answers(doubles, takes)

    def cpu_seconds(self) -> float:
        """Return the processor time of this process, see `MatchPlayer`."""
        return time.process_time()


class _LevelPlayer:
    """gammon as a player at a level that plays games, or at a strength.

    Args:
        player: its settings.
        stakes: the terms of games without the cube; None for games with the cube.
        met: the match equity table; Kazaross-XG2 unless given.
    """

    def __init__(self, player: Player, stakes: Terms | None, met: MatchEquityTable | None) -> None:
        self.engine = Engine(
            algorithm=player.algorithm,
            model=player.model,
            noise=player.noise,
            met=met,
            move_filter=player.filter or None,
            stakes=stakes,
            level=player.level or None,
            strength=player.strength,
        )
        self.player = player

    def _bots(self, states: Boards, terms: AllTerms, seeds: Ints) -> Iterator[tuple[Bot, Position]]:
        """Yield a bot for each position, with the position and its terms."""
        seeds = self.player.seeds(seeds)
        for points, at, seed in zip(states.tolist(), terms, seeds, strict=True):
            position = Position(tuple(points))
            yield (Bot(self.engine.with_errors(seed)), position if at.cubeless else position.with_terms(at))

    def plays(self, states: Boards, outcomes: Ints, terms: AllTerms, seeds: Ints) -> Boards:
        bots = self._bots(states, terms, seeds)
        plays = [bot.play(at, ROLLS[roll]) for (bot, at), roll in zip(bots, outcomes, strict=True)]
        return np.array([play.points for play in plays], np.int8)

    def cubes(self, states: Boards, terms: AllTerms, seeds: Ints) -> Answers:
        answers = [bot.cube(at) for bot, at in self._bots(states, terms, seeds)]
        doubles = np.array([doubles for doubles, _ in answers], np.bool_)
        return Answers(doubles, np.array([answer is not CubeAnswer.PASS for _, answer in answers], np.bool_))

    def cpu_seconds(self) -> float:
        return time.process_time()


@lru_cache(8)
def match_player_of(
    player: Player, terms: Terms = CUBELESS, met: MatchEquityTable | None = None
) -> MatchPlayer:
    """Return the program that plays for a player.

    The latest ones are cached, so equal arguments return the same object.

    Args:
        player: see `Player`.
        terms: the player's terms in the first game.
        met: the match equity table for gammon; Kazaross-XG2 unless given.

    Raises:
        SettingError: the program or the algorithm does not play with the cube, or without it;
            or as for `check_errors`.
        ModelError: there is no such network.
        GammonError: another program does not start or does not answer.
    """
    check_errors(player)
    if player.program is not None:
        return program_player(player, not terms.cubeless)
    if player.errors != Player().errors and not terms.cubeless:
        raise SettingError(f"{player} with the cube: expected errors of the equity")
    if player.level or player.strength is not None:
        return _LevelPlayer(player, terms if terms.cubeless else None, met)
    return DepthPlayer(player, met=met, cubeless=terms.cubeless)


def program_player(player: Player, live: bool) -> MatchPlayer:
    """Return another program as a player, with a live cube or without the cube.

    Raises:
        SettingError: the program does not play so.
        GammonError: the program is not installed, or does not start.
    """
    assert player.program is not None, player
    name, value = player.program
    program = program_named(name)
    program.check(str(player), live)
    return program.match_player(value, live)
