"""Answers that are laid out once: in letters and in HTML, in the same words."""

import re
from xml.etree import ElementTree

import pytest
from rich.text import Text

import gammon
from gammon.engine.analysis import Kind
from gammon.formats.position import Position
from gammon.view.analysis import analysis_view
from gammon.view.cube import cube_view
from gammon.view.tables import new_table, plain_text
from gammon.view.view import Columns, Verdict, View, table_html
from tests.engine.view.test_analysis import analysis
from tests.engine.view.test_cube import decision

# Answers as HTML: the same words as their tables in letters.

MONEY = gammon.Position.parse("XGID=-a-B--C-B-a-dDB--bBbcb----:0:0:1:00:0:0:0:0:10")
SVG = "{http://www.w3.org/2000/svg}"


def tables(html: str) -> list[list[list[str]]]:
    """The texts of the cells of each table's rows."""
    page = ElementTree.fromstring(html)
    return [
        [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]
        for table in page.iter("table")
    ]


def lines(html: str) -> list[str]:
    return ["".join(each.itertext()) for each in ElementTree.fromstring(html).iter("p")]


def test_a_table() -> None:
    table = new_table("Play", "<b>")
    table.add_row("8/5 & 6/5", "+0.1", style="bold")
    table.add_row("13/9")
    html = table_html(table)
    assert tables(f"<div>{html}</div>") == [[["Play", "<b>"], ["8/5 & 6/5", "+0.1"], ["13/9", ""]]]
    rows = [*ElementTree.fromstring(html)]
    bold = ["bold" in cell.get("style", "") for row in rows for cell in row]
    assert bold == [False, False, True, True, False, False]
    assert ["right" in cell.get("style", "") for cell in rows[1]] == [False, True]


def test_an_analysis() -> None:
    found = analysis([Kind.EXACT, Kind.EXACT, *[Kind.SHALLOW] * 11], top=1)
    html = found._repr_html_()
    (rows,) = tables(html)
    text = [line.split() for line in plain_text(analysis_view(found)).splitlines()]
    assert len(rows) == 11
    for row in rows:
        assert " ".join(row).split() in text
    drawing = ElementTree.fromstring(html).find(f"{SVG}svg")
    assert drawing is not None
    arrows = [part for part in drawing if part.get("class") == "arrow"]
    assert len(arrows) == len(found.candidates[0].play.moves)
    said = lines(html)
    assert said[0] == found.position.xgid
    assert said[1].startswith("X to play 31, exact to depth 3")
    assert said[-1].startswith("and 3 more, from -")


def test_a_cube_decision() -> None:
    found = decision((0.5, 0.8))
    html = found._repr_html_()
    actions, chances = tables(html)
    text = [line.split() for line in plain_text(cube_view(found)).splitlines()]
    for row in (*actions, *chances):
        assert " ".join(row).split() in text
    assert [row[0] for row in actions] == ["Action", "No double", "Double, take", "Double, pass"]
    assert "Verdict: double, take" in lines(html)
    assert "X loses 0.3000 by not doubling, O 0.2000 by a pass." in " ".join(lines(html))


def test_all_rolls() -> None:
    found = gammon.Engine(depth=1).analyze_rolls(MONEY)
    html = found._repr_html_()
    (rows,) = tables(html)
    text = [line.split() for line in str(found).splitlines()]
    assert len(rows) == 1 + 21 + 1
    for row in rows:
        assert " ".join(row).split() in text
    (said,) = [line for line in lines(html) if "the mean over the 21 rolls" in line]
    assert said.startswith(f"Equity before the roll, without a double: {found.equity:+.4f}")
    assert "arrow" not in html


@pytest.mark.parametrize("dice", [None, (2, 1)])
def test_grids_by_score(dice: tuple[int, int] | None) -> None:
    engine = gammon.Engine(depth=1)
    found: gammon.ScoreGrid | gammon.PlayGrid = engine.cube_by_score(MONEY, 2)
    if dice:
        found = engine.plays_by_score(MONEY, dice, 2)
    html = found._repr_html_()
    scores, named = tables(html)
    text = [line.split() for line in str(found).splitlines()]
    assert (len(scores), len(named)) == (3, 5)
    for row in (*scores, *named):
        assert " ".join(row).split() in text
    for line in lines(html)[1:]:
        assert line in " ".join(str(found).split())


@pytest.mark.parametrize("answer", [analysis([Kind.EXACT]), decision((0.5, 0.8))])
def test_there_are_no_scripts(answer: gammon.Analysis | gammon.CubeDecision) -> None:
    html = answer._repr_html_()
    assert not re.search(r"<script|<style|href|src=| on[a-z]+=| id=", html)


# An answer that is laid out once: the same parts in letters and in HTML.


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
    assert lines[-6:-3] == ["  Play     Equity  Loss", "  8/5 6/5    +0.1   0.0", "  and 2 more"]
    assert lines[-2:] == ["  Take", "  x"]
    assert lines[-3] == ""


def test_a_narrow_look_takes_nothing_from_a_later_one() -> None:
    found = view()
    wide = plain_text(found)
    assert "too narrow for more columns" in " ".join(plain_text(found, 16).split())
    assert plain_text(found) == wide
    assert "Loss" in found.html()


# Views as plain text.


def test_no_colours_and_no_trailing_blanks() -> None:
    table = new_table("a", "b")
    table.add_row("x", "")
    assert plain_text(table) == "a  b\nx"
    assert plain_text(Text("red", "bold red")) == "red"


def test_lines_are_as_wide_as_they_are_asked_to_be() -> None:
    words = Text("word " * 30)
    assert len(plain_text(words).splitlines()) == 2
    assert max(map(len, plain_text(words, 40).splitlines())) == 39
