"""Reports: what their files say, and that drawing them changes nothing else."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest

from gammon.base.errors import GammonError
from gammon_lab.reports.citation import Citation, formula, printed
from gammon_lab.reports.origin import Origin
from gammon_lab.reports.report import (
    Drawing,
    Figure,
    Report,
    Sheet,
    beside,
    cell_text,
    variables,
)
from tests import processes

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
        (("player", "PR", "s.e.", "less that of gnubg=2", "s.e.", "best play %"),
         ["player", "pr", "pr_se", "less_that_of_gnubg_2", "less_that_of_gnubg_2_se",
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
        with pytest.raises(ValueError, match="expected identifiers, each another one"):
            Sheet("one", "One", columns, [])


def test_drawing_leaves_matplotlib_as_it_was(tmp_path: Path) -> None:
    code = (
        "import sys, matplotlib\n"
        "from pathlib import Path\n"
        "from gammon_lab.reports.report import Figure\n"
        "backend = lambda: dict.__getitem__(matplotlib.rcParams, 'backend')\n"
        "before = backend()\n"
        "Figure('one', lambda axes: axes.bar([1], [2])).write(Path(sys.argv[1]))\n"
        "print(before is backend(), 'matplotlib.pyplot' in sys.modules)"
    )
    assert processes.printed(code, str(tmp_path)) == "True False"


@pytest.mark.parametrize(
    ("cell", "text"),
    [(None, ""), ("x", "x"), (12345, "12,345"), (0.123456, "0.1235"), (123456.7, "123,457")],
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
def test_cells_with_standard_errors(
    cell: str | float | None, error: str | float | None, text: str
) -> None:
    assert cell_text(cell, error) == text


def test_standard_errors_join_their_column_and_words_stand_left() -> None:
    rows: list[list[str | int | float | None]] = [
        ["depth=1", 1, 0.5, 0.1],
        ["x", 2, None, None],
    ]
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
    ("column", "citation"),
    [("expected", None), ("time % printed", None), ("printed", FORMULA)],
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
