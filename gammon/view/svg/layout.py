"""The colours of a drawn board, and its places in units: y grows downwards, a point is 40 wide."""

from typing import NamedTuple

from gammon.rules.board import OWN_BAR


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


#: A point's width, and its length.
_POINT, _LENGTH = 40.0, 184.0
#: Of a checker. Those of a point touch each other.
RADIUS = 18.5
#: Checkers that stand beside each other on a point; the next ones lie on them.
ROWS = 5
#: Checkers that are drawn on a point; a number says how many there are where there are more.
DRAWN = 7
_STEP = 2 * RADIUS + 1
_BAR, _TRAY, _MARGIN, _GAP = 44.0, 50.0, 10.0, 6.0
#: The field, between the rows of numbers.
_TOP, _DEPTH = 52.0, 440.0
_BOTTOM = _TOP + _DEPTH
_MIDDLE = _TOP + _DEPTH / 2
#: Half of the band in the middle, which stays free of checkers.
_BAND = _DEPTH / 2 - ROWS * _STEP
_HALF = 6 * _POINT
_FIELD = 2 * _HALF + _BAR
_TRAY_LEFT = _MARGIN + _FIELD + _GAP
#: A tray's height, and that of a checker in it, which lies on its side.
_TRAY_HEIGHT, _SLAB = 148.0, 8.0
WIDTH = _TRAY_LEFT + _TRAY + _MARGIN
HEIGHT = _BOTTOM + _TOP


class Layout:
    """The places of a board. Points and bars are numbered as in a `Position`.

    Args:
        turned: whether the player on roll is at the top, instead of at the bottom. Both
            players bear off at the right.
    """

    #: The board, and the bar on it.
    field = Box(_MARGIN, _TOP, _FIELD, _DEPTH)
    bar = Box(_MARGIN + _HALF, _TOP, _BAR, _DEPTH)
    #: The middles of the free band, left and right of the bar.
    left = Spot(_MARGIN + _HALF / 2, _MIDDLE)
    right = Spot(_MARGIN + _HALF + _BAR + _HALF / 2, _MIDDLE)

    #: Where a player's line of words begins and ends.
    line_ends = (_MARGIN, WIDTH - _MARGIN)

    def __init__(self, turned: bool) -> None:
        self.turned = turned

    def _below(self, place: int) -> bool:
        """Tell whether a point is in the lower half, or the bar of those who enter there."""
        return (place <= 12) is not self.turned

    def _column(self, place: int) -> float:
        """Return the x of a point's middle, or of the bar's."""
        if place in (0, OWN_BAR):
            return self.bar.x + _BAR / 2
        number = 12 - place if place <= 12 else place - 13
        return _MARGIN + (number + 0.5) * _POINT + (_BAR if number >= 6 else 0.0)

    def checker(self, place: int, row: int) -> Spot:
        """Return the middle of a checker.

        Args:
            place: a point from 1 to 24, 25 for the bar of the player on roll, 0 for the
                other's.
            row: 0 for the first checker, which is at the edge, or on the bar in the middle.
                From 5 on they lie on those, between two, and from 6 on all in one place.
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
            own: whether it is that of the player on roll.
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
        """Return the middle of the cube: 1 owned by the player on roll, -1 by the other."""
        side = -owner if self.turned else owner
        return Spot(_TRAY_LEFT + _TRAY / 2, _MIDDLE + side * 48)

    def dice(self) -> tuple[Spot, Spot]:
        """Return the middles of two dice."""
        return Spot(self.right.x - 25, self.right.y), Spot(self.right.x + 25, self.right.y)

    def line(self, own: bool) -> float:
        """Return the y of the line of words beside a player."""
        return HEIGHT - 16 if own is not self.turned else 16.0
