"""Settings: the fields of a record, each with its kind, its check and its line of help.

A front end reads what it takes from here: its options, its parameters, the entries of its JSON.
So a setting is written down once, where its record is.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cache
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from gammon.base.checks import number, one_of, shown, whole
from gammon.base.errors import SettingError

R = TypeVar("R")
Given = TypeVar("Given")
Kept = TypeVar("Kept")

_WORDS = {"": True, "0": False, "1": True} | {
    word: value
    for value, words in ((True, ("true", "yes", "on")), (False, ("false", "no", "off")))
    for word in words
}


class Kind(ABC):
    """The values that a setting may have.

    Attributes:
        repeated: whether it is a list, of which each option or parameter gives an entry.
    """

    repeated: ClassVar[bool] = False

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of its values."""
        return {"type": "string"}

    @abstractmethod
    def checked(self, name: str, value: Any) -> Any:
        """Return a value of Python.

        Args:
            name: of the setting, for errors.
            value: any value.

        Raises:
            SettingError: the setting cannot be that.
        """

    def read(self, name: str, text: str) -> Any:
        """Return the value that a text stands for: an option's, or a parameter's.

        Raises:
            SettingError, FormatError: the setting cannot be that.
        """
        return self.checked(name, text)

    def decoded(self, name: str, value: Any) -> Any:
        """Return what a value of JSON stands for.

        Raises:
            SettingError, FormatError: the setting cannot be that.
        """
        return self.checked(name, value)


@dataclass(frozen=True)
class Whole(Kind):
    """A whole number.

    Attributes:
        low, high: the least and the most that it may be; None: there is no most.
        step: it is a multiple of this. On a command line the next higher one is taken.
    """

    low: int = 0
    high: int | None = None
    step: int = 1

    @property
    def schema(self) -> Mapping[str, Any]:
        """That of an integer."""
        most = {} if self.high is None else {"maximum": self.high}
        step = {"multipleOf": self.step} if self.step > 1 else {}
        return {"type": "integer", "minimum": self.low} | most | step

    def checked(self, name: str, value: Any) -> int:
        """Return the number."""
        found = whole(name, value, self.low, self.high)
        if more := -found % self.step:
            raise SettingError(
                f"{name} {found}: expected a multiple of {self.step}, such as {found + more}", name
            )
        return found

    def read(self, name: str, text: str) -> int:
        """Return the number that digits stand for."""
        plain = text.isascii() and text.removeprefix("-").isdigit() and len(text) <= 20
        return self.checked(name, int(text) if plain else text)


@dataclass(frozen=True)
class Number(Kind):
    """A finite number.

    Attributes:
        wanted: in words.
        low, high: the least and the most that it may be.
    """

    wanted: str
    low: float = 0.0
    high: float = inf

    @property
    def schema(self) -> Mapping[str, Any]:
        """That of a number."""
        most = {} if self.high == inf else {"minimum": self.low, "maximum": self.high}
        return {"type": "number"} | most

    def checked(self, name: str, value: Any) -> float:
        """Return the number."""
        return number(name, value, self.wanted, self.low, self.high)

    def read(self, name: str, text: str) -> float:
        """Return the number that a text stands for."""
        found: float | str = text
        with suppress(ValueError):
            found = float(text)
        return self.checked(name, found)


@dataclass(frozen=True)
class OneOf(Kind):
    """One of some words, or of some numbers.

    Attributes:
        choices: those.
    """

    choices: tuple[Any, ...]

    @property
    def schema(self) -> Mapping[str, Any]:
        """That of the choices."""
        return {"enum": list(self.choices)}

    def checked(self, name: str, value: Any) -> Any:
        """Return the choice that a value is equal to."""
        return one_of(name, value, self.choices)

    def read(self, name: str, text: str) -> Any:
        """Return the choice that a text names."""
        return next((each for each in self.choices if str(each) == text), None) or one_of(
            name, text, self.choices
        )


class Flag(Kind):
    """Yes or no."""

    @property
    def schema(self) -> Mapping[str, Any]:
        """That of a truth value."""
        return {"type": "boolean"}

    def checked(self, name: str, value: Any) -> bool:
        """Return the truth value."""
        if not isinstance(value, bool):
            raise SettingError(f"{name} {shown(value)}: expected true or false", name)
        return value

    def read(self, name: str, text: str) -> bool:
        """Return the truth value of a word; no word at all says yes."""
        if text.lower() not in _WORDS:
            raise SettingError(f"{name} {shown(text)}: expected 1 or 0", name)
        return _WORDS[text.lower()]


class Text(Kind):
    """Any text."""

    def checked(self, name: str, value: Any) -> str:
        """Return the text."""
        if not isinstance(value, str):
            raise SettingError(f"{name} {shown(value)}: expected a text", name)
        return value


class Setting(NamedTuple):
    """A setting of a record.

    Attributes:
        name: of the field.
        kind: what it may be.
        text: a line of help.
        default: unless it is given; None where something else then says it.
        word: its name as an option or a parameter.
        metavar: what stands for its value in help.
        served: whether a server lets its clients choose it.
    """

    name: str
    kind: Kind
    text: str
    default: Any
    word: str
    metavar: str | None
    served: bool

    @property
    def entry(self) -> str:
        """Its name as an entry of JSON."""
        return self.name if self.kind.repeated else self.word


if TYPE_CHECKING:

    class Read(Generic[Given, Kept]):
        """The type of a setting that may be given in more ways than it is kept."""

        def __get__(self, record: object, kind: Any = None) -> Kept: ...
        def __set__(self, record: object, value: Given) -> None: ...


def setting(
    kind: Kind,
    text: str,
    default: Any = None,
    *,
    word: str = "",
    metavar: str | None = None,
    served: bool = True,
) -> Any:
    """Return a field of a dataclass that is a setting; the arguments are those of `Setting`."""
    more = {"kind": kind, "text": text, "word": word, "metavar": metavar, "served": served}
    return field(default=default, metadata=more)


@cache
def settings_of(record: Any) -> Mapping[str, Setting]:
    """Return the settings of a record by the names of their fields, in their order."""
    found = {}
    for each in fields(record):
        if each.metadata:
            word = each.metadata["word"] or each.name
            more = dict(each.metadata) | {"name": each.name, "word": word}
            found[each.name] = Setting(**more, default=each.default)
    return found


def check_settings(record: Any) -> None:
    """Check the settings of a frozen record, and put them into their usual types.

    A setting that is its default is not looked at.

    Raises:
        SettingError: a setting cannot be what it is.
    """
    kind: Any = type(record)
    values = vars(record)
    for name, each in settings_of(kind).items():
        if values[name] is not each.default:
            object.__setattr__(record, name, each.kind.checked(name, values[name]))


def unchecked(kind: type[R], /, **values: Any) -> R:
    """Return a record of a frozen dataclass, without its checks.

    A frozen dataclass sets its fields one by one, and checks them. Where a call makes many of
    them, of fields that were checked before, that is most of its time.

    Args:
        kind: the dataclass, which has no slots.
        values: of all its fields.
    """
    made = object.__new__(kind)
    vars(made).update(values)
    return made


def with_settings(record: R, **values: Any) -> R:
    """Return a frozen record with other settings, of which these alone are checked.

    Checks of several settings together are not made again: these must need none.

    Args:
        record: whose other settings stay.
        values: by the names of their fields.

    Raises:
        SettingError: a setting cannot be what it is.
    """
    kind: Any = type(record)
    own, known = vars(record), settings_of(kind)
    checked = {
        name: known[name].kind.checked(name, each) for name, each in values.items() if each is not own[name]
    }
    made: R = unchecked(kind, **own | checked)
    return made
