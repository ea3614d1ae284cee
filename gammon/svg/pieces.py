"""The pieces of a drawn board: points, checkers, trays, the cube and the dice."""

from collections.abc import Iterator

from gammon.formats.context import BOTTOM
from gammon.formats.position import Position
from gammon.rules.board import OWN_BAR, SIZE, THEIR_BAR
from gammon.svg.colours import Colours, Piece
from gammon.svg.elements import element, text
from gammon.svg.layout import RADIUS, ROWS, Box, Layout, Spot
from gammon.svg.words import cube_value

__all__ = [
    "board_ground",
    "checker",
    "checkers",
    "cube",
    "dice",
    "die",
    "piece_of",
    "slab",
    "swatch",
]

#: The pips of a die: their columns and rows from the middle.
_PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
_DIE, _CUBE = 38.0, 40.0


def piece_of(seat: int, colours: Colours) -> tuple[str, Piece]:
    """Return the class and the colours of a seat's checkers."""
    return ("x", colours.x) if seat == BOTTOM else ("o", colours.o)


def board_ground(layout: Layout, colours: Colours) -> Iterator[str]:
    """Yield the board without a checker: its points with their numbers, the bar, the trays."""
    line: dict[str, str | float] = {"stroke": colours.edge, "stroke_width": 2.0}
    yield _rectangle(layout.field, fill=colours.field, class_="field")
    for place in range(1, 25):
        corners = " ".join(f"{x:g},{y:g}" for x, y in layout.triangle(place))
        yield element(
            "polygon", class_="point", data_point=place, points=corners,
            fill=colours.points[place % 2 == 0], stroke=colours.edge, stroke_width=1.0,
        )  # fmt: skip
        x, y = layout.number(place)
        yield text(
            x, y, str(place), 17, class_="number", text_anchor="middle", fill=colours.words
        )
    yield _rectangle(layout.bar, class_="bar", fill=colours.bar, **line)
    yield _rectangle(layout.field, class_="edge", fill="none", **line)
    for own in (True, False):
        yield _rectangle(layout.tray(own), class_="tray", fill=colours.bar, **line)


def checkers(position: Position, layout: Layout, colours: Colours) -> Iterator[str]:
    """Yield all checkers of a position, those that are borne off too."""
    for place in range(SIZE):
        count = position.points[place]
        seat = position.context.on_roll * (1 if count > 0 else -1)
        name, piece = piece_of(seat, colours)
        kind = f"checker {name}{' on-bar' if place in (THEIR_BAR, OWN_BAR) else ''}"
        rows = min(abs(count), ROWS)
        for row in range(rows):
            spot = layout.checker(place, row)
            number = str(abs(count)) if row == ROWS - 1 and abs(count) > ROWS else ""
            yield checker(spot, name, piece, number, class_=kind, data_point=place)
    for own, off in zip((True, False), position.off, strict=True):
        name, piece = piece_of(position.context.on_roll * (1 if own else -1), colours)
        for row in range(off):
            yield slab(layout.slab(own, row), name, piece)
        if off:
            x, y = layout.off_number(own)
            yield text(
                x, y, str(off), 16, class_=f"count {name} off", text_anchor="middle",
                fill=colours.words,
            )  # fmt: skip


def checker(spot: Spot, name: str, piece: Piece, number: str, **attributes: str | float) -> str:
    """Return a checker; the ring, or the number, is inside.

    Args:
        spot: its middle.
        name: x or o.
        piece: its colours.
        number: is written on it, in place of a ring.
        **attributes: of its group.
    """
    x, y = spot
    inside = []
    if number:
        inside = [
            text(
                x, y, number, 20, class_="count", text_anchor="middle", font_weight="bold",
                fill=piece.mark,
            )
        ]  # fmt: skip
    elif name == "x":
        inside = [
            element(
                "circle", cx=x, cy=y, r=0.6 * RADIUS, fill="none", stroke=piece.mark,
                stroke_width=1.5,
            )
        ]  # fmt: skip
    disc = element(
        "circle", cx=x, cy=y, r=RADIUS - 1, fill=piece.fill, stroke=piece.edge, stroke_width=2
    )
    return element("g", disc, *inside, **attributes)


def slab(box: Box, name: str, piece: Piece) -> str:
    """Return a checker that is borne off; `name` is x or o."""
    return _rectangle(
        box, class_=f"checker {name} off", rx=2, fill=piece.fill, stroke=piece.edge,
        stroke_width=1,
    )  # fmt: skip


def swatch(x: float, y: float, seat: int, colours: Colours) -> str:
    """Return a small checker, which shows how a player's checkers look."""
    name, piece = piece_of(seat, colours)
    disc = element(
        "circle", cx=x, cy=y, r=8, fill=piece.fill, stroke=piece.edge, stroke_width=1.5
    )
    ring = element("circle", cx=x, cy=y, r=4, fill="none", stroke=piece.mark, stroke_width=1)
    return disc + ring if name == "x" else disc


def cube(position: Position, layout: Layout, colours: Colours) -> str:
    """Return the cube: beside its owner's tray, in the middle, or on the board if on offer."""
    context = position.context
    owner = context.cube_owner * context.on_roll
    whose = {BOTTOM: "x", -BOTTOM: "o"}.get(context.cube_owner, "centred")
    if context.offer:
        whose = "offered"
    x, y = layout.left if context.offer else layout.cube(owner)
    value = str(cube_value(position))
    box = Box(x - _CUBE / 2, y - _CUBE / 2, _CUBE, _CUBE)
    face = _rectangle(
        box, rx=5, fill=colours.cube.fill, stroke=colours.cube.edge, stroke_width=2
    )
    size = min(22, 48 / len(value))
    words = text(
        x, y, value, size, text_anchor="middle", font_weight="bold", fill=colours.cube.mark
    )
    return element("g", face, words, class_="cube", data_owner=whose)


def dice(position: Position, layout: Layout, colours: Colours) -> Iterator[str]:
    """Yield the dice of the roll, in the colours of the player who plays it."""
    name, piece = piece_of(position.context.on_roll, colours)
    for spot, value in zip(layout.dice(), position.dice or (), strict=False):
        yield die(spot, value, name, piece)


def die(spot: Spot, value: int, name: str, piece: Piece) -> str:
    """Return a die.

    Args:
        spot: its middle.
        value: its number.
        name: x or o, whose it is.
        piece: its colours.
    """
    x, y = spot
    face = _rectangle(
        Box(x - _DIE / 2, y - _DIE / 2, _DIE, _DIE), rx=7, fill=piece.fill,
        stroke=piece.edge, stroke_width=2,
    )  # fmt: skip
    pips = [
        element("circle", cx=x + 10 * column, cy=y + 10 * row, r=3.6, fill=piece.mark)
        for column, row in _PIPS[value]
    ]
    return element("g", face, *pips, class_=f"die {name}", data_value=value)


def _rectangle(box: Box, **attributes: str | float) -> str:
    return element("rect", **box._asdict(), **attributes)
