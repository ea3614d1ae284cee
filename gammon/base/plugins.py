"""What is imported by name: names of a package when they are first used, and other packages' additions.

Other packages add commands, players and formats of output to the engine.

A package adds by entry points of its distribution, in one of three groups:

* `gammon.commands`: a `gammon.commands.group.CommandSet`.
* `gammon.players`: a `gammon.match.player.Program`; its name is the player's setting.
* `gammon.formats`: `mat` writes games that were played as text for other programs, see
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
    """Return the `__getattr__` of a package.

    Args:
        package: its name.
        homes: by the name of a module, the names that come from it, with blanks between them.
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(__import__(home_of[name], fromlist=[name]), name)  # or a module there
        setattr(sys.modules[package], name, value)
        return value

    return get


COMMANDS, PLAYERS, FORMATS = "gammon.commands", "gammon.players", "gammon.formats"


@cache
def plugins(group: str) -> "dict[str, EntryPoint]":
    """Return what installed packages add to a group, by name. None of it is imported yet."""
    from importlib.metadata import entry_points  # which takes long to import

    return {entry.name: entry for entry in entry_points(group=group)}


@cache
def plugin(group: str, name: str) -> Any:
    """Import and return one entry of a group.

    Raises:
        GammonError: no installed package has it.
    """
    if name not in plugins(group):
        raise GammonError(f"no installed package adds {name!r} to {group}")
    return plugins(group)[name].load()
