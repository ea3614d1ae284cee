"""Reports: what their files and pages say, what they are of, and the sources of figures."""

import csv
import importlib
import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import gammon_lab.experiments
from gammon.base.errors import GammonError
from gammon.base.folder import version_with_commit
from gammon.eval import cube_network, race_network
from gammon.eval.model_file import network_id
from gammon_lab.report import (
    BALLARD,
    GAMES_NOTES,
    MCGILL_NOTES,
    MELKO_NAGY,
    SLIDES,
    Citation,
    Drawing,
    Figure,
    Origin,
    Report,
    Sheet,
    beside,
    cell_text,
    formula,
    printed,
    program,
    update_pages,
    variables,
)
from tests import processes

# Reports: what their files say, and that drawing them changes nothing else.

SHEET = Sheet("counts", "Counts", ("N", "mean"), [[1000, 0.5], [2, None]])


@pytest.fixture
def report() -> Report:
    figure = Figure("line", lambda axes: axes.plot([0, 1], [1, 0]))
    return Report("A report", [SHEET], [figure], ["Nothing is random."])


def test_files(report: Report, tmp_path: Path) -> None:
    folder = tmp_path / "deep"
    paths = report.write(folder)
    assert [path.name for path in paths] == ["counts.csv", "line.svg", "report.md"]
    assert sorted(folder.iterdir()) == sorted(paths)
    with paths[0].open(newline="") as file:
        assert list(csv.reader(file)) == [["n", "mean"], ["1000", "0.5"], ["2", ""]]
    assert "<svg " in paths[1].read_text()
    page = paths[2].read_text()
    assert page == report.markdown()
    origin = Origin.of("gammon noise")
    *_, told = report.write(folder, origin)
    assert told.read_text() == f"{origin}\n\n{page}"
    for line in ("# A report", "## Counts", "| 1,000 | 0.5 |", "![line](line.svg)"):
        assert line in page.splitlines()


def test_the_body_has_no_title_and_headings_of_any_rank(report: Report) -> None:
    assert f"# A report\n\n{report.body()}" == report.markdown()
    assert report.body("####").startswith("#### Counts\n\n|")


def test_the_ends_of_an_interval_have_the_digits_of_the_error() -> None:
    rows = [[0.0188, 0.003, 0.01291, 0.02468], [0.014, 0.0102, -0.006341, None], [1.5, 0.0, 1.5, 1.5]]
    shown = Sheet("gains", "Gains", ("gain", "s.e.", "low", "high"), rows).shown()
    assert shown == [
        ["gain ± s.e.", "low", "high"],
        ["0.0188 ± 0.0030", "0.0129", "0.0247"],
        ["0.014 ± 0.010", "−0.006", ""],
        ["1.5 ± 0", "1.5", "1.5"],
    ]


def test_a_drawing_stands_above_its_table(tmp_path: Path) -> None:
    sheet = Sheet("one", "One", ("a",), [[1]], Drawing("board", "<svg/>"))
    paths = Report("Drawn", [sheet]).write(tmp_path)
    assert [path.name for path in paths] == ["one.csv", "board.svg", "report.md"]
    assert paths[1].read_text() == "<svg/>\n"
    page = paths[2].read_text().splitlines()
    assert page.index("## One") < page.index("![One](board.svg)") < page.index("| a |")


def test_a_folder_that_cannot_be(report: Report, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(GammonError, match="cannot be written"):
        report.write(tmp_path / "file")


@pytest.mark.parametrize(
    ("columns", "names"),
    [
        (("depth", "leaves", "sigma", "seconds", "sigma", "leaves %", "leaves +%"),
         ["depth", "leaves", "leaves_sigma", "seconds", "seconds_sigma", "leaves_percent",
          "leaves_more_percent"]),
        (("player", "PR", "s.e.", "more than gnubg=2", "s.e.", "best play %"),
         ["player", "pr", "pr_se", "more_than_gnubg_2", "more_than_gnubg_2_se",
          "best_play_percent"]),
        (("points", "s.e.", "won %", "s.e. %", "won % as played", "s.e. % as played"),
         ["points", "points_se", "won_percent", "won_percent_se", "won_percent_as_played",
          "won_percent_as_played_se"]),
        (("P(w1)", "alpha-beta", "Keith's best", "2/N %", ".02 to .1, %", "depth 3 / cost, %"),
         ["p_w1", "alpha_beta", "keiths_best", "at_2_per_n_percent", "at_0_02_to_0_1_percent",
          "depth_3_per_cost_percent"]),
    ],
)  # fmt: skip
def test_columns_are_variables_in_a_file(columns: Sequence[str], names: list[str]) -> None:
    assert variables(columns) == names


def test_no_table_has_two_columns_of_one_name(tmp_path: Path) -> None:
    """pandas would name them itself. All reports are made of such tables."""
    for columns in (("won %", "won, %"), ("±", "won"), ("won", "s.e.", "s.e.")):
        with pytest.raises(ValueError, match="expected different identifiers"):
            Sheet("one", "One", columns, [])


def test_drawing_leaves_matplotlib_as_it_was(tmp_path: Path) -> None:
    code = (
        "import sys, matplotlib\n"
        "from pathlib import Path\n"
        "from gammon_lab.report import Figure\n"
        "backend = lambda: dict.__getitem__(matplotlib.rcParams, 'backend')\n"
        "before = backend()\n"
        "Figure('one', lambda axes: axes.bar([1], [2])).write(Path(sys.argv[1]))\n"
        "print(before is backend(), 'matplotlib.pyplot' in sys.modules)"
    )
    assert processes.printed(code, str(tmp_path)) == "True False"


@pytest.mark.parametrize(
    ("cell", "text"), [(None, ""), ("x", "x"), (12345, "12,345"), (0.123456, "0.1235"), (123456.7, "123,457")]
)
def test_cells_as_people_read_them(cell: str | float | None, text: str) -> None:
    assert cell_text(cell) == text


@pytest.mark.parametrize(
    ("cell", "error", "text"),
    [
        (0.8293, 0.1347, "0.83 ± 0.13"), (-0.5, 0.0, "−0.5 ± 0"), (-12.3, 30.0, "−12 ± 30"),
        (51.989118633, 7.9e-15, "51.99 ± 0"), (0.5, 9e-13, "0.5 ± 0"),
        (3e4, 3e-9, "30,000 ± 0"), (3e4, 0.001, "30,000.0000 ± 0.0010"),
        ("+0.10", "0.02", "+0.10 ± 0.02"), ("-0.10", "", "−0.10"), (None, None, ""),
        (0.5, None, "0.5"), ("8/5-x", None, "8/5-x"),
    ],
)  # fmt: skip
def test_cells_with_standard_errors(cell: str | float | None, error: str | float | None, text: str) -> None:
    assert cell_text(cell, error) == text


def test_standard_errors_join_their_column_and_words_stand_left() -> None:
    rows: list[list[str | int | float | None]] = [["depth=1", 1, 0.5, 0.1], ["x", 2, None, None]]
    sheet = Sheet("one", "One", ("player", "games", "won %", "s.e. %"), rows)
    assert sheet.shown() == [
        ["player", "games", "won % ± s.e."], ["depth=1", "1", "0.50 ± 0.10"], ["x", "2", ""]
    ]  # fmt: skip
    assert sheet.texts() == [0]
    assert sheet.markdown().splitlines()[1] == "| --- | --: | --: |"


PRINTED = printed("a paper", "table 1, page 7")
FORMULA = formula("a paper", "page 3: n + 1")


def test_expected_figures_beside_ours() -> None:
    assert beside(2.0, 1.5, PRINTED) == [2.0, 1.5, -0.5, PRINTED]
    assert str(beside(0.0, -0.0, PRINTED)[1]) == "0.0"


@pytest.mark.parametrize(
    ("column", "citation"), [("expected", None), ("time % printed", None), ("printed", FORMULA)]
)
def test_no_table_has_a_figure_without_a_source(column: str, citation: Citation | None) -> None:
    with pytest.raises(ValueError, match="the table one has no source"):
        Sheet("one", "One", (column, "ours", "source"), [[0, 1, citation]])
    assert Sheet("one", "One", (column, "ours", "source"), [[None, 1, citation]]).rows


def test_a_table_tells_the_source_of_each_figure(tmp_path: Path) -> None:
    rows = [["a", *beside(2, 2, PRINTED)], ["b", *beside(3, 3, FORMULA)]]
    rows.append(["c", *beside(4, 5, FORMULA)])
    sheet = Sheet("one", "One", ("n", "expected", "ours", "difference", "source"), rows)
    assert sheet.citations() == [PRINTED, FORMULA]
    assert [line[-1] for line in sheet.shown()] == ["source", "printed", "formula", "formula"]
    assert sheet.markdown().splitlines()[-3:] == [
        "", "* printed: a paper, table 1, page 7.", "* formula: a paper, page 3: n + 1.",
    ]  # fmt: skip
    written = sheet.write(tmp_path).read_text().splitlines()
    assert written[2] == 'b,3,3,0,"formula: a paper, page 3: n + 1"'


# A report takes the place of the old one in the pages that have figures of its command.

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


# A page tells what its figures are of, and pages of other networks are found.

ROOT = Path(__file__).parents[2]
PAGES = [
    path
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if Origin.read(path.read_text())
]


def test_an_origin_is_read_as_it_is_written() -> None:
    origin = Origin.of("gammon reproduce hauk --seed 1")
    assert Origin.read(f"# A page\n\n{origin}\n\n| 1 |\n{origin}") == [origin, origin]
    assert origin.version == version_with_commit()
    assert origin.networks["leaf"] == network_id("leaf")
    assert origin.networks["race"] == race_network.NETWORK.id()
    assert origin.networks["cube"] == cube_network.NETWORK.id()
    assert Origin.read("<!-- a comment -->") == []
    for networks in ("leaf", "leaf 5", "leaf 0123456789ab, large", ""):
        assert Origin.read(f"<!-- made by `x`, gammon 0.1, {networks} -->") == []


#: The networks that shipped earlier. A page with figures of theirs has this sentence.
EARLIER = {
    "leaf": ("18bfc60f7b09", "c2048501d170"),
    "large": ("8079d66e098f", "34969181d81c"),
    "width": ("5f6e78594193", "b4aa5cb7f807"),
}
SAID = "Measured with [earlier networks](MODELS#earlier-networks)."


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_page_says_if_its_figures_are_of_other_networks_than_those_that_ship(page: Path) -> None:
    text = page.read_text()
    models = Path(os.path.relpath(ROOT / "models" / "README.md", page.parent))
    said = SAID.replace("MODELS", models.as_posix()) in text
    others, ours = 0, Origin.of("").networks
    for origin in Origin.read(text):
        for name, number in origin.networks.items():
            if number != ours[name]:
                others += 1
                assert number in EARLIER.get(name, ()), f"{origin.command} is of another {name}"
    assert said == (others > 0), "it says so, or has figures of today's networks alone"


# Every figure that ours stand beside has a source, in the code and on the pages.

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
            look(list(vars(importlib.import_module(f"gammon_lab.experiments.{path.stem}")).values()))
    return sorted(set(found))


def test_a_printed_figure_names_source_and_place_and_a_program_is_there():
    found = citations()
    assert {each.kind for each in found} == {"printed", "formula", "program"}
    for each in found:
        if each.kind == "program":
            (name,) = re.findall("`(.+)`", each.place)
            assert (ROOT / name).exists(), each
        elif not each.place.startswith(("eXtreme", "T. Keith", "T. Neller")):
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


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.stem)
def test_no_page_has_a_figure_of_others_without_a_source(page):
    for columns, below in tables(page):
        if HEADING.search(columns):
            assert "| source |" in columns, f"{page.name}: {columns}"
            assert LINE.search(below), f"{page.name}: {columns}"


def test_no_table_of_an_experiment_calls_a_figure_published():
    for path in FOLDER.glob("*.py"):
        assert not re.search(r'[" ]published"', path.read_text()), path.name
