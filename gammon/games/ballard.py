"""Ballard's *-complete 2-ply N-ary trees (1983): a + node over * nodes over - nodes.

The + node chooses one of N * nodes, each of these has N equally likely outcomes, and each
outcome is a - node with N leaves. The N arcs below a node are worth 0..N-1, and a leaf is
worth the sum of its three arcs, to the player of the + node. The arcs lie best first or, by
a random permutation of its own, at each node: the player's descending, all others ascending,
or at random.

A tree is searched as a decision of depth 3. State, int8 [12]: 0 the ply (0 the + node, 1 a
* node, 2 a leaf), 1 N, 2 the sum of the arcs so far, 3 whether arcs are in random order,
4..11 a hash of the tree's seed and the path, a byte less 128 each.
"""

import numpy as np
import numpy.typing as npt
from numba import types

from gammon.hashing import mix
from gammon.kernel import kernel
from gammon.search.game import (
    NOT_OVER,
    OUTCOMES_SIGNATURE,
    SUCCESSORS_SIGNATURE,
    TERMINAL_SIGNATURE,
    VALUES_SIGNATURE,
    Evaluator,
    Game,
)

__all__ = ["LEAF", "MAX_N", "best_case", "game", "random_tree"]

WIDTH = 12
#: Three arcs of 42 are more than a byte of the state can hold.
MAX_N = 42

_PLY, _N, _SUM, _RANDOM = 0, 1, 2, 3
_ROOT, _STAR, _LEAF = 0, 1, 2

State = npt.NDArray[np.int8]
_STATE = types.int8[::1]
_ROWS = types.int8[:, ::1]
_INT = types.int64
_U64 = types.uint64
_BYTE = np.uint64(8)
_LOW_BYTE = np.uint64(255)
_TO_31_BITS = np.uint64(33)


@kernel(_U64(_STATE))
def _key(state: State) -> np.uint64:
    key = np.uint64(0)
    for i in range(4, 12):
        key = key << _BYTE | np.uint64(int(state[i]) + 128)
    return key


@kernel(types.void(_STATE, _U64))
def _write_key(state: State, key: np.uint64) -> None:
    for i in range(11, 3, -1):
        state[i] = int(key & _LOW_BYTE) - 128
        key = key >> _BYTE


@kernel(types.void(_ROWS, _INT, _U64))
def _shuffle_sums(rows: State, n: int, key: np.uint64) -> None:
    """Put the sums of n rows in an order that depends on the key (Fisher and Yates)."""
    for j in range(n - 1, 0, -1):
        key = mix(key)
        other = int(key >> _TO_31_BITS) % (j + 1)
        rows[j, _SUM], rows[other, _SUM] = rows[other, _SUM], rows[j, _SUM]


@kernel(OUTCOMES_SIGNATURE)
def outcomes(state: State, weight: npt.NDArray[np.float64]) -> int:
    """Fill N equal probabilities at a * node; above the + node nothing is left to chance."""
    n = int(state[_N]) if state[_PLY] == _STAR else 1
    for i in range(n):
        weight[i] = 1.0 / n
    return n


@kernel(SUCCESSORS_SIGNATURE)
def successors(state: State, outcome: int, rows: State) -> int:
    """Write the * nodes below the + node, or the leaves of a - node."""
    n = int(state[_N])
    key = _key(state)
    arc = 0
    if state[_PLY] == _STAR:
        # The arc to this - node: the order of all of them is worked out in the rows.
        for i in range(n):
            rows[i, _SUM] = i
        if state[_RANDOM]:
            _shuffle_sums(rows, n, mix(key))
        arc = int(rows[outcome, _SUM])
        key = mix(key ^ mix(np.uint64(outcome + 1)))
    for j in range(n):
        descending = state[_PLY] == _ROOT and state[_RANDOM] == 0
        rows[j, _SUM] = int(state[_SUM]) + arc + (n - 1 - j if descending else j)
    if state[_RANDOM]:
        _shuffle_sums(rows, n, mix(key))
    for j in range(n):
        rows[j, _PLY] = state[_PLY] + 1
        rows[j, _N] = state[_N]
        rows[j, _RANDOM] = state[_RANDOM]
        _write_key(rows[j], mix(key ^ mix(np.uint64(MAX_N + j + 1))))
    return n


@kernel(TERMINAL_SIGNATURE)
def terminal(state: State) -> float:
    """Return that the game goes on: the leaves have static values."""
    return NOT_OVER


@kernel(VALUES_SIGNATURE)
def values(
    parent: State,
    rows: State,
    n: int,
    weights: npt.NDArray[np.float32],
    out: npt.NDArray[np.float32],
) -> None:
    """Write the sums of leaves, where the + player is on roll again, and 0 elsewhere."""
    for j in range(n):
        out[j] = float(rows[j, _SUM]) if rows[j, _PLY] == _LEAF else 0.0


def game(n: int) -> Game:
    """Return the trees of branching factor N, 2 to `MAX_N`; values are 0 to 3(N - 1)."""
    return Game(
        f"*-complete {n}-ary trees", WIDTH, n, n, 0.0, 3.0 * (n - 1),
        outcomes, successors, terminal,
    )  # fmt: skip


#: The sum of the arcs.
LEAF = Evaluator(values, np.zeros(1, np.float32))


def _root(n: int, seed: int, random: bool) -> State:
    state = np.zeros(WIDTH, np.int8)
    state[_N], state[_RANDOM] = n, random
    _write_key(state, mix(np.uint64(seed)))
    return state


def best_case(n: int) -> State:
    """Return the + node of the tree whose order leads to the earliest cutoffs."""
    return _root(n, 0, False)


def random_tree(n: int, seed: int) -> State:
    """Return the + node of a tree with a random order at each node."""
    return _root(n, seed, True)
