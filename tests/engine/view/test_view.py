"""An answer that is laid out once: the same parts in letters and in HTML."""

from gammon.formats.position import Position
from gammon.view.plain import plain_text
from gammon.view.tables import new_table
from gammon.view.view import Columns, Verdict, View


def view() -> View:
    table = new_table("Play", "Equity", "Loss", wrap=False)
    table.add_row("8/5 6/5", "+0.1", "0.0")
    columns = Columns(table, 1, "and 2 more")
    return View(Position.opening(), "X to play", ["a < b"], [[columns], [Verdict("Take"), "x"]])


def test_both_looks_have_the_same_parts() -> None:
    text = " ".join(plain_text(view()).split())
    html = view().html()
    for part in ("X to play", "8/5 6/5", "+0.1", "and 2 more", "Take"):
        assert part in text
        assert part in html
    assert "a < b" in text
    assert "a &lt; b" in html
    assert "<b>Take</b>" in html


def test_an_empty_line_parts_blocks() -> None:
    lines = plain_text(view()).splitlines()
    assert lines[-6:-3] == [
        "  Play     Equity  Loss", "  8/5 6/5    +0.1   0.0", "  and 2 more",
    ]  # fmt: skip
    assert lines[-2:] == ["  Take", "  x"]
    assert lines[-3] == ""


def test_a_narrow_look_takes_nothing_from_a_later_one() -> None:
    found = view()
    wide = plain_text(found)
    assert "too narrow for more columns" in " ".join(plain_text(found, 16).split())
    assert plain_text(found) == wide
    assert "Loss" in found.html()
