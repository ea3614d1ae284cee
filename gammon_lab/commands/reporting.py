"""Options and output of commands that make reports: tables, files and pages."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gammon.commands.shared import print_view

if TYPE_CHECKING:
    from gammon_lab.report import Origin, Report


F = TypeVar("F", bound=Callable[..., Any])


def pages_option() -> Callable[[F], F]:
    """Return the option `--pages`, a folder of pages that show reports."""
    return click.option(
        "--pages",
        metavar="FOLDER",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Write tables and plots into the pages of this folder that show figures of this command, "
        "such as docs.",
    )


def show_report(report: "Report", folder: Path, command: str, pages: Path | None = None) -> None:
    """Print a report, write it into a folder, and name its files.

    Args:
        report: the report.
        folder: the folder for its files.
        command: the command that makes it, as typed; the page quotes it.
        pages: a folder of pages; pages with figures of this command get the new figures. None for
            no folder.
    """
    from gammon_lab.report import Origin
    from gammon_lab.view import report_view

    print_view(report_view(report))
    origin = Origin.of(command)
    files = report.write(folder, origin)
    for path in files + updated_pages(pages, report, origin, files):
        click.echo(f"wrote {path}")


def updated_pages(
    pages: Path | None, report: "Report", origin: "Origin", files: Sequence[Path] = ()
) -> list[Path]:
    """Write a report into the pages below a folder that show figures of its command.

    If there are none, a line on standard error reports it. The arguments are as for `update_pages`;
    without a folder nothing happens.
    """
    if pages is None:
        return []
    from gammon_lab.report import update_pages

    paths = update_pages(pages, report, origin, files)
    if not paths:
        click.echo(f"no page below {pages} has figures of `{origin.command}`", err=True)
    return paths
