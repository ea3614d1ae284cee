"""Reports of reproductions: tables of our figures beside expected ones, and plots.

An expected figure has a `Citation` of its source. The `Origin` of our own figures is one line of the
report's page, which programs can read.

The origins in a page of the documentation are the commands that made its figures. A table stands
between two comments there, and so does a whole report:

    <!-- table hauk-savings -->
    <!-- end -->
    <!-- report -->
    <!-- end -->

The same command writes its report's table of that name there, or the whole report without its
title, and its pictures over those that the page shows by the same names. All other text is
written by people, and stays.
"""

import csv
import math
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import NamedTuple, Self

from gammon.base.files import write_text, written_whole
from gammon.base.folder import version_with_commit
from gammon.eval.evaluators import search_networks
from gammon.eval.model_file import shipped_models
from gammon_study.view.plot import Axes, svg_of

#: The line of an origin.
_NETWORK = r"[^ ,>]+ [0-9a-f]{12}"
_LINE = re.compile(
    r"<!-- made by `(?P<command>[^`]+)`, gammon (?P<version>\S+), "
    rf"(?P<ids>{_NETWORK}(?:, {_NETWORK})*) -->"
)


@dataclass(frozen=True)
class Origin:
    """The command, the version and the networks that made some figures.

    Attributes:
        command: as it is typed, without its folder.
        version: of gammon; figures made from a checkout also have its commit.
        networks: the ID of each shipped network by its name; see `search_networks`.
    """

    command: str
    version: str
    networks: Mapping[str, str]

    @classmethod
    def of(cls, command: str) -> Self:
        """Return the origin of figures that a command makes now."""
        networks = search_networks(*(path.stem for path in shipped_models()))
        return cls(command, version_with_commit(), networks)

    @classmethod
    def read(cls, page: str) -> list[Self]:
        """Return the origins in the comments of a page, in their order."""
        return [
            cls(
                match["command"], match["version"], dict(pair.split(" ") for pair in match["ids"].split(", "))
            )
            for match in _LINE.finditer(page)
        ]

    def __str__(self) -> str:
        networks = ", ".join(f"{name} {number}" for name, number in self.networks.items())
        return f"<!-- made by `{self.command}`, gammon {self.version}, {networks} -->"


#: The papers that we have read; `docs/algorithms.md` has their titles.
BALLARD = "Ballard (AAAI-82, pages 111 to 114)"
MELKO_NAGY = "Melko and Nagy (2007, pages 171 to 192)"
SLIDES = 'slides of a lecture, "13. *-Minimax"'
GAMES_NOTES = 'notes of a lecture, "Games"'
MCGILL_NOTES = "class notes 308-251B of McGill University (1997), topic 11"


class Citation(NamedTuple):
    """The source of a figure that ours is compared with; see the functions below.

    Attributes:
        kind: "printed", "formula" or "program".
        place: the place in the source, or the program that computed the figure.
    """

    kind: str
    place: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.place}"


def printed(source: str, place: str) -> Citation:
    """Return the citation of a figure that a source prints."""
    return Citation("printed", f"{source}, {place}")


def formula(source: str, place: str) -> Citation:
    """Return the citation of a figure that follows from a formula in a source."""
    return Citation("formula", f"{source}, {place}")


def program(test: str) -> Citation:
    """Return the citation of a figure that a second program of ours computed."""
    return Citation("program", f"a second program of ours, `{test}`")


Cell = str | int | float | Citation | None
#: A column of standard errors has a name that begins with this.
_ERROR = "s.e."
#: A smaller standard error, relative to the cell or to 1, is 0 but for rounding.
_ROUNDING = 1e-12
#: A cell with a number, or with nothing.
_NUMBER = re.compile(r"([+−]?[\d,.]+(e[+−-]\d+)?( ± [\d,.e-]+)?( %)?)?")
_PICTURES = {".png", ".svg"}


def variables(columns: Sequence[str]) -> list[str]:
    """Return the names of the columns in a file, each a different identifier.

    A column of standard errors is named after the column before it. So is a column whose name
    occurs more than once in the table: `won %` and `s.e. %` are `won_percent` and
    `won_percent_se`.

    Raises:
        ValueError: two columns would have the same name.
    """
    names: list[str] = []
    before = ""  # the last column that is not named after another
    for name in columns:
        if name.startswith(_ERROR):
            names.append(f"{before}_se")
        elif names and columns.count(name) > 1:
            names.append(f"{before}_{_variable(name)}")
        else:
            before = _variable(name)
            names.append(before)
    if len(set(names)) < len(names) or not all(map(str.isidentifier, names)):
        raise ValueError(f"columns {names}: expected different identifiers")
    return names


def _variable(name: str) -> str:
    """Return the name of a column in a form that fits an identifier."""
    text = re.sub(r"(?<!\d)\.(?=\d)", "0.", name.lower().replace("'", ""))
    for sign, word in ((r"\+%", "more percent"), ("%", "percent"), ("/", "per")):
        text = re.sub(sign, f" {word} ", text)
    text = "_".join(re.findall("[a-z0-9]+", text))
    return f"at_{text}" if text[:1].isdigit() else text


@dataclass(frozen=True)
class Drawing:
    """A named drawing: the text of an SVG file."""

    name: str
    svg: str

    def write(self, folder: Path) -> Path:
        """Write the file, and return its path."""
        path = folder / f"{self.name}.svg"
        write_text(path, self.svg + "\n")
        return path


@dataclass(frozen=True)
class Sheet:
    """A named table; cells are numbers where they can be.

    Attributes:
        name: the name of its file.
        title: its heading.
        columns: their names. If a name contains "expected", a figure in the column needs a
            citation in its row; if it contains "printed", a citation of that kind.
        rows: see `Cell`.
        drawing: shown above the table.

    Raises:
        ValueError: a figure lacks its citation, or two columns have the same name.
    """

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    drawing: Drawing | None = None

    def __post_init__(self) -> None:
        variables(self.columns)
        for row in self.rows:
            kinds = {cell.kind for cell in row if isinstance(cell, Citation)}
            for name, cell in zip(self.columns, row, strict=True):
                bare = "expected" in name and not kinds
                if cell is not None and (bare or ("printed" in name and kinds != {"printed"})):
                    raise ValueError(f"the table {self.name} has no source of {name} {cell}")

    def citations(self) -> list[Citation]:
        """Return the sources of the expected figures, each once."""
        cells = (cell for row in self.rows for cell in row)
        return list(dict.fromkeys(cell for cell in cells if isinstance(cell, Citation)))

    def write(self, folder: Path) -> Path:
        """Write the table as a CSV file, its columns named by `variables`; return its path."""
        path = folder / f"{self.name}.csv"
        text = StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(variables(self.columns))
        writer.writerows(self.rows)
        write_text(path, text.getvalue())
        return path

    def shown(self) -> list[list[str]]:
        """Return the table as people read it: the names of the columns, then the rows.

        A column of standard errors (`s.e.`) joins the column before it, and sets the digits of
        the ends of an interval after it (`low`, `high`).
        """
        errors = {at for at, name in enumerate(self.columns) if name.startswith(_ERROR)}
        ends = {
            at: max((error for error in errors if error < at), default=None)
            for at, name in enumerate(self.columns)
            if name in ("low", "high")
        }
        kept = [at for at in range(len(self.columns)) if at not in errors]
        names = [self.columns[at] + (f" ± {_ERROR}" if at + 1 in errors else "") for at in kept]
        rows = [
            [cell_text(row[at], row[at + 1] if at + 1 in errors else None) for at in kept]
            for row in self.rows
        ]
        for at, error in ends.items():
            if error is not None:
                for texts, row in zip(rows, self.rows, strict=True):
                    texts[kept.index(at)] = cell_text(row[at], row[error]).partition(" ± ")[0]
        return [names, *rows]

    def texts(self) -> list[int]:
        """Return the indices of the columns of `shown` that have cells other than numbers."""
        columns = zip(*self.shown()[1:], strict=True)
        return [at for at, cells in enumerate(columns) if not all(map(_NUMBER.fullmatch, cells))]

    def markdown(self) -> str:
        """Return the table in Markdown, followed by its sources."""
        names, *rows = self.shown()
        texts = self.texts()
        rule = ["---" if at in texts else "--:" for at in range(len(names))]
        lines = [f"| {' | '.join(line)} |" for line in [names, rule, *rows]]
        sources = [f"* {citation}." for citation in self.citations()]
        return "\n".join([*lines, "", *sources] if sources else lines)


@dataclass(frozen=True)
class Figure:
    """A named plot; `draw` gets the axes."""

    name: str
    draw: Callable[[Axes], None]

    def write(self, folder: Path) -> Path:
        """Draw the plot into an SVG file, and return its path."""
        path = folder / f"{self.name}.svg"
        write_text(path, svg_of(self.draw))
        return path


@dataclass(frozen=True)
class Report:
    """The results of a reproduction.

    Attributes:
        title: what was reproduced, with its source.
        tables: see `Sheet`.
        figures: see `Figure`.
        notes: sentences that explain the figures.
    """

    title: str
    tables: Sequence[Sheet]
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = field(default_factory=tuple)

    def write(self, folder: Path, origin: Origin | None = None) -> list[Path]:
        """Write a CSV file for each table, an SVG file for each picture, and a page with all of them.

        Args:
            folder: an existing folder.
            origin: the origin of the figures, written into the page.

        Returns:
            The paths of the files.

        Raises:
            GammonError: the folder cannot be written.
        """
        tables = [table.write(folder) for table in self.tables]
        drawings = [table.drawing.write(folder) for table in self.tables if table.drawing]
        figures = [figure.write(folder) for figure in self.figures]
        page = folder / "report.md"
        write_text(page, f"{origin}\n\n{self.markdown()}" if origin else self.markdown())
        return [*tables, *drawings, *figures, page]

    def markdown(self) -> str:
        """Return the report as a page in Markdown, for the folder of its pictures."""
        return f"# {self.title}\n\n{self.body()}"

    def body(self, heading: str = "##") -> str:
        """Return the page without its title.

        Args:
            heading: the Markdown before the title of a table.
        """
        parts = []
        for table in self.tables:
            parts.append(f"{heading} {table.title}")
            if table.drawing is not None:
                parts.append(f"![{table.title}]({table.drawing.name}.svg)")
            parts.append(table.markdown())
        parts += [f"![{figure.name}]({figure.name}.svg)" for figure in self.figures]
        return "\n\n".join([*parts, *self.notes]) + "\n"


def cell_text(cell: Cell, error: Cell = None) -> str:
    """Return a cell as people read it; a number that is not a count has four digits.

    Args:
        cell: what the table has.
        error: its standard error, shown with two digits; None if it has none.
    """
    if isinstance(cell, float) and isinstance(error, float):
        error = 0.0 if error <= _ROUNDING * max(abs(cell), 1.0) else error
    if isinstance(cell, float) and isinstance(error, float) and 0 < error < math.inf:
        digits = max(1 - math.floor(math.log10(error)), 0)
        text, known = f"{cell:,.{digits}f}", f"{error:,.{digits}f}"
    else:
        text, known = _written(cell), _written(error)
    if text.startswith("-"):
        text = f"−{text[1:]}"
    return f"{text} ± {known}" if known else text


def _written(cell: Cell) -> str:
    """Return a cell without a standard error, as people read it."""
    if isinstance(cell, float):
        return f"{cell:,.4g}" if abs(cell) < 1e4 else f"{cell:,.0f}"
    if isinstance(cell, Citation):
        return cell.kind
    return f"{cell:,}" if isinstance(cell, int) else cell or ""


def beside(expected: float, ours: float, citation: Citation) -> list[Cell]:
    """Return four cells: the expected figure, our figure, the difference and the source."""
    ours += 0  # turns -0 into 0
    return [expected, ours, ours - expected, citation]


def update_pages(pages: Path, report: Report, origin: Origin, files: Sequence[Path]) -> list[Path]:
    """Write a report into the pages that show figures of its command.

    Args:
        pages: a folder, whose pages are searched with all folders below it.
        report: the new report.
        origin: the origin of the new report.
        files: the files of the report, pictures included.

    Returns:
        The pages that show figures of this command.

    Raises:
        OSError: a page cannot be read.
        GammonError: a page cannot be written.
    """
    updated = []
    for path in sorted(pages.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        old = [former for former in Origin.read(text) if former.command == origin.command]
        if not old:
            continue
        for former in old:
            text = text.replace(str(former), str(origin))
        text = _filled(text, "report", report.body("###"))
        for table in report.tables:
            text = _filled(text, f"table {table.name}", table.markdown())
        write_text(path, text)
        for file in files:
            if file.suffix in _PICTURES:
                for picture in re.findall(rf"\(((?:[^()]*/)?{re.escape(file.name)})\)", text):
                    with written_whole(path.parent / picture) as temporary:
                        shutil.copyfile(file, temporary)
        updated.append(path)
    return updated


def _filled(text: str, name: str, new: str) -> str:
    """Return a page with the text between the comments of a name replaced, if it has them."""
    place = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    return place.sub(lambda match: f"{match[1]}{new.rstrip()}\n{match[2]}", text)
