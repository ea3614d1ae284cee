"""Reports of reproductions as text."""

from gammon.experiments.report import Report, Sheet
from gammon.shown.report import report_view
from tests.shown.text import text_of


def test_a_report_shows_its_tables_and_notes() -> None:
    nodes = Sheet("nodes", "Nodes searched", ["depth", "expected", "ours"], [[3, None, 12_345]])
    shares = Sheet("shares", "Shares", ["search", "share"], [["star1", 0.123456]])
    lines = text_of(
        report_view(Report("Of 1983", [nodes, shares], notes=["Seed 1.", "Quick."]))
    )
    assert [line.rstrip() for line in lines] == [
        "Of 1983",
        "",
        "  Nodes searched",
        "  depth  expected    ours",
        "      3            12,345",
        "",
        "  Shares",
        "  search   share",
        "  star1   0.1235",
        "",
        "  Seed 1.",
        "  Quick.",
    ]
