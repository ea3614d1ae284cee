"""Self-play: many games, a few turns of each at a time, and what the network should learn.

Every turn of every game gives one sample: the position before the roll, and a
target distribution over the six results. For `SAMPLED` the target is the network's
own opinion of the best reply to the roll that was thrown: TD(0) (Sutton 1988; Tesauro
1992). For `EXACT` it is the mean of that over all 21 rolls, which takes the luck out of
the target at twenty times the price. For `TAUGHT` the sample is any of the replies, and
the target what the playing network says of it: so a small network learns what a probe
must tell apart, from a larger one that plays.

A target one turn ahead repeats what the network believes of the next position, and a
belief that is wrong all along a game is hardly seen to be. So the target of a turn also
takes up a part, the *trace*, of how the next turn's target differs from what was believed
of it when it was reached: TD(lambda). With exact targets that difference has no luck of the
dice in it. With a trace of 1 they add up to the result of the game with the luck taken
out, as in `gammon.match.luck`.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.eval.nnue import results
from gammon.hashing import mix
from gammon.kernel import kernel
from gammon.rules.board import OPENING, SIZE, State
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.outcome import NOT_OVER, payoff
from gammon.rules.plays import MAX_ROWS, successors
from gammon.rules.throw import throw

__all__ = ["EXACT", "SAMPLED", "TARGETS", "TAUGHT", "play_turns", "start_turns"]

#: What a network learns; by their names in recipes, and as numbers.
TARGETS = ("sampled", "exact", "taught")
SAMPLED, EXACT, TAUGHT = range(3)

Rows = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]

_F32 = types.float32
_PAIR = types.UniTuple(types.int64, 2)  # type: ignore[no-untyped-call]
_OPENING = np.array(OPENING, np.int8)


@kernel(
    _PAIR(types.int8[::1], types.int64, _F32[::1], types.int8[:, ::1], _F32[:, ::1], _F32[::1]),
    inner=True,
)
def best_reply(
    state: State, outcome: int, weights: Floats, rows: Rows, chances: Floats, reply: Floats
) -> tuple[int, int]:
    """Find the best play of a roll by the network alone.

    Args:
        state: int8 [26], seen from the player on roll.
        outcome: the roll, 0..20.
        weights: a packed network.
        rows: int8 [MAX_ROWS, 26], filled with the successors.
        chances: float32 [MAX_ROWS, 6], filled with the chances of the six results after
            each, to the opponent.
        reply: float32 [6], filled with the chances of the six results after the best
            play, to the player on roll.

    Returns:
        The row of the best play, and how many there are.
    """
    n = successors(state, outcome, rows)
    results(state, rows, n, weights, chances)
    best = -1
    best_value = np.float32(-4.0)
    for r in range(n):
        paid = payoff(rows[r])
        if paid != NOT_OVER:
            # The opponent has lost: -1, -2, -3 are the results 2, 1, 0.
            for k in range(6):
                chances[r, k] = 0.0
            chances[r, int(paid) + 3] = 1.0
        c = chances[r]
        value = (c[2] - c[3]) + 2.0 * (c[1] - c[4]) + 3.0 * (c[0] - c[5])
        if value > best_value:
            best_value = value
            best = r
    for k in range(6):
        reply[k] = chances[best, 5 - k]
    return best, n


@kernel(
    types.void(
        types.int8[:, ::1], types.uint64[::1], types.uint64[::1], types.int64, types.int64,
        types.uint64, _F32[::1], types.int64, _F32, types.int8[:, :, ::1], _F32[:, :, ::1],
    ),
    allocates=True,
)  # fmt: skip
def play_turns(
    states: Rows,
    games: npt.NDArray[np.uint64],
    turns: npt.NDArray[np.uint64],
    start: int,
    stop: int,
    seed: np.uint64,
    weights: Floats,
    target: int,
    trace: float,
    samples: Rows,
    targets: Floats,
) -> None:
    """Play T turns in each of the games start..stop-1, and write a sample for each.

    Args:
        states: int8 [G, 26], the position of each game, seen from the player on roll;
            advanced in place. A finished game is followed by a new one.
        games: uint64 [G], each game's number, which with `turns` decides its dice;
            a new game's number is G higher.
        turns: uint64 [G], the turns played in each game.
        start: the first game of this call.
        stop: the first game that is not this call's.
        seed: of the dice.
        weights: a packed network.
        target: see `TARGETS`.
        trace: lambda, 0..1; 0 for `TAUGHT`, whose samples do not follow each other.
        samples: int8 [T, G, 26], filled with positions, seen from the player on roll.
        targets: float32 [T, G, 6], filled with the chances of the six results. With a
            trace they still add up to 1, but may leave 0..1.
    """
    rows = np.empty((MAX_ROWS, 26), np.int8)
    chances = np.empty((MAX_ROWS, 6), np.float32)
    reply = np.empty(6, np.float32)
    following = np.empty(26, np.int8)
    n_turns = samples.shape[0]
    believed = np.empty((n_turns, 6), np.float32)
    ends = np.empty(n_turns, np.bool_)
    for g in range(start, stop):
        state = states[g]
        for t in range(n_turns):
            samples[t, g] = state
            thrown = throw(seed, games[g], turns[g])
            targets[t, g] = 0.0
            count = 0
            for roll in range(N_ROLLS):
                if target != EXACT and roll != thrown:
                    continue
                best, count = best_reply(state, roll, weights, rows, chances, reply)
                share = PROBABILITIES[roll] if target == EXACT else 1.0
                for k in range(6):
                    targets[t, g, k] += share * reply[k]
                if roll == thrown:
                    following[:] = rows[best]
                    believed[t] = reply
            if target == TAUGHT:
                drawn = int(mix(mix(mix(seed) ^ games[g]) ^ ~turns[g]) % np.uint64(count))
                samples[t, g] = rows[drawn]
                targets[t, g] = chances[drawn]
            turns[g] += np.uint64(1)
            state[:] = following
            ends[t] = payoff(following) != NOT_OVER
            if ends[t]:
                state[:] = _OPENING
                games[g] += np.uint64(states.shape[0])
                turns[g] = np.uint64(0)
        # After the last turn nothing is known but what its own target says.
        for t in range(n_turns - 2, -1, -1):
            if not ends[t]:
                for k in range(6):
                    targets[t, g, k] += trace * (targets[t + 1, g, 5 - k] - believed[t, k])


def start_turns(
    pool: Executor,
    pieces: int,
    states: Rows,
    games: npt.NDArray[np.uint64],
    turns: npt.NDArray[np.uint64],
    n_turns: int,
    seed: int,
    weights: Floats,
    target: int,
    trace: float = 0.0,
) -> Callable[[], tuple[Rows, Floats]]:
    """Start to play T = `n_turns` turns of all G games, divided into pieces for threads.

    The arguments are those of `play_turns`. What is returned waits for the end, and returns
    samples int8 [T, G, 26] and targets float32 [T, G, 6].
    """
    samples = np.empty((n_turns, len(states), SIZE), np.int8)
    targets = np.empty((n_turns, len(states), 6), np.float32)
    edges = np.linspace(0, len(states), pieces + 1).astype(int)
    begun = [
        pool.submit(
            play_turns, states, games, turns, start, stop, np.uint64(seed), weights, target,
            trace, samples, targets,
        )
        for start, stop in pairwise(edges)
    ]  # fmt: skip

    def wait() -> tuple[Rows, Floats]:
        for piece in begun:
            piece.result()
        return samples, targets

    return wait
