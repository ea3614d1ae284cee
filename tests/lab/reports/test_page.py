"""A report takes the place of the old one in the pages that have figures of its command."""

from pathlib import Path

from gammon_lab.reports.origin import Origin
from gammon_lab.reports.page import update_pages
from gammon_lab.reports.report import Figure, Report, Sheet

OLD = Origin("gammon reproduce nim --seed 1", "0.0", {"leaf": "0" * 12})
NEW = Origin(OLD.command, "0.2", {"leaf": "1" * 12})
OTHER = Origin("gammon reproduce dice --seed 1", "0.0", {"leaf": "0" * 12})
TEXT = """# Nim

{}
{}

<!-- table nim -->
| old |
<!-- end -->

By hand: 1/2.

<!-- table dice -->
| of another |
<!-- end -->

![cells](pictures/cells.svg)
![cells of another](other-cells.svg)
"""


def test_tables_pictures_and_origin_are_replaced_and_nothing_else(tmp_path: Path) -> None:
    pages = tmp_path / "docs"
    (pages / "deep" / "pictures").mkdir(parents=True)
    page, other = pages / "deep" / "nim.md", pages / "other.md"
    page.write_text(TEXT.format(OLD, OTHER))
    other.write_text(TEXT.format(OTHER, ""))
    sheet = Sheet("nim", "Nim", ("heap", "value", "s.e."), [["a", 0.5, 0.012]])
    report = Report("Nim", [sheet, Sheet("unshown", "Not on the page", ("a",), [[1]])], [
        Figure("cells", lambda axes: axes.plot([0, 1], [1, 0]))
    ])  # fmt: skip
    files = report.write(tmp_path / "runs")
    assert update_pages(pages, report, NEW, files) == [page]
    expected = TEXT.format(NEW, OTHER).replace("| old |", sheet.markdown())
    assert page.read_text() == expected
    assert "| a | 0.500 ± 0.012 |" in expected
    assert other.read_text() == TEXT.format(OTHER, "")
    drawn = (tmp_path / "runs" / "cells.svg").read_bytes()
    assert (pages / "deep" / "pictures" / "cells.svg").read_bytes() == drawn
    assert sorted(path.name for path in pages.rglob("*.svg")) == ["cells.svg"]
    update_pages(pages, report, NEW, files)
    assert page.read_text() == expected


def test_a_page_may_have_a_whole_report(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"{OLD}\n<!-- report -->\nold\n<!-- end -->\nBy hand.\n")
    report = Report("Nim", [Sheet("nim", "Nim", ("a",), [[1]])], (), ["A note."])
    update_pages(tmp_path, report, NEW, ())
    body = "### Nim\n\n| a |\n| --: |\n| 1 |\n\nA note."
    assert page.read_text() == f"{NEW}\n<!-- report -->\n{body}\n<!-- end -->\nBy hand.\n"
