"""Ballard's *-complete 2-ply N-ary trees (AAAI-82): a + node over * nodes over - nodes.

The + node chooses one of N * nodes, each * node has N equally likely outcomes, and each outcome is a
- node with N leaves. The N arcs below a node have the values 0..N-1, and a leaf's value, to the
player of the + node, is the sum of its three arcs. The arcs are either in the best order (descending
at the + node, ascending elsewhere) or at each node in a random permutation of its own.

A tree is searched as a decision of depth 3. State, int8 [10]: 0 the ply (0 the + node, 1 a
* node, 2 a leaf), 1 the sum of the arcs so far, 2..9 a hash of the tree's seed and the path,
each byte less 128. Parameters: N, and whether arcs are in random order.
"""

import numpy as np

from gammon.compiled.hashing import mix
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, Float64Vector, UInt64Vector
from gammon.search.game import Evaluator, Game, Params, Rows, State, never_over

WIDTH = 10
#: Three arcs of 42 are more than a byte of the state can hold.
MAX_N = 42

_PLY, _SUM, _HASH = 0, 1, 2
_N, _RANDOM = 0, 1  # indices of the parameters
_ROOT, _STAR, _LEAF = 0, 1, 2

_BYTE = np.uint64(8)
_LOW_BYTE = np.uint64(255)
_TO_31_BITS = np.uint64(33)


@kernel()
def _key(state: State) -> np.uint64:
    key = np.uint64(0)
    for i in range(_HASH, WIDTH):
        key = key << _BYTE | np.uint64(int(state[i]) + 128)
    return key


@kernel()
def _write_key(state: State, key: np.uint64) -> None:
    for i in range(WIDTH - 1, _HASH - 1, -1):
        state[i] = int(key & _LOW_BYTE) - 128
        key = key >> _BYTE


@kernel()
def _shuffle_sums(rows: Rows, n: int, key: np.uint64) -> None:
    """Put the sums of n rows in an order that depends on the key (Fisher and Yates)."""
    for j in range(n - 1, 0, -1):
        key = mix(key)
        other = int(key >> _TO_31_BITS) % (j + 1)
        rows[j, _SUM], rows[other, _SUM] = rows[other, _SUM], rows[j, _SUM]


@kernel()
def outcomes(state: State, params: Params, weight: Float64Vector) -> int:
    """Fill N equal probabilities at a * node; above the + node there is one outcome."""
    n = int(params[_N]) if state[_PLY] == _STAR else 1
    for i in range(n):
        weight[i] = 1.0 / n
    return n


@kernel()
def successors(state: State, outcome: int, params: Params, rows: Rows) -> int:
    """Write the * nodes below the + node, or the leaves of a - node."""
    n = int(params[_N])
    key = _key(state)
    arc = 0
    if state[_PLY] == _STAR:
        # The arc to this - node; the rows serve to compute the order of all arcs.
        for i in range(n):
            rows[i, _SUM] = i
        if params[_RANDOM] != 0.0:
            _shuffle_sums(rows, n, mix(key))
        arc = int(rows[outcome, _SUM])
        key = mix(key ^ mix(np.uint64(outcome + 1)))
    for j in range(n):
        descending = state[_PLY] == _ROOT and params[_RANDOM] == 0.0
        rows[j, _SUM] = int(state[_SUM]) + arc + (n - 1 - j if descending else j)
    if params[_RANDOM] != 0.0:
        _shuffle_sums(rows, n, mix(key))
    for j in range(n):
        rows[j, _PLY] = state[_PLY] + 1
        _write_key(rows[j], mix(key ^ mix(np.uint64(MAX_N + j + 1))))
    return n


@kernel()
def evaluate(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write the sums of the leaves (where the + player is on roll again), and 0 elsewhere."""
    for j in range(n):
        out[j, 0] = float(rows[j, _SUM]) if rows[j, _PLY] == _LEAF else 0.0


def game(n: int, random: bool) -> Game:
    """Return the trees of branching factor N, 2 to `MAX_N`; values are 0 to 3(N - 1).

    Args:
        n: the branching factor N.
        random: whether each node has a random order; else the order with the earliest cutoffs.
    """
    return Game(
        f"*-complete {n}-ary trees", WIDTH, n, n, 0.0, 3.0 * (n - 1),
        outcomes, successors, never_over, params=np.array([n, random], np.float64),
    )  # fmt: skip


#: The evaluator: the sum of the arcs.
LEAF = Evaluator(evaluate, np.zeros(1, np.float32))


def root(seed: int = 0) -> State:
    """Return the + node of a tree; trees in random order differ by their seeds."""
    state = np.zeros(WIDTH, np.int8)
    _write_key(state, mix(np.uint64(seed)))
    return state
