"""Options and output of commands that make reports: tables, files and pages."""

import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from gammon.base.files import write_text, written_whole
from gammon.view.console import print_view
from gammon_lab.reports.origin import Origin
from gammon_lab.reports.report import Report

_PICTURES = {".png", ".svg"}


def update_pages(pages: Path, report: Report, origin: Origin, files: Sequence[Path]) -> list[Path]:
    """Write a report into the pages that show figures of its command.

    Args:
        pages: a folder, whose pages are searched with all folders below it.
        report: the new report.
        origin: the origin of the new report.
        files: the files of the report, pictures included.

    Returns:
        The pages that show figures of this command.

    Raises:
        OSError: a page cannot be read.
        GammonError: a page cannot be written.
    """
    updated = []
    for path in sorted(pages.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        old = [former for former in Origin.read(text) if former.command == origin.command]
        if not old:
            continue
        for former in old:
            text = text.replace(str(former), str(origin))
        text = _filled(text, "report", report.body("###"))
        for table in report.tables:
            text = _filled(text, f"table {table.name}", table.markdown())
        write_text(path, text)
        for file in files:
            if file.suffix in _PICTURES:
                for picture in re.findall(rf"\(((?:[^()]*/)?{re.escape(file.name)})\)", text):
                    with written_whole(path.parent / picture) as temporary:
                        shutil.copyfile(file, temporary)
        updated.append(path)
    return updated


def _filled(text: str, name: str, new: str) -> str:
    """Return a page with the text between the comments of a name replaced, if it has them."""
    place = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    return place.sub(lambda match: f"{match[1]}{new.rstrip()}\n{match[2]}", text)


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
    from gammon_lab.reports.origin import Origin
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

    paths = update_pages(pages, report, origin, files)
    if not paths:
        click.echo(f"no page below {pages} has figures of `{origin.command}`", err=True)
    return paths
