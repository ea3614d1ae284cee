"""Reports of reproductions: tables of our figures beside expected ones, and plots."""

import csv
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from gammon.base.files import write_text
from gammon_lab.reports.citation import Citation
from gammon_lab.reports.origin import Origin
from gammon_study.view.plot import Axes, svg_of

Cell = str | int | float | Citation | None
#: The name of a column of standard errors begins like this.
_ERROR = "s.e."
#: A smaller standard error, as a part of the cell or of 1, is what rounding leaves of 0.
_ROUNDING = 1e-12
#: A cell with a number, or with nothing.
_NUMBER = re.compile(r"([+−]?[\d,.]+(e[+−-]\d+)?( ± [\d,.e-]+)?( %)?)?")


def variables(columns: Sequence[str]) -> list[str]:
    """Return the names that columns have in a file, each an identifier of its own.

    A column of standard errors is named after the column before it, and so is one whose name
    comes more than once in the table: `won %` and `s.e. %` are `won_percent` and
    `won_percent_se`.

    Raises:
        ValueError: two columns would have one name.
    """
    found: list[str] = []
    before = ""  # the latest column that is named after no other one
    for name in columns:
        if name.startswith(_ERROR):
            found.append(f"{before}_se")
        elif found and columns.count(name) > 1:
            found.append(f"{before}_{_variable(name)}")
        else:
            before = _variable(name)
            found.append(before)
    if len(set(found)) < len(found) or not all(map(str.isidentifier, found)):
        raise ValueError(f"columns {found}: expected identifiers, each another one")
    return found


def _variable(name: str) -> str:
    """Return the name of a column as a part of an identifier."""
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
        name: of its file.
        title: its heading.
        columns: their names. A figure in one that is called "expected" needs a citation in
            its row, and a figure in one that is called "printed" needs one of this kind.
        rows: see `Cell`.
        drawing: stands above the table.

    Raises:
        ValueError: a figure has no such citation, or two columns have one name.
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
        """Return the sources of the figures that ours stand beside."""
        cells = (cell for row in self.rows for cell in row)
        return list(dict.fromkeys(cell for cell in cells if isinstance(cell, Citation)))

    def write(self, folder: Path) -> Path:
        """Write the table as a CSV file, its columns by their `variables`; return its path."""
        path = folder / f"{self.name}.csv"
        text = StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(variables(self.columns))
        writer.writerows(self.rows)
        write_text(path, text.getvalue())
        return path

    def shown(self) -> list[list[str]]:
        """Return the table as people read it: the names of the columns, and then the rows.

        A column of standard errors (`s.e.`) joins the column before it.
        """
        errors = {at for at, name in enumerate(self.columns) if name.startswith(_ERROR)}
        kept = [at for at in range(len(self.columns)) if at not in errors]
        names = [self.columns[at] + (f" ± {_ERROR}" if at + 1 in errors else "") for at in kept]
        rows = [
            [cell_text(row[at], row[at + 1] if at + 1 in errors else None) for at in kept]
            for row in self.rows
        ]
        return [names, *rows]

    def texts(self) -> list[int]:
        """Return which columns of `shown` have other text than numbers, from 0 on."""
        columns = zip(*self.shown()[1:], strict=True)
        return [at for at, cells in enumerate(columns) if not all(map(_NUMBER.fullmatch, cells))]

    def markdown(self) -> str:
        """Return the table as a page has it."""
        names, *rows = self.shown()
        texts = self.texts()
        rule = ["---" if at in texts else "--:" for at in range(len(names))]
        lines = [f"| {' | '.join(line)} |" for line in [names, rule, *rows]]
        sources = [f"* {each}." for each in self.citations()]
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
    """The outcome of a reproduction.

    Attributes:
        title: what was reproduced, with its source.
        tables: see `Sheet`.
        figures: see `Figure`.
        notes: sentences that the figures need.
    """

    title: str
    tables: Sequence[Sheet]
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = field(default_factory=tuple)

    def write(self, folder: Path, origin: Origin | None = None) -> list[Path]:
        """Write a CSV file for each table, an SVG file for each picture, and a page of it all.

        Args:
            folder: it is there.
            origin: of the figures, which the page tells.

        Returns:
            Their paths.

        Raises:
            GammonError: the folder cannot be written.
        """
        tables = [table.write(folder) for table in self.tables]
        drawings = [each.drawing.write(folder) for each in self.tables if each.drawing]
        figures = [figure.write(folder) for figure in self.figures]
        page = folder / "report.md"
        write_text(page, f"{origin}\n\n{self.markdown()}" if origin else self.markdown())
        return [*tables, *drawings, *figures, page]

    def markdown(self) -> str:
        """Return the report as a page whose figures lie beside it."""
        return f"# {self.title}\n\n{self.body()}"

    def body(self, heading: str = "##") -> str:
        """Return the page without its title.

        Args:
            heading: what stands before the title of a table.
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
    """Return a cell as people read it: four digits of what is not counted.

    Args:
        cell: what the table has.
        error: its standard error, of which two digits are shown; None if it has none.
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
    """Return a cell that has no standard error, as people read it."""
    if isinstance(cell, float):
        return f"{cell:,.4g}" if abs(cell) < 1e4 else f"{cell:,.0f}"
    if isinstance(cell, Citation):
        return cell.kind
    return f"{cell:,}" if isinstance(cell, int) else cell or ""


def beside(expected: float, ours: float, citation: Citation) -> list[Cell]:
    """Return four cells: the expected figure, ours, the difference, and where it is from."""
    ours += 0  # there is no need to tell 0 from -0
    return [expected, ours, ours - expected, citation]
