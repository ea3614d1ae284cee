"""Command line options: their types, and options made from the settings of a record.

A type has the check of a value and its completion in a shell. A record is for example `Question`.
"""

import functools
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource
from click.types import StringParamType

from gammon.base.errors import SettingError
from gammon.base.settings import Flag, Number, OneOf, Setting, SettingKind, Whole, settings_of
from gammon.engine.question import TERMS, Question, check_depths

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# The names below are repeated here, because help texts must not wait for the imports of compiled
# code. A test compares them.
#: The colours of a drawn board.
COLOURS = click.Choice(["light", "dark", "print"])
F = TypeVar("F", bound=Callable[..., Any])

#: The settings of the terms: what is at stake, and the values of results.
STAKE = (*TERMS, "cubeless", "stakes", "met")


def _range_text(kind: Any) -> str:
    """Return a range as text for help and errors."""
    if kind.max is None:
        return f"above {kind.min}" if kind.min_open else f"{kind.min} or more"
    most = f"2**{power}-1" if (power := int(kind.max).bit_length()) >= 32 else kind.max
    return f"at most {most}" if kind.min is None else f"{kind.min} to {most}"


class Integer(click.IntRange):
    """An integer in a range, rounded up to a multiple of a step.

    Args:
        low, high: the smallest and the largest allowed number; None for no limit.
        step: the step. Rounding is reported on standard error.
    """

    def __init__(self, low: int | None = None, high: int | None = None, step: int = 1) -> None:
        super().__init__(low, high)
        self.step = step

    _describe_range = _range_text

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number."""
        given: int = super().convert(value, param, ctx)
        rounded = given + -given % self.step
        if rounded > given:
            name = param.opts[0] if param else ""
            click.echo(f"{name} {given}: {rounded}, a multiple of {self.step}", err=True)
        return rounded


class Decimal(click.FloatRange):
    """A number in a range."""

    _describe_range = _range_text

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; nan is in no range."""
        converted = super().convert(value, param, ctx)
        if math.isnan(converted):
            self.fail(f"{value} is not in the range {_range_text(self)}.", param, ctx)
        return converted


#: The type of a seed.
SEED = Integer(0, 2**32 - 1)
#: The type of a number of processes, or of positions at the same time.
SEVERAL = Integer(1, 1024)
#: The type of a number of threads of a search.
THREADS = Integer(1, 256)


def _refuse_empty(value: Any, what: str) -> None:
    if value == "":
        raise click.BadParameter(f"'' is empty: expected {what}")


class Shipped(StringParamType):
    """One of the networks or recipes that come with gammon, by its name, or a file.

    Args:
        names: the names.
    """

    name = "text"

    def __init__(self, *names: str) -> None:
        self.names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text, which is not empty."""
        _refuse_empty(value, f"{', '.join(self.names)} or a file")
        return super().convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        """Return the names with this beginning, and let the shell complete files."""
        from click.shell_completion import CompletionItem

        items = [CompletionItem(name) for name in self.names if name.startswith(incomplete)]
        return [*items, CompletionItem(incomplete, type="file")]


#: A network.
MODEL = Shipped("large", "leaf", "probe")
#: A network, or the word `none`.
MODEL_OR_NONE = Shipped("large", "leaf", "probe", "none")


class _Place(click.Path):
    """The path of a file or a folder; not empty, which would mean this folder, and no `-` unless allowed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path."""
        _refuse_empty(value, "a path, such as . for this folder")
        if value == "-" and not self.allow_dash:
            raise click.BadParameter(
                "'-': expected a path: /dev/stdout to write to a pipe, ./- for a file named -"
            )
        return super().convert(value, param, ctx)


#: A file or a folder, which may be one to write to.
PLACE = _Place(readable=False, path_type=Path)
#: A file, or `-` for standard input.
FILE_OR_INPUT = _Place(readable=False, allow_dash=True, path_type=Path)


def with_default(name: str, default: Any, text: str = "") -> Setting:
    """Return a setting of `Question` with another default, and with another help text if given."""
    setting = settings_of(Question)[name]
    return setting._replace(default=default, text=text or setting.text)


def question_options(*chosen: str | Setting) -> Callable[[F], F]:
    """Return a decorator that adds options; the command gets a `Question` as `asked`.

    Args:
        chosen: settings or their names; all but the position unless given.
    """
    names = tuple(name for name in settings_of(Question) if name != "position")
    record = record_options(Question, "asked", *chosen or names)

    def decorate(command: F) -> F:
        @functools.wraps(command)
        def checked(*args: Any, **kwargs: Any) -> Any:
            _refuse_two_depths(click.get_current_context())
            return command(*args, **kwargs)

        return record(checked)  # type: ignore[return-value]

    return decorate


def _refuse_two_depths(context: click.Context) -> None:
    """Raise a usage error if a depth is given beside a level or a strength."""
    is_named = context.get_parameter_source("depth") is ParameterSource.COMMANDLINE
    try:
        check_depths(context.params if is_named else context.params | {"depth": None})
    except SettingError as error:
        raise click.UsageError(str(error)) from None


def record_options(record: Any, to: str, *chosen: str | Setting) -> Callable[[F], F]:
    """Return a decorator that adds options; the command gets a record made from them.

    Args:
        record: a dataclass with settings.
        to: the parameter of the command that gets the record.
        chosen: the settings that become options, or their names.
    """
    known = settings_of(record)
    settings = [known[choice] if isinstance(choice, str) else choice for choice in chosen]

    def decorate(command: F) -> F:
        @functools.wraps(command)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            given = {own.name: _value(own, kwargs.pop(own.name)) for own in settings}
            return command(*args, **{to: record(**given)}, **kwargs)

        decorated: Any = wrapped
        for setting in reversed(settings):
            decorated = option_of(setting)(decorated)
        return decorated  # type: ignore[no-any-return]

    return decorate


def option_of(setting: Setting) -> Callable[[F], F]:
    """Return the option of a setting."""
    kind, default = setting.kind, setting.default
    more: dict[str, Any] = {"help": setting.text, "metavar": setting.metavar}
    if isinstance(kind, Flag):
        more |= {"is_flag": True, "default": default}
    elif kind.repeated:
        more["multiple"] = True
    else:
        more["type"] = _type_of(kind)
        if default is not None:
            more |= {"default": str(default), "show_default": True}
    return click.option(f"--{setting.word.replace('_', '-')}", setting.name, **more)


def _type_of(kind: SettingKind) -> "click.ParamType[Any]":
    if isinstance(kind, OneOf):
        return click.Choice([str(choice) for choice in kind.choices])
    if isinstance(kind, Whole):
        return Integer(kind.low, kind.high, kind.step)
    return click.FLOAT if isinstance(kind, Number) else click.STRING


def _value(setting: Setting, value: Any) -> Any:
    """Return the value of a setting from the value of its option."""
    return setting.kind.read(setting.word, value) if isinstance(value, str) else value
