"""The style of tables."""

from gammon.text.tables import indented, new_table
from tests.views.text import text_of


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


def test_columns_on_the_left_and_least_widths() -> None:
    table = new_table("a", "b", left=(1,), least=4)
    table.add_row("1", "2")
    assert [line.rstrip() for line in text_of(table)] == ["   a  b", "   1  2"]


def test_only_a_table_that_wraps_has_cells_of_several_lines() -> None:
    for wrap, lines in ((True, 3), (False, 2)):
        table = new_table("name", wrap=wrap)
        table.add_row("word " * 40)
        assert len(text_of(table)) == lines
