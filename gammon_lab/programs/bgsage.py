"""bgsage as a player to compare with: a package that runs in its own Python environment.

`GAMMON_BGSAGE` is the path of Python in that environment.
"""

import os
import shutil
from collections.abc import Sequence

from gammon.base.errors import GammonError
from gammon.rules.board import Points, check_points
from gammon_lab.programs.peer import Peer, first_line, items_of

#: The environment variable with the path of a Python that has bgsage.
VARIABLE = "GAMMON_BGSAGE"
#: Levels of bgsage with truncated rollouts, by bgsage's own short names.
LEVELS = ("1T", "2T", "3T")
_EXPECTED = (
    "expected the path of a Python that has it, such as from `pip install bgsage` in a virtual environment"
)
_VERSION = "from importlib.metadata import version; print('bgsage', version('bgsage'))"


class Bgsage(Peer):
    """bgsage in a process of its own; see `Peer`.

    It counts plies from 1, the static evaluation; other levels are its `LEVELS`. It chooses plays
    by cubeless equity, with its default settings otherwise. From 2-ply on it uses at least two
    threads.

    The arguments are as for `Peer`.
    """

    name = "bgsage"
    inside = "bgsage_inside.py"
    needs = "import bgsage"

    def command(self) -> list[str]:
        """Set the version, and return a command that runs the Python file whose name is appended.

        Raises:
            GammonError: bgsage is not installed.
        """
        given = os.environ.get(VARIABLE, "")
        if not given:
            raise GammonError(f"bgsage: {VARIABLE} is not set: {_EXPECTED}")
        path = shutil.which(given)
        if path is None:
            raise GammonError(f"bgsage: {VARIABLE} {given!r} is not a program: {_EXPECTED}")
        # Isolated (-I), Python does not import from this folder, which has a bgsage, too.
        self.version = first_line(self.name, [path, "-I", "-c", _VERSION])
        if not self.version.startswith("bgsage "):
            raise GammonError(f"bgsage: {VARIABLE} {given!r} does not have it: {_EXPECTED}")
        return [path, "-I"]

    def worths(
        self, points: Sequence[int], dice: Sequence[int], level: str, plays: Sequence[Points]
    ) -> list[float]:
        """Return the equities of plays, in points; bgsage's move filter keeps all of these plays.

        Args:
            points: 26 counts, seen from the player on roll.
            dice: the roll.
            level: a level of bgsage: `1ply` to `4ply` search, `truncated1` to `truncated3` roll out,
                `games:N` plays N games of 7 turns from each of the plays.
            plays: K positions after legal plays, seen from the mover.
        """
        (item,) = items_of([points], [dice])
        (equities,) = self._ask("worths", [[*item, level, [*map(list, plays)]]])
        return [float(equity) for equity in equities]

    def values(self, positions: Sequence[Sequence[int]], level: str) -> list[list[float]]:
        """Return the equities of positions for the player on roll, before the roll.

        Args:
            positions: N times 26 counts, seen from the player on roll.
            level: as for `worths`.

        Returns:
            For each position its equity in points and the standard error.
        """
        checked = [check_points(points, str(points)) for points in positions]
        return [
            [float(number) for number in result]
            for result in self._ask("value", [[points, level] for points in checked])
        ]
