"""The sources of the figures that ours are compared with."""

from typing import NamedTuple

#: What we have read; `docs/algorithms.md` has the titles.
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
