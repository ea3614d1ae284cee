"""Match equity tables: the chance to win a match, by the points that each side still needs.

A table has two parts. M(a, b) is the winning chance of a side a-away against a side b-away
before a game that is not post-Crawford; so the row of 1-away is for the Crawford game. P(n) is
the winning chance of a side n-away against a side 1-away before a post-Crawford game. After a
game, the next game is looked up in P if the game was the Crawford game or later, else in M.

Tables in files end at 15 or 25 points. They are extended to 64 points as in GNU Backgammon: M
by D. Montgomery's normal distribution of the points still to come, P by the recursion
P(n) = 0.125 P(n - 4) + 0.375 P(n - 2), in which a quarter of all wins are gammons.

*Equity in a match* is the match winning chance on a scale where losing the game at the present
cube is -1 and winning it is +1. It is called normalized equity, or EMG: equivalent to money game.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.checks import is_real, is_whole, shown
from gammon.base.errors import FormatError, SettingError
from gammon.compiled.records import Float64Vector
from gammon.rules.terms import LONGEST_MATCH, N_PARAMS, PAYOFFS, THEIR_PAYOFFS, Score, Terms, write_params

Floats = npt.NDArray[np.float64]

#: D. Montgomery's standard deviations of a game's points for a side 1-away, 2-away, ...
_DEVIATIONS = (1.24, 1.27, 1.47, 1.50, 1.60, 1.61, 1.66, 1.68, 1.70, 1.72)
_DEVIATION_BEYOND = 1.77
#: A lead of this many standard deviations counts as certain.
_CERTAIN = 6.0
#: The largest deviation of the two sides' chances in a file from a sum of 1, as from a misprint.
_SUM_TOLERANCE = 0.005


@dataclass(frozen=True, eq=False, repr=False)
class MatchEquityTable:
    """The chance to win a match at every score of matches to 64 points.

    Two tables with the same name and numbers are equal, whatever their source. A table whose
    arrays are writable is equal only to itself.

    Attributes:
        name: the name of the table.
        main: float64 [64, 64], at [a - 1, b - 1] the chance M(a, b) of a side that needs a points,
            where the other needs b; M(a, b) + M(b, a) = 1.
        post_crawford: float64 [64], at [n - 1] the chance P(n) of a side that needs n points after the
            Crawford game.
        length: the points up to which M comes from a file.
    """

    name: str
    main: Floats
    post_crawford: Floats
    length: int

    def __post_init__(self) -> None:
        """Check the properties on which kernels rely.

        Raises:
            SettingError: an array is not as described, or has a number that is not a chance.
            FormatError: a side that needs more points has the better chances.
        """
        for part, chances, shape in (
            ("M", self.main, (LONGEST_MATCH, LONGEST_MATCH)),
            ("P", self.post_crawford, (LONGEST_MATCH,)),
        ):
            right = isinstance(chances, np.ndarray) and chances.dtype == np.float64
            right = right and chances.shape == shape and chances.flags.c_contiguous
            if not right or not ((chances >= 0.0) & (chances <= 1.0)).all():
                raise SettingError(
                    f"match equity table {shown(self.name)}: {part} is {shown(chances)}; "
                    f"expected chances, float64 of shape {shape} in C order, as "
                    "`MatchEquityTable.extended` makes them"
                )
        _check_order(self.post_crawford[:, None], " post-Crawford")
        _check_order(self.main)

    @classmethod
    def _complete(cls, name: str, main: Floats, post_crawford: Floats, length: int) -> "MatchEquityTable":
        """Make the arrays read-only, and return a table with them."""
        for numbers in (main, post_crawford):
            numbers.setflags(write=False)
        return cls(name, main, post_crawford, length)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by `_complete`, because unpickled arrays would be writable."""
        return self._complete, (self.name, self.main, self.post_crawford, self.length)

    @classmethod
    def extended(
        cls, name: str, main: Sequence[Sequence[float]], post_crawford: Sequence[float]
    ) -> "MatchEquityTable":
        """Return the table of a file, extended to 64 points.

        Args:
            name: the name of the table.
            main: N rows of N chances M(a, b), N from 1 to 64.
            post_crawford: at least N - 1 chances P(1), P(2), ... If N is below 64, the
                chances from P(N) on are not used.

        Raises:
            FormatError: a number is missing, or is not a chance; both sides' chances do not
                sum to 1; or a side that needs more points has the better chances.
        """
        size = len(main)
        _check_sizes(size, main, post_crawford)
        chances = np.array(main, np.float64)
        sums = chances + chances.T
        for a, b in np.argwhere(~(abs(sums - 1.0) <= _SUM_TOLERANCE))[:1].tolist():
            raise FormatError(
                f"{chances[a, b]} at {a + 1}-away {b + 1}-away and {chances[b, a]} at {b + 1}-"
                f"away {a + 1}-away: expected a sum of 1, for players of equal strength"
            )
        last = LONGEST_MATCH if size == LONGEST_MATCH else size - 1
        after_crawford = list(post_crawford[:last])
        while len(after_crawford) < LONGEST_MATCH:
            two, four = (after_crawford[-n] if len(after_crawford) >= n else 1.0 for n in (2, 4))
            after_crawford.append(0.125 * four + 0.375 * two if after_crawford else 0.5)
        evened = np.where(abs(sums - 1.0) < 1e-9, chances, 0.5 * (1.0 + chances - chances.T))
        return cls._complete(name, _extend(evened), np.array(after_crawford), size)

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of `extended` that make this table, as plain JSON values."""
        size = self.length
        main, post_crawford = self.main[:size, :size], self.post_crawford[:size]
        return {"name": self.name, "main": main.tolist(), "post_crawford": post_crawford.tolist()}

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        if self.main.flags.writeable or self.post_crawford.flags.writeable:
            return (id(self),)
        return self.name, self.length, self.main.tobytes(), self.post_crawford.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MatchEquityTable) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def mwc(self, own: int, their: int, post_crawford: bool = False) -> float:
        """Return the chance to win a match before a game: from 0 to 1.

        Args:
            own: points that the side still needs; the match is won at 0 or fewer.
            their: points that the other side still needs.
            post_crawford: whether it is a game after the Crawford game. A side is 1-away then.

        Raises:
            SettingError: the points are not whole numbers; a side needs more than 64 of them;
                or neither side is 1-away in a game after the Crawford game.
        """
        if not is_whole(own) or not is_whole(their):
            raise SettingError(f"{shown(own)}-away {shown(their)}-away: expected whole numbers of points")
        if own <= 0 or their <= 0:
            return float(own <= 0)
        wanted = f"{LONGEST_MATCH} at most" if max(own, their) > LONGEST_MATCH else ""
        if post_crawford and min(own, their) > 1:
            wanted = "a side 1-away post-Crawford"
        if wanted:
            raise SettingError(f"{own}-away {their}-away: expected {wanted}")
        if not post_crawford:
            return float(self.main[own - 1, their - 1])
        if own == 1:
            return 1.0 - float(self.post_crawford[their - 1])
        return float(self.post_crawford[own - 1])

    def before(self, score: Score) -> float:
        """Return the chance of side 0 to win the match before a game.

        Args:
            score: the score of a match; if the match is over, the chance is 0 or 1.
        """
        own, their = (score.length - points for points in score.points)
        post_crawford = 1 in (own, their) and not score.crawford and min(own, their) > 0
        return self.mwc(own, their, post_crawford)

    def after(self, terms: Terms, points: int) -> float:
        """Return the chance of the player on roll to win the match after this game.

        Args:
            terms: the terms of a match, before the game ends.
            points: the points that the player on roll wins; if negative, the opponent wins them.
        """
        own, their = terms.away
        post_crawford = terms.crawford or 1 in terms.away
        return self.mwc(own - max(points, 0), their - max(-points, 0), post_crawford)

    def point(self, terms: Terms) -> float:
        """Return the chance to win the match that an equity, EMG, of 1 is worth."""
        return 0.5 * (self.after(terms, terms.cube) - self.after(terms, -terms.cube))

    def emg(self, mwc: float, terms: Terms) -> float:
        """Return the equity, EMG, of a chance to win the match, at the cube of `terms`.

        It is 0 at a score at which winning and losing the game are worth the same.
        """
        win, lose = self.after(terms, terms.cube), self.after(terms, -terms.cube)
        return (2.0 * mwc - win - lose) / (win - lose) if win > lose else 0.0

    def mwc_of_emg(self, equity: float, terms: Terms) -> float:
        """Return the chance to win the match with this equity, EMG: the inverse of `emg`."""
        win, lose = self.after(terms, terms.cube), self.after(terms, -terms.cube)
        return 0.5 * (win + lose + equity * (win - lose))

    def __repr__(self) -> str:
        return f"<MatchEquityTable {self.name}, {self.length} points>"


def _check_sizes(size: int, main: Sequence[Sequence[float]], post_crawford: Sequence[float]) -> None:
    """Raise a FormatError unless all rows have the right length and all numbers are chances."""
    if not 1 <= size <= LONGEST_MATCH:
        raise FormatError(f"{size} rows: expected 1 to {LONGEST_MATCH}")
    for a, row in enumerate(main, 1):
        if len(row) != size:
            raise FormatError(f"row {a} of {len(row)} numbers: expected {size}")
    if len(post_crawford) < size - 1:
        raise FormatError(
            f"{len(post_crawford)} numbers for post-Crawford games: expected {size - 1} or more"
        )
    for row in (*main, post_crawford):
        for number in row:
            if not is_real(number) or not 0.0 <= number <= 1.0:
                text = f"{number:g}" if is_real(number) else shown(number)
                raise FormatError(f"{text}: expected a chance from 0 to 1")


def _check_order(chances: Floats, when: str = "") -> None:
    """Raise a FormatError if a side that needs more points has the better chances.

    Args:
        chances: float64 [N, K], a-away in row a - 1, against b-away in column b - 1.
        when: words to add after the score in the error message.
    """
    for a, b in np.argwhere(np.diff(chances, axis=0) > 0.0)[:1].tolist():
        raise FormatError(
            f"{chances[a + 1, b]:g} at {a + 2}-away {b + 1}-away{when}: expected no more than "
            f"the {chances[a, b]:g} at {a + 1}-away"
        )


def _extend(known: Floats) -> Floats:
    """Extend the known part [N, N] of M to [64, 64]; needing more points never helps."""
    size = len(known)
    main = np.empty((LONGEST_MATCH, LONGEST_MATCH))
    main[:size, :size] = known
    for a in range(size + 1, LONGEST_MATCH + 1):
        for b in range(1, a + 1):
            chance = _trailing(a, b)
            if b < a:
                chance = min(chance, main[a - 2, b - 1])
            main[a - 1, b - 1], main[b - 1, a - 1] = chance, 1.0 - chance
    return main


def _trailing(a: int, b: int) -> float:
    """Return the chance of a side a-away against a side b-away, a >= b."""
    deviation = math.hypot(_deviation(a), _deviation(b)) * math.sqrt(0.5 * (a + b))
    behind = (a - b) / deviation
    return max(_normal(-behind) - _normal(-_CERTAIN), 0.0) if a > b else 0.5


def _deviation(away: int) -> float:
    return _DEVIATIONS[away - 1] if away <= len(_DEVIATIONS) else _DEVIATION_BEYOND


def _normal(x: float) -> float:
    """Return the chance that a standard normal number is below x."""
    return 0.5 * math.erfc(-x * math.sqrt(0.5))


class Difference(NamedTuple):
    """The difference of two tables, in chances to win the match.

    Attributes:
        root_mean_square: over all scores of a match, before and after the Crawford game, at which the
            sides need different numbers; at equal scores both have 1/2.
        largest: the largest difference, with its sign.
        own: the points that the side needs at the largest difference.
        their: the points that the other side needs there.
        post_crawford: whether that is after the Crawford game.
    """

    root_mean_square: float
    largest: float
    own: int
    their: int
    post_crawford: bool


def difference(a: MatchEquityTable, b: MatchEquityTable, length: int) -> Difference:
    """Return the difference of two tables over the scores of matches to `length` points, at least 2."""
    own, their = np.triu_indices(length, 1)  # the other scores are the same ones, seen from the other side
    before, after = (a.main - b.main)[own, their], (a.post_crawford - b.post_crawford)[1 : length - 1]
    apart = np.concatenate([before, after])
    at, root_mean_square = int(np.argmax(np.abs(apart))), float(np.sqrt(np.mean(apart**2)))
    if at >= len(before):
        return Difference(root_mean_square, float(apart[at]), at - len(before) + 2, 1, True)
    return Difference(root_mean_square, float(apart[at]), int(own[at]) + 1, int(their[at]) + 1, False)


def params_of(terms: Terms, table: MatchEquityTable | None = None) -> Float64Vector:
    """Return the parameters of a search that begins with these terms, float64 [90].

    Args:
        terms: the terms of the player on roll, who is the first player.
        table: the match equity table; not needed for money.
    """
    params = np.zeros(N_PARAMS)
    main, post_crawford = np.zeros((1, 1)), np.zeros(1)
    if terms.length:
        assert table is not None, "a match has a table"
        main, post_crawford = table.main.copy(), table.post_crawford.copy()
    rules = terms.length, *terms.away, terms.crawford, terms.jacoby, terms.beavers, terms.live
    write_params(np.array(rules, np.int64), main, post_crawford, params)
    if terms.payoffs is not None:
        paid = terms.payoffs.ascending
        params[PAYOFFS : PAYOFFS + len(paid)] = paid
        params[THEIR_PAYOFFS : THEIR_PAYOFFS + len(paid)] = -paid[::-1]
    return params
