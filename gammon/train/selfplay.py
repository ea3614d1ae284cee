"""Self-play in lockstep: many games, one turn each, and what the network should learn.

Every turn of every game gives one sample: the position before the roll, and a
target distribution over the six results. For `SAMPLED` the target is the network's
own opinion of the best reply to the roll that was thrown: TD(0) (Sutton 1988; Tesauro
1992). For `EXACT` it is the mean of that over all 21 rolls, which takes the luck out of
the target at twenty times the price. For `TAUGHT` the sample is any of the replies, and
the target what the playing network says of it: so a small network learns what a probe
must tell apart, from a larger one that plays.
"""

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.eval.nnue import results
from gammon.hashing import mix
from gammon.kernel import kernel
from gammon.rules.board import OPENING, State
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.outcome import NOT_OVER, payoff
from gammon.rules.plays import MAX_ROWS, successors
from gammon.rules.throw import throw

__all__ = ["EXACT", "SAMPLED", "TARGETS", "TAUGHT", "play_turns"]

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
        types.uint64, _F32[::1], types.int64, types.int8[:, ::1], _F32[:, ::1],
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
    samples: Rows,
    targets: Floats,
) -> None:
    """Play one turn in each of the games start..stop-1, and write a sample for each.

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
        samples: int8 [G, 26], filled with positions, seen from the player on roll.
        targets: float32 [G, 6], filled with the chances of the six results.
    """
    rows = np.empty((MAX_ROWS, 26), np.int8)
    chances = np.empty((MAX_ROWS, 6), np.float32)
    reply = np.empty(6, np.float32)
    following = np.empty(26, np.int8)
    for g in range(start, stop):
        state = states[g]
        samples[g] = state
        thrown = throw(seed, games[g], turns[g])
        targets[g] = 0.0
        count = 0
        for roll in range(N_ROLLS):
            if target != EXACT and roll != thrown:
                continue
            best, count = best_reply(state, roll, weights, rows, chances, reply)
            share = PROBABILITIES[roll] if target == EXACT else 1.0
            for k in range(6):
                targets[g, k] += share * reply[k]
            if roll == thrown:
                following[:] = rows[best]
        if target == TAUGHT:
            drawn = int(mix(mix(mix(seed) ^ games[g]) ^ ~turns[g]) % np.uint64(count))
            samples[g] = rows[drawn]
            targets[g] = chances[drawn]
        turns[g] += np.uint64(1)
        states[g] = following
        if payoff(following) != NOT_OVER:
            states[g] = _OPENING
            games[g] += np.uint64(states.shape[0])
            turns[g] = np.uint64(0)
