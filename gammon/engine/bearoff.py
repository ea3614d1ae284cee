"""The answer for a race, without a search: chances, and the rolls that each side needs."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from gammon.base.errors import IllegalPositionError
from gammon.compiled.kernel import load
from gammon.compiled.records import Float32Vector
from gammon.eval.bearoff import N_NUMBERS, ROLLS_KEPT, chances
from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.equity import Probabilities, cumulative
from gammon.eval.race import MOST_BACK, SCRATCH, SIDE, is_race, race_chances
from gammon.eval.race_network import race_block
from gammon.eval.race_tables import FEW
from gammon.formats.play import check_in_play
from gammon.formats.position import Position
from gammon.rules.board import CHECKERS, has_contact
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.home import N_TWO_SIDED, at_home, rank_of

#: The mean pips of a roll, 49/6: a double counts four times.
PIPS_A_ROLL = float(PROBABILITIES @ [(4 if high == low else 2) * (high + low) / 2 for high, low in ROLLS])
#: The largest chance that a side needs 32 rolls or more. Its mean rolls are right to 0.02 then.
_MOST_LONGER = 0.02


@dataclass(frozen=True)
class Side:
    """One side's race, played so that the mean number of rolls is least.

    Attributes:
        checkers: how many it has left.
        pips: its pip count.
        rolls: the chances that its last checker is off after exactly 1, 2, ... 31 rolls, and after 32
            or more.
        exact: whether `rolls` come from exact tables: all its checkers are at home, or it has at
            most three. Otherwise `rolls` are a network's estimate, and so are mean rolls, EPC
            and wastage. In a sample of races the mean rolls had a root-mean-square error of
            0.02, and 0.1 at most.
    """

    checkers: int
    pips: int
    rolls: tuple[float, ...]
    exact: bool

    @property
    def mean_rolls(self) -> float:
        """The mean number of rolls to bear off all checkers."""
        return float(np.arange(1, len(self.rolls) + 1) @ self.rolls)

    @property
    def epc(self) -> float:
        """The effective pip count: mean rolls times the mean pips of a roll."""
        return PIPS_A_ROLL * self.mean_rolls

    @property
    def wastage(self) -> float:
        """The effective pips beyond the pip count."""
        return self.epc - self.pips


@dataclass(frozen=True)
class Bearoff:
    """The answer for a race before the roll.

    Attributes:
        position: a position without contact.
        probabilities: of the player on roll, without the cube.
        exact: whether these are the chances of best play; otherwise each side minimizes its
            mean rolls. If the rolls of a side are estimates, the chances are, too: in a sample of
            races the chance to win had a root-mean-square error of 0.01, and 0.06 at most.
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

    @property
    def estimated(self) -> bool:
        """Whether the chances rest on rolls that are estimates."""
        return not (self.own.exact and self.their.exact)


@cache
def _tables() -> Float32Vector:
    """Return the tables without the cube: reading their file takes much longer than an answer."""
    return bearoff_tables()[:N_NUMBERS]


def bearoff(position: Position) -> Bearoff:
    """Return the chances of a race, and the rolls that each side needs.

    Args:
        position: seen from the player on roll; its dice are ignored.

    Raises:
        IllegalPositionError: the game is over, there is contact, a side has more checkers in the
            other's home than the tables of races cover, or it often needs more than 31 rolls.
        GammonError: no folder can store the tables.
    """
    check_in_play(position)
    load(at_home, chances, rank_of, is_race, race_chances)
    state = np.array(position.points, np.int8)
    if has_contact(position.points):
        raise IllegalPositionError(
            f"{position.position_id!r}: the sides have contact; expected a race, in which no "
            "checker can be hit any more"
        )
    if not is_race(state):
        raise IllegalPositionError(
            f"{position.position_id!r}: a side too far behind; expected {MOST_BACK} checkers "
            "in the other's home at most"
        )
    flat = _tables()
    results = np.empty(6, np.float32)
    ranks = rank_of(state, False), rank_of(state, True)
    homes = at_home(state, False), at_home(state, True)
    if all(homes):
        chances(state, flat, 0, results)
        rolls = [_rolls(flat[rank * ROLLS_KEPT :]) for rank in ranks]
    else:
        tables, scratch = np.concatenate([flat, race_block()]), np.zeros(SCRATCH, np.float32)
        race_chances(state, tables, 0, flat.size, False, scratch, results)
        rolls = [_rolls(scratch), _rolls(scratch[SIDE:])]
    if max(numbers[-1] for numbers in rolls) > _MOST_LONGER:
        raise IllegalPositionError(
            f"{position.position_id!r}: too long a race; expected sides that need at most "
            f"{ROLLS_KEPT - 1} rolls"
        )
    own, their = (
        Side(CHECKERS - off, pips, own_rolls, bool(home) or CHECKERS - off <= FEW)
        for off, pips, own_rolls, home in zip(position.off, position.pips, rolls, homes, strict=True)
    )
    chance = Probabilities(*cumulative(results.astype(np.float64)).tolist())
    exact = all(homes) and max(ranks) < N_TWO_SIDED
    return Bearoff(position, chance, exact, own, their)


def _rolls(numbers: npt.NDArray[np.float32]) -> tuple[float, ...]:
    """Return a side's chances in the form of `Side.rolls`, the first entries of `numbers`."""
    return tuple(numbers[:ROLLS_KEPT].tolist())
