"""Options that are made from the settings of a `Question`."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

from gammon.answers.question import TERMS, Question
from gammon.base.settings import Flag, Kind, Number, OneOf, Setting, Whole, settings_of

__all__ = ["STAKE", "option_of", "question_options", "record_options"]

F = TypeVar("F", bound=Callable[..., Any])

#: The settings that say what is at stake, and what results are worth.
STAKE = (*TERMS, "cubeless", "stakes", "met")


def question_options(*names: str) -> Callable[[F], F]:
    """Return a decorator that adds options; the command gets their `Question` as `asked`.

    Args:
        names: of settings; all but the position unless given.
    """
    every = tuple(name for name in settings_of(Question) if name != "position")
    return record_options(Question, "asked", *names or every)


def record_options(record: Any, to: str, *names: str) -> Callable[[F], F]:
    """Return a decorator that adds options; the command gets a record that they make.

    Args:
        record: a dataclass with settings.
        to: the parameter of the command that gets it.
        names: of the settings that are options.
    """
    known = settings_of(record)

    def decorate(command: F) -> F:
        @functools.wraps(command)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            given = {name: _value(known[name], kwargs.pop(name)) for name in names}
            return command(*args, **{to: record(**given)}, **kwargs)

        found: Any = wrapped
        for name in reversed(names):
            found = option_of(known[name])(found)
        return found  # type: ignore[no-any-return]

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


def _type_of(kind: Kind) -> click.ParamType[Any]:
    if isinstance(kind, OneOf):
        return click.Choice([str(each) for each in kind.choices])
    if isinstance(kind, Whole):
        return click.IntRange(kind.low, kind.high)
    return click.FLOAT if isinstance(kind, Number) else click.STRING


def _value(setting: Setting, value: Any) -> Any:
    """Return the value of a setting that an option gives."""
    return setting.kind.read(setting.word, value) if isinstance(value, str) else value
