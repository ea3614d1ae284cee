"""Boards that share their parts: small drawings for a page that has many.

The page holds `sheet_parts` once, anywhere, and `sheet_style` in its style sheet. Each drawing
uses these parts by their ids, so it is a tenth as long as one of `board`. The colours are
variables of the style sheet, so all boards follow the reader's light or dark theme.
"""

from collections.abc import Iterator

from gammon.answers.play import Play
from gammon.formats.position import Position
from gammon.rules.board import SIZE
from gammon.svg.arrows import outlines
from gammon.svg.colours import COLOURS, Colours, Piece
from gammon.svg.elements import Svg, element, text
from gammon.svg.layout import HEIGHT, ROWS, WIDTH, Box, Layout, Spot
from gammon.svg.pieces import board_ground, checker, cube, die, piece_of, slab
from gammon.svg.words import turn_words

__all__ = ["THEMED", "sheet_board", "sheet_parts", "sheet_style"]

_LAYOUT = Layout(False)
_HERE = Spot(0.0, 0.0)
#: The room above and below the rows of numbers: for lines of words, which a page writes itself.
_CROPPED = 28.0


def _piece(name: str) -> Piece:
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
    parts = [element("g", *board_ground(_LAYOUT, THEMED), id="gb-board")]
    for seat in (1, -1):
        name, piece = piece_of(seat, THEMED)
        for count in range(1, ROWS + 1):
            for way, place in (("d", 13), ("u", 12)):
                parts.append(
                    element(
                        "g", *_stack(name, piece, count, place), id=f"gb-{name}{count}{way}"
                    )
                )
        parts += [
            element("g", die(_HERE, value, name, piece), id=f"gb-{name}-{value}")
            for value in range(1, 7)
        ]
        row = _LAYOUT.slab(True, 0)
        parts.append(
            element(
                "g", slab(Box(0, 0, row.width, row.height), name, piece), id=f"gb-{name}-off"
            )
        )
    return element(
        "svg",
        element("defs", *parts),
        width=0,
        height=0,
        class_="gb-parts",
        aria_hidden="true",
    )


def _stack(name: str, piece: Piece, count: int, place: int) -> Iterator[str]:
    """Yield the checkers of a point, the first one in the middle of all."""
    first = _LAYOUT.checker(place, 0)
    for row in range(count):
        yield checker(Spot(0.0, _LAYOUT.checker(place, row).y - first.y), name, piece, "")


def _use(part: str, spot: Spot) -> str:
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
            class_="gammon-board",
            role="img", aria_label=turn_words(position),
        )
    )  # fmt: skip


def _checkers(position: Position) -> Iterator[str]:
    for place in range(SIZE):
        count = position.points[place]
        if not count:
            continue
        name, piece = piece_of(position.context.on_roll * (1 if count > 0 else -1), THEMED)
        first, second = (_LAYOUT.checker(place, row) for row in (0, 1))
        way = "d" if second.y > first.y else "u"
        yield _use(f"{name}{min(abs(count), ROWS)}{way}", first)
        if abs(count) > ROWS:
            yield checker(_LAYOUT.checker(place, ROWS - 1), name, piece, str(abs(count)))
    for own, off in zip((True, False), position.off, strict=True):
        name, _ = piece_of(position.context.on_roll * (1 if own else -1), THEMED)
        for row in range(off):
            place_of = _LAYOUT.slab(own, row)
            yield _use(f"{name}-off", Spot(place_of.x, place_of.y))
        if off:
            x, y = _LAYOUT.off_number(own)
            yield text(x, y, str(off), 16, text_anchor="middle", fill=THEMED.words)


def _dice(position: Position) -> Iterator[str]:
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
