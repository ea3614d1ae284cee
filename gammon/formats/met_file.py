"""Match equity tables in files: our own plain format, and GNU Backgammon's XML.

The plain format is CSV. Lines that begin with `#` are comments; the first comment is the name of
the table. The first row is `away,1,2,...,N`; then come N rows, each with its number a and the
chances M(a, 1), ... M(a, N); then a row `post` with P(1), P(2), ...

GNU Backgammon's XML files are read if they list their numbers. Their document type is not looked
up, and entities are refused.
"""

import re
from collections.abc import Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gammon.base.checks import path_of, shown
from gammon.base.errors import FormatError, SettingError
from gammon.base.files import read_bytes
from gammon.formats.characters import decoded, one_line
from gammon.rules.match_equity import MatchEquityTable

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_SHIPPED = Path(__file__).parents[1] / "data" / "kazaross_xg2.csv"
#: The most bytes of a file: several times the size of a table of 64 points.
_LARGEST = 1_000_000
_MOST_NAME = 60
_NUMBER = re.compile(r"[0-9]{0,3}\.?[0-9]{1,30}(?:[eE][-+]?[0-9]{1,3})?", re.ASCII)


def read_met(file: str | Path | None = None) -> MatchEquityTable:
    """Return the match equity table of a file.

    Args:
        file: a file in the plain format or GNU Backgammon's XML; None for Kazaross-XG2.

    Raises:
        GammonError: the file cannot be read.
        FormatError: the file is not a table; see also `MatchEquityTable.extended`.
        SettingError: the file is neither a path nor None.
    """
    return _shipped() if file is None else _read(path_of("table", file))


def met_of(value: object, name: str = "met") -> MatchEquityTable:
    """Return the table of a setting.

    Args:
        value: a table, the path of one, or None for the shipped table.
        name: the name of the setting, for errors.

    Raises:
        SettingError: the value is something else.
        FormatError, GammonError: as for `read_met`.
    """
    if isinstance(value, MatchEquityTable):
        return value
    if value is not None and (not isinstance(value, str | Path) or not str(value)):
        raise SettingError(f"{name} {shown(value)}: expected a table of gammon.read_met, or its file")
    return read_met(value)


def met_entry(met: MatchEquityTable) -> dict[str, Any] | None:
    """Return a table as JSON values for a unit; None for the shipped table."""
    return None if met == read_met() else met.given


def met_of_entry(entry: Mapping[str, Any] | None) -> MatchEquityTable:
    """Return the table of an entry that `met_entry` returned."""
    return read_met() if entry is None else MatchEquityTable.extended(**entry)


def format_met(table: MatchEquityTable) -> str:
    """Return a table in the plain format, without its extended part."""
    size = table.length
    lines = [f"# {table.name}", ",".join(["away", *map(str, range(1, size + 1))])]
    heads = [*map(str, range(1, size + 1)), "post"]
    rows = [*table.main[:size], table.post_crawford]
    for head, row in zip(heads, rows, strict=True):
        lines.append(",".join([head, *(f"{chance:.7f}" for chance in row[:size])]))
    return "\n".join(lines) + "\n"


@cache
def _shipped() -> MatchEquityTable:
    return _read(_SHIPPED)


def _read(path: Path) -> MatchEquityTable:
    content = read_bytes(path, _LARGEST, "table ")
    try:
        if len(content) > _LARGEST:
            raise FormatError(f"expected a file of at most {_LARGEST:,} bytes")
        text = decoded(content)
        xml = text.lstrip().startswith("<")
        name, main, post = _xml(content) if xml else _plain(text)
        return MatchEquityTable.extended(one_line(name or path.stem)[:_MOST_NAME], main, post)
    except FormatError as error:
        raise FormatError(f"table {str(path)!r}: {error}") from None


Table = tuple[str, list[list[float]], list[float]]


def _plain(text: str) -> Table:
    """Return the name, M and P of a file in the plain format."""
    lines = [line.strip() for line in text.splitlines()]
    comments = [line.lstrip("# ") for line in lines if line.startswith("#")]
    rows = [[cell.strip() for cell in line.split(",")] for line in lines if line and not line.startswith("#")]
    size = len(rows) - 2
    heads = ["away", *(str(n) for n in range(1, size + 1)), "post"]
    if size < 1 or rows[0] != heads[:-1]:
        first = shown(",".join(rows[0])) if rows else "nothing"
        raise FormatError(
            f"{first}: expected a line away,1,2,...,N, N rows, and a row post; or the XML of GNU Backgammon"
        )
    for row, head in zip(rows, heads, strict=True):
        if row[0] != head:
            raise FormatError(f"row {shown(row[0])}: expected row {head}")
    main = [[_number(cell) for cell in row[1:]] for row in rows[1:-1]]
    return next(iter(comments), ""), main, [_number(cell) for cell in rows[-1][1:]]


def _number(text: str) -> float:
    """Return the number of a text of digits, with or without a point and an exponent."""
    if not _NUMBER.fullmatch(text):
        raise FormatError(f"{shown(text)}: expected a chance such as 0.5")
    return float(text)


def _xml(content: bytes) -> Table:
    """Return the name, M and P of a file in GNU Backgammon's XML."""
    from xml.etree.ElementTree import TreeBuilder  # imported late: few tables are in XML
    from xml.parsers.expat import ExpatError, ParserCreate

    # The parser of `xml.etree` would expand entities of a document type.
    parser, tree = ParserCreate(), TreeBuilder()
    parser.StartElementHandler, parser.EndElementHandler = tree.start, tree.end
    parser.CharacterDataHandler = tree.data
    parser.EntityDeclHandler = parser.SkippedEntityHandler = _refuse_entity
    try:
        parser.Parse(content, True)
    except FormatError:
        raise
    except (ExpatError, LookupError, ValueError) as error:  # LookupError, ValueError: a bad encoding
        raise FormatError(f"{error}: expected XML of GNU Backgammon") from None
    root = tree.close()
    if root.tag != "met":
        raise FormatError(f"<{root.tag[:40]}>: expected GNU Backgammon's <met>")
    main, post = (_rows(root, f"{when}-crawford-table") for when in ("pre", "post"))
    return root.findtext("info/name", ""), main, [*chain.from_iterable(post)]


def _refuse_entity(name: str, *_: object) -> None:
    raise FormatError(f"entity {shown(name)}: expected none in a table")


def _rows(root: "Element", tag: str) -> list[list[float]]:
    """Return the rows of numbers of a table."""
    for table in root.iterfind(tag):
        kind, player = table.get("type", ""), table.get("player", "both")
        if kind != "explicit":
            raise FormatError(f"{tag} of type {shown(kind)}: expected 'explicit', a list of its numbers")
        if player != "both":
            raise FormatError(f"{tag} of player {shown(player)}: expected 'both', of equal strength")
    rows = root.iterfind(f"{tag}/row")
    return [[_number((me.text or "").strip()) for me in row.iterfind("me")] for row in rows]
