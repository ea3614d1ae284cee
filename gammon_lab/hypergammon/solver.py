"""The solver of hypergammon: sweeps until nothing changes, with its state saved on the way.

Sweeps of noted plays alternate with sweeps that compare all plays (`solve`). Between sweeps of noted
plays each kind of value is extrapolated from the last two sweeps (Anderson acceleration of depth 1),
which halves the number of sweeps. How a value was reached does not matter in the end: `check`
compares each with its equation.

A run keeps its state in its folder: `values.npy` while the equities change, then `solved.npy` with
`chances.npy`. With three checkers the arrays take up to 2.6 GB of memory.
"""

import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gammon.base.errors import GammonError
from gammon.base.files import regular, written_whole
from gammon.compiled.records import Float64Matrix, Int16Matrix, Int64Vector
from gammon.rules.dice import N_ROLLS
from gammon_lab.hypergammon.sides import sides_of
from gammon_lab.hypergammon.solve import (
    N_CHANCES,
    N_VALUES,
    Rules,
    begin,
    check,
    count_in_play,
    rules_of,
    sweep,
    sweep_chances,
)
from gammon_lab.hypergammon.table import ExactTable, table_of

#: A sweep of all plays that changes no equity by more ends the iteration.
_ENOUGH = 1e-11
#: The same for a sweep of chances, which are stored in steps of 2e-7.
_ENOUGH_CHANCE = 1e-9
#: Sweeps of noted plays go on until they change values by this part of the last sweep of all plays.
_PART = 0.02
#: Most sweeps of noted plays between two sweeps of all plays.
_MOST = 8
#: Seconds between two saves.
_SAVE = 60.0
#: Rows that are extrapolated at a time.
_ROWS = 1 << 18
#: Called with the part of the work that is done, 0 to 1.
OnPart = Callable[[float], None]


def save(path: Path, array: npt.NDArray[np.float64]) -> None:
    """Write an array as a whole file.

    Raises:
        GammonError: the file cannot be written.
    """
    with written_whole(path) as beside, beside.open("wb") as file:
        np.save(file, array, allow_pickle=False)


def restore(path: Path, array: npt.NDArray[np.float64]) -> bool:
    """Read finite numbers from a file into an array of their shape.

    Returns:
        Whether the file has them; if not, the array is left as it is.
    """
    try:
        saved = np.load(regular(path), mmap_mode="r", allow_pickle=False)
        if saved.dtype != array.dtype or saved.shape != array.shape or not np.isfinite(saved).all():
            return False
    except (OSError, ValueError, EOFError):
        return False
    array[:] = saved
    return True


class _Extrapolation:
    """Extrapolates an array that sweeps change.

    Checkers that are off stay off. So positions with other numbers of checkers on the board change
    at other rates, and each group of them has a factor of its own, as has each column.

    Args:
        before: float64 [N, K], the array before the first sweep.
        groups: int64 [N], the group of each row, from 0 on.
    """

    def __init__(self, before: Float64Matrix, groups: Int64Vector) -> None:
        self._groups = groups
        self._before = before.copy()
        #: The last change by a sweep, and the array after it.
        self._change: Float64Matrix | None = None
        self._after = np.empty_like(before)

    def improve(self, after: Float64Matrix) -> None:
        """Move the array after a sweep, in place, to where the changes seem to lead."""
        last = self._change
        change = np.empty_like(after) if last is None else last
        blocks = [slice(at, at + _ROWS) for at in range(0, len(after), _ROWS)]
        sums = np.zeros((2, int(self._groups.max()) + 1, after.shape[1]))
        for block in blocks if last is not None else ():
            fresh = after[block] - self._before[block]
            step = fresh - change[block]
            for total, product in zip(sums, (fresh * step, step * step), strict=True):
                for k in range(after.shape[1]):
                    total[:, k] += np.bincount(self._groups[block], product[:, k], len(total))
        factors = np.divide(sums[0], sums[1], out=np.zeros_like(sums[0]), where=sums[1] > 0.0)
        for block in blocks:
            swept = after[block].copy()
            change[block] = swept - self._before[block]
            if last is not None:
                after[block] -= factors[self._groups[block]] * (swept - self._after[block])
            self._after[block] = swept
            self._before[block] = after[block]
        self._change = change


class Solver:
    """Solves the game with a number of checkers a side, in a folder.

    Args:
        checkers: the checkers of a side, 1 to 3.
        folder: where the state is saved; a run that was stopped continues from it.
        on_part: called with the part of the work that is done, 0 to 1.
    """

    def __init__(self, checkers: int, folder: Path, on_part: OnPart = lambda part: None) -> None:
        self._checkers = checkers
        self._folder = folder
        self._on_part = on_part
        self._rules: Rules = rules_of(checkers)
        self._sides = len(self._rules.points)
        #: The number of the group of each pair of sides: both have as many checkers on the board.
        on_board = checkers - sides_of(checkers).counts[:, 0].astype(np.int64)
        more, fewer = np.maximum.outer(on_board, on_board), np.minimum.outer(on_board, on_board)
        self._groups: Int64Vector = (more * (checkers + 1) + fewer).ravel()
        self._picks: Int16Matrix = np.zeros((count_in_play(self._rules), N_ROLLS), np.int16)
        self._saved = time.monotonic()

    def solve(self) -> ExactTable:
        """Solve the game, and return its table. The saved state stays until `clear`.

        Raises:
            GammonError: the folder cannot be written, or a saved state in it is damaged.
        """
        values, chances = self._started()
        if not self._path("solved.npy").exists():
            self._iterate(values)
            self._save("solved.npy", values)
            self._path("values.npy").unlink(missing_ok=True)
        rolled = np.zeros_like(values)
        check(self._rules, values, self._picks, rolled)
        del values
        self._play_out(chances)
        sums, differences = chances[:, 1::2].copy(), chances[:, 2::2].copy()
        chances[:, 1:3], chances[:, 3:] = (sums + differences) / 2.0, (sums - differences) / 2.0
        return table_of(self._checkers, rolled, chances)

    def clear(self) -> None:
        """Remove the saved state."""
        for name in ("values.npy", "solved.npy", "chances.npy"):
            self._path(name).unlink(missing_ok=True)

    def _started(self) -> tuple[Float64Matrix, Float64Matrix]:
        """Return the saved arrays, or new ones that hold the finished games."""
        pairs = self._sides * self._sides
        values, chances = np.zeros((pairs, N_VALUES)), np.zeros((pairs, N_CHANCES))
        begin(sides_of(self._checkers).lost, values, chances)
        for name, array in (("values.npy", values), ("solved.npy", values), ("chances.npy", chances)):
            self._restore(name, array)
        return values, chances

    def _iterate(self, values: Float64Matrix) -> None:
        """Change the values until a sweep of all plays leaves them as they are."""
        greatest = math.inf
        while True:
            greatest = sweep(self._rules, values, self._picks, bool(1))
            self._report(greatest, 0.0, 0.7)
            if greatest <= _ENOUGH:
                return
            enough = max(_PART * greatest, _ENOUGH / 4)
            extrapolation = _Extrapolation(values, self._groups)
            for _ in range(_MOST):
                if sweep(self._rules, values, self._picks, bool(0)) <= enough:
                    break
                extrapolation.improve(values)
                self._save_at_times("values.npy", values)

    def _play_out(self, chances: Float64Matrix) -> None:
        """Change the chances until a sweep leaves them as they are."""
        extrapolation = _Extrapolation(chances, self._groups)
        while True:
            greatest = sweep_chances(self._rules, self._picks, chances)
            self._report(greatest, 0.7, 1.0)
            if greatest <= _ENOUGH_CHANCE:
                return
            extrapolation.improve(chances)
            self._save_at_times("chances.npy", chances)

    def _report(self, greatest: float, begin: float, end: float) -> None:
        """Report progress: the digits that are known, between two parts of the work."""
        digits = -math.log10(max(greatest, _ENOUGH)) / -math.log10(_ENOUGH)
        self._on_part(begin + (end - begin) * max(digits, 0.0))

    def _path(self, name: str) -> Path:
        return self._folder / name

    def _save_at_times(self, name: str, array: Float64Matrix) -> None:
        """Save an array if the last save is long ago."""
        if time.monotonic() - self._saved >= _SAVE:
            self._save(name, array)

    def _save(self, name: str, array: Float64Matrix) -> None:
        save(self._path(name), array)
        self._saved = time.monotonic()

    def _restore(self, name: str, array: Float64Matrix) -> None:
        """Read a saved array, if there is one.

        Raises:
            GammonError: it cannot be read, or does not fit.
        """
        path = self._path(name)
        if path.exists() and not restore(path, array):
            raise GammonError(f"{str(path)!r} is damaged: delete it, and the run begins again there")
