"""What the commands share: the numbers they take, and a word about the first start."""

from typing import Any

import click

__all__ = ["SEED", "SEVERAL", "Compiling", "announce_compilation"]

#: What a seed may be.
SEED = click.IntRange(0, 2**32 - 1)
#: How many threads or processes there may be.
SEVERAL = click.IntRange(1, 1024)


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
