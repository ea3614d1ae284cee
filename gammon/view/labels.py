"""Labels of points in a plot, each at the nearest place where it hides nothing."""

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox

#: Vectors in pixels, [N, 2].
Pixels = npt.NDArray[np.float64]
#: Distances from a point to its label, in points, and the sides on which it may stand.
_DISTANCES = (5.0, 9.0, 14.0, 20.0, 28.0, 38.0, 50.0)
_SIDES = [side for side in product((1.0, -1.0, 0.0, 0.5, -0.5), repeat=2) if 1 in np.abs(side)]
#: Pixels around a label that stay free, and points of distance from which it needs a line.
_MARGIN, _FAR = 2.0, 12.0
#: What a label that is met costs, and a label beyond the edges, in pixels of ink.
_MET, _BEYOND = 100, 1000


def keep_apart(axes: "Axes") -> None:
    """Move each annotation of the axes to where it meets no other, no line and no edge.

    Labels choose in their order, near places before far ones. Where all places meet something,
    a label takes the one that meets least.
    """
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation, Text

    figure = axes.get_figure()
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    point = figure.dpi / 72.0
    ink, edges = _ink(axes), axes.get_window_extent()
    taken: list[Bbox] = []
    for label in (each for each in axes.texts if isinstance(each, Annotation)):
        anchor = axes.transData.transform(label.xy)
        size = np.array(Text.get_window_extent(label).size)  # without its line

        def cost(place: "tuple[float, Pixels, Bbox]") -> int:
            box = place[2]
            beyond = edges.count_contains(box.corners()) < 4
            met = _MET * box.count_overlaps(taken) + _BEYOND * beyond
            return met + int(box.count_contains(ink))

        distance, offset, box = min(_places(anchor, size, point), key=cost)
        taken.append(box)
        label.set_position((offset[0] / point, offset[1] / point))
        if label.arrow_patch is not None:
            label.arrow_patch.set_visible(distance > _FAR)


def _places(
    anchor: Pixels, size: Pixels, point: float
) -> "Iterator[tuple[float, Pixels, Bbox]]":
    """Give the places of a label: its distance in points, the way to its middle, its box."""
    from matplotlib.transforms import Bbox

    for distance, side in product(_DISTANCES, _SIDES):
        offset = np.array(side) * (size / 2.0 + distance * point)
        low = anchor + offset - size / 2.0
        yield distance, offset, Bbox([low, low + size]).padded(_MARGIN)


def _ink(axes: "Axes") -> Pixels:
    """Return points all along the lines, bars and markers of the axes, about a pixel apart."""
    from matplotlib.collections import LineCollection

    paths = []
    for line in axes.lines:
        path = line.get_transform().transform_path(line.get_path())
        paths.append(path if line.get_linestyle() == "None" else path.interpolated(200))
    for bars in axes.collections:
        if isinstance(bars, LineCollection):
            paths += [
                axes.transData.transform_path(bar).interpolated(100) for bar in bars.get_paths()
            ]
    return np.concatenate([np.empty((0, 2)), *(path.vertices for path in paths)])
