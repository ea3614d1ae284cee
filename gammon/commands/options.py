"""Options that are made from the settings of a `Question`."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

from gammon.answers.question import TERMS, Question
from gammon.base.settings import Flag, Kind, Number, OneOf, Setting, Whole, settings_of

__all__ = ["STAKE", "question_option", "question_options"]

F = TypeVar("F", bound=Callable[..., Any])

_SETTINGS = settings_of(Question)
#: The settings that say what is at stake, and what results are worth.
STAKE = (*TERMS, "cubeless", "stakes", "met")


def question_options(*names: str) -> Callable[[F], F]:
    """Return a decorator that adds options; the command gets their `Question` as `asked`.

    Args:
        names: of settings; all but the position unless given.
    """
    wanted = names or tuple(name for name in _SETTINGS if name != "position")

    def decorate(command: F) -> F:
        @functools.wraps(command)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            given = {name: _value(_SETTINGS[name], kwargs.pop(name)) for name in wanted}
            return command(*args, asked=Question(**given), **kwargs)

        found: Any = wrapped
        for name in reversed(wanted):
            found = question_option(name)(found)
        return found  # type: ignore[no-any-return]

    return decorate


def question_option(name: str, **changed: Any) -> Callable[[F], F]:
    """Return the option of a setting.

    Args:
        name: of the setting.
        changed: arguments of `click.option` in place of those of the setting.
    """
    each = _SETTINGS[name]
    more: dict[str, Any] = {"help": each.text}
    if isinstance(each.kind, Flag):
        more |= {"is_flag": True, "default": each.default}
    elif each.kind.repeated:
        more |= {"multiple": True, "metavar": each.metavar}
    else:
        more |= {"type": _type_of(each.kind), "metavar": each.metavar}
        if each.default is not None:
            more |= {"default": str(each.default), "show_default": True}
    return click.option(f"--{each.word.replace('_', '-')}", name, **more | changed)


def _type_of(kind: Kind) -> click.ParamType[Any]:
    if isinstance(kind, OneOf):
        return click.Choice([str(each) for each in kind.choices])
    if isinstance(kind, Whole):
        return click.IntRange(kind.low, kind.high)
    return click.FLOAT if isinstance(kind, Number) else click.STRING


def _value(setting: Setting, value: Any) -> Any:
    """Return the value of a setting that an option gives."""
    return setting.kind.read(setting.word, value) if isinstance(value, str) else value
