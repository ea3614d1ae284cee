"""A board as one drawing, its words, and the drawing as PNG."""

from collections.abc import Iterator
from pathlib import Path

from gammon.base.checks import one_of, shown, whole
from gammon.base.errors import SettingError
from gammon.base.extras import extra
from gammon.formats.context import BOTTOM
from gammon.formats.play import Play
from gammon.formats.position import Position
from gammon.formats.words import SEATS, cube_words, score_words, several
from gammon.rules.board import CHECKERS, OWN_BAR, THEIR_BAR
from gammon.view.svg.arrows import arrows
from gammon.view.svg.colours import COLOURS, Colours
from gammon.view.svg.layout import HEIGHT, WIDTH, Layout, Spot
from gammon.view.svg.pieces import Svg, board_ground, checkers, cube, cube_value, dice, element, swatch, text

_OFFERS = {"D": "doubles", "B": "beavers", "R": "raccoons"}


def board(
    position: Position,
    *,
    play: Play | None = None,
    colours: str = "light",
    turned: bool = False,
    size: int | None = 480,
) -> Svg:
    """Draw a position. The player on roll is at the bottom and bears off at the right.

    The drawing has no scripts, no style sheets and nothing from elsewhere, and no `id`, so that
    a page may have many. Style sheets and scripts of a page find its parts by class:

    - `gammon-board`: the drawing.
    - `point`, `number`: the 24 points. A point's `data-point` is its number, from 1 to 24, as
      the player on roll counts.
    - `checker`, with `x` or `o`: a checker, at most seven on a point; `data-point` as in
      `Position.points`, where 25 is the bar of the player on roll and 0 that of the other. On
      the bar it has `on-bar`, too. One that is borne off has `off`, and no `data-point`.
    - `count`: a number of checkers.
    - `cube`: `data-owner` is x, o, centred or offered.
    - `die`: `data-value` is its number.
    - `arrow`: `data-from` and `data-to` are points; 0 is off.
    - `hit`: the mark on a checker that is hit, with `data-point`.
    - `field`, `bar`, `edge`, `tray`, `words`: the rest.

    Args:
        position: the checkers, the roll, the cube and the score.
        play: is shown by arrows.
        colours: light, dark or print, which is black and white. X has light checkers with a
            ring, O dark ones without.
        turned: whether the player on roll is at the top instead.
        size: the width in pixels at most. None: no limit, as wide as its place is.

    Raises:
        SettingError: there is no such setting, or the play is one of another position.
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
    moved = arrows(position.points, play.moves, layout, scheme) if play else ()
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
            *moved,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
            class_="gammon-board",
            role="img",
            **limits,
        )
    )


def _lines(position: Position, layout: Layout, colours: Colours) -> Iterator[str]:
    """Yield the line of words of each player: pips, score, and whose turn it is or the game."""
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
    """Return whose turn it is, such as "X to play 31"."""
    player = SEATS[position.context.on_roll]
    if position.is_over:
        won = 1 if position.off[0] == CHECKERS else -1
        return f"{SEATS[position.context.on_roll * won]} won"
    if position.dice:
        return f"{player} to play {position.dice[0]}{position.dice[1]}"
    if position.context.offer:
        return f"{player} {_OFFERS[position.context.offer]} to {cube_value(position)}"
    return f"{player} on roll"


def game_words(position: Position) -> str:
    """Return what is played for, but the score: a match, or money with its rules."""
    context = position.context
    if context.length:
        return f"match to {context.length}{', Crawford' if context.crawford else ''}"
    rules = ("Jacoby", context.jacoby), ("beavers", context.beavers)
    return ", ".join(["money", *(name for name, holds in rules if holds)])


def said_of(position: Position, play: str = "") -> str:
    """Return sentences that tell all that a drawing shows, but whose turn it is.

    Args:
        position: seen from the player on roll.
        play: the notation of the play that arrows show.
    """
    context, points = position.context, position.points
    own, their = SEATS[context.on_roll], SEATS[-context.on_roll]
    (own_pips, their_pips), (own_off, their_off) = position.pips, position.off
    sides = (
        (own, points, points[OWN_BAR], own_off, own_pips),
        (their, [-each for each in points], -points[THEIR_BAR], their_off, their_pips),
    )
    found = [
        f"{name} has {_listed(_places(counts, bar, off))}, and {several(pips, 'pip')} to go."
        for name, counts, bar, off, pips in sides
    ]
    found.insert(0, f"Points are numbered as {own} counts them.")
    score = score_words(context) if context.length else game_words(position)
    cube = f"cube on offer at {cube_value(position)}"
    if not context.offer:
        cube = cube_words(1 << context.cube_log2, context.cube_owner)
    found.append(f"The game: {score}, {cube}.")
    if play:
        found.append(f"The arrows show the play {play}.")
    return " ".join(found)


def _places(counts: list[int] | tuple[int, ...], bar: int, off: int) -> list[str]:
    """Return where a side's checkers are, from its own counts of the points."""
    found = [f"{bar} on the bar"] if bar else []
    found += [f"{counts[at]} on point {at}" for at in range(24, 0, -1) if counts[at] > 0]
    return [*found, f"{off} borne off"] if off else found


def _listed(parts: list[str]) -> str:
    """Return parts as one list in words."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def png(drawing: str, width: int = 960) -> bytes:
    """Return a drawing as the bytes of a PNG file.

    Its text is in the font that comes with matplotlib, so that it looks the same everywhere.

    Args:
        drawing: see `gammon.svg.board`.
        width: in pixels.

    Raises:
        MissingExtraError: the extra `png` is not installed.
        SettingError: the width is not from 1 to 10,000 pixels.
    """
    width = whole("width", width, 1, 10_000)
    with extra("png", "a PNG file"):
        from matplotlib import get_data_path
        from resvg_py import svg_to_bytes

    fonts = Path(get_data_path(), "fonts", "ttf")
    files = [str(fonts / f"DejaVuSans{kind}.ttf") for kind in ("", "-Bold")]
    data: bytes = svg_to_bytes(
        svg_string=drawing,
        width=width,
        skip_system_fonts=True,
        font_files=files,
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
    )
    return data
