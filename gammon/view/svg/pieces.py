"""Elements of SVG, and the pieces of a drawn board: points, checkers, trays, cube and dice."""

from collections.abc import Iterator
from html import escape

from gammon.formats.context import BOTTOM
from gammon.formats.position import Position
from gammon.rules.board import OWN_BAR, THEIR_BAR
from gammon.view.svg.layout import DRAWN, RADIUS, Box, Colours, Layout, Piece, Spot

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


class Svg(str):
    """A drawing: the text of an SVG file, which a notebook displays as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def element(tag: str, *content: str, **attributes: str | float) -> str:
    """Return an SVG element.

    Args:
        tag: the name of the element.
        content: elements and escaped text inside it.
        attributes: the attributes; numbers are rounded to two decimals. An underscore in a name
            means a hyphen; at the end it is dropped (`class_`).
    """
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"' for name, value in attributes.items()
    )
    inner = "".join(content)
    return f"<{tag}{given}>{inner}</{tag}>" if inner else f"<{tag}{given}/>"


def _value(value: str | float) -> str:
    """Return the text of an attribute."""
    return escape(value) if isinstance(value, str) else f"{round(value, 2):g}"


def text(x: float, y: float, words: str, size: float, **attributes: str | float) -> str:
    """Return a line of text.

    Args:
        x: the beginning, end or middle of the line, by `text_anchor`.
        y: the middle of its capitals.
        words: the text, which is escaped here.
        size: the font size, in units of the drawing. Every system has a sans-serif font.
        attributes: other attributes, as for `element`.
    """
    # The baseline is shifted, because not every program supports `dominant-baseline`.
    return element(
        "text", escape(words), x=x, y=y + 0.36 * size, font_family="sans-serif", font_size=size, **attributes
    )


def _circle(middle: Spot, radius: float, **attributes: str | float) -> str:
    """Return a circle."""
    return element("circle", cx=middle.x, cy=middle.y, r=radius, **attributes)


def _rectangle(box: Box, **attributes: str | float) -> str:
    """Return a rectangle."""
    return element("rect", **box._asdict(), **attributes)


def _face(middle: Spot, size: float, corner: float, piece: Piece) -> str:
    """Return the face of a die or of the cube."""
    box = Box(middle.x - size / 2, middle.y - size / 2, size, size)
    return _rectangle(box, rx=corner, fill=piece.fill, stroke=piece.edge, stroke_width=2)


def piece_of(seat: int, colours: Colours) -> tuple[str, Piece]:
    """Return the class and the colours of a seat's checkers."""
    return ("x", colours.x) if seat == BOTTOM else ("o", colours.o)


def board_ground(layout: Layout, colours: Colours) -> Iterator[str]:
    """Yield the board without a checker: its points with their numbers, the bar, the trays."""
    line: dict[str, str | float] = {"stroke": colours.edge, "stroke_width": 2.0}
    yield _rectangle(layout.field, fill=colours.field, class_="field")
    for place in range(1, 25):
        yield element(
            "polygon",
            class_="point",
            data_point=place,
            points=" ".join(f"{x:g},{y:g}" for x, y in layout.triangle(place)),
            fill=colours.points[place % 2 == 0],
            stroke=colours.edge,
            stroke_width=1.0,
        )
        yield text(
            *layout.number(place), str(place), 13, class_="number", text_anchor="middle", fill=colours.words
        )
    yield _rectangle(layout.bar, class_="bar", fill=colours.bar, **line)
    yield _rectangle(layout.field, class_="edge", fill="none", **line)
    for own in (True, False):
        yield _rectangle(layout.tray(own), class_="tray", fill=colours.bar, **line)


def checkers(position: Position, layout: Layout, colours: Colours) -> Iterator[str]:
    """Yield all checkers of a position, including borne-off checkers.

    If a point has more checkers than are drawn, the last drawn one shows their number.
    """
    roller = position.context.on_roll
    for place, count in enumerate(position.points):
        name, piece = piece_of(roller if count > 0 else -roller, colours)
        kind = f"checker {name}{' on-bar' if place in (THEIR_BAR, OWN_BAR) else ''}"
        number = str(abs(count)) if abs(count) > DRAWN else ""
        for row in range(min(abs(count), DRAWN)):
            yield _checker(
                layout.checker(place, row),
                name,
                piece,
                number if row == DRAWN - 1 else "",
                class_=kind,
                data_point=place,
            )
    for own, off in zip((True, False), position.off, strict=True):
        name, piece = piece_of(roller if own else -roller, colours)
        for row in range(off):
            yield _rectangle(
                layout.slab(own, row),
                class_=f"checker {name} off",
                rx=2,
                fill=piece.fill,
                stroke=piece.edge,
                stroke_width=1,
            )
        if off:
            yield text(
                *layout.off_number(own),
                str(off),
                16,
                class_=f"count {name} off",
                text_anchor="middle",
                fill=colours.words,
            )


def _checker(spot: Spot, name: str, piece: Piece, number: str, **attributes: str | float) -> str:
    """Return a checker with its ring or number.

    Args:
        spot: the middle of the checker.
        name: x or o.
        piece: the colours.
        number: a number on the checker, in place of a ring, or an empty text.
        **attributes: attributes of the group.
    """
    disc = _circle(spot, RADIUS - 1, fill=piece.fill, stroke=piece.edge, stroke_width=2)
    inside = ""
    if number:
        inside = text(
            *spot, number, 20, class_="count", text_anchor="middle", font_weight="bold", fill=piece.mark
        )
    elif name == "x":
        inside = _circle(spot, 0.6 * RADIUS, fill="none", stroke=piece.mark, stroke_width=1.5)
    return element("g", disc, inside, **attributes)


def swatch(spot: Spot, seat: int, colours: Colours) -> str:
    """Return a small checker, as a legend for a player's checkers."""
    name, piece = piece_of(seat, colours)
    disc = _circle(spot, 8, fill=piece.fill, stroke=piece.edge, stroke_width=1.5)
    ring = _circle(spot, 4, fill="none", stroke=piece.mark, stroke_width=1)
    return disc + ring if name == "x" else disc


def cube_value(position: Position) -> int:
    """Return the number on the cube: twice its value if a double is on offer."""
    context = position.context
    return 1 << context.cube_log2 + bool(context.offer)


def cube(position: Position, layout: Layout, colours: Colours) -> str:
    """Return the cube: near its owner's tray, in the middle, or on the board if offered."""
    context, value = position.context, str(cube_value(position))
    whose = {BOTTOM: "x", -BOTTOM: "o"}.get(context.cube_owner, "centred")
    spot = layout.cube(context.cube_owner * context.on_roll)
    if context.offer:
        whose, spot = "offered", layout.left
    words = text(
        *spot,
        value,
        min(22, 48 / len(value)),
        text_anchor="middle",
        font_weight="bold",
        fill=colours.cube.mark,
    )
    face = _face(spot, _CUBE, 5, colours.cube)
    return element("g", face, words, class_="cube", data_owner=whose)


def dice(position: Position, layout: Layout, colours: Colours) -> Iterator[str]:
    """Yield the dice of the roll, in the colours of the player on roll."""
    name, piece = piece_of(position.context.on_roll, colours)
    for spot, value in zip(layout.dice(), position.dice or (), strict=False):
        pips = [
            _circle(Spot(spot.x + 10 * column, spot.y + 10 * row), 3.6, fill=piece.mark)
            for column, row in _PIPS[value]
        ]
        face = _face(spot, _DIE, 7, piece)
        yield element("g", face, *pips, class_=f"die {name}", data_value=value)
