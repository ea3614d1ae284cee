"""Stakes: the worth of the six results, for money or at a score where gammons differ.

The cube stays where it is, so that a value is linear in the chances of the results. At
*double match point* only winning counts. *Gammon-go*: a gammon wins the match, and one lost
costs no more than a game; the trailer has that at the Crawford game, 2 away. *Gammon-save*
is the same score seen from the leader.
"""

from contextlib import suppress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.checks import number, shown
from gammon.base.errors import FormatError, SettingError
from gammon.rules.outcome import N_RESULTS


class Stakes(NamedTuple):
    """The worth of each result to one player; to the other it is worth the opposite.

    The unit is free; in that of the named stakes, a single game is worth 1 and -1.
    """

    win: float
    win_gammon: float
    win_backgammon: float
    lose: float
    lose_gammon: float
    lose_backgammon: float

    @property
    def worth(self) -> npt.NDArray[np.float64]:
        """The six results in ascending order, float64 [6]: see `gammon.rules.outcome`."""
        return np.array([*self[:2:-1], *self[:3]], np.float64)

    @property
    def params(self) -> npt.NDArray[np.float64]:
        """The worth of the results to this player and then to the other one, float64 [12].

        The first six are for a stake of 0 or more, the others for one below 0.
        """
        return np.concatenate([self.worth, -self.worth[::-1]])

    @property
    def symmetric(self) -> bool:
        """Whether each result is worth as much to the other player, too."""
        return self == self.turned()

    def turned(self) -> "Stakes":
        """Return what results are worth to the other player."""
        return Stakes(*(-worth for worth in (*self[3:], *self[:3])))

    def checked(self) -> "Stakes":
        """Return the stakes, as numbers of Python.

        Raises:
            SettingError: a worse result is worth more, or a win no more than a loss; or
                one is not a number, or they are too large or too close for equities.
        """
        for worth in self:
            name = f"stakes {shown(tuple(self))} with"
            number(name, worth, _WANTED, -_MOST_WORTH, _MOST_WORTH)
        ladder = self.worth
        least = max(1 / _MOST_WORTH, _LEAST_SHARE * abs(ladder).max())
        if (np.diff(ladder) < 0).any() or ladder[3] - ladder[2] < least:
            raise SettingError(
                f"stakes {','.join(f'{worth:g}' for worth in self)}: expected a backgammon "
                "to be worth no less than a gammon, that no less than a win, a win clearly "
                "more than a loss, and so on down; money is 1,2,3,-1,-2,-3"
            )
        return Stakes(*(each if isinstance(each, int) else float(each) for each in self))

    def __str__(self) -> str:
        for name, stakes in NAMED_STAKES.items():
            if stakes == self:
                return name
        return ",".join(repr(float(worth)).removesuffix(".0") for worth in self)


#: Equities are float32 at leaves: nothing is worth more. A win and a loss differ by its
#: reciprocal at least, and by this share of what is worth most.
_MOST_WORTH, _LEAST_SHARE = 1e6, 1e-4
_WANTED = "numbers from -1e6 to 1e6, a backgammon to be worth no less than a gammon"

MONEY = Stakes(1.0, 2.0, 3.0, -1.0, -2.0, -3.0)
DMP = Stakes(1.0, 1.0, 1.0, -1.0, -1.0, -1.0)
GAMMON_GO = Stakes(1.0, 3.0, 3.0, -1.0, -1.0, -1.0)
GAMMON_SAVE = GAMMON_GO.turned()
#: By the names that the command line takes.
NAMED_STAKES = {
    "money": MONEY, "dmp": DMP, "gammon-go": GAMMON_GO, "gammon-save": GAMMON_SAVE,
}  # fmt: skip


def stakes_of(given: object) -> Stakes:
    """Return stakes that are given by themselves, or by a text that `parse_stakes` reads.

    Raises:
        FormatError: there are no stakes of that name.
        SettingError: they are no stakes, or a worse result is worth more than a better one.
    """
    if isinstance(given, str):
        return parse_stakes(given)
    if not isinstance(given, Stakes):
        raise SettingError(f"stakes {shown(given)}: expected gammon.Stakes, or their name")
    return given.checked()


def parse_stakes(text: str) -> Stakes:
    """Read stakes: a name, or the worth of W,WG,WBG,L,LG,LBG to the player on roll.

    Raises:
        FormatError: the text is neither.
        SettingError: a worse result is worth more than a better one.
    """
    numbers: list[float] = []
    if isinstance(text, str):
        if text in NAMED_STAKES:
            return NAMED_STAKES[text]
        with suppress(ValueError):
            numbers = [float(part) for part in text.split(",")]
    if len(numbers) != N_RESULTS:
        names = ", ".join(NAMED_STAKES)
        raise FormatError(
            f"stakes {shown(text)}: expected {names}, or six numbers W,WG,WBG,L,LG,LBG such as "
            "1,2,3,-1,-2,-3"
        )
    return Stakes(*numbers).checked()
