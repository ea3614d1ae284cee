"""Frozen records made of fields that are known to be right.

A frozen dataclass sets its fields one by one, and checks them. Where a call makes many of them,
of fields that were checked before, that is most of its time.
"""

from typing import Any, TypeVar

R = TypeVar("R")


def unchecked(kind: type[R], /, **values: Any) -> R:
    """Return a record of a frozen dataclass, without its checks.

    Args:
        kind: the dataclass, which has no slots.
        values: of all its fields.
    """
    made = object.__new__(kind)
    vars(made).update(values)
    return made
