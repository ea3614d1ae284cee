"""Groups of commands: errors of one line, and commands that are imported when they are used."""

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import click

from gammon.base.errors import GammonError
from gammon.base.plugins import COMMANDS, plugin, plugins
from gammon.commands.process import prepare_streams, watch_signals
from gammon.compiled.compiling import listeners

#: Objects after which Python looks for garbage. To import what an analysis needs makes half as
#: many, and none of them is garbage.
_MANY_OBJECTS = 100_000
#: Python's own words, for which it has no class of errors.
_NO_THREADS = "can't start new thread"


def _say_compiling(count: int) -> None:
    click.echo(
        f"compiling {count} kernels, which may take minutes; later runs find them on disk ...", err=True
    )


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
        listeners.append(_say_compiling)
        try:
            return self.main(*args, **kwargs)
        finally:
            sys.stdout.flush()
            gc.freeze()  # the system takes it all: Python need not look for garbage once more


class CommandSet(NamedTuple):
    """The commands of a package.

    Attributes:
        lines: what each command does, by its name, for the help of the program, which imports
            none of them.
        load: imports the command of a name, and returns it.
    """

    lines: Mapping[str, str]
    load: Callable[[str], click.Command]


class Program(Commands):
    """The group of all commands, of the engine and of the packages that add to it.

    Args:
        own: the commands of the engine.
        parts: the names of the commands by the headings of the help, in their order.
        more: the arguments of a `click.Group`.
    """

    def __init__(self, *, own: CommandSet, parts: Mapping[str, str], **more: Any) -> None:
        super().__init__(**more)
        self._own, self._parts = own, parts

    def _sets(self) -> Iterator[CommandSet]:
        """Yield the sets of commands, the engine's own first: it needs no look at packages."""
        yield self._own
        for package in sorted(plugins(COMMANDS)):
            yield plugin(COMMANDS, package)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in their order."""
        return sorted(name for commands in self._sets() for name in commands.lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of a name, and return it; None: there is none."""
        for commands in self._sets():
            if cmd_name in commands.lines:
                return commands.load(cmd_name)
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command of a name; a person who wants to play is told where that is."""
        if args and args[0] == "play":
            ctx.fail("No such command 'play': `gammon serve --open` has a board to play on.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the lists of commands, of which none is imported."""
        lines = {name: line for each in self._sets() for name, line in each.lines.items()}
        parts = {heading: names.split() for heading, names in self._parts.items()}
        others = sorted(lines.keys() - {name for names in parts.values() for name in names})
        for heading, names in {**parts, "Others": others}.items():
            known = [(name, lines[name]) for name in names if name in lines]
            if known:
                with formatter.section(heading):
                    formatter.write_dl(known)


def every_command(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield how a command is called, and the command; below a group all that it has, too."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None, name
            yield from every_command(inner, f"{path} {name}")
