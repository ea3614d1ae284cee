"""Checks of single settings, with error messages of one form."""

import math
from collections.abc import Iterable, Mapping
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypeVar

from gammon.base.errors import SettingError


def plain(value: Any) -> Any:
    """Convert a value to plain JSON values.

    Args:
        value: a number, which becomes None if it is infinite or nan; a list, tuple or mapping of
            such values, where tuples become lists; any other value stays as it is.
    """
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: plain(entry) for name, entry in value.items()}
    return [plain(entry) for entry in value] if isinstance(value, list | tuple) else value


Choice = TypeVar("Choice", int, str)

#: The most characters of a value that an error quotes.
_MOST_SHOWN = 60


class Unchanging:
    """An immutable object: `__init__` assigns each attribute once, and `_made` last."""

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
    """Return a value as errors quote it: on one line, and shortened."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # `repr` of a foreign class failed, or a number has too many digits
        text = f"of type {type(value).__name__}"
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."


def is_whole(value: Any, low: float = -math.inf, high: float = math.inf) -> bool:
    """Return whether a value is an integer of Python or numpy, within limits."""
    return _is_number(value, Integral) and bool(low <= value <= high)


def is_real(value: Any) -> bool:
    """Return whether a value is a number of Python or numpy that fits a float64."""
    if not _is_number(value, Real):
        return False
    try:
        float(value)
    except OverflowError:  # an integer of hundreds of digits
        return False
    return True


def whole(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return a value that must be an integer of Python or numpy.

    Args:
        name: the name of the setting, for errors.
        value: any value; `True` is not a number.
        low: the smallest allowed number.
        high: the largest allowed number, or None.

    Raises:
        SettingError: the value is not such an integer.
    """
    if is_whole(value, low, math.inf if high is None else high):
        return int(value)
    wanted = f", {low} or more" if high is None else f" from {low} to {high}"
    raise SettingError(f"{name} {shown(value)}: expected a whole number{wanted}", name)


def number(name: str, value: Any, wanted: str, low: float = -math.inf, high: float = math.inf) -> float:
    """Return a value that must be a finite number of Python or numpy.

    Args:
        name: the name of the setting, for errors.
        value: any value; `True` is not a number.
        wanted: the end of an error message, such as "a number, 0 or more".
        low: the smallest allowed number.
        high: the largest allowed number.

    Raises:
        SettingError: the value is not such a number.
    """
    if is_real(value) and math.isfinite(value) and low <= value <= high:
        return float(value)
    raise SettingError(f"{name} {shown(value)}: expected {wanted}", name)


def path_of(name: str, value: Any) -> Path:
    """Return a value as the path of a file or a folder.

    Raises:
        SettingError: the value is not a path or a text, is empty, or has a character 0, which no
            system allows.
    """
    if isinstance(value, str | Path) and str(value) and "\0" not in str(value):
        return Path(value)
    raise SettingError(f"{name} {shown(value)}: expected a path", name)


def one_of(name: str, value: Any, choices: Iterable[Choice]) -> Choice:
    """Return the choice, a name or an integer, that equals a value.

    Raises:
        SettingError: no choice equals the value.
    """
    known = list(choices)
    if isinstance(value, str) or _is_number(value, Integral):
        for choice in known:
            if choice == value:
                return choice
    names = ", ".join(map(str, known))
    raise SettingError(f"{name} {shown(value)}: expected one of {names}", name)


def _is_number(value: object, kind: Any) -> bool:
    """Return whether a value is a number of a kind.

    Truth values of Python, and time spans of numpy, are integers by type, but not here.
    """
    if type(value) is int:  # the usual case
        return True
    return isinstance(value, kind) and not isinstance(value, bool) and not _is_time(value)


def _is_time(value: object) -> bool:
    """Return whether a value is a numpy time span, without importing numpy."""
    return getattr(getattr(value, "dtype", None), "kind", "") == "m"
