"""Views as plain text."""

from rich.text import Text

from gammon.view.plain import plain_text
from gammon.view.tables import new_table


def test_no_colours_and_no_trailing_blanks() -> None:
    table = new_table("a", "b")
    table.add_row("x", "")
    assert plain_text(table) == "a  b\nx"
    assert plain_text(Text("red", "bold red")) == "red"


def test_lines_are_as_wide_as_they_are_asked_to_be() -> None:
    words = Text("word " * 30)
    assert len(plain_text(words).splitlines()) == 2
    assert max(map(len, plain_text(words, 40).splitlines())) == 39
