"""The drawing of a board: its pieces, its texts and the arrows of a play, as SVG and as PNG."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from math import hypot
from pathlib import Path

from gammon.base.checks import one_of, shown, whole
from gammon.base.errors import SettingError
from gammon.formats.context import BOTTOM, SEATS, cube_words, score_words, several
from gammon.formats.notation import chains_of
from gammon.formats.play import Play
from gammon.formats.position import Position
from gammon.rules.board import CHECKERS, OFF, OWN_BAR, THEIR_BAR, Move, off_counts
from gammon.view.svg.layout import COLOURS, DRAWN, HEIGHT, RADIUS, WIDTH, Box, Colours, Layout, Piece, Spot

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
#: An arrow's measures: half the width of the shaft, the length of the head, half its width.
_SHAFT, _HEAD, _WING = 3.0, 17.0, 10.0
#: The folder of the fonts for PNG files.
_FONTS = Path(__file__).parents[2] / "data" / "fonts"

#: An arrow: its source and target points, and the spots where it begins and ends.
_Shaft = tuple[int, int, Spot, Spot]


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


def arrows(points: Sequence[int], moves: Sequence[Move], layout: Layout, colours: Colours) -> Iterator[str]:
    """Yield the arrows of a play, on the board before it, and a mark on each checker it hits.

    Args:
        points: 26 counts before the play, seen from the player who makes it.
        moves: the moves of the play.
        layout: the layout of the board.
        colours: the colours of the drawing.
    """
    hits = {move.target: layout.checker(move.target, 0) for move in moves if move.hit}
    for source, target, begin, end in _shafts(points, moves, layout):
        rim = RADIUS if hits.get(target) == end else 0.0
        yield element(
            "polygon", class_="arrow", data_from=source, data_to=target,
            points=_outline(begin, end, rim), fill=colours.arrow, stroke=colours.halo,
            stroke_width=1.5, stroke_linejoin="round",
        )  # fmt: skip
    for place, spot in hits.items():
        cross = _cross(spot)
        halo = element("path", d=cross, stroke=colours.halo, stroke_width=8)
        mark = element("path", d=cross, stroke=colours.arrow, stroke_width=5)
        yield element("g", halo, mark, class_="hit", data_point=place, stroke_linecap="round")


def _cross(spot: Spot) -> str:
    """Return the path of the cross on a checker that is hit."""
    far = 0.5 * RADIUS
    left, right, above, below = spot.x - far, spot.x + far, spot.y - far, spot.y + far
    return f"M{left:g} {above:g}L{right:g} {below:g}M{right:g} {above:g}L{left:g} {below:g}"


def _shafts(points: Sequence[int], moves: Sequence[Move], layout: Layout) -> list[_Shaft]:
    """Return the arrows of a play.

    An arrow begins at the last checker of its source point, and ends on the spot of the next
    checker of its target point.
    """
    counts, (off, _) = list(points), off_counts(points)
    for move in moves:
        if move.hit:
            counts[move.target] = 0
    shafts = []
    for chain in chains_of(moves):
        for source, target in _legs(chain):
            counts[source] -= 1
            begin = layout.checker(source, counts[source])
            if target == OFF:
                slab = layout.slab(True, off)
                end = Spot(slab.x + slab.width / 2, slab.y + slab.height / 2)
                off += 1
            else:
                end = layout.checker(target, counts[target])
                counts[target] += 1
            shafts.append((source, target, begin, end))
    return _uncrossed(shafts)


def _uncrossed(shafts: list[_Shaft]) -> list[_Shaft]:
    """Return the arrows such that arrows with the same source and target do not cross."""
    uncrossed = []
    for (source, target), group in groupby(shafts, key=lambda shaft: shaft[:2]):
        begins, ends = zip(*(shaft[2:] for shaft in group), strict=True)
        if (begins[0].y - begins[-1].y) * (ends[0].y - ends[-1].y) < 0:
            begins = begins[::-1]
        uncrossed += [(source, target, *spots) for spots in zip(begins, ends, strict=True)]
    return uncrossed


def _legs(chain: Sequence[Move]) -> Iterator[tuple[int, int]]:
    """Yield the source and target of each arrow of a checker: from hit to hit, and to its end."""
    source = chain[0].source
    for move in chain:
        if move.hit or move is chain[-1]:
            yield source, move.target
            source = move.target


def _outline(begin: Spot, end: Spot, rim: float) -> str:
    """Return the corners of an arrow whose tip is `rim` units before `end`."""
    far = hypot(end.x - begin.x, end.y - begin.y)
    along = Spot((end.x - begin.x) / far, (end.y - begin.y) / far)
    length = far - rim
    neck = length - _HEAD
    corners = [
        (0.0, _SHAFT),
        (neck, _SHAFT),
        (neck, _WING),
        (length, 0.0),
        (neck, -_WING),
        (neck, -_SHAFT),
        (0.0, -_SHAFT),
    ]
    return " ".join(
        f"{begin.x + forth * along.x - aside * along.y:.1f},{begin.y + forth * along.y + aside * along.x:.1f}"
        for forth, aside in corners
    )


def board(
    position: Position,
    *,
    play: Play | None = None,
    colours: str = "light",
    turned: bool = False,
    size: int | None = 480,
) -> Svg:
    """Return a drawing of a position. The player on roll is at the bottom and bears off to the right.

    The drawing has no scripts, style sheets or external resources, and no `id`, so that a page may
    have many drawings. Style sheets and scripts of a page find its parts by class:

    - `gammon-board`: the drawing.
    - `point`, `number`: the 24 points. A point's `data-point` is its number, from 1 to 24, as
      the player on roll counts.
    - `checker`, with `x` or `o`: a checker, at most seven on a point; `data-point` as in
      `Position.points`, where 25 is the bar of the player on roll and 0 the opponent's bar. A
      checker on the bar also has `on-bar`. A borne-off checker has `off` and no `data-point`.
    - `count`: a number of checkers.
    - `cube`: `data-owner` is x, o, centred or offered.
    - `die`: `data-value` is its number.
    - `arrow`: `data-from` and `data-to` are points; 0 is off.
    - `hit`: the mark on a checker that is hit, with `data-point`.
    - `field`, `bar`, `edge`, `tray`, `words`: the rest.

    Args:
        position: the checkers, the roll, the cube and the score.
        play: the play that arrows show.
        colours: light, dark or print, which is black and white. X has light checkers with a
            ring, O dark checkers without one.
        turned: whether the player on roll is at the top.
        size: the largest width in pixels. None: the drawing is as wide as its container.

    Raises:
        SettingError: a setting is out of range, or the play belongs to another position.
    """
    if not isinstance(position, Position):
        raise SettingError(f"position {shown(position)}: expected a gammon.Position")
    if play is not None and not isinstance(play, Play):
        raise SettingError(f"play {shown(play)}: expected a gammon.Play")
    if play is not None and play.before.points != position.points:
        raise SettingError(f"play {play}: expected one of the position {position.position_id}")
    scheme = COLOURS[one_of("colours", colours, COLOURS)]
    limits: dict[str, str | float] = {}
    if size is not None:
        width = whole("size", size, 1, 100_000)
        limits = {"width": width, "style": "max-width:100%;height:auto"}
    layout = Layout(turned)
    shown_arrows = arrows(position.points, play.moves, layout, scheme) if play else ()
    return Svg(
        element(
            "svg",
            element("title", f"Backgammon: {turn_words(position)}"),
            element("desc", said_of(position, play.notation if play and play.moves else "")),
            element("rect", width=WIDTH, height=HEIGHT, fill=scheme.ground),
            *board_ground(layout, scheme),
            *_lines(position, layout, scheme),
            *checkers(position, layout, scheme),
            cube(position, layout, scheme),
            *dice(position, layout, scheme),
            *shown_arrows,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
            class_="gammon-board",
            role="img",
            **limits,
        )
    )


def _lines(position: Position, layout: Layout, colours: Colours) -> Iterator[str]:
    """Yield each player's line of text: pips, score, and at its end the turn or the game."""
    context, (left, right) = position.context, layout.line_ends
    for own, pips in zip((True, False), position.pips, strict=True):
        seat, y = context.on_roll * (1 if own else -1), layout.line(own)
        yield swatch(Spot(left + 9, y), seat, colours)
        name = f"{SEATS[seat]}: pips {pips}"
        if context.length:
            name += f", score {context.scores[0 if seat == BOTTOM else 1]}"
        yield text(left + 26, y, name, 18, class_="words", fill=colours.words)
        yield text(
            right,
            y,
            turn_words(position) if own else game_words(position),
            18,
            class_="words",
            text_anchor="end",
            font_weight="bold" if own else "normal",
            fill=colours.words,
        )


def turn_words(position: Position) -> str:
    """Return a phrase about the turn, such as "X to play 31"."""
    player, opponent = SEATS[position.context.on_roll], SEATS[-position.context.on_roll]
    if position.is_over:
        return f"{player if position.off[0] == CHECKERS else opponent} won"
    if position.dice:
        return f"{player} to play {position.dice[0]}{position.dice[1]}"
    offers = {
        "": f"{player} on roll",
        "D": f"{player} doubles to {cube_value(position)}",
        "B": f"{opponent} beavers {player}'s double",
        "R": f"{player} raccoons {opponent}'s beaver",
    }
    return offers[position.context.offer]


def game_words(position: Position) -> str:
    """Return a phrase about the game without its score: a match, or money with its rules."""
    context = position.context
    if context.length:
        return f"match to {context.length}{', Crawford' if context.is_crawford else ''}"
    rules = ("Jacoby", context.jacoby), ("beavers", context.beavers)
    return ", ".join(["money", *(name for name, holds in rules if holds)])


def said_of(position: Position, play: str = "") -> str:
    """Return sentences that describe a drawing, except for the turn.

    Args:
        position: seen from the player on roll.
        play: the notation of the play that arrows show.
    """
    context, points = position.context, position.points
    own, their = SEATS[context.on_roll], SEATS[-context.on_roll]
    (own_pips, their_pips), (own_off, their_off) = position.pips, position.off
    sides = (
        (own, points, points[OWN_BAR], own_off, own_pips),
        (their, [-count for count in points], -points[THEIR_BAR], their_off, their_pips),
    )
    sentences = [
        f"{name} has {_listed(_places(counts, bar, off))}, and {several(pips, 'pip')} to go."
        for name, counts, bar, off, pips in sides
    ]
    sentences.insert(0, f"Points are numbered as {own} counts them.")
    score = score_words(context) if context.length else game_words(position)
    cube = f"cube on offer at {cube_value(position)}"
    if not context.offer:
        cube = cube_words(1 << context.cube_log2, context.cube_owner)
    sentences.append(f"The game: {score}, {cube}.")
    if play:
        sentences.append(f"The arrows show the play {play}.")
    return " ".join(sentences)


def _places(counts: list[int] | tuple[int, ...], bar: int, off: int) -> list[str]:
    """Return phrases about the places of a side's checkers, seen from that side."""
    places = [f"{bar} on the bar"] if bar else []
    places += [f"{counts[at]} on point {at}" for at in range(24, 0, -1) if counts[at] > 0]
    return [*places, f"{off} borne off"] if off else places


def _listed(parts: list[str]) -> str:
    """Return phrases joined by commas and "and"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def png(drawing: str, width: int = 960) -> bytes:
    """Return a drawing as the bytes of a PNG file.

    The text uses a font that comes with gammon, so it looks the same everywhere. The font has the
    characters of ASCII.

    Args:
        drawing: a drawing of `gammon.svg.board`.
        width: the width in pixels.

    Raises:
        SettingError: the width is not from 1 to 10,000 pixels.
    """
    width = whole("width", width, 1, 10_000)
    from resvg_py import svg_to_bytes

    files = [str(_FONTS / f"DejaVuSans{kind}.ttf") for kind in ("", "-Bold")]
    data: bytes = svg_to_bytes(
        svg_string=drawing,
        width=width,
        skip_system_fonts=True,
        font_files=files,
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
    )
    return data
