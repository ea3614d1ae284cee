"""A board as one drawing."""

from collections.abc import Iterator

from gammon.answers.play import Play
from gammon.base.checks import one_of, shown, whole
from gammon.base.errors import SettingError
from gammon.formats.context import BOTTOM
from gammon.formats.position import Position
from gammon.formats.words import SEATS
from gammon.svg.arrows import arrows
from gammon.svg.colours import COLOURS, Colours
from gammon.svg.elements import Svg, element, text
from gammon.svg.layout import HEIGHT, WIDTH, Layout
from gammon.svg.pieces import board_ground, checkers, cube, dice, swatch
from gammon.svg.words import game_words, said_of, turn_words

__all__ = ["board"]


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
    - `checker`, with `x` or `o`: a checker, at most five on a point; `data-point` as in
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
            xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
            class_="gammon-board", role="img", **limits,
        )
    )  # fmt: skip


def _lines(position: Position, layout: Layout, colours: Colours) -> Iterator[str]:
    """Yield the line of words of each player: pips, score, and whose turn it is or the game."""
    context = position.context
    for own, pips in zip((True, False), position.pips, strict=True):
        seat = context.on_roll * (1 if own else -1)
        (left, right), y = layout.line_ends, layout.line(own)
        yield swatch(left + 9, y, seat, colours)
        name = f"{SEATS[seat]}: pips {pips}"
        if context.length:
            name += f", score {context.scores[0 if seat == BOTTOM else 1]}"
        yield text(left + 26, y, name, 18, class_="words", fill=colours.words)
        yield text(
            right, y, turn_words(position) if own else game_words(position), 18,
            class_="words", text_anchor="end", font_weight="bold" if own else "normal",
            fill=colours.words,
        )  # fmt: skip
