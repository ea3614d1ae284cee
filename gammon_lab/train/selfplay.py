"""Self-play: many games, a few turns of each at a time, and targets for the network to learn.

Every turn of every game gives one sample: the position before the roll, and a target
distribution over the six results. For `SAMPLED` the target is the network's own evaluation of
the best reply to the roll thrown: TD(0) (Sutton 1988; Tesauro 1992). For `EXACT` it is the mean
of that over all 21 rolls, which takes the luck out of the target at twenty times the cost.

A target one turn ahead repeats the network's evaluation of the next position, so an error that
persists through a game hardly shows. So the target of a turn also includes a fraction, the
*trace*, of the difference between the next turn's target and the evaluation of that position
when it was reached: TD(lambda). With exact targets that difference is free of the dice's luck.
With a trace of 1 the differences add up to the luck-adjusted result of the game, as in
`gammon.engine.luck`.

A game begins in the opening, or in one of the positions that the caller gives
(`gammon_lab.train.starts`); the number of the game decides which.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gammon.compiled.hashing import mix
from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    BoolMatrix,
    Float32Stack,
    Float32Vector,
    Int8Matrix,
    Int8Stack,
    UInt64Vector,
)
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import OPENING, SIZE
from gammon.rules.dice import N_ROLLS, PROBABILITIES, throw
from gammon.rules.outcome import IN_PLAY, N_RESULTS, result_of
from gammon.search import Evaluator, Problem, problem_of
from gammon.search.evaluation import best_reply
from gammon.search.workspace import Workspace

#: Kinds of targets: their names in recipes, and their numbers.
TARGETS = ("sampled", "exact")
SAMPLED, EXACT = range(2)

#: Games and turns of `played_positions`; a game has some sixty turns.
_GAMES, _TURNS = 1024, 64


class Aim(NamedTuple):
    """The kind of targets that turns of games give.

    Attributes:
        target: see `TARGETS`.
        trace: lambda, 0..1.
        blunders: the share of turns whose play is drawn from all legal plays.
    """

    target: int
    trace: float = 0.0
    blunders: float = 0.0


class Turns(NamedTuple):
    """T turns of G games, and the targets to learn from them.

    Attributes:
        samples: int8 [T, G, 26], positions before the roll, seen from the player on roll.
        targets: float32 [T, G, 6], the chances of the six results.
        ends: bool [T, G], whether the turn is the last one of its game.
    """

    samples: Int8Stack
    targets: Float32Stack
    ends: BoolMatrix

    @classmethod
    def allocate(cls, turns: int, games: int) -> "Turns":
        """Return uninitialized arrays for T turns of G games."""
        return cls(
            np.empty((turns, games, SIZE), np.int8),
            np.empty((turns, games, N_RESULTS), np.float32),
            np.empty((turns, games), np.bool_),
        )


@kernel(inner=True)
def _start_of(starts: Int8Matrix, seed: np.uint64, game: np.uint64) -> int:
    """Return the row of `starts` in which a game begins."""
    # The numbers of games are small, so `throw` never hashes their complements.
    return int(mix(mix(seed) ^ ~game) % np.uint64(starts.shape[0]))


@kernel(inner=True)
def _blunder(share: float, seed: np.uint64, game: np.uint64, turn: np.uint64, plays: int) -> int:
    """Return a play drawn from `plays`, with a probability of `share`; otherwise -1."""
    drawn = mix(mix(mix(~seed) ^ game) ^ turn)
    if float(drawn >> np.uint64(32)) >= share * 2.0**32:
        return -1
    return int((drawn & np.uint64(0xFFFFFFFF)) % np.uint64(plays))


@kernel(inner=True)
def _write_chances(work: Workspace, row: int, out: Float32Vector) -> None:
    """Write the chances of the six results after a play, for the opponent.

    Args:
        work: the workspace as `best_reply` left it.
        row: index of the play.
        out: float32 [6].
    """
    result = result_of(work.rows[0, row])
    for k in range(N_RESULTS):
        if result == IN_PLAY:
            out[k] = work.outputs[row, k]
        else:
            out[k] = 1.0 if k == result else 0.0


@kernel(allocates=True)
def play_turns(
    problem: Problem,
    work: Workspace,
    states: Int8Matrix,
    games: UInt64Vector,
    turns: UInt64Vector,
    start: int,
    stop: int,
    seed: np.uint64,
    starts: Int8Matrix,
    aim: Aim,
    played: Turns,
) -> None:
    """Play T turns in each of the games start..stop-1, and write a sample for each turn.

    Args:
        problem: backgammon for money, with the network that plays.
        work: buffers for any depth.
        states: int8 [G, 26], the position of each game, seen from the player on roll;
            advanced in place. A new game follows a finished one.
        games: uint64 [G], each game's number, which with `turns` decides its dice;
            a new game's number is G higher.
        turns: uint64 [G], the turns played in each game.
        start: the first game of this call.
        stop: the game after the last one of this call.
        seed: seed of the dice.
        starts: int8 [S, 26], one or more positions in which new games begin; the game's number
            and `seed` decide which.
        aim: the kind of targets.
        played: written. With a trace the chances still add up to 1, but may leave 0..1.
    """
    samples, targets, ends = played.samples, played.targets, played.ends
    after = np.empty(N_RESULTS, np.float32)
    following = np.empty(SIZE, np.int8)
    n_turns = samples.shape[0]
    believed = np.empty((n_turns, N_RESULTS), np.float32)
    for g in range(start, stop):
        state = states[g]
        for t in range(n_turns):
            samples[t, g] = state
            thrown = throw(seed, games[g], turns[g])
            targets[t, g] = 0.0
            exact = aim.target == EXACT
            for roll in range(N_ROLLS):
                if not exact and roll != thrown:
                    continue
                best, plays = best_reply(problem, work, state, roll, 0)
                _write_chances(work, best, after)
                share = PROBABILITIES[roll] if exact else 1.0
                for k in range(N_RESULTS):
                    targets[t, g, k] += share * after[5 - k]
                if roll == thrown:
                    chosen = _blunder(aim.blunders, seed, games[g], turns[g], plays)
                    following[:] = work.rows[0, best if chosen < 0 else chosen]
                    believed[t] = after[::-1]
            turns[g] += np.uint64(1)
            state[:] = following
            ends[t, g] = result_of(following) != IN_PLAY
            if ends[t, g]:
                games[g] += np.uint64(states.shape[0])
                state[:] = starts[_start_of(starts, seed, games[g])]
                turns[g] = np.uint64(0)
        # The last turn has no next turn, so its target stays as it is.
        for t in range(n_turns - 2, -1, -1):
            if not ends[t, g]:
                for k in range(N_RESULTS):
                    targets[t, g, k] += aim.trace * (targets[t + 1, g, 5 - k] - believed[t, k])


def first_states(starts: Int8Matrix, seed: int, games: UInt64Vector) -> Int8Matrix:
    """Return the positions int8 [G, 26] in which games begin.

    Args:
        starts: as for `play_turns`.
        seed: as for `play_turns`.
        games: as for `play_turns`.
    """
    rows = [_start_of(starts, np.uint64(seed), game) for game in games]
    return np.ascontiguousarray(starts[rows])


@contextmanager
def playing_threads(count: int) -> Iterator[ThreadPoolExecutor]:
    """Yield a pool of threads. After an error, tasks that have not begun are dropped."""
    pool = ThreadPoolExecutor(count)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def start_turns(
    pool: Executor,
    pieces: int,
    problem: Problem,
    states: Int8Matrix,
    games: UInt64Vector,
    turns: UInt64Vector,
    n_turns: int,
    seed: int,
    starts: Int8Matrix,
    aim: Aim,
) -> Callable[[], Turns]:
    """Start T = `n_turns` turns of all G games, divided into pieces for threads.

    The other arguments are as for `play_turns`. The function returned waits for the end and
    returns the turns.
    """
    played = Turns.allocate(n_turns, len(states))

    def play(start: int, stop: int) -> None:
        play_turns(
            problem, Workspace.allocate(problem, SIZE, 0, False, None), states, games, turns,
            start, stop, np.uint64(seed), starts, aim, played,
        )  # fmt: skip

    edges = np.linspace(0, len(states), pieces + 1).astype(int)
    begun = [pool.submit(play, start, stop) for start, stop in pairwise(edges)]

    def wait() -> Turns:
        for piece in begun:
            piece.result()
        return played

    return wait


def played_positions(player: Evaluator, seed: int) -> Int8Matrix:
    """Return 65,536 positions of an evaluator's games with itself, int8 [N, 26].

    Each is seen from its player on roll.
    """
    numbers, turns = np.arange(_GAMES, dtype=np.uint64), np.zeros(_GAMES, np.uint64)
    starts = np.array([OPENING], np.int8)
    with ThreadPoolExecutor(1) as pool:
        played = start_turns(
            pool, 1, problem_of(BACKGAMMON, player), first_states(starts, seed, numbers),
            numbers, turns, _TURNS, seed, starts, Aim(SAMPLED),
        )()  # fmt: skip
    return played.samples.reshape(-1, SIZE)
