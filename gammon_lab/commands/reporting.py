"""Options and output of commands that make reports: tables, files and pages."""

import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gammon.base.files import write_text, written_whole
from gammon.view.console import print_view
from gammon_lab.reports.origin import Origin
from gammon_lab.reports.report import Report

if TYPE_CHECKING:
    pass

_PICTURES = {".png", ".svg"}


def update_pages(pages: Path, report: Report, origin: Origin, files: Sequence[Path]) -> list[Path]:
    """Write a report into the pages that have figures of its command.

    Args:
        pages: a folder; its pages and those of all folders below it are looked at.
        report: the new one.
        origin: its own.
        files: of the report, among them its pictures.

    Returns:
        The pages that have figures of this command.

    Raises:
        OSError: a page cannot be read.
        GammonError: it cannot be written.
    """
    found = []
    for path in sorted(pages.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        old = [each for each in Origin.read(text) if each.command == origin.command]
        if not old:
            continue
        for each in old:
            text = text.replace(str(each), str(origin))
        text = _filled(text, "report", report.body("###"))
        for table in report.tables:
            text = _filled(text, f"table {table.name}", table.markdown())
        write_text(path, text)
        for file in files:
            if file.suffix in _PICTURES:
                for shown in re.findall(rf"\(((?:[^()]*/)?{re.escape(file.name)})\)", text):
                    with written_whole(path.parent / shown) as beside:
                        shutil.copyfile(file, beside)
        found.append(path)
    return found


def _filled(text: str, name: str, new: str) -> str:
    """Return a page with something new between its two comments, if it has them."""
    place = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    return place.sub(lambda found: f"{found[1]}{new.rstrip()}\n{found[2]}", text)


F = TypeVar("F", bound=Callable[..., Any])


def pages_option() -> Callable[[F], F]:
    """Return the option `--pages`, a folder of pages that show reports."""
    return click.option(
        "--pages",
        metavar="FOLDER",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Write tables and plots into the pages there that have figures of this command, "
        "such as those of docs.",
    )


def show_report(report: "Report", folder: Path, command: str, pages: Path | None = None) -> None:
    """Print a report, write it into a folder, and name its files.

    Args:
        report: what is shown.
        folder: for its files.
        command: that makes it, as it is typed; the page has it.
        pages: a folder of pages, of which those that have figures of this command get the new
            ones; None for none.
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
    """Write a report into the pages below a folder that have figures of its command.

    A line on standard error tells where there are none. Args as for `page.update_pages`;
    without a folder nothing is done.
    """
    if pages is None:
        return []

    found = update_pages(pages, report, origin, files)
    if not found:
        click.echo(f"no page below {pages} has figures of `{origin.command}`", err=True)
    return found
