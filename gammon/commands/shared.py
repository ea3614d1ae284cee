"""Shared by all commands: options, one line for an error, the first compilation's notice."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gammon.errors import GammonError
from gammon.views.console import print_view

if TYPE_CHECKING:
    from gammon.experiments.report import Report

__all__ = [
    "SEED",
    "SEVERAL",
    "Commands",
    "Compiling",
    "OneLine",
    "announce_compilation",
    "json_option",
    "out_option",
    "pool_options",
    "seed_option",
    "show_report",
    "stakes_option",
]  # fmt: skip

F = TypeVar("F", bound=Callable[..., Any])

#: The type of a seed.
SEED = click.IntRange(0, 2**32 - 1)
#: The type of a number of threads or processes.
SEVERAL = click.IntRange(1, 1024)


class OneLine(click.Command):
    """A command that turns gammon's own errors, and the system's, into one line and exit 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Do what the command does."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise  # the reader of the output has closed it: click ends without a word
        except (GammonError, OSError) as error:
            raise click.ClickException(str(error)) from None


class Commands(OneLine, click.Group):
    """A group of commands whose errors are one line."""


def announce_compilation() -> None:
    """Compile the engine where that was not done, and say why this takes so long."""
    from gammon.prepare import is_prepared, prepare

    if not is_prepared():
        click.echo("Compiling the engine; this takes some 20 seconds, once ...", err=True)
        prepare()


class Compiling(click.Command):
    """A command whose first import compiles."""

    def invoke(self, ctx: click.Context) -> Any:
        """Announce it, and do what the command does."""
        announce_compilation()
        return super().invoke(ctx)


def json_option(text: str = "Write JSON instead of tables.") -> Callable[[F], F]:
    """Return the option `--json`, the parameter `as_json`, with its help text."""
    return click.option("--json", "as_json", is_flag=True, help=text)


def out_option(text: str = "Results folder.") -> Callable[[F], F]:
    """Return the required option `--out`, a path, with its help text."""
    return click.option("--out", required=True, type=click.Path(path_type=Path), help=text)


def stakes_option(text: str) -> Callable[[F], F]:
    """Return the option that says what results are worth; `text` says to whom."""
    return click.option(
        "--stakes",
        default="money",
        show_default=True,
        metavar="NAME|W,WG,WBG,L,LG,LBG",
        help=f"money, dmp, gammon-go, gammon-save, or what the six results are worth {text}.",
    )


def seed_option(text: str) -> Callable[[F], F]:
    """Return the option `--seed` with its help text."""
    return click.option("--seed", default=1, show_default=True, type=SEED, help=text)


def pool_options(command: F) -> F:
    """Add the options of a long command that name its workers."""
    workers = click.option(
        "--workers", default=1, show_default=True, type=SEVERAL, help="Processes that work."
    )
    scheduler = click.option(
        "--scheduler", help="Address of a Dask scheduler, whose workers do the work instead."
    )
    return workers(scheduler(command))


def show_report(report: "Report", folder: Path) -> None:
    """Print a report, write it into a folder, and name its files."""
    from gammon.views.report import report_view

    print_view(report_view(report))
    for path in report.write(folder):
        click.echo(f"wrote {path}")
