"""Terms: money or the score of a match, the cube, and the rules about it.

They say what is at stake in a game for the player on roll. A score is told by the points that
each side still needs: at 3-away 5-away the player on roll needs 3. The *Crawford game* is the
first one that begins with a side 1 away; nobody may double in it. In the games after it, which
are *post-Crawford*, both may.
"""

from typing import NamedTuple

from gammon.base.checks import is_whole, shown, whole
from gammon.base.errors import SettingError

#: Points of the longest match that a match equity table covers.
LONGEST_MATCH = 64
#: The highest cube at which a game is looked at.
HIGHEST_CUBE = 64


class Terms(NamedTuple):
    """The stakes as the player on roll sees them. The default is money with a centred cube.

    Attributes:
        length: points of the match, 0 for money.
        away: the points that the player on roll and the opponent still need; (0, 0) for money.
        crawford: whether this is the Crawford game.
        jacoby: whether gammons count only after the cube is turned (money).
        beavers: whether a double can be redoubled at once (money).
        cube: its value, 1, 2, 4, ... 64.
        owner: who may turn it: 1 the player on roll, -1 the opponent, 0 both.
        live: whether the cube may be turned at all.
    """

    length: int = 0
    away: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    cube: int = 1
    owner: int = 0
    live: bool = True

    @property
    def post_crawford(self) -> bool:
        """Whether a side is 1 away and the cube may be turned again."""
        return 1 in self.away and not self.crawford

    @property
    def may_double(self) -> bool:
        """Whether the player on roll can turn the cube, and may gain by it."""
        if self.owner < 0 or self.crawford or not self.live:
            return False
        return not self.length or self.away[0] > self.cube

    @property
    def may_offer(self) -> bool:
        """Whether the player on roll `may_double`, and the cube can be played on higher."""
        return self.may_double and self.cube < HIGHEST_CUBE

    @property
    def dead(self) -> bool:
        """Whether the cube stays as it is: nobody can turn it and gain by it."""
        return not (self.may_double or self.turned().may_double)

    def turned(self) -> "Terms":
        """Return the same terms as the opponent sees them."""
        return self._replace(away=self.away[::-1], owner=-self.owner)

    def doubled(self) -> "Terms":
        """Return what is at stake after a double of the player on roll and a take."""
        return self._replace(cube=2 * self.cube, owner=-1)

    def counted(self, points: int) -> int:
        """Return what a result counts: by the Jacoby rule a single game under a centred cube.

        Args:
            points: of the result, in units of the cube: 1 to 3, or below 0 if it is lost.
        """
        return max(-1, min(1, points)) if self.jacoby and not self.owner else points

    def checked(self) -> "Terms":
        """Return the same terms, with the numbers of numpy as Python's.

        Raises:
            SettingError: no game has such terms; or the match is longer than 64 points, or the
                cube higher than 64.
        """
        whole("match length", self.length, 0, LONGEST_MATCH)
        self._check_score()
        self._check_cube()
        length, away, crawford, jacoby, beavers, cube, owner, live = self
        if all(type(each) is int for each in (length, *away, cube, owner)):
            return self
        away = int(away[0]), int(away[1])
        rules = crawford, jacoby, beavers
        return Terms(int(length), away, *rules, int(cube), int(owner), live)

    def _check_score(self) -> None:
        for name in ("crawford", "jacoby", "beavers", "live"):
            if not isinstance(getattr(self, name), bool):
                raise SettingError(f"{name} {shown(getattr(self, name))}: expected a bool")
        pair = isinstance(self.away, tuple) and len(self.away) == 2
        least, most = min(self.length, 1), self.length
        if not pair or not all(is_whole(each, least, most) for each in self.away):
            wanted = f"two whole numbers from 1 to {most}" if most else "(0, 0) for money"
            raise SettingError(f"away {shown(self.away)}: expected {wanted}")
        if self.crawford and (1 not in self.away or self.away == (1, 1)):
            raise SettingError(
                f"Crawford game at {self.away[0]}-away {self.away[1]}-away: expected exactly "
                "one side 1-away",
                "crawford",
            )
        if self.length and (self.jacoby or self.beavers):
            rule, them = ("Jacoby rule", "it") if self.jacoby else ("beavers", "them")
            raise SettingError(
                f"{rule} in a match of {self.length}: expected {them} for money",
                "jacoby" if self.jacoby else "beavers",
            )

    def _check_cube(self) -> None:
        if not is_whole(self.cube, 1, HIGHEST_CUBE) or self.cube & (self.cube - 1):
            wanted = f"1, 2, 4, ... {HIGHEST_CUBE}"
            raise SettingError(f"cube {shown(self.cube)}: expected {wanted}", "cube")
        wanted = ""
        if not is_whole(self.owner, -1, 1):
            wanted = "1 for the player on roll, -1 for the opponent, or 0 for both"
        elif self.owner and self.cube == 1:
            wanted = "0, since nobody owns a cube at 1"
        elif not self.owner and self.length and self.cube > 1:
            wanted = f"1 or -1, since somebody has turned the cube to {self.cube}"
        if wanted:
            raise SettingError(f"cube owner {shown(self.owner)}: expected {wanted}", "owner")
        if self.crawford and self.cube > 1:
            raise SettingError(f"cube {self.cube} in the Crawford game: expected 1", "cube")


#: Those of a money game with a centred cube.
MONEY_TERMS = Terms()
