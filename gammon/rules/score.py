"""The score of a match, or of a money game: what is at stake in the next game."""

from typing import NamedTuple

from gammon.rules.terms import Terms


class Score(NamedTuple):
    """The points of A and B before a game. The default begins a money game.

    Attributes:
        length: points of the match, 0 for money.
        points: those that A and B have won.
        crawford: whether the game is the Crawford game.
        jacoby: whether gammons count only after the cube is turned (money).
        live: whether the cube may be turned at all.
    """

    length: int = 0
    points: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    live: bool = True

    @property
    def over(self) -> bool:
        """Whether the match is won, or the money game has been played."""
        return max(self.points) >= max(self.length, 1)

    def after(self, won: int) -> "Score":
        """Return the score after a game.

        Args:
            won: the points that A won in it; below 0, B won them.
        """
        a, b = self.points
        found = self._replace(points=(a + max(won, 0), b + max(-won, 0)), crawford=False)
        # The Crawford game is the first one that begins with a side 1-away.
        before, now = max(self.points), max(found.points)
        return found._replace(crawford=before < self.length - 1 == now)

    def terms(self, side: int) -> Terms:
        """Return what is at stake as a game begins, as a side sees it: 0 is A, 1 is B."""
        if not self.length:
            return Terms(jacoby=self.jacoby, live=self.live)
        away = self.length - self.points[side], self.length - self.points[1 - side]
        return Terms(self.length, away, self.crawford, live=self.live)
