"""Command line options made from the settings of a record, such as `Question`."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from gammon.base.errors import SettingError
from gammon.base.settings import Flag, Number, OneOf, Setting, SettingKind, Whole, settings_of
from gammon.commands.types import Integer
from gammon.engine.question import TERMS, Question, check_depths

F = TypeVar("F", bound=Callable[..., Any])

#: The settings of the terms: what is at stake, and the values of results.
STAKE = (*TERMS, "cubeless", "stakes", "met")


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
