"""Arrays of positions: checked on the way in, with their values on the way out."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from gammon.base.checks import shown
from gammon.base.errors import GammonError, IllegalPositionError, SettingError
from gammon.formats.play import check_in_play
from gammon.formats.position import Position
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.dice import OUTCOMES, outcome_of
from gammon.rules.outcome import count_possible

Boards = npt.NDArray[np.int8]
S = TypeVar("S")
T = TypeVar("T")


def _are_equal(arrays: tuple[Any, ...], others: object) -> bool:
    """Tell whether arrays of one type have the same values; numpy compares each by itself."""
    return type(arrays) is type(others) and all(map(np.array_equal, arrays, others))


class Evaluations(NamedTuple):  # noqa: PLW1641 (an array has no hash)
    """The worth of N positions to their players on roll, before the roll.

    Attributes:
        equities: float64 [N], as those of `Engine.evaluate`: with the cube where the engine
            has it, else in the unit of its stakes.
        chances: float64 [N, 5], the columns of `gammon.Probabilities`: win, win_gammon,
            win_backgammon, lose_gammon, lose_backgammon.
    """

    equities: npt.NDArray[np.float64]
    chances: npt.NDArray[np.float64]

    def __eq__(self, other: object) -> bool:
        """Tell whether all values are the same."""
        return _are_equal(self, other)

    def __ne__(self, other: object) -> bool:
        """Tell whether a value differs."""
        return not _are_equal(self, other)


class PlayValues(NamedTuple):  # noqa: PLW1641 (an array has no hash)
    """All plays of N positions and rolls: K in all, those of each position best first.

    The plays of position i are `slice(offsets[i], offsets[i + 1])` of the other arrays, so
    `offsets[:-1]` are the best ones.

    Attributes:
        offsets: int64 [N + 1], from 0 to K.
        rows: int8 [K, 26], the positions after the plays, seen from the mover.
        equities: float64 [K], to the mover, as in `Evaluations`.
        chances: float64 [K, 5], the mover's, with columns as in `Evaluations`.
        exact: bool [K], False where the engine's move filter left the play out; equity and
            chances are then those of depth 1.
    """

    offsets: npt.NDArray[np.int64]
    rows: Boards
    equities: npt.NDArray[np.float64]
    chances: npt.NDArray[np.float64]
    exact: npt.NDArray[np.bool_]

    def __eq__(self, other: object) -> bool:
        """Tell whether all values are the same."""
        return _are_equal(self, other)

    def __ne__(self, other: object) -> bool:
        """Tell whether a value differs."""
        return not _are_equal(self, other)

    @classmethod
    def joined(cls, parts: "list[PlayValues]") -> "PlayValues":
        """Return those of the positions of all parts, in one."""
        sizes = np.concatenate([np.diff(part.offsets) for part in parts])
        offsets = np.zeros(len(sizes) + 1, np.int64)
        np.cumsum(sizes, out=offsets[1:])
        _, *columns = zip(*parts, strict=True)
        return cls(offsets, *map(np.concatenate, columns))


class CubeDecisions(NamedTuple):  # noqa: PLW1641 (an array has no hash)
    """The decisions about the cube in N positions, as those of `Engine.cube`.

    Attributes:
        no_double: float64 [N], the equities of rolling with the cube as it is, to the players
            on roll.
        double_take: float64 [N], of a double that is taken; nan where none may be made.
        double_pass: float64 [N], of a double that is passed; nan as there.
        chances: float64 [N, 5], of the players on roll, with columns as in `Evaluations`.
        doubles: bool [N], whether a double is right.
        takes: bool [N], whether the answer to a double is a take, or a beaver.
    """

    no_double: npt.NDArray[np.float64]
    double_take: npt.NDArray[np.float64]
    double_pass: npt.NDArray[np.float64]
    chances: npt.NDArray[np.float64]
    doubles: npt.NDArray[np.bool_]
    takes: npt.NDArray[np.bool_]

    def __eq__(self, other: object) -> bool:
        """Tell whether all values are the same; nan is like nan."""
        return type(other) is CubeDecisions and all(
            np.array_equal(one, two, equal_nan=one.dtype == np.float64)
            for one, two in zip(self, other, strict=True)
        )

    def __ne__(self, other: object) -> bool:
        """Tell whether a value differs."""
        return not self == other


def _whole_numbers(
    name: str, values: npt.ArrayLike, shape: tuple[int | None, ...]
) -> npt.NDArray[np.integer]:
    """Return values as an array of whole numbers; None in a shape stands for any number N."""
    try:
        found: npt.NDArray[Any] = np.asarray(values)
    except (ValueError, TypeError, OverflowError, RuntimeError):
        given = f"{name} {shown(values)}"
    else:
        first, *others = shape
        if isinstance(values, list | tuple) and not values and first in (0, None):
            empty: tuple[Any, ...] = (0, *others)
            return np.zeros(empty, np.int64)  # for numpy, an empty list has floats
        fits = found.ndim == len(shape) and list(found.shape[1:]) == others
        if fits and first in (None, len(found)) and found.dtype.kind in "iu":
            return found
        given = f"{name} of {found.dtype}, shape {found.shape}"
    wanted = str(shape).replace("None", "N")
    raise SettingError(f"{given}: expected whole numbers of shape {wanted}")


@contextmanager
def _at(number: int) -> Iterator[None]:
    """Say in an error which position it is about."""
    try:
        yield
    except GammonError as error:
        raise type(error)(f"position {number}: {error}") from None


def checked_boards(points: npt.ArrayLike) -> Boards:
    """Return positions as int8 [N, 26], contiguous.

    Args:
        points: whole numbers [N, 26], each position seen from its player on roll.

    Raises:
        SettingError: another shape or type.
        IllegalPositionError: a position that cannot stand, or whose game is over.
    """
    counts = _whole_numbers("points", points, (None, SIZE))
    if counts.dtype != np.int8:
        wrong = (counts < -CHECKERS) | (counts > CHECKERS)
        if wrong.any():
            number, point = np.argwhere(wrong)[0].tolist()
            raise IllegalPositionError(
                f"position {number}: {counts[number, point]} checkers at {point}: expected "
                f"counts from -{CHECKERS} to {CHECKERS}"
            )
    boards = np.ascontiguousarray(counts, np.int8)
    if not boards.flags.writeable:
        boards = boards.copy()  # a kernel takes no other one
    number = count_possible(boards, False)
    if number < len(boards):
        with _at(number):
            check_in_play(Position(tuple(boards[number].tolist())))
    return boards


def checked_outcomes(dice: npt.ArrayLike, n: int) -> npt.NDArray[np.int64]:
    """Return the outcomes int64 [n] of n rolls, whole numbers [n, 2].

    Raises:
        SettingError: another shape or type, or a die that is not in 1..6.
    """
    rolls = _whole_numbers("dice", dice, (n, 2))
    outcomes = [OUTCOMES.get((first, second), -1) for first, second in rolls.tolist()]
    if -1 in outcomes:
        number = outcomes.index(-1)
        with _at(number):
            outcome_of(tuple(rolls[number].tolist()))
    return np.array(outcomes, np.int64)


def checked_seeds(seeds: npt.ArrayLike, n: int) -> npt.NDArray[np.uint64]:
    """Return n seeds as uint64 [n].

    Raises:
        SettingError: another shape or type, or a number that is not in 0..2**64 - 1.
    """
    listed = list(seeds) if isinstance(seeds, list | tuple) else []
    if listed and all(type(each) is int and 0 <= each < 1 << 64 for each in listed):
        # Of numbers on both sides of 2**63, numpy would make floats.
        seeds = np.array(listed, np.uint64)
    found = _whole_numbers("noise_seeds", seeds, (n,))
    if (found < 0).any():
        raise SettingError(f"noise_seeds with {found.min()}: expected 0 to 2**64 - 1")
    return np.require(found, np.uint64, ["C", "W"])


def in_blocks(do: Callable[[slice], T], n: int, size: int, threads: int) -> list[T]:
    """Return what is done with each block of n positions, in order.

    Args:
        do: takes a block of at least one position; where n is 0, the empty one.
        n: positions.
        size: of a block. It does not depend on the threads, so neither do the results.
        threads: how many share the blocks.
    """
    blocks = [slice(at, min(at + size, n)) for at in range(0, max(n, 1), size)]
    return in_threads(do, blocks, threads)


def in_threads(do: Callable[[S], T], items: Sequence[S], threads: int) -> list[T]:
    """Return what is done with each item, in order.

    Args:
        do: takes an item.
        items: any number.
        threads: how many share the items.
    """
    if threads == 1 or len(items) < 2:
        return list(map(do, items))
    with ThreadPoolExecutor(min(threads, len(items))) as pool:
        return list(pool.map(do, items))


def turned_boards(rows: Boards) -> Boards:
    """Return positions int8 [N, 26] as the other player sees them."""
    return np.ascontiguousarray(-rows[:, ::-1])
