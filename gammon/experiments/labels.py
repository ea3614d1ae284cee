"""Labels of points in a plot, each at a place where it hides nothing."""

from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation

__all__ = ["keep_apart"]

#: N points in pixels, [N, 2].
Pixels = npt.NDArray[np.float64]
#: Directions from a point to its label, and distances between them in points.
_DIRECTIONS = [
    each for each in product((1.0, 0.5, 0.0, -0.5, -1.0), repeat=2) if 1.0 in np.abs(each)
]
_DISTANCES = (5.0, 9.0, 14.0, 20.0, 28.0, 38.0, 50.0)
#: How often labels look for a better place at most; they come to rest long before.
_ROUNDS = 8
#: Pixels between the points that stand for a line, and around a label.
_STEP = 2.0
_MARGIN = 2.0
#: The cost, in square pixels, of a point of ink below a label, of one that its line crosses,
#: of a step of its line across another label, of a pixel between a label and its point, and of
#: a square pixel beyond the edges.
_HIDDEN, _CROSSED, _THROUGH, _FAR, _BEYOND = 60.0, 6.0, 40.0, 3.0, 5.0
#: Labels nearer than this many points need no line to what they name.
_NEAR = 12.0


class _Place(NamedTuple):
    """A place that a label could take, in pixels.

    Attributes:
        box: its two corners.
        line: points on the line from the box to what it names.
        offset: of its middle from there, in points.
        gap: between both, in points.
        cost: of what it meets that does not move.
    """

    box: Pixels
    line: Pixels
    offset: tuple[float, float]
    gap: float
    cost: float

    def meets(self, other: "_Place") -> float:
        """Return the cost of two labels' places together."""
        crossed = _inside(self.line, other.box) + _inside(other.line, self.box)
        return _shared(self.box, other.box) + _THROUGH * crossed


def keep_apart(axes: "Axes") -> None:
    """Move each annotation of the axes to where it meets no other, no line and no edge.

    Where all places meet something, it takes the place that meets least. A near place is better
    than one far off. The order of the annotations decides between equal ones.
    """
    from matplotlib.text import Annotation

    labels = [each for each in axes.texts if isinstance(each, Annotation)]
    if not labels:
        return
    figure = axes.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()
    point = figure.dpi / 72.0
    ink = _ink(axes, point)
    edges = axes.get_window_extent()
    room = np.array([[edges.x0, edges.y0], [edges.x1, edges.y1]])
    places = [_places(each, point, ink, room) for each in labels]
    chosen = [each[0] for each in places]
    for _ in range(_ROUNDS):
        before = list(chosen)
        for number, mine in enumerate(places):
            others = chosen[:number] + chosen[number + 1 :]
            chosen[number] = min(
                mine, key=lambda place: place.cost + sum(map(place.meets, others))
            )
        if all(one is other for one, other in zip(chosen, before, strict=True)):
            break
    for label, place in zip(labels, chosen, strict=True):
        label.set_position(place.offset)
        if label.arrow_patch is not None:
            label.arrow_patch.set_visible(place.gap > _NEAR)


def _places(label: "Annotation", point: float, ink: Pixels, room: Pixels) -> list[_Place]:
    """Return all places of a label, the near ones first."""
    from matplotlib.text import Text

    size = np.array(Text.get_window_extent(label).size)  # without its line
    assert label.axes is not None
    anchor = label.axes.transData.transform(label.xy)
    found = []
    for distance, direction in product(_DISTANCES, _DIRECTIONS):
        offset = np.array(direction) * (size / 2.0 + distance * point)
        middle = anchor + offset
        box = np.array([middle - size / 2.0 - _MARGIN, middle + size / 2.0 + _MARGIN])
        line = _along([anchor + 8.0 * offset / np.linalg.norm(offset), middle])
        line = line[~_within(line, box)]
        sides = np.maximum(np.maximum(box[0] - anchor, anchor - box[1]), 0.0)
        gap = float(np.linalg.norm(sides))
        outside = float(np.prod(box[1] - box[0])) - _shared(box, room)
        cost = _HIDDEN * _inside(ink, box) + _CROSSED * _near(ink, line)
        cost += _FAR * gap + _BEYOND * outside
        offset /= point
        where = (float(offset[0]), float(offset[1]))
        found.append(_Place(box, line, where, gap / point, cost))
    return found


def _within(points: Pixels, box: Pixels) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = ((points > box[0]) & (points < box[1])).all(axis=1)
    return found


def _inside(points: Pixels, box: Pixels) -> int:
    """Return how many points lie inside a box."""
    return int(_within(points, box).sum())


def _near(points: Pixels, line: Pixels) -> int:
    """Return how many points lie within a step of those of a line."""
    if not len(line):
        return 0
    low, high = line.min(axis=0) - _STEP, line.max(axis=0) + _STEP
    some = points[_within(points, np.array([low, high]))]
    apart = np.abs(some[:, None] - line[None]).max(axis=2)
    return int((apart < _STEP).any(axis=1).sum())


def _shared(one: Pixels, other: Pixels) -> float:
    """Return the area that two boxes have in common."""
    sides = np.minimum(one[1], other[1]) - np.maximum(one[0], other[0])
    return float(np.prod(np.maximum(sides, 0.0)))


def _ink(axes: "Axes", point: float) -> Pixels:
    """Return points all along the lines, bars and markers of the axes."""
    from matplotlib.collections import LineCollection

    to_pixels = axes.transData
    found = [np.empty((0, 2))]
    for line in axes.lines:
        if line.get_linestyle() != "None":
            path = line.get_transform().transform_path(line.get_path())
            found.append(_along(path.vertices))
        if line.get_marker() not in ("None", None):
            corners = to_pixels.transform(np.asarray(line.get_xydata(), np.float64))
            reach = line.get_markersize() / 2.0 * point
            found += [corners + reach * np.array(each) for each in (*_DIRECTIONS, (0, 0))]
    for bars in axes.collections:
        if isinstance(bars, LineCollection):
            found += [_along(to_pixels.transform(bar)) for bar in bars.get_segments()]
    return np.concatenate(found)


def _along(corners: npt.ArrayLike) -> Pixels:
    """Return points on the lines between corners, a step apart."""
    corners = np.asarray(corners, np.float64)
    found = [corners]
    for start, end in pairwise(corners):
        count = int(np.linalg.norm(end - start) / _STEP) + 1
        found.append(start + (end - start) * np.linspace(0.0, 1.0, count + 1)[:, None])
    return np.concatenate(found)
