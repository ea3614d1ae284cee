"""The style of tables, and the tables of a report."""

from rich.console import Console, Group
from rich.text import Text

from gammon.view.plain import plain_text
from gammon.view.tables import Fitted, indented, new_table, without_last_columns
from gammon_lab.reports.report import Report, Sheet
from gammon_lab.view import report_view
from tests.engine.view.text import text_of


def test_names_stand_left_and_numbers_right() -> None:
    table = new_table("name", "number")
    table.add_row("a", "1")
    table.add_row("longer", "12,345")
    assert [line.rstrip() for line in text_of(table)] == [
        "name    number",
        "a            1",
        "longer  12,345",
    ]
    assert [line.rstrip() for line in text_of(indented(table))] == [
        "  name    number",
        "  a            1",
        "  longer  12,345",
    ]


def test_columns_on_the_left() -> None:
    table = new_table("a", "b", left=(1,))
    table.add_row("123", "2")
    assert [line.rstrip() for line in text_of(table)] == ["  a  b", "123  2"]


def test_only_a_table_that_wraps_has_cells_of_several_lines() -> None:
    for wrap, lines in ((True, 3), (False, 2)):
        table = new_table("name", wrap=wrap)
        table.add_row("word " * 40)
        assert len(text_of(table)) == lines


def test_a_cell_that_wraps_loses_no_letter() -> None:
    table = new_table("name")
    table.add_row("redoubled")
    assert "".join(plain_text(table, 5).split()) == "nameredoubled"


def test_the_last_columns_go_where_there_is_no_room() -> None:
    table = new_table("rank", "play", "chance")
    table.add_row("1.", "13/7", "55.4")
    view = without_last_columns(table, 2)
    for width, columns in ((18, 3), (16, 3), (15, 2), (10, 2), (18, 3)):
        text = plain_text(view, width)
        lines = text.splitlines()
        assert lines[0].split() == ["rank", "play", "chance"][:columns], width
        said = "The terminal is too narrow for more columns: chance."
        assert (said in " ".join(text.split())) == (columns == 2)


def test_without_an_edge_no_column_goes_and_text_is_broken() -> None:
    table = new_table("rank", *(f"a column {number}" for number in range(20)), wrap=False)
    table.add_row("1.", *(f"the cell {number}" for number in range(20)))
    view = Group(indented(without_last_columns(table, 2)), Text("word " * 40))
    head, row, *text = plain_text(view).splitlines()
    assert head.endswith("a column 19") and row.endswith("the cell 19") and len(row) > 200
    assert len(text) == 2 and max(map(len, text)) <= 120


def test_gaps_shrink_before_columns_go() -> None:
    table = new_table("rank", "play", "chance")
    table.add_row("1.", "13/7", "55.4")
    view = without_last_columns(table, 2, Text("and more"))
    for width, first in ((18, "rank  play  chance"), (17, "rank play chance"),
                         (18, "rank  play  chance")):  # fmt: skip
        lines = plain_text(view, width).splitlines()
        assert (lines[0], lines[2:]) == (first, ["and more"])
    assert plain_text(view, 15).splitlines()[2:4] == ["and more", "The terminal is"]


def test_a_fitted_view_knows_its_width() -> None:
    assert plain_text(indented(Fitted(lambda width: width * "x")), 30) == "  " + 28 * "x"


def test_a_fitted_view_is_no_wider_than_its_text() -> None:
    console = Console(width=30)
    table = new_table("rank", "play")
    for view in (Fitted(lambda width: Text("ten digits")), without_last_columns(table, 1)):
        (line,) = console.render_lines(indented(view), pad=False)
        assert sum(len(segment.text) for segment in line) == 12


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
