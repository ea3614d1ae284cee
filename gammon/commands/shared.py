"""What all commands share: the numbers they take, one line for an error, the first start."""

from typing import Any

import click

from gammon.errors import GammonError

__all__ = ["SEED", "SEVERAL", "Commands", "Compiling", "OneLine", "announce_compilation"]

#: What a seed may be.
SEED = click.IntRange(0, 2**32 - 1)
#: How many threads or processes there may be.
SEVERAL = click.IntRange(1, 1024)


class OneLine(click.Command):
    """A command that turns gammon's own errors, and the system's, into one line and exit 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Do what the command does."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise  # whoever read the output has seen enough: click ends without a word
        except (GammonError, OSError) as error:
            raise click.ClickException(str(error)) from None


class Commands(OneLine, click.Group):
    """A group of commands of which the same is true."""


def announce_compilation() -> None:
    """Say why the first start takes so long."""
    from gammon.kernel import cache_folder

    if not any(cache_folder().iterdir()):
        click.echo("Compiling the engine; this takes half a minute, once ...", err=True)


class Compiling(click.Command):
    """A command whose first import compiles."""

    def invoke(self, ctx: click.Context) -> Any:
        """Announce it, and do what the command does."""
        announce_compilation()
        return super().invoke(ctx)
