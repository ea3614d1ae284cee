"""Players: a line of text such as `depth=3,noise=0.03`, and the program that it names."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from gammon import search
from gammon.base.checks import shown
from gammon.base.errors import FormatError, SettingError
from gammon.base.plugins import PLAYERS, plugin, plugins
from gammon.base.settings import Kind, Text, settings_of
from gammon.engine.boards import turned_boards
from gammon.engine.engine import Engine
from gammon.engine.question import Question, check_depths
from gammon.eval.erring import Errors, erring, set_seed
from gammon.eval.evaluators import leaf_and_probe
from gammon.games.backgammon import backgammon, filter_named
from gammon.rules.dice import ROLLS
from gammon.rules.stakes import MONEY, Stakes
from gammon.rules.terms import Terms
from gammon.search import Game, Table

Boards = npt.NDArray[np.int8]
#: Numbers for N boards, and what is at stake on each.
Ints = Sequence[int]
AllTerms = Sequence[Terms]
#: From boards, rolls 0..20 and seeds of noise, N each, to the best plays as `Mind` has them.
Best = Callable[[Boards, Ints, Ints], Boards]

#: What is at stake in games without the cube.
WITHOUT_CUBE = Terms(live=False)


class Player(NamedTuple):
    """The settings of a player. Two players with equal settings play alike.

    Attributes:
        depth: plies that it searches.
        algorithm: of its search.
        model: its leaf network, a name or a file.
        noise: standard deviation of the error at its leaves.
        filter: name of its move filter, or empty.
        errors: the kind of these errors; see `gammon.eval.erring`.
        program: another program, which then plays: its name and its setting, such as a number
            of plies; None: gammon plays. See `Program`.
        level: in place of the depth, one of `gammon.engine.question.LEVELS`; or empty.
        strength: in place of the depth, the performance rating of a player; or None.
        noise_seed: which errors, of the noise or of the strength, in all games, as for an
            `Engine`; None: the match picks others for each game.
    """

    depth: int = 1
    algorithm: str = "star2"
    model: str = "leaf"
    noise: float = 0.0
    filter: str = ""
    errors: str = "equity"
    program: tuple[str, int | str] | None = None
    level: str = ""
    strength: float | None = None
    noise_seed: int | None = None

    def __str__(self) -> str:
        if self.program is not None:
            return "{}={}".format(*self.program)
        default = Player(self.depth)
        named = self.level or self.strength is not None
        parts = [] if named else [f"depth={self.depth}"]
        parts += [
            f"{name}={value:g}" if name == "strength" else f"{name}={value}"
            for name, value in self._asdict().items()
            if value != getattr(default, name)
        ]
        return ",".join(parts)

    def seeds(self, seeds: Ints) -> Ints:
        """Return the seeds of its errors, where a match would have picked these."""
        return seeds if self.noise_seed is None else [self.noise_seed] * len(seeds)


_ASKED = {each.word: each.kind for each in settings_of(Question).values()}
#: The kinds of a player's settings: of the searches, those of a question.
_KINDS: dict[str, Kind] = {
    "depth": _ASKED["depth"], "level": _ASKED["level"], "strength": _ASKED["strength"],
    "algorithm": _ASKED["algorithm"], "model": Text(),
    "noise": _ASKED["noise"], "noise_seed": _ASKED["noise_seed"],
    "filter": _ASKED["filter"], "errors": Text(),
}  # fmt: skip


def parse_player(text: str) -> Player:
    """Read a player: settings such as `depth=3,noise=0.03,model=leaf`, `gnubg=0`, `bgsage=1`,
    `external=127.0.0.1:1234`.

    Raises:
        FormatError: a setting is unknown, comes twice or is empty, or one that stands alone
            has others beside it.
        SettingError, ModelError: no player plays by these settings.
    """
    found: dict[str, Any] = {}
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if not equals or name in found or (name not in _KINDS and name not in plugins(PLAYERS)):
            names = ", ".join((*_KINDS, *plugins(PLAYERS)))
            raise FormatError(
                f"player {text!r}: {part!r} is not a setting; expected NAME=VALUE, each name "
                f"once, of {names}"
            )
        if not value:
            raise FormatError(f"player {text!r}: {value!r} is not a value of {name}")
        read = _KINDS[name].read if name in _KINDS else program_named(name).read
        found[name] = read(name, value)
    programs = [(name, value) for name, value in found.items() if name not in _KINDS]
    if programs:
        if len(found) > 1:
            raise FormatError(f"player {text!r}: expected {programs[0][0]} alone")
        return Player(program=programs[0])
    check_depths(found)
    asked = Question(
        level=found.pop("level", None), depth=found.get("depth", Player().depth),
        strength=found.get("strength"),
    )  # fmt: skip
    player = Player(**found | {"depth": asked.depth, "level": asked.level or ""})
    mind_of(player)  # raises the engine's errors now
    return player


def check_errors(player: Player) -> None:
    """Check that the errors of a player are of one kind, and that this kind has an effect.

    Raises:
        SettingError: it has noise beside a strength, or a kind or a seed of errors without
            errors.
    """
    if player.strength is not None and player.noise != 0.0:
        raise SettingError(f"noise {player.noise} with a strength: expected one of them")
    if player.errors != Player().errors and player.noise == 0.0:
        raise SettingError(f"errors {shown(player.errors)} without noise: expected noise too")
    if player.noise_seed is not None and player.noise == 0.0 and player.strength is None:
        raise SettingError(
            f"noise_seed {player.noise_seed} without errors: expected noise or a strength too"
        )


class Answers(NamedTuple):
    """The right decisions about N doubles.

    Attributes:
        doubles: bool [N], whether to double.
        takes: bool [N], whether to take a double.
    """

    doubles: npt.NDArray[np.bool_]
    takes: npt.NDArray[np.bool_]


class Mind(Protocol):
    """The program that plays for a player. Each board comes with its own terms."""

    def plays(self, states: Boards, outcomes: Ints, terms: AllTerms, seeds: Ints) -> Boards:
        """Return the positions after the best plays, int8 [N, 26], seen from the mover.

        Args:
            states: int8 [N, 26], each seen from its player on roll.
            outcomes: N rolls, 0..20.
            terms: N, those of the players on roll.
            seeds: N seeds of noise.
        """

    def cubes(self, states: Boards, terms: AllTerms, seeds: Ints) -> Answers:
        """Return whether doubles are right, and takes of them.

        Args:
            states: int8 [N, 26], each seen from its player on roll.
            terms: N, those of the players on roll, who may all double.
            seeds: N seeds of noise.
        """

    def cpu_seconds(self) -> float | None:
        """Return the processor time that its process has taken so far, all of its threads.

        It is this process, or that of another program, of which only the answers count. None:
        the process is out of reach.
        """


class Program(Protocol):
    """Another program as a player, which a package adds (`gammon.base.plugins`).

    Attributes:
        alone: it can play for one worker at a time.
    """

    alone: bool

    def read(self, name: str, text: str) -> int | str:
        """Read its setting, such as a number of plies.

        Raises:
            SettingError, FormatError: it cannot be that.
        """

    def check(self, player: str, live: bool) -> None:
        """Check that it plays with a live cube, or without the cube.

        Raises:
            SettingError: it does not; the message begins with the player.
        """

    def check_installed(self, value: int | str) -> None:
        """Check that it is there; it need not be started.

        Raises:
            GammonError: it is not.
        """

    def pairs(self, value: int | str) -> int:
        """Return how many pairs of games take seconds at a setting."""

    def mind(self, value: int | str, live: bool) -> Mind:
        """Start it, unless it runs, and return it as a player.

        Raises:
            GammonError: it does not start.
        """


def program_named(name: str) -> Program:
    """Return the program of a name.

    Raises:
        GammonError: no installed package has it.
    """
    program: Program = plugin(PLAYERS, name)
    return program


@dataclass(frozen=True)
class DeadCube:
    """A mind of games whose cube is dead: it plays for stakes that stay as they are.

    Attributes:
        best: returns its plays.
        clock: returns the processor time of its process, see `Mind.cpu_seconds`.
    """

    best: Best
    clock: Callable[[], float] = time.process_time

    def plays(self, states: Boards, outcomes: Ints, terms: AllTerms, seeds: Ints) -> Boards:
        """Return the best plays at any terms, see `Mind`."""
        return self.best(states, outcomes, seeds)

    def cubes(self, states: Boards, terms: AllTerms, seeds: Ints) -> Answers:
        """Raise an error, since nobody may double."""
        raise AssertionError("nobody may double")

    def cpu_seconds(self) -> float:
        """Return the processor time of its process, see `Mind`."""
        return self.clock()


@lru_cache(4)
def mind_of(player: Player, stakes: Stakes = MONEY) -> Mind:
    """Return the program that plays for a player without the cube.

    It is the same one while it is among the latest.

    Args:
        player: see `Player`.
        stakes: what results are worth to this player.

    Raises:
        SettingError, ModelError: no engine plays by these settings; the program plays with
            the cube only; or as for `check_errors`.
        GammonError: another program does not start.
    """
    check_errors(player)
    if player.program is not None:
        return program_mind(player, live=False)
    engine = Engine(
        player.depth, player.algorithm, player.model, player.noise,
        move_filter=player.filter or None, stakes=stakes, cubeless=True,
        level=player.level or None, strength=player.strength,
    )  # fmt: skip
    errors = Errors.named(player.noise, player.errors)
    if errors.sigma > 0.0:
        return DeadCube(_best_erring(player, errors, backgammon(stakes)))
    return DeadCube(
        lambda states, outcomes, seeds: engine.best_plays(
            states,
            [ROLLS[k] for k in outcomes],
            player.seeds(seeds) if player.strength else None,
        )
    )


def _best_erring(player: Player, errors: Errors, game: Game) -> Best:
    """Return the plays of a player whose network errs: its move filter sees the errors too.

    Args:
        player: its settings are those of an engine.
        errors: of its network.
        game: with what results are worth to the player.
    """
    leaf, probe = leaf_and_probe(player.model)
    leaf = erring(leaf, errors)
    chosen = filter_named(player.filter)
    setup = search.Setup(game, leaf, player.algorithm, probe, filter=chosen)

    def plays(states: Boards, outcomes: Ints, seeds: Ints) -> Boards:
        boards = np.asarray(states, np.int8)
        best = np.empty_like(boards)
        for n, seed in enumerate(player.seeds(seeds)):
            set_seed(leaf, seed)
            table = Table.at_depth(game, player.depth)
            each = slice(n, n + 1)
            best[n] = setup.best(boards[each], outcomes[each], player.depth, table=table)[0]
        return turned_boards(best)

    return plays


def program_mind(player: Player, live: bool) -> Mind:
    """Return another program as a player, with a live cube or without the cube.

    Raises:
        SettingError: it does not play so.
        GammonError: it is not installed, or does not start.
    """
    assert player.program is not None, player
    name, value = player.program
    program = program_named(name)
    program.check(str(player), live)
    return program.mind(value, live)
