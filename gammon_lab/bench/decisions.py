"""The cost of a decision, time and leaves: of gammon, and of all programs in turns."""

import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

import numpy as np

from gammon import search
from gammon.base.errors import GammonError
from gammon.engine.engine import Engine
from gammon.eval.width import bounds_of
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import OPENING
from gammon.search import Evaluator, Table
from gammon_lab.bench.positions import BenchPosition
from gammon_lab.programs import Bgsage, GnuBackgammon, Peer
from gammon_lab.programs.gnubg import installed_program


class Cost(NamedTuple):
    """The cost of finding the best play of some positions.

    Attributes:
        name: the player.
        decisions: how many.
        median_ms: median time of a decision.
        mean_ms: mean time of a decision.
        p95_ms: time that 95 % of the decisions do not exceed.
        leaves: leaves of all decisions; 0 if not counted.
        share: leaves as a share of the full trees' leaves; 0 if not known.
        probes_cut: share of the probes that ended in a cutoff.
    """

    name: str
    decisions: int
    median_ms: float
    mean_ms: float
    p95_ms: float
    leaves: int = 0
    share: float = 0.0
    probes_cut: float = 0.0


def summary(name: str, seconds: Sequence[float]) -> Cost:
    """Return the cost with the median, mean and 95 % quantile of the times."""
    return Cost(
        name,
        len(seconds),
        1e3 * statistics.median(seconds),
        1e3 * statistics.fmean(seconds),
        1e3 * float(np.quantile(seconds, 0.95)),
    )


def cost_of(
    name: str,
    players: tuple[Evaluator, Evaluator],
    decisions: Sequence[BenchPosition],
    depth: int,
    threads: int = 1,
    algorithm: str = "bounded",
) -> Cost:
    """Find the best play of each position, and bounds for the others.

    Args:
        name: the name of the player.
        players: the evaluators of leaves and of probes.
        decisions: positions and rolls.
        depth: plies.
        threads: for each decision.
        algorithm: the name of an algorithm.
    """
    leaf, probe = players
    tree = search.TreeSearch(BACKGAMMON, leaf, probe=probe, **bounds_of(algorithm, leaf, False))
    seconds, leaves, probes, cuts = [], 0, 0, 0
    for decision in decisions:
        begun = time.perf_counter()
        table = Table.at_depth(BACKGAMMON, depth)
        stats = tree.decide(decision.points, decision.outcome, depth, threads=threads, table=table).stats
        seconds.append(time.perf_counter() - begun)
        leaves += stats.leaves
        probes += stats.probes
        cuts += stats.probe_cuts
    whole = sum(decision.leaves.get(depth, 0) for decision in decisions)
    return summary(name, seconds)._replace(
        leaves=leaves, share=leaves / whole if whole else 0.0, probes_cut=cuts / probes if probes else 0.0
    )


#: The other programs.
OTHERS: dict[str, Callable[[], Peer]] = {"gnubg": GnuBackgammon, "bgsage": Bgsage}
_FIRST_ROLL = (3, 1)
_CALIBRATE = "set threads 1\ncalibrate 200\nquit\ny\n"


class Decider(NamedTuple):
    """A player whose decisions are timed.

    Attributes:
        program: gammon, or one of `OTHERS`.
        name: of the player.
        plies: the depth of its search, as the program counts.
        algorithm: of gammon's searches.
    """

    program: str
    name: str
    plies: int
    algorithm: str = "bounded"


def _level(ply: int) -> list[Decider]:
    """Return the players that look as far ahead as GNU Backgammon with `ply` plies."""
    depth = 2 * ply + 1
    ours = [Decider("gammon", f"depth {depth}", depth)]
    if ply > 1:
        ours.append(Decider("gammon", f"depth {depth}, exact", depth, "star2"))
    return [
        *ours,
        Decider("gnubg", f"GNU Backgammon {ply}-ply", ply),
        Decider("bgsage", f"bgsage level {ply + 1}", ply + 1),
    ]


#: Rows of players that look equally far; the first one in a row is the reference of the others.
#: From row to row the other programs search one ply more, and gammon two.
_LEVELS = [_level(ply) for ply in range(4)]


@contextmanager
def started(names: Sequence[str]) -> Iterator[dict[str, Peer]]:
    """Start other programs, named as in `OTHERS`, and end them.

    Raises:
        GammonError: a program is not installed or does not start.
    """
    with ExitStack() as stack:
        yield {name: stack.enter_context(OTHERS[name]()) for name in names}


def costs_in_turns(
    peers: Mapping[str, Peer], model: str, some: Sequence[BenchPosition], few: Sequence[BenchPosition]
) -> list[list[Cost]]:
    """Return the costs of the players at each level, of gammon and of other programs.

    In each position the players decide one after the other, and a different player begins each
    time. Times are processor time of all threads of the program that decides.

    Args:
        peers: the other programs, already started.
        model: gammon's leaf network.
        some: positions for all levels but the last.
        few: positions for the last level, which is left out if there are none.
    """
    costs = []
    for level, decisions in zip(_LEVELS, (some, some, some, few), strict=True):
        if not decisions:
            continue
        players = [player for player in level if player.program in ("gammon", *peers)]
        clocks = [_clock(player, model, peers.get(player.program)) for player in players]
        for clock in clocks:
            clock(BenchPosition(OPENING, _FIRST_ROLL, 0, {}))  # loads code and networks
        seconds: list[list[float]] = [[] for _ in players]
        for number, decision in enumerate(decisions):
            for turn in range(len(players)):
                place = (number + turn) % len(players)
                seconds[place].append(clocks[place](decision))
        costs.append([summary(player.name, times) for player, times in zip(players, seconds, strict=True)])
    return costs


def _clock(player: Decider, model: str, peer: Peer | None) -> Callable[[BenchPosition], float]:
    """Return a function that has a player decide a position, and returns the seconds."""
    if peer is None:
        engine = Engine(player.plies, player.algorithm, model, cubeless=True)

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
    """Restrict this process, and the programs that it starts, to one processor; Linux only."""
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

    The program has a second thread, so on Linux it is restricted to one processor.
    """
    path = installed_program()
    with _one_processor():
        process = subprocess.run(
            [path, "-t", "-q", "-r"],
            input=_CALIBRATE,
            capture_output=True,
            text=True,
            check=False,
            timeout=120.0,
        )
    match = re.search(r"Calibration result: (\d+)", process.stdout)
    if match is None:
        raise GammonError("GNU Backgammon does not calibrate")
    return float(match.group(1))
