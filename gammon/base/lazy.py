"""Names of a package that are imported when they are first used, so that it starts at once."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def imported_when_used(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package.

    Args:
        package: its name.
        homes: by the name of a module or a package, the names that come from it, with blanks
            between them; a name may be a package inside.
    """
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = import_module(home_of[name])
        value = getattr(home, name, None) or import_module(f"{home.__name__}.{name}")
        setattr(sys.modules[package], name, value)
        return value

    return get
