"""Worth: a game with its stakes for one player, and the units in which people read values."""

from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from gammon.base.checks import shown
from gammon.base.errors import SettingError
from gammon.eval.equity import results_of_cumulative
from gammon.formats.met_file import read_met
from gammon.games.backgammon import backgammon
from gammon.games.cubeful import cubeful_backgammon
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.outcome import POINTS
from gammon.rules.stakes import Stakes
from gammon.rules.terms import Terms
from gammon.search import Game

__all__ = ["Worth", "checked_terms"]

#: A number, or an array of numbers.
Values = TypeVar("Values", float, npt.NDArray[np.float64])


def checked_terms(terms: object) -> Terms:
    """Return what is at stake, after a check.

    Raises:
        SettingError: these are not terms; see also `Terms.checked`.
    """
    if not isinstance(terms, Terms):
        raise SettingError(f"terms {shown(terms)}: expected a gammon.Terms")
    return terms.checked()


@lru_cache(4096)
def _game(terms: Terms, met: MatchEquityTable | None) -> Game:
    return cubeful_backgammon(terms, met)


class Worth(NamedTuple):
    """A game as the player sees it who is on roll, or who decides, where a search begins.

    A search has values in a unit of its own: with the cube, points per unit of the cube, or
    twice the chance to win the match, less 1. *Equities* are what people read: points of the
    cube, or in a match EMG (see `gammon.rules.match_equity`); cubeless, the unit of the stakes.

    Attributes:
        game: what is searched.
        stakes: what results are worth to the player; None with the cube.
        terms: what is at stake for the player, or None: cubeless.
        met: the match equity table, in a match.
    """

    game: Game
    stakes: Stakes | None
    terms: Terms | None
    met: MatchEquityTable | None

    @classmethod
    def cubeless(cls, stakes: Stakes) -> "Worth":
        """Return that of results with these stakes."""
        return cls(backgammon(stakes), stakes, None, None)

    @classmethod
    def cubeful(cls, terms: Terms, met: MatchEquityTable | None = None) -> "Worth":
        """Return that of a game with the cube.

        Args:
            terms: what is at stake.
            met: the match equity table, which counts in a match; Kazaross-XG2 unless given.

        Raises:
            SettingError: see `Terms.checked`.
        """
        table = (met or read_met()) if terms.length else None
        return cls(_game(terms, table), None, terms, table)

    @property
    def unit(self) -> float:
        """The difference of values that is a difference of equities of 1."""
        return self._scale()[1]

    def _scale(self) -> tuple[float, float]:
        """Return the value of an equity of 0, and how much more an equity of 1 is."""
        if self.terms is None or self.met is None:
            return 0.0, 1.0
        cube = self.terms.cube
        win, lose = self.met.after(self.terms, cube), self.met.after(self.terms, -cube)
        # At a score where winning and losing come to the same, any unit does.
        return win + lose - 1.0, (win - lose) or 1.0

    def turned(self) -> "Worth":
        """Return what is at stake as the opponent sees it."""
        return Worth(
            self.game.turned(),
            None if self.stakes is None else self.stakes.turned(),
            None if self.terms is None else self.terms.turned(),
            self.met,
        )

    def mwc(self, value: Values) -> Values | None:
        """Return the chance to win the match that a value stands for; None out of a match."""
        return None if self.met is None else 0.5 * (1.0 + value)

    def equity(self, value: Values) -> Values:
        """Return the equity that a value stands for."""
        zero, unit = self._scale()
        return (value - zero) / unit

    def without_cube(self, chances: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the equities [...] of chances [..., 5] if the cube stays as it is to the end.

        Args:
            chances: as `gammon.Probabilities`, of the player.
        """
        results: npt.NDArray[Any] = results_of_cumulative(np.asarray(chances, np.float64))
        # Not by `@`: the last bits of that are those of a processor's BLAS.
        found: npt.NDArray[np.float64] = (results * self._worths()).sum(axis=-1)
        return found

    def _worths(self) -> npt.NDArray[np.float64]:
        """Return the equities of the six results, float64 [6]."""
        if self.terms is None:
            assert self.stakes is not None, "cubeless, there are stakes"
            return self.stakes.worth
        if self.met is None:
            gammons = not self.terms.jacoby or self.terms.owner != 0
            return POINTS.astype(np.float64) if gammons else np.sign(POINTS).astype(np.float64)
        points = (POINTS * self.terms.cube).astype(int).tolist()
        chances = np.array([self.met.after(self.terms, each) for each in points])
        return self.equity(2.0 * chances - 1.0)
