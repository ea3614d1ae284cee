"""Parts lines into texts of one position each: IDs, or boards as programs draw them."""

import re
from collections.abc import Iterable, Iterator

from gammon.formats.pasted import MOST, cleaned, names_a_position

_COMMENT = "#"
_POSITION_LABEL = re.compile(r"Position[ -]?ID ?: ?[^ :]+$", re.IGNORECASE)
_MATCH_LABEL = re.compile("Match[ -]?ID ?:", re.IGNORECASE)
#: The players in an export of eXtreme Gammon, and the rim of a board.
_DRAWING = re.compile(r"X:.*O:|\+-?\d{1,2}--?\d{1,2}-")
_LAST_OF_EXPORT = "eXtreme Gammon"
#: Lines above the board in an export of GNU Backgammon.
_HEADING = re.compile(r"The score \(after |Match Information:|Date: |Move number \d")


def texts_of_positions(lines: Iterable[str]) -> Iterator[str]:
    """Yield a text for each position, as soon as the line that ends its ID has come.

    A line is a position. GNU Backgammon's line "Position ID:" and the line "Match ID:" after it
    are one. A board that is drawn below an ID, and the words around it, are left out up to the
    next ID, and so are empty lines, those that begin with "#", and the heading of an export.
    """
    labelled: str | None = None  # a Position ID whose Match ID may be on the next line
    named, drawn = False, False  # whether the last text was an ID; whether its board has begun
    for line in lines:
        text = line.strip()
        clean = cleaned(text[:MOST])
        if not clean or clean.startswith(_COMMENT) or _HEADING.match(clean):
            continue
        if labelled is not None:
            match_id = _MATCH_LABEL.match(clean)
            yield f"{labelled}\n{text}" if match_id else labelled
            labelled = None
            if match_id:
                continue
        names = names_a_position(clean)
        if drawn and not names and " " in clean:
            drawn = not clean.startswith(_LAST_OF_EXPORT)
        elif named and not names and _DRAWING.match(clean):
            drawn = True
        else:
            named, drawn = names, False
            if _POSITION_LABEL.search(clean):
                labelled = text
            else:
                yield text
    if labelled is not None:
        yield labelled
