"""The colours of a board: light, dark, and black and white for print.

X has light checkers with a ring in them, O has dark ones without: nothing is said by a hue
alone.
"""

from typing import NamedTuple


class Piece(NamedTuple):
    """The colours of a side's checkers and dice.

    Attributes:
        fill: of the area.
        edge: of the outline.
        mark: of what is on it: the ring of a checker, its number, the pips of a die.
    """

    fill: str
    edge: str
    mark: str


class Colours(NamedTuple):
    """The colours of a drawing.

    Attributes:
        ground: around the board.
        words: of all text on the ground.
        field: of the board under the points.
        edge: of lines around the board and its points.
        points: of the odd and of the even ones.
        bar: of the bar and of the trays.
        x, o: of the checkers and dice of X and of O.
        cube: of the cube.
        arrow: of the arrows of a play, and of the marks of hits.
        halo: around arrows.
    """

    ground: str
    words: str
    field: str
    edge: str
    points: tuple[str, str]
    bar: str
    x: Piece
    o: Piece
    cube: Piece
    arrow: str
    halo: str


#: The names of all colours, and the colours.
COLOURS = {
    "light": Colours(
        ground="#ffffff", words="#22262b", field="#f3ead8", edge="#7d6a4f",
        points=("#c8a578", "#e2c9a2"), bar="#dccbb0",
        x=Piece("#ffffff", "#3b3f46", "#3b3f46"), o=Piece("#2f3640", "#0d1014", "#ffffff"),
        cube=Piece("#ffffff", "#22262b", "#22262b"), arrow="#0b4a9e", halo="#ffffff",
    ),
    "dark": Colours(
        ground="#16191d", words="#e8e6e1", field="#2a3037", edge="#7b8794",
        points=("#4f5b68", "#3c4650"), bar="#1f242a",
        x=Piece("#ece7db", "#ffffff", "#3b3f46"), o=Piece("#0f1215", "#d0d5da", "#ffffff"),
        cube=Piece("#e8e6e1", "#ffffff", "#16191d"), arrow="#ffb020", halo="#16191d",
    ),
    "print": Colours(
        ground="#ffffff", words="#000000", field="#ffffff", edge="#000000",
        points=("#bdbdbd", "#e6e6e6"), bar="#ffffff",
        x=Piece("#ffffff", "#000000", "#000000"), o=Piece("#000000", "#ffffff", "#ffffff"),
        cube=Piece("#ffffff", "#000000", "#000000"), arrow="#000000", halo="#ffffff",
    ),
}  # fmt: skip
