"""Other programs as players of matches: the games that each can play, and its answers."""

import atexit
from collections.abc import Callable
from functools import cache
from typing import TypeVar

import numpy as np

from gammon.base.errors import SettingError
from gammon.base.settings import OneOf, Whole
from gammon.match.player import AllTerms, Answers, Boards, Ints, MatchPlayer
from gammon.rules.dice import ROLLS
from gammon.search import Cubes
from gammon_adapters.address import parse_address
from gammon_lab.programs import Bgsage, ExternalServer, GnuBackgammon, Peer
from gammon_lab.programs.bgsage import LEVELS

P = TypeVar("P", bound=Peer | ExternalServer)


def _opened(program: P) -> P:
    """Start a program or connect to it, until this process ends."""
    program.open()
    atexit.register(program.close)
    return program


@cache
def _started(program: Callable[[], Peer], value: int | str) -> Peer:
    """Return the process of a program for one player, which plays at one setting."""
    return _opened(program())


class _WithoutCube:
    """A program as a player of games without the cube, for money."""

    def __init__(self, program: Callable[[], Peer], value: int | str) -> None:
        self.program, self.value = _started(program, value), value

    def plays(self, states: Boards, outcomes: Ints, terms: AllTerms, seeds: Ints) -> Boards:
        dice = [ROLLS[outcome] for outcome in outcomes]
        after = self.program.best_plays(np.asarray(states).tolist(), dice, self.value)
        return np.array(after, np.int8)

    def cubes(self, states: Boards, terms: AllTerms, seeds: Ints) -> Answers:
        raise AssertionError("nobody may double")

    def cpu_seconds(self) -> float:
        return self.program.cpu_seconds


class _WithCube:
    """GNU Backgammon as a player with the cube, at one number of plies for all decisions.

    Its decisions follow from its own values of no double and of double and take.
    """

    def __init__(self, plies: int) -> None:
        self.plies, self.program = plies, _opened(GnuBackgammon())

    def plays(self, states: Boards, outcomes: Ints, terms: AllTerms, seeds: Ints) -> Boards:
        dice = [ROLLS[outcome] for outcome in outcomes]
        after = self.program.best_plays_at(states.tolist(), dice, self.plies, terms)
        return np.array(after, np.int8)

    def cubes(self, states: Boards, terms: AllTerms, seeds: Ints) -> Answers:
        values = np.array(self.program.cube_values(states.tolist(), self.plies, terms))
        decisions = Cubes(values[:, 0], values[:, 1], 1.0)
        return Answers(decisions.doubles, decisions.takes)

    def cpu_seconds(self) -> float:
        return self.program.cpu_seconds


class _Connection:
    """GNU Backgammon at the other end of a connection. Its own settings decide how it plays."""

    def __init__(self, address: str) -> None:
        self.program = _opened(ExternalServer(address))

    def plays(self, states: Boards, outcomes: Ints, terms: AllTerms, seeds: Ints) -> Boards:
        after = [
            self.program.best_play(tuple(points), ROLLS[outcome], at)
            for points, outcome, at in zip(states.tolist(), outcomes, terms, strict=True)
        ]
        return np.array(after, np.int8)

    def cubes(self, states: Boards, terms: AllTerms, seeds: Ints) -> Answers:
        positions = [(tuple(points), at) for points, at in zip(states.tolist(), terms, strict=True)]
        doubles = [self.program.doubles(*position) for position in positions]
        takes = [self.program.takes(*position) for position in positions]
        return Answers(np.array(doubles, np.bool_), np.array(takes, np.bool_))

    def cpu_seconds(self) -> None:
        """Return None: the program is at the other end of a connection."""


class _Gnubg:
    """`gnubg=0`: GNU Backgammon at a number of plies; see `gammon.match.player.PlayerPlugin`."""

    alone = False

    def read(self, name: str, text: str) -> int | str:
        plies: int = Whole(0, 4).read(name, text)  # more take too long for games
        return plies

    def check(self, player: str, live: bool) -> None:
        """Accept games with and without the cube."""

    def check_installed(self, value: int | str) -> None:
        GnuBackgammon().command()

    def pairs(self, value: int | str) -> int:
        return {0: 50, 1: 5}.get(int(value), 1)

    def match_player(self, value: int | str, live: bool) -> MatchPlayer:
        return _with_cube(int(value)) if live else _WithoutCube(GnuBackgammon, value)


class _Bgsage:
    """`bgsage=1`: bgsage at a number of plies, or one of its levels with rollouts."""

    alone = False

    def read(self, name: str, text: str) -> int | str:
        value: int | str = OneOf((1, 2, 3, 4, *LEVELS)).read(name, text)
        return value

    def check(self, player: str, live: bool) -> None:
        if live:
            raise SettingError(f"{player} with the cube: expected a player of gammon, or gnubg")

    def check_installed(self, value: int | str) -> None:
        Bgsage().command()

    def pairs(self, value: int | str) -> int:
        return {1: 50, 2: 5}.get(value, 1) if isinstance(value, int) else 1

    def match_player(self, value: int | str, live: bool) -> MatchPlayer:
        return _WithoutCube(Bgsage, value)


class _External:
    """`external=HOST:PORT`: GNU Backgammon where it listens as an external player."""

    alone = True

    def read(self, name: str, text: str) -> int | str:
        parse_address(text)
        return text

    def check(self, player: str, live: bool) -> None:
        if not live:
            raise SettingError(
                f"{player} without the cube: expected games with it, as GNU Backgammon plays "
                "(gammon match --length or --cubeful)"
            )

    def check_installed(self, value: int | str) -> None:
        _connection(str(value))

    def pairs(self, value: int | str) -> int:
        return 1

    def match_player(self, value: int | str, live: bool) -> MatchPlayer:
        return _connection(str(value))


@cache
def _with_cube(plies: int) -> _WithCube:
    return _WithCube(plies)


@cache
def _connection(address: str) -> _Connection:
    return _Connection(address)


GNUBG, BGSAGE, EXTERNAL = _Gnubg(), _Bgsage(), _External()
