"""Boards that share their parts: small drawings for a page that has many.

The page holds `sheet_parts` once, anywhere, and `sheet_style` in its style sheet. Each drawing
uses these parts by their ids, so it is a tenth as long as one of `board`. The colours are
variables of the style sheet, so all boards follow the reader's light or dark theme.
"""

from collections.abc import Iterator

from gammon.answers.play import Play
from gammon.formats.context import BOTTOM, TOP
from gammon.formats.position import Position
from gammon.svg.arrows import outlines
from gammon.svg.colours import COLOURS, Colours, Piece
from gammon.svg.drawing import turn_words
from gammon.svg.layout import DRAWN, HEIGHT, WIDTH, Box, Layout, Spot
from gammon.svg.pieces import (
    Svg,
    board_ground,
    checker,
    cube,
    die,
    element,
    off_count,
    piece_of,
    slab,
    stacks,
    trays,
)

__all__ = ["THEMED", "sheet_board", "sheet_parts", "sheet_style"]

_LAYOUT = Layout(False)
#: The room above and below the rows of numbers: for lines of words, which a page writes itself.
_CROPPED = 28.0


def _piece(name: str) -> Piece:
    """Return the colours of a piece as variables."""
    return Piece(*(f"var(--gb-{name}-{part})" for part in Piece._fields))


#: The colours of a board as variables of a style sheet.
THEMED = Colours(
    **{name: f"var(--gb-{name})" for name in ("ground", "words", "field", "edge", "bar")},
    arrow="var(--gb-arrow)", halo="var(--gb-halo)", points=("var(--gb-odd)", "var(--gb-even)"),
    x=_piece("x"), o=_piece("o"), cube=_piece("cube"),
)  # fmt: skip


def sheet_style(name: str) -> str:
    """Return the declarations of the variables for one of `COLOURS`."""
    return "".join(
        f"{variable[4:-1]}:{value};"
        for variable, value in zip(_flat(THEMED), _flat(COLOURS[name]), strict=True)
    )


def _flat(colours: Colours) -> list[str]:
    """Return all colours in their order."""
    return [
        each for value in colours for each in ([value] if isinstance(value, str) else value)
    ]


def sheet_parts() -> str:
    """Return a drawing that shows nothing and defines the parts of all others, by their ids."""
    parts = [_part("board", *board_ground(_LAYOUT, THEMED))]
    row = _LAYOUT.slab(True, 0)._replace(x=0.0, y=0.0)
    for name, piece in (piece_of(seat, THEMED) for seat in (BOTTOM, TOP)):
        for count in range(1, DRAWN + 1):
            for way, place in (("d", 13), ("u", 12)):
                parts.append(_part(f"{name}{count}{way}", *_stack(name, piece, count, place)))
        for value in range(1, 7):
            parts.append(_part(f"{name}-{value}", die(Spot(0.0, 0.0), value, name, piece)))
        parts.append(_part(f"{name}-off", slab(row, name, piece)))
    defined = element("defs", *parts)
    return element("svg", defined, width=0, height=0, class_="gb-parts", aria_hidden="true")


def _part(name: str, *content: str) -> str:
    """Return a part that others use by its name."""
    return element("g", *content, id=f"gb-{name}")


def _stack(name: str, piece: Piece, count: int, place: int) -> Iterator[str]:
    """Yield the checkers of a point, the first one in the middle of all."""
    first = _LAYOUT.checker(place, 0)
    for row in range(count):
        yield checker(Spot(0.0, _LAYOUT.checker(place, row).y - first.y), name, piece, "")


def _use(part: str, spot: Spot | Box) -> str:
    """Return a part at a place."""
    return f'<use href="#gb-{part}" x="{spot.x:g}" y="{spot.y:g}"/>'


def sheet_board(
    position: Position, *, best: Play | None = None, made: Play | None = None
) -> Svg:
    """Draw a position with the parts of the page.

    The groups `gb-best` and `gb-made` have the arrows, whose colours are the page's own.

    Args:
        position: the checkers, the roll and the cube. The player on roll is at the bottom.
        best: a play that is shown by arrows.
        made: another one.
    """
    plays = [("best", best), ("made", made)]
    return Svg(
        element(
            "svg",
            '<use href="#gb-board"/>',
            *_checkers(position),
            cube(position, _LAYOUT, THEMED),
            *_dice(position),
            *(_arrows(name, play) for name, play in plays if play and play.moves),
            viewBox=f"0 {_CROPPED:g} {WIDTH:g} {HEIGHT - 2 * _CROPPED:g}",
            class_="gammon-board", role="img", aria_label=turn_words(position),
        )
    )  # fmt: skip


def _checkers(position: Position) -> Iterator[str]:
    """Yield stacks, the numbers on them, and what is in the trays."""
    for place, name, piece, count, number in stacks(position, THEMED):
        first, second = (_LAYOUT.checker(place, row) for row in (0, 1))
        yield _use(f"{name}{min(count, DRAWN)}{'d' if second.y > first.y else 'u'}", first)
        if number:
            yield checker(_LAYOUT.checker(place, DRAWN - 1), name, piece, number)
    for own, name, _, off in trays(position, THEMED):
        for row in range(off):
            yield _use(f"{name}-off", _LAYOUT.slab(own, row))
        if off:
            yield off_count(_LAYOUT.off_number(own), off, THEMED)


def _dice(position: Position) -> Iterator[str]:
    """Yield the dice of the roll."""
    name, _ = piece_of(position.context.on_roll, THEMED)
    for spot, value in zip(_LAYOUT.dice(), position.dice or (), strict=False):
        yield _use(f"{name}-{value}", spot)


def _arrows(name: str, play: Play) -> str:
    """Return the arrows of a play, and the crosses on what it hits."""
    drawn = outlines(play.before.points, play.moves, _LAYOUT)
    return element(
        "g",
        *(element("polygon", points=corners) for _, _, corners in drawn.arrows),
        *(element("path", d=cross) for _, cross in drawn.hits),
        class_=f"gb-{name}",
    )
