"""Groups of commands: errors of one line, and commands that are imported when they are used."""

import gc
import sys
from collections import UserDict
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import click

from gammon.base.errors import GammonError
from gammon.commands.process import prepare_streams, watch_signals

#: Objects after which Python looks for garbage. To import what an analysis needs makes half as
#: many, and none of them is garbage.
_MANY_OBJECTS = 100_000
#: Python's own words, for which it has no class of errors.
_NO_THREADS = "can't start new thread"


class OneLine(click.Command):
    """A command that turns gammon's own errors, and the system's, into one line and exit 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Do what the command does."""
        try:
            return super().invoke(ctx)
        except (GammonError, OSError) as error:
            raise click.ClickException(str(error)) from None
        except MemoryError as error:
            raise click.ClickException(f"no memory is left: {error}".rstrip(": ")) from None
        except RuntimeError as error:
            if str(error) != _NO_THREADS:
                raise
            raise click.ClickException("the system gives no more threads: see ulimit") from None


class Commands(OneLine, click.Group):
    """A group of commands whose errors are one line."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Be the program of this process, and end it."""
        gc.set_threshold(_MANY_OBJECTS)
        prepare_streams()
        watch_signals()
        try:
            return self.main(*args, **kwargs)
        finally:
            sys.stdout.flush()
            gc.freeze()  # the system takes it all: Python need not look for garbage once more


class _Imported(UserDict[str, Any]):
    """The commands of the program by their names, which are those of their modules too."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in self.data:
            raise KeyError(name)
        command: click.Command = getattr(import_module(f"gammon.commands.{name}"), name)
        return command


class Program(Commands):
    """The group of all commands. The module of a command is imported when somebody uses it.

    Args:
        lines: what each command does, by its name, for the help of the group.
        parts: the names of the commands by the headings of the help, in their order.
        more: the arguments of a `click.Group`.
    """

    def __init__(
        self, *, lines: Mapping[str, str], parts: Mapping[str, str], **more: Any
    ) -> None:
        super().__init__(commands=_Imported(lines), **more)
        self._lines, self._parts = lines, parts

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command of a name; a person who wants to play is told where that is."""
        if args and args[0] == "play":
            ctx.fail("No such command 'play': `gammon serve --open` has a board to play on.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the lists of commands, of which none is imported."""
        for heading, names in self._parts.items():
            with formatter.section(heading):
                formatter.write_dl([(name, self._lines[name]) for name in names.split()])


def every_command(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield how a command is called, and the command; below a group all that it has, too."""
    yield path, command
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from every_command(each, f"{path} {name}")
