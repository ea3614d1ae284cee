"""The programs on the same positions, in turns, each asked by its own interface."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

import numpy as np

from gammon.base.errors import GammonError
from gammon.engine.engine import Engine
from gammon.rules.board import OPENING
from gammon_lab.bench.decisions import Cost, summary
from gammon_lab.bench.positions import BenchPosition
from gammon_lab.programs import Bgsage, GnuBackgammon, Peer
from gammon_lab.programs.gnubg import installed_program

#: The other programs.
OTHERS: dict[str, Callable[[], Peer]] = {"gnubg": GnuBackgammon, "bgsage": Bgsage}
_FIRST_ROLL = (3, 1)
_CALIBRATE = "set threads 1\ncalibrate 200\nquit\ny\n"


class Decider(NamedTuple):
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


def _level(ply: int) -> list[Decider]:
    """Return the players that look as far as GNU Backgammon with so many plies."""
    depth = 2 * ply + 1
    ours = [Decider("gammon", f"depth {depth}", depth)]
    if ply > 1:
        ours.append(Decider("gammon", f"depth {depth}, tiny filter", depth, "tiny"))
    return [
        *ours,
        Decider("gnubg", f"GNU Backgammon {ply}-ply", ply),
        Decider("bgsage", f"bgsage level {ply + 1}", ply + 1),
    ]


#: Players that look equally far; the first of each row is the one that others are compared
#: with. A level is one ply more of each player of the others, and two plies of ours.
_LEVELS = [_level(ply) for ply in range(4)]


@contextmanager
def started(names: Sequence[str]) -> Iterator[dict[str, Peer]]:
    """Start other programs, names of `OTHERS`, and end them.

    Raises:
        GammonError: a program is not installed or does not start.
    """
    with ExitStack() as stack:
        yield {name: stack.enter_context(OTHERS[name]()) for name in names}


def costs_in_turns(
    peers: Mapping[str, Peer], model: str, some: Sequence[BenchPosition], few: Sequence[BenchPosition]
) -> list[list[Cost]]:
    """Return the costs of the players of each level, of gammon and of other programs.

    They decide one after the other in each position, and another one begins each time.
    Times are processor time of all threads of the program that decides.

    Args:
        peers: the others, which run.
        model: gammon's leaf network.
        some: positions for all levels but the last.
        few: positions for the last; none leave it out.
    """
    found = []
    for level, decisions in zip(_LEVELS, (some, some, some, few), strict=True):
        if not decisions:
            continue
        players = [each for each in level if each.program in ("gammon", *peers)]
        clocks = [_clock(each, model, peers.get(each.program)) for each in players]
        for clock in clocks:
            clock(BenchPosition(OPENING, _FIRST_ROLL, 0, {}))  # loads code and networks
        seconds: list[list[float]] = [[] for _ in players]
        for number, decision in enumerate(decisions):
            for turn in range(len(players)):
                place = (number + turn) % len(players)
                seconds[place].append(clocks[place](decision))
        found.append([summary(player.name, times) for player, times in zip(players, seconds, strict=True)])
    return found


def _clock(player: Decider, model: str, peer: Peer | None) -> Callable[[BenchPosition], float]:
    """Return the function that asks a player for a play, and gives the seconds."""
    if peer is None:
        engine = Engine(player.plies, model=model, move_filter=player.move_filter or None, cubeless=True)

        def own(decision: BenchPosition) -> float:
            points = np.array([decision.points], np.int8)
            before = time.process_time()
            engine.best_plays(points, [decision.dice])
            return time.process_time() - before

        return own

    def other(decision: BenchPosition) -> float:
        if isinstance(peer, GnuBackgammon):
            peer.forget()
        before = peer.cpu_seconds
        peer.best_play(decision.points, decision.dice, player.plies)
        return peer.cpu_seconds - before

    return other


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
    path = installed_program()
    with _one_processor():
        done = subprocess.run(
            [path, "-t", "-q", "-r"],
            input=_CALIBRATE,
            capture_output=True,
            text=True,
            check=False,
            timeout=120.0,
        )
    match = re.search(r"Calibration result: (\d+)", done.stdout)
    if match is None:
        raise GammonError("GNU Backgammon does not calibrate")
    return float(match.group(1))
