"""The features of a position: the named inputs of a network.

Most features depend on one count each. Each side has 25 places (its points 1 to 24 and its bar),
and four *units* encode the number of checkers on each (after Tesauro 1992):

    own.8.1     1 if exactly one checker stands on the player's point 8, else 0
    own.8.2     1 if exactly two
    own.8.3     1 if three or more
    own.8.4     half of the checkers beyond three

`own.bar.1` and so on are the same for the bar, and `their.8.1` for the opponent's point 8,
in the opponent's own numbering. Two more units per side encode the checkers borne off:

    own.off.1   1/15 per checker
    own.off.2   1 if any checker is off
    own.off.2   1 if there is one at all

The first layer of a network is linear in these, so it is a sum of table rows, one per place and
count (`gammon.eval.integers`), and is updated by differences.

The other features, such as `own.shots`, depend on several points: `gammon.eval.tactics`
computes them as whole numbers, and `UNITS` there scales the numbers to features. A network may
do without all of these.
"""

import re
from collections.abc import Iterator
from itertools import product

import numpy as np
import numpy.typing as npt

from gammon.eval.tactics import AT, tactics_of
from gammon.rules.board import CHECKERS, OWN_BAR, SIZE


def _point_units(count: int) -> list[float]:
    return [count == 1, count == 2, count >= 3, max(count - 3, 0) / 2]


#: Units of one place by its count, float32 [16, 4].
POINT_UNITS = np.array([_point_units(c) for c in range(CHECKERS + 1)], np.float32)
#: Units of the checkers borne off, by their number, float32 [16, 2].
OFF_UNITS = np.array([[c / CHECKERS, c > 0] for c in range(CHECKERS + 1)], np.float32)


def _choices(part: str) -> Iterator[str]:
    for word in part.split(","):
        span = re.fullmatch(r"(\d{1,2})-(\d{1,2})", word)
        yield from map(str, range(int(span[1]), int(span[2]) + 1)) if span else [word]


def expanded(groups: str) -> Iterator[str]:
    """Yield the names that groups of names stand for, in order.

    A group is a name whose parts may be lists and ranges; the last part varies fastest:
    `own,their.off.1-2` stands for own.off.1, own.off.2, their.off.1 and their.off.2.

    Args:
        groups: groups separated by spaces.
    """
    for group in groups.split():
        parts = [list(_choices(part)) for part in group.split(".")]
        yield from map(".".join, product(*parts))


_SIDES = ("own", "their")
_OF_BOTH = ",".join(_SIDES)
#: The names, in groups, of the features that depend on one count each.
COUNTS = f"{_OF_BOTH}.1-{OWN_BAR - 1},bar.1-{POINT_UNITS.shape[1]} {_OF_BOTH}.off.1-{OFF_UNITS.shape[1]}"
#: The names of all features, in groups.
FEATURES = f"{COUNTS} {_OF_BOTH}.{','.join(AT._fields)}"
#: The name of each feature, in the order of a feature vector.
NAMES = tuple(expanded(FEATURES))
#: The number of features, the first ones, that depend on one count each.
N_COUNTS = len(tuple(expanded(COUNTS)))
#: F, the length of a feature vector.
N_FEATURES = len(NAMES)


def point_column(index: int, opponent: bool) -> int:
    """Return the index of the first feature of a side's place.

    Args:
        index: the place's index on the board, 1..25 for the player on roll and 0..24 for
            the opponent: no side has checkers on the other side's bar.
        opponent: whose checkers.
    """
    place = OWN_BAR - index if opponent else index
    return NAMES.index(f"{_SIDES[opponent]}.{'bar' if place == OWN_BAR else place}.1")


def off_column(opponent: bool) -> int:
    """Return the index of the first feature of a side's checkers borne off."""
    return NAMES.index(f"{_SIDES[opponent]}.off.1")


def encode(points: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Return the features of positions.

    Args:
        points: int8 [N, 26], each seen from the player on roll.

    Returns:
        float32 [N, F], in the order of `NAMES`.
    """
    states = np.asarray(points, np.int8).reshape(-1, SIZE)
    own = np.maximum(states, 0)
    their = np.maximum(-states[:, ::-1], 0)
    rows = len(states)
    # `take` is ten times as fast as indexing.
    sides = [POINT_UNITS.take(side[:, 1:], axis=0).reshape(rows, -1) for side in (own, their)]
    offs = [OFF_UNITS.take(CHECKERS - side.sum(axis=1, dtype=np.int64), 0) for side in (own, their)]
    return np.concatenate([*sides, *offs, tactics_of(states)], axis=1)
