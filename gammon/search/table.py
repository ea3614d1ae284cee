"""A transposition table of chance nodes, and of the best reply at decisions.

An entry holds a lower and an upper bound of a node's value for one depth. Keys are Zobrist
keys: A. L. Zobrist, "A new hashing method with application for game playing" (1970). A state
is seen from the player on roll, so a move changes every byte. Keys are therefore computed from
the whole state, not incrementally.

A place has two slots. A new entry replaces the first slot if it is at least as deep as the
entry there; otherwise it always replaces the second. Two nodes are confused only if all 64 bits
of their keys agree.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from gammon.base.checks import is_real, shown
from gammon.base.errors import SearchError
from gammon.compiled.hashing import mix
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector, Int16Vector, UInt64Matrix, UInt64Vector
from gammon.search.game import Game, Rows, State

#: The result of `look_up` if the table has no answer; no value is so high.
UNKNOWN = np.inf
#: The size of the table for a decision, by depth; shallower decisions would never look it up.
_MEGABYTES = {5: 1.0, 7: 16.0, 9: 64.0}
#: A terabyte.
_MOST_MEGABYTES = 1_000_000
#: The bytes of two slots and one reply.
_PLACE_BYTES = 2 * 26 + 16


@cache
def _numbers(width: int) -> UInt64Matrix:
    """Return the random numbers of all tables for states of `width` bytes."""
    if width == 0:
        return np.zeros((0, 256), np.uint64)  # numpy.random takes 10 ms to import
    return np.random.default_rng(0).integers(0, 1 << 64, (width, 256), np.uint64)


class Table(NamedTuple):
    """A transposition table of M places with two slots each, and of M replies.

    It serves one game with one evaluator, one noise and one filter: `clear` it before it
    serves another. A search uses the entries of earlier searches.

    Attributes:
        numbers: uint64 [W, 256], Zobrist's random numbers, never written to.
        keys: uint64 [2 M], of chance nodes with their depth.
        lower: float64 [2 M], lower bounds of their values to the player on roll.
        upper: float64 [2 M], upper bounds.
        depth: int16 [2 M], -1 where a slot is empty.
        decisions: uint64 [M], keys of decisions.
        replies: uint64 [M], the keys of their best successors.
    """

    numbers: UInt64Matrix
    keys: UInt64Vector
    lower: Float64Vector
    upper: Float64Vector
    depth: Int16Vector
    decisions: UInt64Vector
    replies: UInt64Vector

    @classmethod
    def allocate(cls, game: Game, megabytes: float = 16.0) -> "Table":
        """Return an empty table of at most this size (and 2 kB of Zobrist numbers for each byte of a state).

        Raises:
            SearchError: the size is not a size, or too large; or `game` is not a Game.
        """
        if not isinstance(game, Game):
            raise SearchError(f"a table for {shown(game)}: expected a Game")
        if not is_real(megabytes) or not 0.0 < megabytes <= _MOST_MEGABYTES:
            raise SearchError(
                f"a table of {shown(megabytes)} MB: expected a number above 0, at most {_MOST_MEGABYTES}"
            )
        places = 1 << max(int(megabytes * 1e6 / _PLACE_BYTES).bit_length() - 1, 0)
        try:
            return cls._sized(game.width, places)
        except MemoryError:
            raise SearchError(f"a table of {megabytes} MB: there is not enough memory") from None

    @classmethod
    def at_depth(cls, game: Game, depth: int) -> "Table | None":
        """Return an empty table of the best size for a decision of this depth, or None."""
        megabytes = _MEGABYTES.get(depth)
        return cls.allocate(game, megabytes) if megabytes else None

    @staticmethod
    @cache
    def none() -> "Table":
        """Return the table without places; a search does not use it."""
        return Table._sized(0, 0)

    @classmethod
    def _sized(cls, width: int, places: int) -> "Table":
        return cls(
            numbers=_numbers(width),
            keys=np.zeros(2 * places, np.uint64),
            lower=np.zeros(2 * places, np.float64),
            upper=np.zeros(2 * places, np.float64),
            depth=np.full(2 * places, -1, np.int16),
            decisions=np.zeros(places, np.uint64),
            replies=np.zeros(places, np.uint64),
        )

    def another(self) -> "Table":
        """Return an empty table of the same size."""
        return self._sized(len(self.numbers), len(self.decisions))

    def clear(self) -> None:
        """Forget everything."""
        self.depth.fill(-1)
        self.decisions.fill(0)


@kernel(inner=True)
def zobrist(table: Table, state: State, stake: int) -> np.uint64:
    """Return the key of a state: a random number for each byte and value, xored.

    The same state at another stake has another key; a stake of 0 changes nothing.
    """
    key = np.uint64(0)
    for byte in range(state.shape[0]):
        key ^= table.numbers[byte, int(state[byte]) & 255]
    if stake != 0:
        key ^= mix(np.uint64(stake + (1 << 32)))
    return key


@kernel(inner=True)
def find(table: Table, key: np.uint64, depth: int) -> int:
    """Return the slot of a chance node, or -1. `key` is the key of its state."""
    key = key ^ mix(np.uint64(depth))
    slot: int = 2 * (np.int64(key) & (table.decisions.shape[0] - 1))
    if table.keys[slot] == key and table.depth[slot] == depth:
        return slot
    if table.keys[slot + 1] == key and table.depth[slot + 1] == depth:
        return slot + 1
    return -1


@kernel(inner=True)
def look_up(table: Table, key: np.uint64, depth: int, alpha: float, beta: float, bounds_only: bool) -> float:
    """Return the value of a chance node if the table settles it for a window, or `UNKNOWN`.

    Args:
        table: at least one place.
        key: the key of the state.
        depth: plies.
        alpha: the lower end of the window.
        beta: the upper end of the window.
        bounds_only: return no value inside the window (the table has no principal leaves
            for it).
    """
    slot = find(table, key, depth)
    if slot < 0:
        return UNKNOWN
    lower: float = table.lower[slot]
    upper: float = table.upper[slot]
    if lower >= beta or (lower == upper and not bounds_only):
        return lower
    return upper if upper <= alpha else UNKNOWN


@kernel(inner=True)
def keep(table: Table, key: np.uint64, depth: int, alpha: float, beta: float, value: float) -> None:
    """Store the result of a search with a window: an exact value inside it, or a bound."""
    lower = -np.inf if value <= alpha else value
    upper = np.inf if value >= beta else value
    slot = find(table, key, depth)
    if slot >= 0:
        table.lower[slot] = max(table.lower[slot], lower)
        table.upper[slot] = min(table.upper[slot], upper)
        return
    key = key ^ mix(np.uint64(depth))
    slot = 2 * (np.int64(key) & (table.decisions.shape[0] - 1))
    if depth < table.depth[slot]:
        slot += 1
    table.keys[slot] = key
    table.lower[slot] = lower
    table.upper[slot] = upper
    table.depth[slot] = depth


@kernel(inline=True)
def _decision_key(key: np.uint64, outcome: int) -> np.uint64:
    return key ^ mix(np.uint64(outcome) + np.uint64(1 << 32))


@kernel(inner=True)
def keep_reply(table: Table, key: np.uint64, outcome: int, reply: State) -> None:
    """Store the best successor of the state with this key after an outcome."""
    key = _decision_key(key, outcome)
    place = np.int64(key) & (table.decisions.shape[0] - 1)
    table.decisions[place] = key
    table.replies[place] = zobrist(table, reply, 0)


@kernel(inner=True)
def find_reply(table: Table, key: np.uint64, outcome: int, rows: Rows, n: int) -> int:
    """Return the index of the successor that an earlier search found best, or -1."""
    key = _decision_key(key, outcome)
    place = np.int64(key) & (table.decisions.shape[0] - 1)
    if table.decisions[place] == key:
        for j in range(n):
            if zobrist(table, rows[j], 0) == table.replies[place]:
                return j
    return -1


@kernel(inner=True)
def forget(table: Table) -> None:
    """Empty the table, as `Table.clear` does."""
    for slot in range(table.depth.shape[0]):
        table.depth[slot] = -1
    for place in range(table.decisions.shape[0]):
        table.decisions[place] = 0
