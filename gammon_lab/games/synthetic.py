"""Random trees as a game: a test bed for the search, and for experiments on pruning.

A tree is given by a family (its bounds and features) and a seed. A state holds a hash of the seed
and the path from the root. Everything random about the state is derived from that hash: its outcomes
and their unequal probabilities, its successors, and whether it is over.

Values drift as in real games: a state's score is its parent's score, as the other player sees it,
plus a random step. Static values and payoffs follow from the score. So good successors tend to stay
good at any depth, and this is what move ordering and probing rely on.

Bounds need not be symmetric, nor contain 0: if the player on roll at an even ply has values in
[5, 10], the opponent at an odd ply has them in [-10, -5].

State, int8 [12]: 0..7 the hash, each byte less 128; 8 the score, -127..127, in 127ths of the
distance from the middle of the bounds to their ends; 9, 10 the bounds of the player on roll; 11 the
features, as the sum of `FINISHES`, `TIES` and `NARROWS`.
"""

import numpy as np

from gammon.compiled.hashing import mix, unit
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, Float64Vector, UInt64Vector
from gammon.search.game import NO_PARAMS, NOT_OVER, Evaluator, Game, Params, Rows, State

#: Feature: one state in eight is finished, some of them with the most extreme payoffs.
FINISHES = 1
#: Feature: values are whole steps of the score, so that many values are equal.
TIES = 2
#: Feature: the bounds narrow on the way down, each by 1 in half of the states.
NARROWS = 4

MAX_OUTCOMES = 4
MAX_SUCCESSORS = 4
WIDTH = 12

_SCORE, _LOW, _HIGH, _FEATURES = 8, 9, 10, 11
#: The largest step of the score from a state to its successor.
_STEP = 40

# The uses of a state's random draws: one number each, or a first number for one draw per outcome,
# or per pair of an outcome and a successor.
_N_OUTCOMES, _END, _FRACTION, _ERROR = 1, 2, 3, 4
_NARROW_LOW, _NARROW_HIGH = 5, 6
_CHANCE, _N_SUCCESSORS, _CHILDREN = 8, 16, 32

_BYTE = np.uint64(8)
_LOW_BYTE = np.uint64(255)
_TO_53_BITS = np.uint64(11)


@kernel()
def _draw(state: State, what: int) -> np.uint64:
    """Return 64 random bits of a state; `what` is the use of the bits."""
    key = np.uint64(0)
    for i in range(8):
        key = key << _BYTE | np.uint64(int(state[i]) + 128)
    return mix(key ^ mix(np.uint64(what)))


@kernel()
def _below(state: State, what: int, n: int) -> int:
    """Draw an integer from 0..n-1."""
    return int(_draw(state, what) >> _TO_53_BITS) % n


@kernel()
def _unit(state: State, what: int) -> float:
    """Draw a number from [0, 1)."""
    return unit(_draw(state, what))


@kernel()
def _write_key(state: State, key: np.uint64) -> None:
    for i in range(8):
        state[i] = int(key & _LOW_BYTE) - 128
        key = key >> _BYTE


@kernel()
def _scaled(state: State, score: float) -> float:
    """Return a score, cut off at -127 and 127, as a value within the state's bounds."""
    low = float(state[_LOW])
    high = float(state[_HIGH])
    share = min(max(score, -127.0), 127.0) / 127.0
    return (low + high) / 2.0 + share * (high - low) / 2.0


@kernel()
def _score(state: State) -> float:
    """Return the score, with a random fraction unless the family has ties."""
    if state[_FEATURES] & TIES:
        return float(state[_SCORE])
    return float(state[_SCORE]) + _unit(state, _FRACTION)


@kernel()
def outcomes(state: State, params: Params, weight: Float64Vector) -> int:
    """Fill 1..4 random probabilities; some of them are 0."""
    n = 1 + _below(state, _N_OUTCOMES, MAX_OUTCOMES)
    total = 0
    for i in range(n):
        parts = _below(state, _CHANCE + i, 6)
        if i == n - 1 and total == 0:
            parts = 1
        weight[i] = parts
        total += parts
    for i in range(n):
        weight[i] /= total
    return n


@kernel()
def successors(state: State, outcome: int, params: Params, rows: Rows) -> int:
    """Write 1..4 random successors of an outcome."""
    n = 1 + _below(state, _N_SUCCESSORS + outcome, MAX_SUCCESSORS)
    for j in range(n):
        row = rows[j]
        _write_key(row, _draw(state, _CHILDREN + MAX_SUCCESSORS * outcome + j))
        step = _below(row, _SCORE, 2 * _STEP + 1) - _STEP
        row[_SCORE] = min(max(-int(state[_SCORE]) + step, -127), 127)
        row[_LOW] = -state[_HIGH]
        row[_HIGH] = -state[_LOW]
        row[_FEATURES] = state[_FEATURES]
        if state[_FEATURES] & NARROWS and int(row[_HIGH]) - int(row[_LOW]) > 2:
            row[_LOW] += _below(row, _NARROW_LOW, 2)
            row[_HIGH] -= _below(row, _NARROW_HIGH, 2)
    return n


@kernel()
def terminal(state: State, stake: int, params: Params) -> float:
    """Return the payoff of states that are over: a bound, or the value of the score."""
    if state[_FEATURES] & FINISHES == 0:
        return NOT_OVER
    end = _below(state, _END, 24)
    if end == 0:
        return float(state[_LOW])
    if end == 1:
        return float(state[_HIGH])
    if end == 2:
        return _scaled(state, _score(state))
    return NOT_OVER


@kernel()
def bounds(state: State, stake: int, params: Params, limits: Float64Vector) -> None:
    """Narrow the limits to the state's own bounds."""
    limits[0] = max(limits[0], float(state[_LOW]))
    limits[1] = min(limits[1], float(state[_HIGH]))


@kernel()
def evaluate(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write static values: the score, with a random error of up to `weights[0]`."""
    for j in range(n):
        row = rows[j]
        score = _score(row)
        if weights[0] > 0.0:
            score += float(weights[0]) * (2.0 * _unit(row, _ERROR) - 1.0)
        out[j, 0] = _scaled(row, score)


def game(low: int, high: int) -> Game:
    """Return the random trees whose roots have values in [low, high].

    Args:
        low: an integer from -127 to 126, for the player on roll at the root.
        high: a larger integer, up to 127.
    """
    return Game(
        f"random trees in [{low}, {high}]", WIDTH, MAX_OUTCOMES, MAX_SUCCESSORS,
        float(low), float(high), outcomes, successors, terminal, bounds,
    )  # fmt: skip


#: The evaluator of static values.
LEAF = Evaluator(evaluate, np.array([0.0], np.float32))
#: Static values with errors as large as a step, in place of a cheaper evaluator.
PROBE = Evaluator(evaluate, np.array([_STEP], np.float32))


def root(low: int, high: int, seed: int, features: int = FINISHES) -> State:
    """Return the root of tree `seed` of the family of `game(low, high)`.

    The root itself is not over.
    """
    state = np.zeros(WIDTH, np.int8)
    state[_LOW], state[_HIGH], state[_FEATURES] = low, high, features
    attempt = 0
    while True:
        _write_key(state, mix(mix(np.uint64(seed)) ^ np.uint64(attempt)))
        if terminal(state, 0, NO_PARAMS) == NOT_OVER:
            return state
        attempt += 1
