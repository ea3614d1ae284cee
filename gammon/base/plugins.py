"""What other packages add to the engine: commands, players and formats of output.

A package adds by entry points of its distribution, in one of three groups:

* `gammon.commands`: a `gammon.commands.group.CommandSet`.
* `gammon.players`: a `gammon.match.player.Program`; its name is the player's setting.
* `gammon.formats`: `mat` writes games that were played as text for other programs, see
  `gammon.match.match`; `page` writes an answer as a page of HTML, see `gammon.base.showing`.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

from gammon.base.errors import GammonError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

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
