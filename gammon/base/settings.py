"""Settings: fields of a record, each with a type, a check and a help text.

Front ends make their options, parameters and JSON entries from settings, so each setting is
defined once, in its record.
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
Stored = TypeVar("Stored")

_WORDS = {"": True, "0": False, "1": True} | {
    word: value
    for value, words in ((True, ("true", "yes", "on")), (False, ("false", "no", "off")))
    for word in words
}


class SettingKind(ABC):
    """The type of a setting: its check, its readers and its JSON Schema.

    Attributes:
        repeated: whether the value is a list, to which each option or parameter adds an entry.
    """

    repeated: ClassVar[bool] = False

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of the values."""
        return {"type": "string"}

    @abstractmethod
    def checked(self, name: str, value: Any) -> Any:
        """Return a Python value in the usual type of the setting.

        Args:
            name: the name of the setting, for errors.
            value: any value.

        Raises:
            SettingError: the setting cannot have this value.
        """

    def read(self, name: str, text: str) -> Any:
        """Return the value of a text, from an option or a parameter.

        Raises:
            SettingError, FormatError: the setting cannot have this value.
        """
        return self.checked(name, text)

    def decoded(self, name: str, value: Any) -> Any:
        """Return the value of a JSON value.

        Raises:
            SettingError, FormatError: the setting cannot have this value.
        """
        return self.checked(name, value)


@dataclass(frozen=True)
class Whole(SettingKind):
    """An integer.

    Attributes:
        low, high: the smallest and the largest allowed number; `high` may be None.
        step: the number must be a multiple of this; the command line rounds up.
    """

    low: int = 0
    high: int | None = None
    step: int = 1

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of an integer."""
        most = {} if self.high is None else {"maximum": self.high}
        step = {"multipleOf": self.step} if self.step > 1 else {}
        return {"type": "integer", "minimum": self.low} | most | step

    def checked(self, name: str, value: Any) -> int:
        """Return the number."""
        given = whole(name, value, self.low, self.high)
        if missing := -given % self.step:
            raise SettingError(
                f"{name} {given}: expected a multiple of {self.step}, such as {given + missing}", name
            )
        return given

    def read(self, name: str, text: str) -> int:
        """Return the number of a text of digits."""
        plain = text.isascii() and text.removeprefix("-").isdigit() and len(text) <= 20
        return self.checked(name, int(text) if plain else text)


@dataclass(frozen=True)
class Number(SettingKind):
    """A finite number.

    Attributes:
        wanted: the end of an error message, such as "a number, 0 or more".
        low, high: the smallest and the largest allowed number.
    """

    wanted: str
    low: float = 0.0
    high: float = inf

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of a number."""
        most = {} if self.high == inf else {"minimum": self.low, "maximum": self.high}
        return {"type": "number"} | most

    def checked(self, name: str, value: Any) -> float:
        """Return the number."""
        return number(name, value, self.wanted, self.low, self.high)

    def read(self, name: str, text: str) -> float:
        """Return the number of a text."""
        value: float | str = text
        with suppress(ValueError):
            value = float(text)
        return self.checked(name, value)


@dataclass(frozen=True)
class OneOf(SettingKind):
    """One of some words, or of some numbers.

    Attributes:
        choices: the words or numbers.
    """

    choices: tuple[Any, ...]

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of the choices."""
        return {"enum": list(self.choices)}

    def checked(self, name: str, value: Any) -> Any:
        """Return the choice that equals a value."""
        return one_of(name, value, self.choices)

    def read(self, name: str, text: str) -> Any:
        """Return the choice with this text."""
        return next((choice for choice in self.choices if str(choice) == text), None) or one_of(
            name, text, self.choices
        )


class Flag(SettingKind):
    """Yes or no."""

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema of a truth value."""
        return {"type": "boolean"}

    def checked(self, name: str, value: Any) -> bool:
        """Return the truth value."""
        if not isinstance(value, bool):
            raise SettingError(f"{name} {shown(value)}: expected true or false", name)
        return value

    def read(self, name: str, text: str) -> bool:
        """Return the truth value of a word; an empty text means yes."""
        if text.lower() not in _WORDS:
            raise SettingError(f"{name} {shown(text)}: expected 1 or 0", name)
        return _WORDS[text.lower()]


class Text(SettingKind):
    """Any text."""

    def checked(self, name: str, value: Any) -> str:
        """Return the text."""
        if not isinstance(value, str):
            raise SettingError(f"{name} {shown(value)}: expected a text", name)
        return value


class Setting(NamedTuple):
    """A setting of a record.

    Attributes:
        name: the name of the field.
        kind: the type of the setting.
        text: the help text.
        default: the value unless it is given; None if the default comes from elsewhere.
        word: the name as an option or a parameter.
        metavar: the placeholder for the value in help.
        served: whether clients of the server may choose the value.
    """

    name: str
    kind: SettingKind
    text: str
    default: Any
    word: str
    metavar: str | None
    served: bool

    @property
    def entry(self) -> str:
        """The name as a JSON entry."""
        return self.name if self.kind.repeated else self.word


if TYPE_CHECKING:

    class Read(Generic[Given, Stored]):
        """The type of a setting that accepts more types than it stores."""

        def __get__(self, record: object, kind: Any = None) -> Stored: ...
        def __set__(self, record: object, value: Given) -> None: ...


def setting(
    kind: SettingKind,
    text: str,
    default: Any = None,
    *,
    word: str = "",
    metavar: str | None = None,
    served: bool = True,
) -> Any:
    """Return a dataclass field that is a setting; for the arguments see `Setting`."""
    more = {"kind": kind, "text": text, "word": word, "metavar": metavar, "served": served}
    return field(default=default, metadata=more)


@cache
def settings_of(record: Any) -> Mapping[str, Setting]:
    """Return the settings of a record by field name, in the order of the fields."""
    settings = {}
    for own in fields(record):
        if own.metadata:
            word = own.metadata["word"] or own.name
            more = dict(own.metadata) | {"name": own.name, "word": word}
            settings[own.name] = Setting(**more, default=own.default)
    return settings


def check_settings(record: Any) -> None:
    """Check the settings of a frozen record, and convert them to their usual types.

    Defaults are not checked.

    Raises:
        SettingError: a setting has a wrong value.
    """
    kind: Any = type(record)
    values = vars(record)
    for name, known in settings_of(kind).items():
        if values[name] is not known.default:
            object.__setattr__(record, name, known.kind.checked(name, values[name]))


def unchecked(kind: type[R], /, **values: Any) -> R:
    """Return a record of a frozen dataclass, without its checks.

    The constructor of a frozen dataclass sets and checks its fields one by one. A call that
    creates many records from checked values would spend most of its time there.

    Args:
        kind: the dataclass, which has no slots.
        values: the values of all fields.
    """
    record = object.__new__(kind)
    vars(record).update(values)
    return record


def with_settings(record: R, **values: Any) -> R:
    """Return a frozen record with some settings replaced; only these are checked, one by one.

    Checks that involve several settings are not repeated, so the new values must not need them.

    Args:
        record: the record with the other settings.
        values: the new values by field name.

    Raises:
        SettingError: a new value is wrong.
    """
    kind: Any = type(record)
    known = settings_of(kind)
    changes = {name: value for name, value in values.items() if value is not vars(record)[name]}
    checked = {name: known[name].kind.checked(name, value) for name, value in changes.items()}
    changed: R = unchecked(kind, **vars(record) | checked)
    return changed
