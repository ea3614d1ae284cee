"""The programs on the same positions, in turns, each asked by its own interface."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple, Self

import numpy as np

from gammon.answers.engine import Engine
from gammon.base.errors import GammonError
from gammon.bench.decisions import Cost, summary
from gammon.bench.positions import BenchPosition
from gammon.peers import Bgsage, GnuBackgammon, Peer
from gammon.peers.gnubg import find_program
from gammon.rules.board import OPENING

__all__ = ["OTHERS", "Asked", "Programs", "calibration"]

#: The other programs.
OTHERS: dict[str, Callable[[], Peer]] = {"gnubg": GnuBackgammon, "bgsage": Bgsage}
_FIRST_ROLL = (3, 1)
_CALIBRATE = "set threads 1\ncalibrate 200\nquit\ny\n"


class Asked(NamedTuple):
    """A player that decides.

    Attributes:
        program: gammon, or one of `OTHERS`.
        name: of the player.
        plies: how far it looks, as the program counts.
        move_filter: of gammon's searches, or empty.
    """

    program: str
    name: str
    plies: int
    move_filter: str = ""


#: Players that look equally far; the first of each row is the one that others are compared
#: with.
_LEVELS = (
    (
        Asked("gammon", "depth 1", 1),
        Asked("gnubg", "GNU Backgammon 0-ply", 0),
        Asked("bgsage", "bgsage level 1", 1),
    ),
    (
        Asked("gammon", "depth 3", 3),
        Asked("gnubg", "GNU Backgammon 1-ply", 1),
        Asked("bgsage", "bgsage level 2", 2),
    ),
    (
        Asked("gammon", "depth 5", 5),
        Asked("gammon", "depth 5, tiny filter", 5, "tiny"),
        Asked("gnubg", "GNU Backgammon 2-ply", 2),
        Asked("bgsage", "bgsage level 3", 3),
    ),
    (
        Asked("gammon", "depth 7", 7),
        Asked("gammon", "depth 7, tiny filter", 7, "tiny"),
        Asked("gnubg", "GNU Backgammon 3-ply", 3),
        Asked("bgsage", "bgsage level 4", 4),
    ),
)


class Programs:
    """gammon and other programs, from `__enter__` to `__exit__`.

    Args:
        others: names of `OTHERS`.
        model: gammon's leaf network.

    Attributes:
        versions: of the others, by name.

    Raises:
        GammonError: by `__enter__`, a program is not installed or does not start.
    """

    def __init__(self, others: Sequence[str], model: str) -> None:
        self.versions: dict[str, str] = {}
        self._peers = {name: OTHERS[name]() for name in others}
        self._model = model
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            for name, peer in self._peers.items():
                stack.enter_context(peer)
                self.versions[name] = peer.version
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def costs(
        self, some: Sequence[BenchPosition], few: Sequence[BenchPosition]
    ) -> list[list[Cost]]:
        """Return the costs of the players of each level.

        They decide one after the other in each position, and another one begins each time.
        Times are processor time of all threads of the program that decides.

        Args:
            some: positions for all levels but the last.
            few: positions for the last; none leave it out.
        """
        found = []
        for level, decisions in zip(_LEVELS, (some, some, some, few), strict=True):
            players = [each for each in level if each.program in ("gammon", *self._peers)]
            if decisions:
                found.append(self._level(players, decisions))
        return found

    def _level(
        self, players: Sequence[Asked], decisions: Sequence[BenchPosition]
    ) -> list[Cost]:
        clocks = [self._clock(player) for player in players]
        for clock in clocks:
            clock(BenchPosition(OPENING, _FIRST_ROLL, 0, {}))  # loads code and networks
        seconds: list[list[float]] = [[] for _ in players]
        for number, decision in enumerate(decisions):
            for turn in range(len(players)):
                player = (number + turn) % len(players)
                seconds[player].append(clocks[player](decision))
        return [
            summary(player.name, times) for player, times in zip(players, seconds, strict=True)
        ]

    def _clock(self, player: Asked) -> Callable[[BenchPosition], float]:
        """Return the function that asks a player for a play, and gives the seconds."""
        if player.program == "gammon":
            return self._own_clock(player)
        peer = self._peers[player.program]

        def asked(decision: BenchPosition) -> float:
            if isinstance(peer, GnuBackgammon):
                peer.forget()
            before = peer.cpu_seconds
            peer.best_play(decision.points, decision.dice, player.plies)
            return peer.cpu_seconds - before

        return asked

    def _own_clock(self, player: Asked) -> Callable[[BenchPosition], float]:
        engine = Engine(
            player.plies, model=self._model, move_filter=player.move_filter or None, cube=False
        )

        def asked(decision: BenchPosition) -> float:
            points = np.array([decision.points], np.int8)
            before = time.process_time()
            engine.best_plays(points, [decision.dice])
            return time.process_time() - before

        return asked


@contextmanager
def _one_processor() -> Iterator[None]:
    """Keep this process, and the programs that it starts, to one processor; Linux only."""
    if not sys.platform.startswith("linux"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def calibration() -> float:
    """Return GNU Backgammon's static evaluations a second, by its own measure, on one core.

    It runs a thread beside its main one, so on Linux it is kept to one processor.
    """
    path = find_program()
    if path is None:
        raise GammonError("GNU Backgammon is not installed: expected the program gnubg")
    with _one_processor():
        done = subprocess.run(
            [path, "-t", "-q", "-r"], input=_CALIBRATE, capture_output=True, text=True,
            check=False, timeout=120.0,
        )  # fmt: skip
    match = re.search(r"Calibration result: (\d+)", done.stdout)
    if match is None:
        raise GammonError("GNU Backgammon does not calibrate")
    return float(match.group(1))
