"""Groups of commands: one-line errors, and imports on first use."""

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import click

from gammon.base.errors import GammonError
from gammon.base.plugins import COMMANDS, plugin, plugins
from gammon.commands.process import prepare_streams, watch_signals
from gammon.compiled.compiling import listeners

#: New objects after which Python collects garbage. The imports of an analysis create half as
#: many, and none of them is garbage.
_MANY_OBJECTS = 100_000
#: Python's message for an error that has no class of its own.
_NO_THREADS = "can't start new thread"


def _report_compiling(count: int) -> None:
    click.echo(
        f"compiling {count} kernels, which may take minutes; later runs find them on disk ...", err=True
    )


class OneLine(click.Command):
    """A command that reports errors of gammon and of the system in one line, with exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
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
    """A group of commands with one-line errors."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run as the program of this process, and end the process."""
        gc.set_threshold(_MANY_OBJECTS)
        prepare_streams()
        watch_signals()
        listeners.append(_report_compiling)
        try:
            return self.main(*args, **kwargs)
        finally:
            sys.stdout.flush()
            gc.freeze()  # the process ends: no last garbage collection


class CommandSet(NamedTuple):
    """The commands of a package.

    Attributes:
        lines: a line of help for each command, by name, so that the help of the program needs
            no imports.
        load: imports and returns the command of a name.
    """

    lines: Mapping[str, str]
    load: Callable[[str], click.Command]


class MainGroup(Commands):
    """The group of all commands, of the engine and of other packages.

    Args:
        own: the commands of the engine.
        parts: names of commands by the headings of the help, in order.
        more: the arguments of `click.Group`.
    """

    def __init__(self, *, own: CommandSet, parts: Mapping[str, str], **more: Any) -> None:
        super().__init__(**more)
        self._own, self._parts = own, parts

    def _sets(self) -> Iterator[CommandSet]:
        """Yield the sets of commands; the engine's set comes first, as it needs no imports."""
        yield self._own
        for package in sorted(plugins(COMMANDS)):
            yield plugin(COMMANDS, package)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted(name for commands in self._sets() for name in commands.lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command of a name, or None if there is none."""
        for commands in self._sets():
            if cmd_name in commands.lines:
                return commands.load(cmd_name)
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the lists of commands without importing them."""
        lines = {name: line for commands in self._sets() for name, line in commands.lines.items()}
        parts = {heading: names.split() for heading, names in self._parts.items()}
        others = sorted(lines.keys() - {name for names in parts.values() for name in names})
        for heading, names in {**parts, "Others": others}.items():
            known = [(name, lines[name]) for name in names if name in lines]
            if known:
                with formatter.section(heading):
                    formatter.write_dl(known)


def every_command(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield a command with its path, then the same for all commands of a group."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None, name
            yield from every_command(inner, f"{path} {name}")
