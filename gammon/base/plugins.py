"""Imports by name: lazy names of a package, and plugins of other packages.

Other packages add commands, players and output formats to the engine by entry points of their
distribution, in three groups:

* `gammon.commands`: a `gammon.commands.group.CommandSet`.
* `gammon.players`: a `gammon.match.player.PlayerPlugin`; its name is the player's setting.
* `gammon.formats`: `mat` writes played games as text for other programs, see
  `gammon.match.match`; `page` writes an answer as a page of HTML, see `gammon.base.showing`.
"""

import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from gammon.base.errors import GammonError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def imported_when_used(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` for a package, which imports its names on first use.

    Args:
        package: the name of the package.
        homes: for each module the names that it defines, separated by blanks.
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(__import__(home_of[name], fromlist=[name]), name)  # or a submodule
        setattr(sys.modules[package], name, value)
        return value

    return get


COMMANDS, PLAYERS, FORMATS = "gammon.commands", "gammon.players", "gammon.formats"


@cache
def plugins(group: str) -> "dict[str, EntryPoint]":
    """Return the entry points of installed packages in a group, by name, without imports."""
    from importlib.metadata import entry_points  # slow to import

    return {entry.name: entry for entry in entry_points(group=group)}


@cache
def plugin(group: str, name: str) -> Any:
    """Import and return one entry of a group.

    Raises:
        GammonError: no installed package has this entry.
    """
    if name not in plugins(group):
        raise GammonError(f"no installed package adds {name!r} to {group}")
    return plugins(group)[name].load()
