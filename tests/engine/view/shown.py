"""Views as plain lines of text, and the parts of a drawing."""

from collections import Counter
from xml.etree import ElementTree

from rich.console import Console

from gammon.rules.board import Points
from gammon.view.svg.layout import DRAWN

# Views as plain lines of text.


def text_of(view: object, width: int = 120) -> list[str]:
    """The text that a view prints at a width in characters."""
    console = Console(width=width)
    with console.capture() as captured:
        console.print(view)
    return captured.get().splitlines()


# The parts of a drawing, read back from its XML.


def parsed(drawing: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawing)


def parts(drawing: str, *classes: str) -> list[ElementTree.Element]:
    """The elements of a drawing that have all of these classes, in their order."""
    return [each for each in parsed(drawing).iter() if {*classes} <= {*each.get("class", "").split()}]


def words(part: ElementTree.Element) -> str:
    return "".join(part.itertext())


def points_of(drawing: str, own: str) -> Points:
    """The 26 counts that a drawing shows; `own` is the class of the player on roll."""
    counts: Counter[int] = Counter()
    for part in parts(drawing, "checker"):
        classes = part.get("class", "").split()
        if "off" not in classes:
            # A number on the last checker stands for it and for those that are not drawn.
            checkers = int(words(part)) - DRAWN + 1 if words(part) else 1
            counts[int(part.get("data-point", ""))] += checkers if own in classes else -checkers
    return tuple(counts[place] for place in range(26))
