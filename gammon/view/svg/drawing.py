"""The drawing of a board, with its texts and the arrows of a play, also as PNG."""

from collections.abc import Iterator, Sequence
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
from gammon.view.svg.layout import COLOURS, HEIGHT, RADIUS, WIDTH, Colours, Layout, Spot
from gammon.view.svg.pieces import Svg, board_ground, checkers, cube, cube_value, dice, element, swatch, text

#: An arrow's measures: half the width of the shaft, the length of the head, half its width.
_SHAFT, _HEAD, _WING = 3.0, 17.0, 10.0
#: The folder of the fonts for PNG files.
_FONTS = Path(__file__).parents[2] / "data" / "fonts"

#: An arrow: its source and target points, and the spots where it begins and ends.
_Shaft = tuple[int, int, Spot, Spot]


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


_OFFERS = {"D": "doubles", "B": "beavers", "R": "raccoons"}


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
    player = SEATS[position.context.on_roll]
    if position.is_over:
        winner = 1 if position.off[0] == CHECKERS else -1
        return f"{SEATS[position.context.on_roll * winner]} won"
    if position.dice:
        return f"{player} to play {position.dice[0]}{position.dice[1]}"
    if position.context.offer:
        return f"{player} {_OFFERS[position.context.offer]} to {cube_value(position)}"
    return f"{player} on roll"


def game_words(position: Position) -> str:
    """Return a phrase about the game without its score: a match, or money with its rules."""
    context = position.context
    if context.length:
        return f"match to {context.length}{', Crawford' if context.crawford else ''}"
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
