"""Plain JSON values, which programs in every language read."""

from collections.abc import Mapping
from math import isfinite
from typing import Any


def plain(value: Any) -> Any:
    """Return a value as JSON has it: without infinite numbers, and with lists for tuples.

    Args:
        value: a number, which is null where it is infinite or none; a list, a tuple or a
            mapping of such values; anything else stays what it is.
    """
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value
