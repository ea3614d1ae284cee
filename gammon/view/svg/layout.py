"""The colours and the layout of a drawn board, in units in which a point is 40 wide; y grows down."""

from typing import NamedTuple

from gammon.rules.board import OWN_BAR


class Piece(NamedTuple):
    """The colours of a side's checkers and dice.

    Attributes:
        fill: the area.
        edge: the outline.
        mark: the ring or the number of a checker, or the pips of a die.
    """

    fill: str
    edge: str
    mark: str


class Colours(NamedTuple):
    """The colours of a drawing.

    Attributes:
        ground: the area around the board.
        words: all text on the ground.
        field: the board under the points.
        edge: the lines around the board and its points.
        points: the odd points and the even points.
        bar: the bar and the trays.
        x, o: the checkers and dice of X and of O.
        cube: the cube.
        arrow: the arrows of a play, and the marks of hits.
        halo: the outline of arrows.
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


#: The colour schemes by name.
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


class Spot(NamedTuple):
    """A place on the drawing."""

    x: float
    y: float


class Box(NamedTuple):
    """A rectangle: its left upper corner, its width and its height."""

    x: float
    y: float
    width: float
    height: float


#: The width and the length of a point.
_POINT, _LENGTH = 40.0, 184.0
#: The radius of a checker. The checkers of a point touch each other.
RADIUS = 18.5
#: Checkers side by side on a point; further checkers lie on top of these.
ROWS = 5
#: The most checkers drawn on a point; if there are more, the last one shows their number.
DRAWN = 7
_STEP = 2 * RADIUS + 1
_BAR, _TRAY, _MARGIN, _GAP = 44.0, 50.0, 10.0, 6.0
#: The field, between the rows of numbers.
_TOP, _DEPTH = 52.0, 440.0
_BOTTOM = _TOP + _DEPTH
_MIDDLE = _TOP + _DEPTH / 2
#: Half the height of the middle band, which has no checkers.
_BAND = _DEPTH / 2 - ROWS * _STEP
_HALF = 6 * _POINT
_FIELD = 2 * _HALF + _BAR
_TRAY_LEFT = _MARGIN + _FIELD + _GAP
#: The height of a tray, and of a checker lying on its side in it.
_TRAY_HEIGHT, _SLAB = 148.0, 8.0
WIDTH = _TRAY_LEFT + _TRAY + _MARGIN
HEIGHT = _BOTTOM + _TOP


class Layout:
    """The layout of a board. Points and bars are numbered as in a `Position`.

    Args:
        turned: whether the player on roll is at the top. Both players bear off at the right.
    """

    #: The board, and the bar on it.
    field = Box(_MARGIN, _TOP, _FIELD, _DEPTH)
    bar = Box(_MARGIN + _HALF, _TOP, _BAR, _DEPTH)
    #: The middles of the free band, left and right of the bar.
    left = Spot(_MARGIN + _HALF / 2, _MIDDLE)
    right = Spot(_MARGIN + _HALF + _BAR + _HALF / 2, _MIDDLE)

    #: The x of the left and right ends of a player's line of text.
    line_ends = (_MARGIN, WIDTH - _MARGIN)

    def __init__(self, turned: bool) -> None:
        self.turned = turned

    def _below(self, place: int) -> bool:
        """Return whether a point is in the lower half; a bar is in the half where it enters."""
        return (place <= 12) is not self.turned

    def _column(self, place: int) -> float:
        """Return the x of the middle of a point or of the bar."""
        if place in (0, OWN_BAR):
            return self.bar.x + _BAR / 2
        number = 12 - place if place <= 12 else place - 13
        return _MARGIN + (number + 0.5) * _POINT + (_BAR if number >= 6 else 0.0)

    def checker(self, place: int, row: int) -> Spot:
        """Return the middle of a checker.

        Args:
            place: a point from 1 to 24, 25 for the bar of the player on roll, 0 for the
                opponent's bar.
            row: 0 for the first checker, which is at the edge of the board, or on the bar next to
                the middle. Checkers from row 5 on lie on others, between two of them; from row 6
                on all have the same place.
        """
        along = (row + 0.5 if row < ROWS else min(row, DRAWN - 1) - ROWS + 1) * _STEP
        side = 1 if self._below(place) else -1
        if place in (0, OWN_BAR):
            return Spot(self._column(place), _MIDDLE + side * (_BAND + along))
        return Spot(self._column(place), _MIDDLE + side * (_DEPTH / 2 - along))

    def triangle(self, place: int) -> tuple[Spot, Spot, Spot]:
        """Return the corners of a point, the tip last."""
        x, below = self._column(place), self._below(place)
        base, tip = (_BOTTOM, _BOTTOM - _LENGTH) if below else (_TOP, _TOP + _LENGTH)
        return Spot(x - _POINT / 2, base), Spot(x + _POINT / 2, base), Spot(x, tip)

    def number(self, place: int) -> Spot:
        """Return the middle of a point's number."""
        return Spot(self._column(place), _BOTTOM + 12 if self._below(place) else _TOP - 12)

    def tray(self, own: bool) -> Box:
        """Return the tray for the checkers that a player has borne off.

        Args:
            own: whether the player is on roll.
        """
        y = _BOTTOM - _TRAY_HEIGHT if own is not self.turned else _TOP
        return Box(_TRAY_LEFT, y, _TRAY, _TRAY_HEIGHT)

    def slab(self, own: bool, row: int) -> Box:
        """Return the place of a borne-off checker; row 0 is at the edge of the board."""
        tray = self.tray(own)
        from_edge = 4 + row * _SLAB
        below = own is not self.turned
        y = tray.y + tray.height - from_edge - _SLAB + 2 if below else tray.y + from_edge
        return Box(tray.x + 4, y, tray.width - 8, _SLAB - 2)

    def off_number(self, own: bool) -> Spot:
        """Return the middle of the number of borne-off checkers, inside the tray."""
        tray = self.tray(own)
        inside = tray.y + 10 if own is not self.turned else tray.y + tray.height - 10
        return Spot(tray.x + tray.width / 2, inside)

    def cube(self, owner: int) -> Spot:
        """Return the middle of the cube; `owner` is 1 for the player on roll, -1 for the other, or 0."""
        side = -owner if self.turned else owner
        return Spot(_TRAY_LEFT + _TRAY / 2, _MIDDLE + side * 48)

    def dice(self) -> tuple[Spot, Spot]:
        """Return the middles of two dice."""
        return Spot(self.right.x - 25, self.right.y), Spot(self.right.x + 25, self.right.y)

    def line(self, own: bool) -> float:
        """Return the y of a player's line of text."""
        return HEIGHT - 16 if own is not self.turned else 16.0
