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
#: Steps done and total steps, int64 [2]; another thread may read them.
Progress = npt.NDArray[np.int64]
S = TypeVar("S")
T = TypeVar("T")


def _are_equal(arrays: tuple[Any, ...], others: Any) -> bool:
    """Return whether two tuples of arrays have the same type and equal values; nan equals nan."""
    return type(arrays) is type(others) and all(
        np.array_equal(array, other, equal_nan=array.dtype == np.float64)
        for array, other in zip(arrays, others, strict=True)
    )


class Evaluations(NamedTuple):  # noqa: PLW1641 (an array has no hash)
    """The values of N positions to their players on roll, before the roll.

    Attributes:
        equities: float64 [N], as in `Engine.evaluate`: with the cube, or in the unit of the
            stakes of a cubeless engine.
        chances: float64 [N, 5], the columns of `gammon.Probabilities`: win, win_gammon,
            win_backgammon, lose_gammon, lose_backgammon.
    """

    equities: npt.NDArray[np.float64]
    chances: npt.NDArray[np.float64]

    def __eq__(self, other: object) -> bool:
        """Return whether all values are the same."""
        return _are_equal(self, other)

    def __ne__(self, other: object) -> bool:
        """Return whether a value differs."""
        return not _are_equal(self, other)


class PlayValues(NamedTuple):  # noqa: PLW1641 (an array has no hash)
    """All plays of N positions and rolls, K in total; the plays of each position best first.

    The plays of position i are `slice(offsets[i], offsets[i + 1])` of the other arrays, so
    `offsets[:-1]` are the indices of the best plays.

    Attributes:
        offsets: int64 [N + 1], from 0 to K.
        rows: int8 [K, 26], the positions after the plays, seen from the mover.
        equities: float64 [K], to the mover, as in `Evaluations`.
        chances: float64 [K, 5], the mover's, with columns as in `Evaluations`.
        searched: bool [K], False where the engine's move filter left the play out; its equity and
            chances are then of depth 1.
    """

    offsets: npt.NDArray[np.int64]
    rows: Boards
    equities: npt.NDArray[np.float64]
    chances: npt.NDArray[np.float64]
    searched: npt.NDArray[np.bool_]

    def __eq__(self, other: object) -> bool:
        """Return whether all values are the same."""
        return _are_equal(self, other)

    def __ne__(self, other: object) -> bool:
        """Return whether a value differs."""
        return not _are_equal(self, other)

    @classmethod
    def joined(cls, parts: "list[PlayValues]") -> "PlayValues":
        """Return the plays of all parts in one."""
        sizes = np.concatenate([np.diff(part.offsets) for part in parts])
        offsets = np.zeros(len(sizes) + 1, np.int64)
        np.cumsum(sizes, out=offsets[1:])
        _, *columns = zip(*parts, strict=True)
        return cls(offsets, *map(np.concatenate, columns))


class CubeDecisions(NamedTuple):  # noqa: PLW1641 (an array has no hash)
    """The decisions about the cube in N positions, as `Engine.cube` makes them.

    Attributes:
        no_double: float64 [N], the equities of rolling with the cube as it is, to the players
            on roll.
        double_take: float64 [N], of a double that is taken; nan where no double is allowed.
        double_pass: float64 [N], of a double that is passed; nan where no double is allowed.
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
        """Return whether all values are the same; nan equals nan."""
        return _are_equal(self, other)

    def __ne__(self, other: object) -> bool:
        """Return whether a value differs."""
        return not _are_equal(self, other)


def _whole_numbers(
    name: str, values: npt.ArrayLike, shape: tuple[int | None, ...]
) -> npt.NDArray[np.integer]:
    """Return values as an array of integers; None in a shape means any number N."""
    try:
        array: npt.NDArray[Any] = np.asarray(values)
    except (ValueError, TypeError, OverflowError, RuntimeError):
        given = f"{name} {shown(values)}"
    else:
        first, *others = shape
        if isinstance(values, list | tuple) and not values and first in (0, None):
            empty: tuple[Any, ...] = (0, *others)
            return np.zeros(empty, np.int64)  # numpy makes an array of floats from an empty list
        fits = array.ndim == len(shape) and list(array.shape[1:]) == others
        if fits and first in (None, len(array)) and array.dtype.kind in "iu":
            return array
        given = f"{name} of {array.dtype}, shape {array.shape}"
    wanted = str(shape).replace("None", "N")
    raise SettingError(f"{given}: expected whole numbers of shape {wanted}")


@contextmanager
def _at(number: int) -> Iterator[None]:
    """Put the number of the position before the message of an error."""
    try:
        yield
    except GammonError as error:
        raise type(error)(f"position {number}: {error}") from None


def checked_boards(points: npt.ArrayLike) -> Boards:
    """Return positions as int8 [N, 26], contiguous.

    Args:
        points: integers [N, 26], each position seen from its player on roll.

    Raises:
        SettingError: a wrong shape or type.
        IllegalPositionError: an impossible position, or one whose game is over.
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
        boards = boards.copy()  # kernels take writeable arrays only
    number = count_possible(boards, False)
    if number < len(boards):
        with _at(number):
            check_in_play(Position(tuple(boards[number].tolist())))
    return boards


def checked_outcomes(dice: npt.ArrayLike, n: int) -> npt.NDArray[np.int64]:
    """Return the outcomes int64 [n] of n rolls, integers [n, 2].

    Raises:
        SettingError: a wrong shape or type, or a die that is not in 1..6.
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
        SettingError: a wrong shape or type, or a number that is not in 0..2**64 - 1.
    """
    listed = list(seeds) if isinstance(seeds, list | tuple) else []
    if listed and all(type(seed) is int and 0 <= seed < 1 << 64 for seed in listed):
        # numpy would make floats of a list with numbers on both sides of 2**63.
        seeds = np.array(listed, np.uint64)
    numbers = _whole_numbers("noise_seeds", seeds, (n,))
    if (numbers < 0).any():
        raise SettingError(f"noise_seeds with {numbers.min()}: expected 0 to 2**64 - 1")
    return np.require(numbers, np.uint64, ["C", "W"])


def in_blocks(do: Callable[[slice], T], n: int, size: int, threads: int) -> list[T]:
    """Split n positions into blocks, call `do` on each, return the results in order.

    Args:
        do: takes a block of at least one position, or the empty block if n is 0.
        n: the number of positions.
        size: positions in a block; independent of the threads, so that the results are, too.
        threads: how many share the blocks.
    """
    blocks = [slice(at, min(at + size, n)) for at in range(0, max(n, 1), size)]
    return in_threads(do, blocks, threads)


def in_threads(do: Callable[[S], T], items: Sequence[S], threads: int) -> list[T]:
    """Call `do` on each item, return the results in order.

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
