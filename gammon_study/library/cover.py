"""Reference positions: few errors whose neighbourhoods contain all others, the most costly first.

Two positions are neighbours if moving checkers on one board to places of the same side on the other
takes at most `REACH` pips in all, as in blunderDB (its decision record 0080), and if the decisions are
of one kind: both plays, both doubles or both takes.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.formats.position import Position
from gammon_study.library.library import Library
from gammon_study.library.selection import Selection
from gammon_study.library.stats import Error, largest_errors
from gammon_study.reviews.names import KINDS_BY_PART

#: The most pips between neighbours.
REACH = 12


class ReferencePosition(NamedTuple):
    """An error that stands for others.

    Attributes:
        error: the error.
        covers: how many errors it stands for that no earlier one does, itself included.
        total_error: the equity that these errors lost.
    """

    error: Error
    covers: int
    total_error: float


class ReferencePositions(NamedTuple):
    """Errors that stand for all errors of a selection.

    Attributes:
        positions: the errors, each the one that stands for the largest loss left.
        number: how many errors the selection has.
        total_error: the equity that all these errors lost.
    """

    positions: list[ReferencePosition]
    number: int
    total_error: float


def reference_positions(library: Library, selection: Selection, most: int) -> ReferencePositions:
    """Return the reference positions of a selection of errors, by greedy cover.

    Args:
        library: an open library.
        selection: the selection.
        most: how many positions to return at most.

    Raises:
        SettingError: the selection is malformed.
    """
    errors, number, total_error = largest_errors(library, selection)
    losses = np.array([error.error for error in errors])
    neighbours = _neighbours(errors)
    left = np.ones(len(errors), np.bool_)
    gains = np.array([losses[near].sum() for near in neighbours])
    positions: list[ReferencePosition] = []
    while left.any() and len(positions) < most:
        best = int(gains.argmax())
        covered = neighbours[best][left[neighbours[best]]]
        positions.append(ReferencePosition(errors[best], len(covered), float(losses[covered].sum())))
        left[covered] = False
        for index in covered:
            gains[neighbours[index]] -= losses[index]
    return ReferencePositions(positions, number, total_error)


def _neighbours(errors: list[Error]) -> list[npt.NDArray[np.int64]]:
    """Return the indices of each error's neighbours, itself included."""
    kinds = {kind: number for number, kinds in enumerate(KINDS_BY_PART.values()) for kind in kinds}
    kind = np.array([kinds[error.kind] for error in errors], np.int64)
    points = np.array([Position.parse(error.xgid).points for error in errors], np.int16).reshape(-1, 26)
    # Checkers at a place or behind it: pips between boards are the sum of the differences, for each side.
    own = np.maximum(points, 0)[:, ::-1].cumsum(1, dtype=np.int16)
    their = np.maximum(-points, 0).cumsum(1, dtype=np.int16)
    behind = np.hstack([own[:, :-1], their[:, :-1]])
    pips = behind.sum(1, dtype=np.int64)
    order = np.argsort(pips, kind="stable")
    first = np.searchsorted(pips[order], pips - REACH)
    end = np.searchsorted(pips[order], pips + REACH, side="right")
    neighbours = []
    for index in range(len(errors)):
        near = order[first[index] : end[index]]  # the pips of others differ by more than REACH
        near = near[kind[near] == kind[index]]
        apart = np.abs(behind[near] - behind[index]).sum(1)
        neighbours.append(near[apart <= REACH])
    return neighbours
