"""The table of hypergammon: the exact values of all positions, in one file of 247 MB.

The file is an array of bytes, int8 [N, 31] (`.npy`), by the number of a position
(`gammon_lab.hypergammon.index`). It is mapped into memory, and nothing in it is code. Any bytes are
some numbers, so a damaged file gives wrong values and does no harm.

The first 20 bytes of a position are its four equities of rolling, 5 bytes each, in steps of 2**-37
points: without a cube, and with the cube at the player on roll, in the middle, at the opponent. The
other 11 bytes are four cumulative chances without a cube, 22 bits each: to win a gammon or more, a
backgammon; to lose a gammon or more, a backgammon. The chance to win follows from them and the
equity.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from gammon.base.errors import GammonError
from gammon.base.files import regular, written_whole
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Matrix, Float64Vector, Int8Matrix, Int8Vector, Int64Vector
from gammon.rules.board import OWN_BAR, SIZE, THEIR_BAR, Points, Rows
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.plays import MAX_ROWS, successors
from gammon_lab.hypergammon.index import bases_of, index_of, positions
from gammon_lab.hypergammon.sides import MOST_CHECKERS, Sides, sides_of
from gammon_lab.hypergammon.solve import CENTRED, CUBELESS, N_CHANCES, N_VALUES, OWN, THEIRS

_EQUITY_BYTES = 5
_EQUITY_STEPS = float(1 << 37)
#: Stored equities are above 0 by this; no equity is below -3.
_SHIFT = 4.0
_CHANCE_BITS = 22
_CHANCE_STEPS = float((1 << _CHANCE_BITS) - 1)
_STORED_CHANCES = 4
_CHANCES_AT = N_VALUES * _EQUITY_BYTES
#: The kinds of equities as the opponent has them.
_TURNED = (CUBELESS, THEIRS, CENTRED, OWN)
#: Bytes of a position.
WIDTH = _CHANCES_AT + _STORED_CHANCES * _CHANCE_BITS // 8
#: Numbers of a position, as `read` writes them: four equities and five chances.
N_NUMBERS = N_VALUES + N_CHANCES


@kernel(inner=True)
def _write(row: Int8Vector, equities: Float64Vector, chances: Float64Vector) -> None:
    """Write a position's bytes.

    Args:
        row: int8 [31], zeros.
        equities: float64 [4].
        chances: float64 [5].
    """
    for k in range(N_VALUES):
        steps = int(np.floor((equities[k] + _SHIFT) * _EQUITY_STEPS + 0.5))
        for byte in range(_EQUITY_BYTES):
            row[_EQUITY_BYTES * k + byte] = steps >> 8 * byte & 255
    at = 0
    for k in range(_STORED_CHANCES):
        steps = int(np.floor(chances[1 + k] * _CHANCE_STEPS + 0.5))
        for bit in range(_CHANCE_BITS):
            row[_CHANCES_AT + at // 8] |= (steps >> bit & 1) << at % 8
            at += 1


@kernel(inner=True)
def read_equities(row: Int8Vector, numbers: Float64Vector) -> None:
    """Read the four equities of a position; the arguments are as for `read`."""
    for k in range(N_VALUES):
        steps = 0
        for byte in range(_EQUITY_BYTES):
            steps |= (int(row[_EQUITY_BYTES * k + byte]) & 255) << 8 * byte
        numbers[k] = steps / _EQUITY_STEPS - _SHIFT


@kernel(inner=True)
def read(row: Int8Vector, numbers: Float64Vector) -> None:
    """Read a position's bytes.

    Args:
        row: int8 [31].
        numbers: float64 [9], written: four equities, then the five chances of `solve`.
    """
    read_equities(row, numbers)
    at = 0
    for k in range(_STORED_CHANCES):
        steps = 0
        for bit in range(_CHANCE_BITS):
            steps |= (int(row[_CHANCES_AT + at // 8]) >> at % 8 & 1) << bit
            at += 1
        numbers[N_VALUES + 1 + k] = steps / _CHANCE_STEPS
    # The equity is 2 win - 1 and what gammons and backgammons add.
    added = numbers[5] + numbers[6] - numbers[7] - numbers[8]
    numbers[N_VALUES] = (1.0 + numbers[CUBELESS] - added) / 2.0


@kernel(inner=True)
def stand(state: Int8Vector, counts: Int8Matrix, side: int, waiting: int) -> None:
    """Set up two sides, seen from the side on roll."""
    for place in range(1, OWN_BAR):
        state[place] = counts[side, place] - counts[waiting, OWN_BAR - place]
    state[OWN_BAR], state[THEIR_BAR] = counts[side, OWN_BAR], -counts[waiting, OWN_BAR]


@kernel(inner=True)
def _lose(points: int, chances: Float64Vector) -> None:
    """Write the chances of a gammon or more and of a backgammon in a game that is lost."""
    chances[0] = 1.0 if points >= 2 else 0.0
    chances[1] = 1.0 if points >= 3 else 0.0


@kernel(allocates=True)
def fill(
    sides: Sides,
    checkers: int,
    bases: Int64Vector,
    rolled: Float64Matrix,
    chances: Float64Matrix,
    table: Int8Matrix,
) -> None:
    """Write the bytes of all positions.

    Args:
        sides: all sides.
        checkers: the checkers of a side.
        bases: see `bases_of`.
        rolled: float64 [S * S, 4], the values of rolling, by S * waiting + rolling.
        chances: float64 [S * S, 5], the same for chances.
        table: int8 [N, 31], zeros; written.
    """
    n = sides.counts.shape[0]
    state = np.zeros(SIZE, np.int8)
    equities, chance = np.empty(N_VALUES, np.float64), np.empty(N_CHANCES, np.float64)
    for side in range(n):
        for waiting in range(n):
            if sides.points[side] & sides.seen[waiting]:
                continue
            stand(state, sides.counts, side, waiting)
            chance[:] = 0.0
            if side > 0 and waiting > 0:
                equities[:] = rolled[n * waiting + side]
                chance[:] = chances[n * waiting + side]
            elif side > 0:  # the waiting side has won
                equities[:] = -float(sides.lost[side])
                _lose(sides.lost[side], chance[3:])
            elif waiting > 0:
                equities[:] = float(sides.lost[waiting])
                _lose(sides.lost[waiting], chance[1:])
            else:
                equities[:] = 0.0
            _write(table[index_of(state, checkers, bases)], equities, chance)


@kernel(allocates=True)
def list_equities(
    sides: Sides, checkers: int, bases: Int64Vector, table: Int8Matrix, out: Float64Matrix
) -> None:
    """Write the four equities of all positions in play.

    Args:
        sides: all sides.
        checkers: the checkers of a side.
        bases: see `bases_of`.
        table: int8 [P, 31].
        out: float64 [N, 4], written.
    """
    state = np.zeros(SIZE, np.int8)
    at = 0
    for side in range(1, sides.counts.shape[0]):
        for waiting in range(1, sides.counts.shape[0]):
            if sides.points[side] & sides.seen[waiting] == 0:
                stand(state, sides.counts, side, waiting)
                read_equities(table[index_of(state, checkers, bases)], out[at])
                at += 1


@kernel(allocates=True)
def look_up(
    states: Int8Matrix, checkers: int, bases: Int64Vector, table: Int8Matrix, out: Float64Matrix
) -> None:
    """Write the nine numbers of each of N positions; see `read`.

    Args:
        states: int8 [N, 26], seen from the players on roll.
        checkers: the checkers of a side.
        bases: see `bases_of`.
        table: int8 [P, 31].
        out: float64 [N, 9], written.
    """
    for j in range(states.shape[0]):
        read(table[index_of(states[j], checkers, bases)], out[j])


@kernel(allocates=True)
def greatest_residual(
    sides: Sides, checkers: int, bases: Int64Vector, table: Int8Matrix, first: int, end: int
) -> float:
    """Return the greatest difference of a stored equity from what the replies to all plays give.

    This shares nothing with the solver: plays are from `gammon.rules.plays`, and values from the
    table.

    Args:
        sides: all sides.
        checkers: the checkers of a side.
        bases: see `bases_of`.
        table: int8 [P, 31].
        first: the number of the first side on roll whose positions are checked, 1 or more.
        end: the number after the last one.
    """
    state = np.zeros(SIZE, np.int8)
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    numbers = np.empty(N_NUMBERS, np.float64)
    best, rolled = np.empty(N_VALUES, np.float64), np.empty(N_VALUES, np.float64)
    greatest = 0.0
    for side in range(first, end):
        for waiting in range(1, sides.counts.shape[0]):
            if sides.points[side] & sides.seen[waiting]:
                continue
            stand(state, sides.counts, side, waiting)
            rolled[:] = 0.0
            for roll in range(N_ROLLS):
                best[:] = -np.inf
                for j in range(successors(state, roll, rows)):
                    read_equities(table[index_of(rows[j], checkers, bases)], numbers)
                    # The opponent may double first; one who has lost gains nothing by it.
                    doubled = min(2.0 * numbers[THEIRS], 1.0)
                    numbers[OWN] = max(numbers[OWN], doubled)
                    numbers[CENTRED] = max(numbers[CENTRED], doubled)
                    for k in range(N_VALUES):
                        best[k] = max(best[k], -numbers[_TURNED[k]])
                for k in range(N_VALUES):
                    rolled[k] += PROBABILITIES[roll] * best[k]
            read_equities(table[index_of(state, checkers, bases)], numbers)
            for k in range(N_VALUES):
                greatest = max(greatest, abs(rolled[k] - numbers[k]))
    return greatest


@dataclass(frozen=True)
class Exact:
    """The exact values of rolling in a position, seen from the player on roll; see `solve`.

    Attributes:
        equity: without a cube, in points.
        own: with the cube at the player on roll, in points per unit of the cube.
        centred: with the cube in the middle.
        theirs: with the cube at the opponent.
        chances: without a cube: to win, to win a gammon or more, a backgammon, to lose a gammon
            or more, a backgammon.
    """

    equity: float
    own: float
    centred: float
    theirs: float
    chances: tuple[float, ...]

    @property
    def doubled(self) -> float:
        """The value of a double of a cube at the player on roll or in the middle."""
        return min(2.0 * self.theirs, 1.0)

    def for_opponent(self) -> "Exact":
        """Return what the position before the player's double and roll is worth to the opponent."""
        win, *gammons = self.chances
        return Exact(
            -self.equity,
            -self.theirs,
            -max(self.centred, self.doubled),
            -max(self.own, self.doubled),
            (1.0 - win, *gammons[2:], *gammons[:2]),
        )

    def to_json(self) -> dict[str, float | list[float]]:
        """Return the numbers by name."""
        return {
            "equity": self.equity, "own": self.own, "centred": self.centred, "theirs": self.theirs,
            "chances": list(self.chances),
        }  # fmt: skip


@dataclass(frozen=True)
class ExactTable:
    """The table of a number of checkers.

    Attributes:
        checkers: the checkers of a side.
        rows: int8 [P, 31].
    """

    checkers: int
    rows: Int8Matrix

    @classmethod
    def load(cls, path: Path) -> Self:
        """Map a file into memory.

        Raises:
            GammonError: it cannot be read, or it is not such a table.
        """
        try:
            rows = np.load(regular(path), mmap_mode="c", allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            reason = getattr(error, "strerror", None) or "it is damaged, or no array"
            raise GammonError(f"table {str(path)!r} cannot be read: {reason}") from None
        sizes = {positions(checkers): checkers for checkers in range(1, MOST_CHECKERS + 1)}
        is_table = isinstance(rows, np.ndarray) and rows.ndim == 2 and rows.dtype == np.int8
        if not is_table or rows.shape[1] != WIDTH or len(rows) not in sizes or not rows.flags.c_contiguous:
            raise GammonError(f"table {str(path)!r}: expected a table by `gammon reproduce hypergammon`")
        return cls(sizes[len(rows)], rows.view(np.ndarray))

    def save(self, path: Path) -> None:
        """Write the file.

        Raises:
            GammonError: it cannot be written.
        """
        with written_whole(path) as beside, beside.open("wb") as file:
            np.save(file, self.rows, allow_pickle=False)

    def numbers(self, states: Rows) -> Float64Matrix:
        """Return the nine numbers of positions, float64 [N, 9]; see `read`.

        Args:
            states: int8 [N, 26], seen from the players on roll, with at most `checkers` a side.
        """
        out = np.empty((len(states), N_NUMBERS), np.float64)
        look_up(np.ascontiguousarray(states, np.int8), self.checkers, bases_of(self.checkers), self.rows, out)
        return out

    def exact(self, points: Points) -> Exact:
        """Return the values of a position.

        Args:
            points: 26 counts, seen from the player on roll, with at most `checkers` a side.
        """
        numbers = self.numbers(np.array([points], np.int8))[0].tolist()
        return Exact(
            numbers[CUBELESS], numbers[OWN], numbers[CENTRED], numbers[THEIRS], tuple(numbers[N_VALUES:])
        )


def table_of(checkers: int, rolled: Float64Matrix, chances: Float64Matrix) -> ExactTable:
    """Return the table of solved values; for `rolled` and `chances` see `fill`."""
    rows = np.zeros((positions(checkers), WIDTH), np.int8)
    fill(sides_of(checkers), checkers, bases_of(checkers), rolled, chances, rows)
    return ExactTable(checkers, rows)


def equities_of(table: ExactTable) -> Float64Matrix:
    """Return the four equities of rolling of all positions in play, float64 [N, 4]."""
    sides, checkers = sides_of(table.checkers), table.checkers
    playing = int(((sides.points[1:, None] & sides.seen[1:]) == 0).sum())
    out = np.empty((playing, N_VALUES), np.float64)
    list_equities(sides, checkers, bases_of(checkers), table.rows, out)
    return out
