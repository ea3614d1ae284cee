"""A report takes the place of the old one in the pages that have figures of its command."""

from pathlib import Path

from gammon.experiments.origin import Origin
from gammon.experiments.page import update_pages
from gammon.experiments.report import Figure, Report, Sheet

OLD = Origin("gammon reproduce nim --seed 1", "0.0", {"leaf": "0"})
NEW = Origin(OLD.command, "0.2", {"leaf": "1"})
OTHER = Origin("gammon reproduce dice --seed 1", "0.0", {"leaf": "0"})
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

![cells](pictures/cells.png)
![cells of another](other-cells.png)
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
    drawn = (tmp_path / "runs" / "cells.png").read_bytes()
    assert (pages / "deep" / "pictures" / "cells.png").read_bytes() == drawn
    assert sorted(path.name for path in pages.rglob("*.png")) == ["cells.png"]
    update_pages(pages, report, NEW, files)
    assert page.read_text() == expected
