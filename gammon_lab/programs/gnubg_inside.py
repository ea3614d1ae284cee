"""The half of `gammon_lab.programs.gnubg` that runs inside GNU Backgammon.

`gammon_lab.programs.server` loads this file in the Python that is embedded in GNU Backgammon,
where the module `gnubg` gives access to the program. That Python is the system's, so this file
imports nothing from the package and uses nothing newer than Python 3.9.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
import threading
from collections.abc import Iterable
from typing import Any

Hop = tuple[int, int]

#: Settings that keep the program from acting by itself; it only answers.
SETTINGS = (
    "set threads 1",
    "set automatic roll off",
    "set automatic game off",
    "set automatic move off",
    "set automatic bearoff off",
    "set automatic doubles 0",
    "set display off",
    "set player 0 human",
    "set player 1 human",
    "set evaluation chequer eval plies 0",
    "set evaluation chequer eval cubeful off",
    "set jacoby off",
)
#: The points with names in plays.
NAMED = {"bar": 25, "off": 0}
#: More plays than any roll has.
ALL_PLAYS = 10_000
#: Requests after which a new session drops the records of the old one.
SESSION_LENGTH = 1_000


def board_of(points: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return GNU Backgammon's board: 25 counts of the opponent, 25 of the roller.

    Each side counts its points from its own side, 1..24 and then the bar.
    """
    own = tuple(max(0, points[p]) for p in range(1, 26))
    their = tuple(max(0, -points[25 - p]) for p in range(1, 26))
    return their, own


def hops_of(text: str) -> list[Hop]:
    """Split a play such as `24/18*/15 6/off(2)` into its single moves.

    Returns:
        (source, target) of each move, in order; the bar is 25, off is 0.
    """
    hops: list[Hop] = []
    for item in text.split():
        match = re.fullmatch(r"([^()]+?)(?:\((\d)\))?", item)
        if match is None:
            raise ValueError(f"play {text!r}: expected moves such as 13/7(2)")
        names = match.group(1).replace("*", "").split("/")
        path = [NAMED[name] if name in NAMED else int(name) for name in names]
        moves = [(path[i], path[i + 1]) for i in range(len(path) - 1)]
        hops += moves * int(match.group(2) or 1)
    return hops


def after(points: list[int], hops: Iterable[Hop]) -> list[int]:
    """Return the position after moves, seen from the mover, hits included."""
    result = list(points)
    for source, target in hops:
        result[source] -= 1
        if target == 0:
            continue
        if result[target] == -1:
            result[target] = 0
            result[0] -= 1
        result[target] += 1
    return result


def pairs_of(flat: tuple[int, ...]) -> list[Hop]:
    """Pair up (source, target, source, target, ...)."""
    return [(flat[i], flat[i + 1]) for i in range(0, len(flat), 2)]


def cube_arguments(terms: list[Any]) -> tuple[Any, ...]:
    """Return the arguments of `cubeinfo` for terms: value, owner, who is on roll, length, ...

    Args:
        terms: the fields of `gammon.rules.terms.Terms`; player 1 is on roll.
    """
    length, (own, their), crawford, _, _, cube, owner, *_ = terms
    owner = {0: -1, 1: 1, -1: 0}[owner]
    score = (length - their, length - own)
    return cube, owner, 1, length, score, int(crawford), 0


class Program:
    """GNU Backgammon, reached through its embedded module. Its methods answer questions."""

    def __init__(self) -> None:
        gnubg = importlib.import_module("gnubg")  # exists only inside the program
        self.gnubg = gnubg
        self.requests = 0
        for setting in SETTINGS:
            gnubg.command(setting)
        gnubg.command("new session")
        # Money play, a centred cube of 1, the roller is player 1. No Jacoby rule, because
        # with it gammons would not count.
        self.cube = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0, 0)
        remove_wait()

    def context(self, plies: int, cubeful: bool = False) -> Any:
        """Return the evaluation settings: the program's defaults, cubeless or cubeful."""
        return {"cubeful": int(cubeful), "plies": plies, "deterministic": 1, "prune": 1, "noise": 0.0}

    def cube_at(self, terms: list[Any]) -> Any:
        """Return the cube's state. It carries the Jacoby rule, which the session has off."""
        cube = self.gnubg.cubeinfo(*cube_arguments(terms))
        jacoby, owner = terms[3], terms[6]
        if jacoby and owner == 0:
            cube.update(jacoby=1, gammonprice=((0.0, 0.0), (0.0, 0.0)))
        return cube

    def successors(self, points: list[int], dice: list[int]) -> list[list[int]]:
        """Return the position after each legal play (the position itself for a pass).

        The module has no list of plays. But a hint at 0-ply has no filter: it evaluates
        and ranks all plays.
        """
        gnubg = self.gnubg
        self.requests += 1
        if self.requests % SESSION_LENGTH == 0:
            gnubg.command("new session")
        board = board_of(points)
        state = gnubg.posinfo(1, 0, 0, 1, tuple(dice))
        name = f"{gnubg.positionid(board)}:{gnubg.matchid(self.cube, state)}"
        gnubg.command(f"set gnubgid {name}")
        if gnubg.board() != board or sorted(gnubg.posinfo()["dice"]) != sorted(dice):
            raise ValueError(f"the program refuses the position {name}")
        plays = gnubg.hint(ALL_PLAYS)["hint"]
        return [after(points, hops_of(play["move"])) for play in plays] or [list(points)]

    def evaluate(self, points: list[int], plies: int) -> list[float]:
        """Return the five cumulative probabilities of the player on roll."""
        values = self.gnubg.evaluate(board_of(points), self.cube, self.context(plies))
        return list(values[:5])

    def best_play(self, points: list[int], dice: list[int], plies: int) -> list[int]:
        """Return the position after the best play, with the default move filters."""
        moves = self.gnubg.findbestmove(board_of(points), self.cube, self.context(plies), tuple(dice))
        return after(points, pairs_of(moves))

    def best_play_at(self, points: list[int], dice: list[int], plies: int, terms: list[Any]) -> list[int]:
        """Return the position after the best play with the cube."""
        moves = self.gnubg.findbestmove(
            board_of(points), self.cube_at(terms), self.context(plies, True), tuple(dice)
        )
        return after(points, pairs_of(moves))

    def cube_values(self, points: list[int], plies: int, terms: list[Any]) -> list[float]:
        """Return the equities of no double and of double and take."""
        values = self.gnubg.cfevaluate(board_of(points), self.cube_at(terms), self.context(plies, True))
        return list(values[1:3])

    def forget(self) -> int:
        """Empty the program's cache of evaluations."""
        self.gnubg.command("clear cache")
        return 0


def remove_wait() -> None:
    """Let a short call into the program return at its end, and not 10 ms later.

    The program hands each evaluation to a worker thread, checks once whether it is
    finished, and sleeps 10 ms between further checks. A worker on the caller's processor
    with a higher priority runs first. The first check then succeeds if the work fits in
    one turn of the scheduler: 0-ply does, most of 1-ply does not. So this function puts
    all threads on one processor and gives the caller the lowest priority. It acts on Linux
    only: elsewhere niceness belongs to the process.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        with open("/proc/self/stat") as stat:  # noqa: PTH123
            cpu = int(stat.read().rpartition(")")[2].split()[36])
        for thread in os.listdir("/proc/self/task"):  # noqa: PTH208
            os.sched_setaffinity(int(thread), {cpu})
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
    except (OSError, ValueError, IndexError):
        pass  # slower, but correct
