"""GNU Backgammon as a player and a judge to compare with."""

import os
import shutil
from collections.abc import Sequence

from gammon.base.errors import GammonError
from gammon.rules.board import Points, check_points
from gammon.rules.terms import Terms
from gammon_lab.programs.peer import Peer, first_line, items_of

#: Debian's folder for the program, which is not on every user's PATH.
GAMES_FOLDER = "/usr/games"
#: The rows of `evaluations`: win, win_gammon, win_backgammon, lose_gammon, lose_backgammon.
Five = tuple[float, float, float, float, float]


def find_program(program: str = "gnubg") -> str | None:
    """Return the path of the program, or None if it is not installed."""
    places = os.environ.get("PATH", os.defpath) + os.pathsep + GAMES_FOLDER
    return shutil.which(program, path=places)


def installed_program(program: str = "gnubg") -> str:
    """Return the path of a program of GNU Backgammon.

    Raises:
        GammonError: it is not installed.
    """
    path = find_program(program)
    if path is None:
        raise GammonError(
            f"GNU Backgammon ({program!r}) is not installed: "
            "expected the program on the PATH, such as from Debian's package gnubg"
        )
    return path


class GnuBackgammon(Peer):
    """GNU Backgammon in a process of its own; see `Peer`.

    It evaluates with its default settings: pruning networks, and the `normal` move filters
    from 1-ply on. Compare speeds by `cpu_seconds`: the elapsed time of a question is up to
    10 ms longer, because the program sleeps. On Linux this wait does not occur at 0-ply, as
    long as no other work fills the program's processor.

    Args:
        program: the name or path of the program.
    """

    name = "GNU Backgammon"
    inside = "gnubg_inside.py"
    needs = "have Python built in"

    def __init__(self, program: str = "gnubg") -> None:
        super().__init__()
        self.program = program

    def command(self) -> list[str]:
        """Set the version, and return a command that runs the Python file whose name is appended.

        Raises:
            GammonError: the program is not installed.
        """
        path = installed_program(self.program)
        self.version = first_line(self.name, [path, "--version"])
        return [path, "-t", "-q", "-r", "-p"]

    def evaluations(self, positions: Sequence[Sequence[int]], plies: int = 0) -> list[Five]:
        """Return five cumulative probabilities for each position, before its roll.

        Args:
            positions: N positions.
            plies: as GNU Backgammon counts them; 0 is static.

        Returns:
            N tuples (win, win_gammon, win_backgammon, lose_gammon, lose_backgammon),
            for the player on roll.
        """
        items = [[check_points(points, str(points)), plies] for points in positions]
        rows = self._ask("evaluate", items)
        return [(row[0], row[1], row[2], row[3], row[4]) for row in rows]

    def evaluate(self, points: Sequence[int], plies: int = 0) -> Five:
        """Return `evaluations` of one position."""
        return self.evaluations([points], plies)[0]

    def best_plays_at(
        self,
        positions: Sequence[Sequence[int]],
        dice: Sequence[Sequence[int]],
        plies: int,
        terms: Sequence[Terms],
    ) -> list[Points]:
        """Return the position after the best play with the cube, seen from the mover.

        Args:
            positions: N positions.
            dice: N rolls, two numbers each.
            plies: as for `evaluations`.
            terms: N terms, of the players on roll; the match equity table is Kazaross-XG2.

        Raises:
            GammonError: also if an answer is not a legal play.
        """
        items = items_of(positions, dice, plies)
        for item, at in zip(items, terms, strict=True):
            item.append(at.checked())
        return self._legal_plays("best_play_at", items)

    def cube_values(
        self, positions: Sequence[Sequence[int]], plies: int, terms: Sequence[Terms]
    ) -> list[tuple[float, float]]:
        """Return for each position the equities of no double and of double and take.

        Args:
            positions: N positions, before the roll.
            plies: as for `evaluations`.
            terms: N terms, of the players on roll, who may double.

        Returns:
            N pairs, per unit of the cube before the double; in a match EMG. A pass is worth 1.
        """
        items = [
            [check_points(points, str(points)), plies, at.checked()]
            for points, at in zip(positions, terms, strict=True)
        ]
        return [(row[0], row[1]) for row in self._ask("cube_values", items)]

    def forget(self) -> None:
        """Empty the program's cache, so that no answer is faster because of an earlier one."""
        self._ask("forget", [[]])
