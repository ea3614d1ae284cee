"""Pages of the documentation, with the tables and pictures of reports.

The origins in a page (`gammon_lab.reports.report.Origin`) are the commands that made its figures. A
table stands between two comments, and so does a whole report:

    <!-- table hauk-savings -->
    <!-- end -->
    <!-- report -->
    <!-- end -->

The same command writes its report's table of that name there, or the whole report without its
title, and its pictures over those that the page shows by the same names. All other text is
written by people, and stays.
"""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from gammon.base.files import write_text, written_whole
from gammon_lab.reports.report import Origin, Report

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
