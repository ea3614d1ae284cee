"""The style of all plots: sizes, colours, intervals, and the SVG file.

A plot is an SVG file with its own background. Text, axes and background follow the reader's light
or dark page; the colours of the data are visible on both. The legend is below the axes, so it
never hides data, and labels of points do not overlap.
"""

import io
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike

from gammon.base.extras import extra
from gammon.base.mean import mean_and_error, told_margin

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes  # noqa: PLC0414  # for others, too
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox
else:
    Axes = Any  # matplotlib is imported when something is drawn

#: The arguments of `Axes.plot` for a series: colour, marker, style.
Look = dict[str, Any]
#: Colours that colour-blind people can distinguish, on either background.
COLOURS = ("#0072b2", "#ee6f00", "#009e73", "#a03ad6", "#8a6a4a", "#dd6fa5")
_MARKERS = ("o", "s", "^", "D", "v", "P")
#: Players, depths and algorithms that look the same in all plots, with their places in `COLOURS`.
FIXED = {
    "gammon": 0,
    "gnubg": 1,
    "bgsage": 2,
    "depth 1": 4,
    "depth 3": 0,
    "depth 5": 1,
    "depth 7": 3,
    "expectimax": 4,
    "star1": 1,
    "star2": 0,
    "star2.5": 3,
}
#: The colours of text and axes, and of the background, on a light and on a dark page.
INKS = ("#1f2328", "#d1d7e0")
GROUNDS = ("#ffffff", "#0d1117")
_THEME = (
    f"svg {{ color: {INKS[0]}; }} @media (prefers-color-scheme: dark) {{ "
    f"svg {{ color: {INKS[1]}; }} #ground path {{ fill: {GROUNDS[1]} !important; }} }}"
)
#: Inches; a browser shows an inch as 96 pixels, and a point as 4/3.
_SIZE = (7.0, 4.5)
#: Points. No text is smaller than the last of these.
_TEXT, _SMALL = 11.0, 10.0
_SETTINGS: Any = {
    "svg.hashsalt": "gammon",  # the same plot is the same file
    "font.size": _TEXT, "axes.titlesize": _TEXT, "axes.labelsize": _TEXT,
    "xtick.labelsize": _SMALL, "ytick.labelsize": _SMALL, "legend.fontsize": _SMALL,
    "text.color": INKS[0], "axes.labelcolor": INKS[0], "axes.edgecolor": INKS[0],
    "xtick.color": INKS[0], "ytick.color": INKS[0], "grid.color": INKS[0],
    "figure.facecolor": GROUNDS[0], "axes.facecolor": "none",
    "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "axes.grid.axis": "y", "grid.alpha": 0.18, "grid.linewidth": 0.8,
    "axes.axisbelow": True, "legend.frameon": False, "lines.linewidth": 1.6,
    "lines.markersize": 6.0,
}  # fmt: skip


def look(name: str, place: int = 0) -> Look:
    """Return the colour and the marker of a series.

    Args:
        name: the name of a player, a depth or an algorithm.
        place: the place of the series in its plot, from 0, for a name that is not in `FIXED`.
    """
    number = FIXED.get(name, place) % len(COLOURS)
    return {"color": COLOURS[number], "marker": _MARKERS[number]}


def draw_series(
    axes: Axes, label: str, xs: ArrayLike, means: ArrayLike, reach: ArrayLike, look: Look
) -> None:
    """Draw a line through N means, with a bar and a band for their intervals.

    Args:
        axes: the axes of the plot.
        label: the name in the legend.
        xs: N places.
        means: N means.
        reach: N distances from a mean to the ends of its interval.
        look: the colour, the marker and the style of the line. Without a line there is no band.
    """
    axes.plot(xs, means, label=label, **look)
    low, high = np.subtract(means, reach), np.add(means, reach)
    axes.vlines(xs, low, high, color=look["color"], linewidth=1.4)
    if look.get("linestyle") != "none":
        axes.fill_between(xs, low, high, color=look["color"], alpha=0.18, linewidth=0)


def draw_points(
    axes: Axes, label: str, xs: ArrayLike, means: ArrayLike, reach: ArrayLike, look: Look
) -> None:
    """Draw N means without a line, with a bar for each interval; see `draw_series`."""
    draw_series(axes, label, xs, means, reach, look | {"linestyle": "none"})


def draw_means(axes: Axes, label: str, xs: ArrayLike, samples: Iterable[ArrayLike], look: Look) -> None:
    """Draw the means of N samples, with 95 % intervals where a mean has one; see `draw_series`."""
    means, reach = np.array([(mean_and_error(sample)[0], told_margin(sample)) for sample in samples]).T
    draw_series(axes, label, xs, means, reach, look)


def draw_level(axes: Axes, height: float) -> None:
    """Draw the horizontal line where nobody is ahead."""
    axes.axhline(height, color=INKS[0], linewidth=1.0, zorder=1.0)


def label_point(axes: Axes, text: str, x: float, y: float) -> None:
    """Label a point. `keep_apart` places the label when everything is drawn."""
    axes.annotate(
        text, (x, y), (0.0, 0.0), textcoords="offset points", ha="center", va="center",
        fontsize=_SMALL,
        arrowprops={
            "arrowstyle": "-", "linewidth": 0.7, "color": INKS[0], "alpha": 0.5,
            "shrinkA": 0.0, "shrinkB": 4.0,
        },
    ).set_in_layout(False)  # fmt: skip


def check_plots(user: str) -> None:
    """Check that plots can be drawn, before the work whose results are to be plotted.

    Args:
        user: what needs plots; the message begins with it.

    Raises:
        MissingExtraError: the extra `plots` is not installed.
    """
    with extra("plots", user):
        import matplotlib  # noqa: F401


def svg_of(draw: Callable[[Axes], None]) -> str:
    """Return a plot as the text of an SVG file.

    Args:
        draw: draws on the axes.

    Raises:
        MissingExtraError: the extra `plots` is not installed.
    """
    check_plots("a plot")
    import matplotlib as mpl
    from matplotlib.figure import Figure  # pyplot would choose a window system

    text = io.StringIO()
    with mpl.rc_context(_SETTINGS):
        canvas = Figure(figsize=_SIZE, layout="constrained")
        canvas.patch.set_gid("ground")
        axes = canvas.subplots()
        draw(axes)
        # The label of the y axis goes above the axes, where it is horizontal.
        axes.set_title(axes.get_ylabel(), loc="left")
        axes.set_ylabel("")
        _explain(canvas, axes)
        keep_apart(axes)
        canvas.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return _themed(text.getvalue())


def _explain(canvas: "Figure", axes: Axes) -> None:
    """Put the legend below the axes, in as many columns as fit."""
    handles, names = axes.get_legend_handles_labels()
    for columns in range(len(names), 0, -1) if len(names) > 1 else ():
        legend = canvas.legend(handles, names, loc="outside lower center", ncols=columns)
        if legend.get_window_extent().width <= canvas.bbox.width:
            return
        legend.remove()


def _themed(svg: str) -> str:
    """Return the drawing with text and background colours that follow the reader's page."""
    before, opening, after = svg.replace(INKS[0], "currentColor").partition("<style ")
    inside, closing, rest = after.partition("</style>")
    return f"{before}{opening}{inside} {_THEME}{closing}{rest}"


#: Vectors in pixels, [N, 2].
Pixels = npt.NDArray[np.float64]
#: The possible distances from a point to its label, in points, and the possible sides.
_DISTANCES = (5.0, 9.0, 14.0, 20.0, 28.0, 38.0, 50.0)
_SIDES = [side for side in product((1.0, -1.0, 0.0, 0.5, -0.5), repeat=2) if 1 in np.abs(side)]
#: Free pixels around a label, and the distance in points beyond which a line joins it to its point.
_MARGIN, _FAR = 2.0, 12.0
#: The costs of meeting another label, and of a place beyond the edges, in pixels of ink.
_MET, _BEYOND = 100, 1000


def keep_apart(axes: "Axes") -> None:
    """Move each annotation of the axes to a place where it meets no label, line or edge.

    Labels are placed in order, and try near places before far ones. If all places meet something,
    the place that meets least is taken.
    """
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation, Text

    labels = [text for text in axes.texts if isinstance(text, Annotation)]
    if not labels:
        return
    figure = axes.get_figure()
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    point = figure.dpi / 72.0
    ink, edges = _ink(axes), axes.get_window_extent()
    taken: list[Bbox] = []
    for label in labels:
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


def _places(anchor: Pixels, size: Pixels, point: float) -> "Iterator[tuple[float, Pixels, Bbox]]":
    """Yield the places of a label: its distance in points, the offset of its middle, its box."""
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
            paths += [axes.transData.transform_path(bar).interpolated(100) for bar in bars.get_paths()]
    return np.concatenate([np.empty((0, 2)), *(path.vertices for path in paths)])
