"""Pages of the documentation, whose tables and pictures are those of reports.

A page tells by its origins (`gammon_lab.reports.origin`) of which commands its figures are. A
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
from gammon_lab.reports.origin import Origin
from gammon_lab.reports.report import Report

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
