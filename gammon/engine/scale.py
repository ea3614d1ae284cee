"""A scale: a game at one player's terms, and conversions from its values to equities."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from gammon.base.checks import shown
from gammon.base.errors import SettingError
from gammon.core.values import scale_at, without_cube, write_result_equities
from gammon.formats.met_file import read_met
from gammon.games.backgammon import backgammon
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.outcome import N_RESULTS
from gammon.rules.terms import MONEY_TERMS, Terms
from gammon.search import Game

#: A number, or an array of numbers.
Values = TypeVar("Values", float, npt.NDArray[np.float64])


def checked_terms(terms: object) -> Terms:
    """Return terms unchanged, after a check.

    Raises:
        SettingError: the argument is not terms; see also `Terms.checked`.
    """
    if terms is MONEY_TERMS:  # the usual case; the check is slow
        return MONEY_TERMS
    if not isinstance(terms, Terms):
        raise SettingError(f"terms {shown(terms)}: expected a gammon.Terms")
    return terms.checked()


def by_terms(terms: Sequence[Terms]) -> dict[Terms, list[int]]:
    """Group boards that can be searched together: their indices by terms.

    Values for money are per unit of the cube, so there only the owner of the cube matters.

    Args:
        terms: N, the terms of the player on roll on each board.
    """
    groups: dict[Terms, list[int]] = {}
    for number, at in enumerate(terms):
        key = at if at.length else at._replace(cube=2 if at.owner else 1)
        groups.setdefault(key, []).append(number)
    return groups


@lru_cache(4096)
def _game(terms: Terms, met: MatchEquityTable | None) -> Game:
    return backgammon(terms, met)


@dataclass(frozen=True, eq=False)
class Scale:
    """A game seen from the player who is on roll, or who decides, at the root of a search.

    The *values* of a search are points per unit of the cube, or in a match twice the chance to
    win it, less 1. *Equities* are what people read: points of the cube, in a match EMG (see
    `gammon.rules.match_equity`), and without the cube the unit of the payoffs.

    Attributes:
        game: the game to search.
        terms: what is at stake for the player.
        met: the match equity table, in a match.
    """

    game: Game
    terms: Terms
    met: MatchEquityTable | None

    @classmethod
    def at(cls, terms: Terms, met: MatchEquityTable | None = None) -> "Scale":
        """Return the scale of a game at its terms.

        Args:
            terms: what is at stake.
            met: the match equity table, used in a match; Kazaross-XG2 unless given.

        Raises:
            SettingError: see `Terms.checked`.
        """
        table = (met or read_met()) if terms.length else None
        return cls(_game(terms, table), terms, table)

    @property
    def has_exact_ends(self) -> bool:
        """Whether the exact bearoff tables have the values of games that end there.

        In a match with a live cube they give only the cube efficiency.
        """
        return not self.terms.length or self.terms.dead

    @property
    def unit(self) -> float:
        """The difference in values that equals a difference of 1 in equity."""
        return self._scale[1]

    @cached_property
    def _scale(self) -> tuple[float, float]:
        """The value at equity 0, and the value at equity 1 less that."""
        scale: tuple[float, float] = scale_at(self.game.stake, self.game.params)
        return scale

    @cached_property
    def _payoff_equities(self) -> npt.NDArray[np.float64]:
        """The equities of the six results, float64 [6]."""
        equities = np.empty(N_RESULTS)
        write_result_equities(self.game.stake, self.game.params, equities)
        return equities

    def for_opponent(self) -> "Scale":
        """Return the scale as the opponent sees it."""
        return Scale(self.game.for_opponent(), self.terms.for_opponent(), self.met)

    def mwc(self, value: Values) -> Values | None:
        """Convert a value to a chance to win the match; None outside of a match.

        Rounding in a search, or the error of a rollout, may put a value beyond certainty; the
        chance is clipped to 0..1.
        """
        if self.met is None:
            return None
        chance = 0.5 * (1.0 + value)
        if isinstance(chance, float):
            return min(max(chance, 0.0), 1.0)
        return chance.clip(0.0, 1.0)

    def equity(self, value: Values) -> Values:
        """Convert a value to an equity."""
        zero, unit = self._scale
        return (value - zero) / unit

    def without_cube(self, chances: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the equities [N] of chances [N, 5] if the cube stays as it is to the end.

        Args:
            chances: the player's, with columns as in `gammon.Probabilities`.
        """
        equities = np.empty(len(chances))
        without_cube(np.ascontiguousarray(chances), self._payoff_equities, equities)
        return equities
