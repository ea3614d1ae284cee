"""The bearoff tables' answer for a position: chances, and the rolls that each side needs."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gammon.answers.play import check_in_play
from gammon.base.errors import IllegalPositionError
from gammon.compiled.kernel import load
from gammon.eval.bearoff import N_TWO_SIDED, ROLLS_KEPT, at_home, chances, rank_of
from gammon.eval.bearoff_file import CHANCES
from gammon.eval.equity import Probabilities, cumulative
from gammon.formats.position import Position
from gammon.rules.board import CHECKERS
from gammon.rules.dice import PROBABILITIES, ROLLS

__all__ = ["PIPS_A_ROLL", "Bearoff", "Side", "bearoff"]

#: The mean pips of a roll, 49/6: a double counts four times.
PIPS_A_ROLL = float(
    PROBABILITIES @ [(4 if high == low else 2) * (high + low) / 2 for high, low in ROLLS]
)


@dataclass(frozen=True)
class Side:
    """One side's race, played so that the mean number of rolls is least.

    Attributes:
        checkers: how many it has left.
        pips: its pip count.
        rolls: the chances that its last checker is off after exactly 1, 2, ... 32 rolls.
    """

    checkers: int
    pips: int
    rolls: tuple[float, ...]

    @property
    def mean_rolls(self) -> float:
        """The mean number of rolls to bear off all checkers."""
        return float(np.arange(1, len(self.rolls) + 1) @ self.rolls)

    @property
    def epc(self) -> float:
        """The effective pip count: the mean rolls, in pips of a mean roll."""
        return PIPS_A_ROLL * self.mean_rolls

    @property
    def wastage(self) -> float:
        """The effective pips beyond the pip count."""
        return self.epc - self.pips


@dataclass(frozen=True)
class Bearoff:
    """The answer of the tables for a position before the roll.

    Attributes:
        position: where all checkers of both sides are at home or off.
        probabilities: of the player on roll, without the cube.
        exact: whether these are the chances of best play; otherwise each side only races.
        own: the side of the player on roll.
        their: the opponent's side.
    """

    position: Position
    probabilities: Probabilities
    exact: bool
    own: Side
    their: Side

    @property
    def equity(self) -> float:
        """The mean payoff to the player on roll, cubeless, for money."""
        return self.probabilities.equity


def bearoff(position: Position) -> Bearoff:
    """Return what the bearoff tables say of a position.

    Args:
        position: seen from the player on roll; its dice are not looked at.

    Raises:
        IllegalPositionError: the game is over, or a checker is not at home.
        GammonError: the tables cannot be kept anywhere.
    """
    check_in_play(position)
    load(at_home, chances, rank_of)
    state = np.array(position.points, np.int8)
    if not (at_home(state, False) and at_home(state, True)):
        raise IllegalPositionError(
            f"{position.position_id!r}: a checker is outside its home board; expected all "
            "checkers of both sides on their points 1 to 6, or off"
        )
    flat = CHANCES.tables()
    results = np.empty(6, np.float32)
    chances(state, flat, 0, results)
    ranks = rank_of(state, False), rank_of(state, True)
    own, their = (
        Side(CHECKERS - off, pips, _rolls(flat, rank))
        for off, pips, rank in zip(position.off, position.pips, ranks, strict=True)
    )
    chance = Probabilities(*cumulative(results.astype(np.float64)).tolist())
    return Bearoff(position, chance, max(ranks) < N_TWO_SIDED, own, their)


def _rolls(flat: npt.NDArray[np.float32], rank: int) -> tuple[float, ...]:
    """Return the chances of 1, 2, ... rolls from the table of all off, which comes first."""
    return tuple(flat[rank * ROLLS_KEPT : (rank + 1) * ROLLS_KEPT].tolist())
