"""Settings, checked one by one: each check is one line, and all errors read alike."""

import math
from collections.abc import Iterable
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypeVar

from gammon.base.errors import SettingError

Choice = TypeVar("Choice", int, str)

#: No more characters of a value are quoted.
_MOST_SHOWN = 60


class Unchanging:
    """An object whose attributes are assigned once, in `__init__`, which ends with `_made`."""

    _made: bool

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(self, name) or hasattr(self, "_made"):
            kind = type(self).__name__
            raise AttributeError(f"{kind}.{name} never changes: make another {kind}")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        kind = type(self).__name__
        raise AttributeError(f"{kind}.{name} never changes: make another {kind}")


def shown(value: object) -> str:
    """Return a value as an error quotes it: in one line, and shortened."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a value of somebody else's class, or a number of too many digits
        text = f"of type {type(value).__name__}"
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."


def is_whole(value: Any, low: float = -math.inf, high: float = math.inf) -> bool:
    """Tell whether a value is a whole number, of Python or numpy, within limits."""
    return _is_number(value, Integral) and bool(low <= value <= high)


def is_real(value: Any) -> bool:
    """Tell whether a value is a number, of Python or numpy, that float64 can hold."""
    if not _is_number(value, Real):
        return False
    try:
        float(value)
    except OverflowError:  # a whole number of hundreds of digits
        return False
    return True


def whole(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return a whole number, of Python or numpy.

    Args:
        name: of the setting.
        value: any value; `True` is not a number.
        low: the least that it may be.
        high: the most that it may be.

    Raises:
        SettingError: the value is something else.
    """
    if is_whole(value, low, math.inf if high is None else high):
        return int(value)
    wanted = f", {low} or more" if high is None else f" from {low} to {high}"
    raise SettingError(f"{name} {shown(value)}: expected a whole number{wanted}", name)


def number(name: str, value: Any, wanted: str, low: float = -math.inf, high: float = math.inf) -> float:
    """Return a finite number, of Python or numpy.

    Args:
        name: of the setting.
        value: any value; `True` is not a number.
        wanted: in words, such as "a number, 0 or more".
        low: the least that it may be.
        high: the most that it may be.

    Raises:
        SettingError: the value is something else.
    """
    if is_real(value) and math.isfinite(value) and low <= value <= high:
        return float(value)
    raise SettingError(f"{name} {shown(value)}: expected {wanted}", name)


def path_of(name: str, value: Any) -> Path:
    """Return the path of a file or a folder.

    Raises:
        SettingError: the value is something else, an empty text, or has a character 0, which
            no system takes.
    """
    if isinstance(value, str | Path) and str(value) and "\0" not in str(value):
        return Path(value)
    raise SettingError(f"{name} {shown(value)}: expected a path", name)


def one_of(name: str, value: Any, choices: Iterable[Choice]) -> Choice:
    """Return the choice, a name or a whole number, that a value is equal to.

    Raises:
        SettingError: it is not one of them.
    """
    known = list(choices)
    if isinstance(value, str) or _is_number(value, Integral):
        for choice in known:
            if choice == value:
                return choice
    names = ", ".join(map(str, known))
    raise SettingError(f"{name} {shown(value)}: expected one of {names}", name)


def _is_number(value: object, kind: Any) -> bool:
    """Tell whether a value is a number of a kind.

    Python counts a truth value among its integers, and numpy a time.
    """
    if type(value) is int:  # as nearly always
        return True
    return isinstance(value, kind) and not isinstance(value, bool) and not _is_time(value)


def _is_time(value: object) -> bool:
    """Tell whether a value is a span of time of numpy, which is not loaded for that."""
    return getattr(getattr(value, "dtype", None), "kind", "") == "m"
