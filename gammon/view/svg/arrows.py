"""The arrows of a play: one for each checker, with a stop where it hits."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import hypot

from gammon.formats.notation import chains_of
from gammon.rules.board import OFF, off_counts
from gammon.rules.moves import Move
from gammon.view.svg.colours import Colours
from gammon.view.svg.layout import RADIUS, Layout, Spot
from gammon.view.svg.pieces import element

#: Half the width of a shaft; the length of a head, and half its width.
_SHAFT, _HEAD, _WING = 3.0, 17.0, 10.0

#: An arrow: its source and its target, and where it begins and ends.
_Shaft = tuple[int, int, Spot, Spot]


def arrows(points: Sequence[int], moves: Sequence[Move], layout: Layout, colours: Colours) -> Iterator[str]:
    """Yield the arrows of a play, on the board before it, and a mark on each checker it hits.

    Args:
        points: 26 counts before the play, seen from the player who makes it.
        moves: of the play.
        layout: places them.
        colours: of the drawing.
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
    """Return the path of the mark on a checker that is hit."""
    far = 0.5 * RADIUS
    left, right, above, below = spot.x - far, spot.x + far, spot.y - far, spot.y + far
    return f"M{left:g} {above:g}L{right:g} {below:g}M{right:g} {above:g}L{left:g} {below:g}"


def _shafts(points: Sequence[int], moves: Sequence[Move], layout: Layout) -> list[_Shaft]:
    """Return the source and the target of each arrow, and where it begins and ends.

    An arrow begins at the last checker of its source, and ends where the next one of its target
    would be.
    """
    counts, (off, _) = list(points), off_counts(points)
    for move in moves:
        if move.hit:
            counts[move.target] = 0
    found = []
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
            found.append((source, target, begin, end))
    return _uncrossed(found)


def _uncrossed(shafts: list[_Shaft]) -> list[_Shaft]:
    """Return arrows of which those with the same source and target do not cross."""
    found = []
    for (source, target), group in groupby(shafts, key=lambda shaft: shaft[:2]):
        begins, ends = zip(*(shaft[2:] for shaft in group), strict=True)
        if (begins[0].y - begins[-1].y) * (ends[0].y - ends[-1].y) < 0:
            begins = begins[::-1]
        found += [(source, target, *each) for each in zip(begins, ends, strict=True)]
    return found


def _legs(chain: Sequence[Move]) -> Iterator[tuple[int, int]]:
    """Yield the ways of one checker as they are seen: from hit to hit, and to its end."""
    source = chain[0].source
    for move in chain:
        if move.hit or move is chain[-1]:
            yield source, move.target
            source = move.target


def _outline(begin: Spot, end: Spot, rim: float) -> str:
    """Return the corners of an arrow whose tip is `rim` before its end."""
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
