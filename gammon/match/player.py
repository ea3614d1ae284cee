"""Players: a line of text such as `depth=3,noise=0.03`, and the program that it names."""

import atexit
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from gammon import search
from gammon.answers.boards import turned_boards
from gammon.answers.engine import Engine
from gammon.answers.question import Question, check_depths
from gammon.base.checks import shown
from gammon.base.errors import FormatError, SettingError
from gammon.base.settings import Kind, OneOf, Text, Whole, settings_of
from gammon.eval.erring import Errors, erring, set_seed
from gammon.eval.evaluators import leaf_and_probe
from gammon.games.backgammon import backgammon, filter_named
from gammon.peers import Bgsage, GnuBackgammon, Peer
from gammon.peers.address import parse_address
from gammon.peers.bgsage import LEVELS
from gammon.rules.dice import ROLLS
from gammon.rules.stakes import MONEY, Stakes
from gammon.rules.terms import Terms
from gammon.search import Game, Table

Boards = npt.NDArray[np.int8]
#: Numbers for N boards, and what is at stake on each.
Ints = Sequence[int]
AllTerms = Sequence[Terms]
#: From boards, rolls 0..20 and seeds of noise, N each, to the best plays as `Mind` has them.
Best = Callable[[npt.ArrayLike, Ints, Ints], Boards]

#: Other programs, and the plies and levels that they have. More plies take too long for games.
_PEERS: dict[str, tuple[Callable[[], Peer], Kind]] = {
    "gnubg": (GnuBackgammon, Whole(0, 4)),
    "bgsage": (Bgsage, OneOf((1, 2, 3, 4, *LEVELS))),
}


class Player(NamedTuple):
    """The settings of a player. Two players with equal settings play alike.

    Attributes:
        depth: plies that it searches.
        algorithm: of its search.
        model: its leaf network, a name or a file.
        noise: standard deviation of the error at its leaves.
        filter: name of its move filter, or empty.
        errors: the kind of these errors; see `gammon.eval.erring`.
        gnubg: plies of GNU Backgammon, from 0, which then plays; else None.
        bgsage: plies of bgsage, from 1, or one of its `LEVELS`, which then plays; else None.
        level: in place of the depth, one of `gammon.answers.question.LEVELS`; or empty.
        external: the address at which GNU Backgammon listens, which then plays; else None.
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
    gnubg: int | None = None
    bgsage: int | str | None = None
    level: str = ""
    external: str | None = None
    strength: float | None = None
    noise_seed: int | None = None

    @property
    def peer(self) -> tuple[str, int | str] | None:
        """The setting that names another program, and its value; None: gammon plays."""
        for name in (*_PEERS, "external"):
            value = getattr(self, name)
            if value is not None:
                return name, value
        return None

    def __str__(self) -> str:
        if self.peer is not None:
            return "{}={}".format(*self.peer)
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
    **{name: plies for name, (_, plies) in _PEERS.items()}, "external": Text(),
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
        if not equals or name not in _KINDS or name in found:
            names = ", ".join(_KINDS)
            raise FormatError(
                f"player {text!r}: {part!r} is not a setting; expected NAME=VALUE, each name "
                f"once, of {names}"
            )
        if not value:
            raise FormatError(f"player {text!r}: {value!r} is not a value of {name}")
        found[name] = _KINDS[name].read(name, value)
    check_depths(found)
    given = len(found)
    asked = Question(
        level=found.pop("level", None), depth=found.get("depth", Player().depth),
        strength=found.get("strength"),
    )  # fmt: skip
    player = Player(**found | {"depth": asked.depth, "level": asked.level or ""})
    if player.peer is None:
        mind_of(player)  # raises the engine's errors now
    elif given > 1:
        raise FormatError(f"player {text!r}: expected {player.peer[0]} alone")
    elif player.external is not None:
        parse_address(player.external)
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
def mind_of(player: Player, stakes: Stakes = MONEY) -> DeadCube:
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
    if player.external is not None:
        raise SettingError(
            f"{player} without the cube: expected games with it, as GNU Backgammon plays "
            "(gammon match --length or --cubeful)"
        )
    if player.peer is not None:
        return _by_peer(*player.peer)
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

    def plays(states: npt.ArrayLike, outcomes: Ints, seeds: Ints) -> Boards:
        boards = np.asarray(states, np.int8)
        best = np.empty_like(boards)
        for n, seed in enumerate(player.seeds(seeds)):
            set_seed(leaf, seed)
            table = Table.at_depth(game, player.depth)
            each = slice(n, n + 1)
            best[n] = setup.best(boards[each], outcomes[each], player.depth, table=table)[0]
        return turned_boards(best)

    return plays


@cache
def _program(name: str, plies: int | str) -> Peer:
    """Return the process of another program that plays for one player."""
    program = _PEERS[name][0]()
    program.open()
    atexit.register(program.close)  # the player is kept for as long as this process lives
    return program


def check_installed(player: Player) -> None:
    """Check that the program that plays for a player is installed. It is not started.

    Raises:
        GammonError: it is not.
    """
    name = player.peer[0] if player.peer else ""
    if name in _PEERS:
        _PEERS[name][0]().command()


def _by_peer(name: str, plies: int | str) -> DeadCube:
    """Return another program as a mind."""
    program = _program(name, plies)

    def plays(states: npt.ArrayLike, outcomes: Ints, seeds: Ints) -> Boards:
        dice = [ROLLS[outcome] for outcome in outcomes]
        return np.array(program.best_plays(np.asarray(states).tolist(), dice, plies), np.int8)

    return DeadCube(plays, lambda: program.cpu_seconds)
