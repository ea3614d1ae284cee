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

The first layer of a network is linear in these, so it is a sum of table rows, one per place and
count (`gammon.eval.integers`), and is updated by differences.

The other features, such as `own.shots`, depend on several points: `gammon.eval.tactics`
computes them as whole numbers, and `UNITS` there scales the numbers to features. A network may
do without all of these.

The network in integers has *numbers* for inputs besides the counts: the features of
`gammon.eval.tactics` as whole numbers, and whether a side has borne off a checker. `NUMBERS` has
their order, what one unit of each adds to its feature, and the maximum of each. Two differ from the
features:

* A *loss* in pips has two digits, `loss_high` x 32 + `loss_low`. Rounding the weight of a number
  causes an error that grows with the number, so no number may be large.
* `contact` occurs once, because both sides have the same.

The maximum of each, over all positions, including positions in which a side has no checker left:

    off, anchor     1 (yes or no)
    shots, escape   36, the rolls; `escape` is 36 only without contact, else at most 23
    loss            809: the best hit of a roll is at least the smaller die away from a place
                    that is at most 25; summed over all rolls that leaves 36 x 25 - 91
    loss_low        31, the digit below 32; so `loss_high` is 25
    prime           7: each of its points takes two of 15 checkers
    block           6, the points that are counted
    contact         25: each rearmost place is at most 25, so their sum less 25 is, too
    behind          15, the checkers
    mobility        90: at most 15 places, each with six dice (15 blots from point 7 on have it)
"""

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.compiled.records import Float64Matrix
from gammon.eval.tactics import AT, N_TACTICS, UNITS, SideNumbers, tactics_of
from gammon.rules.board import CHECKERS, OWN_BAR, SIZE, Rows


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


class Number(NamedTuple):
    """One number that a network uses, and its range.

    Attributes:
        name: name of the number.
        features: names of the features that it replaces.
        share: what one unit of the number adds to these features.
        most: its maximum over all positions; the minimum is 0.
        mean: its approximate mean in a game, for the player on roll.
        spread: approximate root mean square distance from that mean.
    """

    name: str
    features: tuple[str, ...]
    share: float
    most: int
    mean: int
    spread: float


#: The base of the two digits of a loss.
_BASE = 32

#: For each number of a side: its feature, share and maximum, and the mean and spread in 94,000
#: successors of self-play positions, first of the player on roll, then of the opponent.
_OF_A_SIDE = {
    "shots": ("shots", 1 / UNITS.shots, 36, (16, 13.5), (11, 15.0)),
    "loss_high": ("loss", _BASE / UNITS.loss, 25, (6, 6.0), (2, 3.0)),
    "loss_low": ("loss", 1 / UNITS.loss, 31, (11, 10.5), (5, 9.0)),
    "escape": ("escape", 1 / UNITS.escape, 36, (16, 10.0), (18, 9.5)),
    "prime": ("prime", 1 / UNITS.prime, 7, (2, 1.5), (2, 1.5)),
    "block": ("block", 1 / UNITS.block, 6, (2, 1.5), (2, 1.5)),
    "behind": ("behind", 1 / UNITS.behind, 15, (8, 6.0), (10, 6.0)),
    "mobility": ("mobility", 1 / UNITS.mobility, 90, (16, 12.0), (28, 9.0)),
    "anchor": ("anchor", 1 / UNITS.anchor, 1, (0, 0.5), (0, 0.5)),
}

#: The numbers in their order. A network that sees only counts has the first `N_OFFS` of them.
NUMBERS = (
    *(Number(f"{side}.off", (f"{side}.off.2",), 1.0, 1, 0, 0.5) for side in _SIDES),
    *(
        Number(f"{side}.{name}", (f"{side}.{feature}",), share, most, *typical[opponent])
        for opponent, side in enumerate(_SIDES)
        for name, (feature, share, most, *typical) in _OF_A_SIDE.items()
    ),
    Number("contact", ("own.contact", "their.contact"), 1 / UNITS.contact, 25, 13, 8.5),
)
#: The number of numbers, the first ones, about checkers borne off.
N_OFFS = len(_SIDES)


def numbers_of(rows: Rows) -> npt.NDArray[np.int16]:
    """Return the numbers of positions int8 [N, 26], int16 [N, Q], in the order of `NUMBERS`."""
    states = np.asarray(rows, np.int8).reshape(-1, SIZE)
    units = np.tile(np.array(UNITS, np.float32), len(_SIDES))
    whole = np.rint(tactics_of(states) * units).astype(np.int16)
    by_name: dict[str, npt.NDArray[np.int16]] = {}
    for opponent, side in enumerate(_SIDES):
        checkers = np.maximum(-states if opponent else states, 0).sum(axis=1)
        by_name[f"{side}.off"] = (checkers < CHECKERS).astype(np.int16)
        half = N_TACTICS // 2
        tactical = whole.T[opponent * half : (opponent + 1) * half]
        for name, number in zip(SideNumbers._fields, tactical, strict=True):
            by_name[f"{side}.{name}"] = number
        by_name[f"{side}.loss_high"] = by_name[f"{side}.loss"] // _BASE
        by_name[f"{side}.loss_low"] = by_name[f"{side}.loss"] % _BASE
    by_name["contact"] = by_name["own.contact"]
    return np.stack([by_name[number.name] for number in NUMBERS], axis=1)


def weights_of(first: Float64Matrix) -> Float64Matrix:
    """Return the weights [Q, S] of the numbers in S sums.

    Args:
        first: [N_COUNTS or N_FEATURES, S], the weights of the features.

    Returns:
        The weights of the first `N_OFFS` numbers, or of all numbers if `first` has all features.
    """
    used = NUMBERS if len(first) == len(NAMES) else NUMBERS[:N_OFFS]
    rows = [sum(first[NAMES.index(name)] for name in number.features) for number in used]
    return np.stack([row * number.share for row, number in zip(rows, used, strict=True)])
