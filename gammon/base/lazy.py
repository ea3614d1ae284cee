"""Names of a package that are imported when they are first used, so that it starts at once."""

import sys
from collections.abc import Callable, Mapping
from typing import Any


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
