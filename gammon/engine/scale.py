"""A scale: the game at its terms for one player, and the units in which people read values."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from gammon.base.checks import shown
from gammon.base.errors import SettingError
from gammon.core.values import scale_at, without_cube, write_worths
from gammon.formats.met_file import read_met
from gammon.games.backgammon import backgammon
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.outcome import N_RESULTS
from gammon.rules.terms import MONEY_TERMS, Terms
from gammon.search import Game

#: A number, or an array of numbers.
Values = TypeVar("Values", float, npt.NDArray[np.float64])


def checked_terms(terms: object) -> Terms:
    """Return what is at stake, after a check.

    Raises:
        SettingError: these are not terms; see also `Terms.checked`.
    """
    if terms is MONEY_TERMS:  # as mostly: a check takes longer than it looks
        return MONEY_TERMS
    if not isinstance(terms, Terms):
        raise SettingError(f"terms {shown(terms)}: expected a gammon.Terms")
    return terms.checked()


def by_terms(terms: Sequence[Terms]) -> dict[Terms, list[int]]:
    """Return the numbers of those boards that can be searched together, by their terms.

    Values for money are per unit of the cube, so that only its owner tells terms apart.

    Args:
        terms: N, those of the player on roll on each board.
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
    """A game as the player sees it who is on roll, or who decides, where a search begins.

    A search has values in a unit of its own: points per unit of the cube, or twice the chance
    to win the match, less 1. *Equities* are what people read: points of the cube, in a match
    EMG (see `gammon.rules.match_equity`), and without the cube the unit of the payoffs.

    Attributes:
        game: what is searched.
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
            met: the match equity table, which counts in a match; Kazaross-XG2 unless given.

        Raises:
            SettingError: see `Terms.checked`.
        """
        table = (met or read_met()) if terms.length else None
        return cls(_game(terms, table), terms, table)

    @property
    def has_exact_ends(self) -> bool:
        """Whether the exact tables of bearoffs say what games are worth that end there.

        In a match they give no value with the cube, but its efficiency.
        """
        return not self.terms.length or self.terms.dead

    @property
    def unit(self) -> float:
        """The difference of values that is a difference of equities of 1."""
        return self._scale[1]

    @cached_property
    def _scale(self) -> tuple[float, float]:
        """The value of an equity of 0, and how much more an equity of 1 is."""
        scale: tuple[float, float] = scale_at(self.game.stake, self.game.params)
        return scale

    @cached_property
    def _worths(self) -> npt.NDArray[np.float64]:
        """The equities of the six results, float64 [6]."""
        worths = np.empty(N_RESULTS)
        write_worths(self.game.stake, self.game.params, worths)
        return worths

    def turned(self) -> "Scale":
        """Return what is at stake as the opponent sees it."""
        return Scale(self.game.turned(), self.terms.turned(), self.met)

    def mwc(self, value: Values) -> Values | None:
        """Return the chance to win the match that a value stands for; None out of a match.

        The sums of a search are rounded, and the mean of games has an error. So a value may be
        beyond what is certain; its chance is not.
        """
        if self.met is None:
            return None
        chance = 0.5 * (1.0 + value)
        if isinstance(chance, float):
            return min(max(chance, 0.0), 1.0)
        return chance.clip(0.0, 1.0)

    def equity(self, value: Values) -> Values:
        """Return the equity that a value stands for."""
        zero, unit = self._scale
        return (value - zero) / unit

    def without_cube(self, chances: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the equities [N] of chances [N, 5] if the cube stays as it is to the end.

        Args:
            chances: as `gammon.Probabilities`, of the player.
        """
        equities = np.empty(len(chances))
        without_cube(np.ascontiguousarray(chances), self._worths, equities)
        return equities
