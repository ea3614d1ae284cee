"""Every figure that ours stand beside has a source, in the code and on the pages."""

import importlib
import re
from pathlib import Path

import pytest

import gammon_lab.experiments
from gammon_lab.reports.citation import (
    BALLARD,
    GAMES_NOTES,
    MCGILL_NOTES,
    MELKO_NAGY,
    SLIDES,
    Citation,
    formula,
    printed,
    program,
)

ROOT = Path(__file__).parents[3]
FOLDER = Path(gammon_lab.experiments.__file__).parent
SOURCES = (BALLARD, GAMES_NOTES, MCGILL_NOTES, MELKO_NAGY, SLIDES)
#: Words of a heading over figures of others.
HEADING = re.compile(r"\b(expected|printed|published|paper|XG|Keith's)\b")
LINE = re.compile(r"^\* (printed|formula|program): .+\.$", re.MULTILINE)


def test_a_citation_tells_its_kind_and_place():
    assert str(printed("a paper", "table 1")) == "printed: a paper, table 1"
    assert str(formula("a paper", "page 2")) == "formula: a paper, page 2"
    assert str(program("tests/a.py")) == "program: a second program of ours, `tests/a.py`"


def citations():
    """Return all citations that modules of experiments keep."""
    found = []

    def look(value):
        if isinstance(value, Citation):
            found.append(value)
        elif isinstance(value, (tuple, list)):
            for each in value:
                look(each)
        elif isinstance(value, dict):
            look(list(value.values()))

    for path in sorted(FOLDER.glob("*.py")):
        if path.stem not in ("__init__", "judge", "noise"):
            look(
                list(
                    vars(
                        importlib.import_module(f"gammon_lab.experiments.{path.stem}")
                    ).values()
                )
            )
    return sorted(set(found))


def test_a_printed_figure_names_source_and_place_and_a_program_is_there():
    found = citations()
    assert {each.kind for each in found} == {"printed", "formula", "program"}
    for each in found:
        if each.kind == "program":
            (name,) = re.findall("`(.+)`", each.place)
            assert (ROOT / name).exists(), each
        elif not each.place.startswith(("eXtreme", "T. Keith")):
            (source,) = [name for name in SOURCES if each.place.startswith(f"{name}, ")]
            place = each.place[len(source) + 2 :]
            assert re.match("table|section|figure|slide|result|Effectiveness", place), each


@pytest.mark.parametrize("source", SOURCES)
def test_a_paper_has_pages_and_all_sources_have_titles(source):
    assert "pages" in source or source.startswith(("slides", "notes", "class notes"))
    text = " ".join((ROOT / "docs" / "algorithms.md").read_text().split())
    key = re.search(r'"(.+)"|\d{3}-\d+B|^(\w+) ', source)
    assert (key[1] or key[2] or key[0]) in text


def test_citation_cff_names_the_papers():
    text = (ROOT / "CITATION.cff").read_text()
    for title in (
        "A search procedure for perfect information games of chance",
        "Optimal strategy in games with chance nodes",
        "An analysis of alpha-beta pruning",
        "-Minimax Performance in Backgammon",
    ):
        assert title in text


def tables(page):
    """Return the tables of a page: the names of the columns, and the text below the table."""
    lines = page.read_text().splitlines()
    for at, line in enumerate(lines):
        if re.match(r"\|[ :|-]+\|$", line) and lines[at - 1].startswith("|"):
            end = next((n for n in range(at, len(lines)) if not lines[n].startswith("|")), at)
            yield lines[at - 1], "\n".join(lines[end : end + 8])


@pytest.mark.parametrize(
    "page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.stem
)
def test_no_page_has_a_figure_of_others_without_a_source(page):
    for columns, below in tables(page):
        if HEADING.search(columns):
            assert "| source |" in columns, f"{page.name}: {columns}"
            assert LINE.search(below), f"{page.name}: {columns}"


def test_no_table_of_an_experiment_calls_a_figure_published():
    for path in FOLDER.glob("*.py"):
        assert not re.search(r'[" ]published"', path.read_text()), path.name
