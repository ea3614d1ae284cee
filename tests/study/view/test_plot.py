"""The style of plots: seen on light and dark pages, by everybody, and nothing is hidden."""

import itertools
import re
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.text import Text

from gammon_study.view import plot
from gammon_study.view.plot import (
    COLOURS,
    FIXED,
    GROUNDS,
    INKS,
    draw_level,
    draw_means,
    draw_points,
    draw_series,
    keep_apart,
    label_point,
    look,
    svg_of,
)
from tests.colours import contrast, linear

#: How people see linear RGB who lack one kind of cones: G. M. Machado, M. M. Oliveira and
#: L. A. F. Fernandes (2009), severity 1.
SEEN = {
    "all cones": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIE L*a*b* of linear RGB."""
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(matrix @ np.clip(rgb, 0.001, 1.0) / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize(("ink", "ground"), list(zip(INKS, GROUNDS, strict=True)))
def test_text_and_data_stand_out_from_either_ground(ink: str, ground: str) -> None:
    assert contrast(ink, ground) >= 7.0
    assert min(contrast(colour, ground) for colour in COLOURS) >= 3.0


@pytest.mark.parametrize("eye", SEEN)
def test_everybody_tells_the_colours_apart(eye: str) -> None:
    seen = [lab(np.array(SEEN[eye]) @ linear(colour)) for colour in COLOURS]
    apart = [np.linalg.norm(one - other) for one, other in itertools.combinations(seen, 2)]
    assert min(apart) > 12.0


def test_the_same_name_looks_the_same_at_any_place() -> None:
    for name in FIXED:
        assert look(name, 0) == look(name, 3)
    looks = [look("another", place) for place in range(len(COLOURS))]
    for kind in ("color", "marker"):
        assert len({each[kind] for each in looks}) == len(COLOURS)
    for kinds in (("gammon", "gnubg", "bgsage"), ("depth 1", "depth 3", "depth 5", "depth 7")):
        assert len({look(name)["color"] for name in kinds}) == len(kinds)


def sample(axes: Axes) -> None:
    """A plot with long names, bars and bands."""
    for place in range(5):
        name = f"a series with a long name, number {place}"
        draw_series(axes, name, [1, 3, 5], [place, 2, 9], [1, 1, 2], look(name, place))
    draw_level(axes, 0.0)
    axes.set_xlabel("depth (plies)")
    axes.set_ylabel("leaves")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Figure:
    """The figure behind the sample's file."""
    kept: list[Figure] = []
    keep = plot._explain
    monkeypatch.setattr(plot, "_explain", lambda canvas, axes: kept.append(canvas) or keep(canvas, axes))
    svg_of(sample)
    return kept[0]


def test_no_text_is_small(drawn: Figure) -> None:
    texts = [each for each in drawn.findobj(Text) if each.get_text()]
    assert {"depth (plies)", "leaves"} <= {each.get_text() for each in texts}
    assert min(each.get_fontsize() for each in texts) >= 10.0


def test_the_legend_hides_nothing_and_is_whole(drawn: Figure) -> None:
    drawn.draw_without_rendering()
    (legend,) = drawn.legends
    box, (axes,) = legend.get_window_extent(), drawn.axes
    assert not box.overlaps(axes.get_tightbbox())
    assert box.x0 >= 0.0
    assert box.x1 <= drawn.bbox.width
    assert box.y0 >= 0.0
    assert axes.get_window_extent().height > 0.5 * drawn.bbox.height


def test_one_series_needs_no_legend() -> None:
    figure = Figure()
    axes = figure.subplots()
    draw_points(axes, "alone", [1], [2], [0.5], look("alone"))
    plot._explain(figure, axes)
    assert figure.legends == []
    (bar,) = (each for each in axes.collections if isinstance(each, LineCollection))
    assert bar.get_segments()[0].tolist() == [[1.0, 1.5], [1.0, 2.5]]


def test_bars_are_of_means_of_ten_or_more() -> None:
    axes, values = Figure().subplots(), np.arange(10.0)
    draw_means(axes, "some", [1, 3], [values, values[:9]], look("some"))
    (bars,) = (each for each in axes.collections if isinstance(each, LineCollection))
    reach = 2.262157 * values.std(ddof=1) / np.sqrt(10)
    ends = [segment[:, 1] for segment in bars.get_segments()]
    assert ends[0] == pytest.approx([4.5 - reach, 4.5 + reach])
    assert ends[1] == pytest.approx([4.0, 4.0])


def test_the_file_is_the_same_each_time_and_follows_the_page() -> None:
    text = svg_of(sample)
    assert text == svg_of(sample)
    ElementTree.fromstring(text)
    drawing = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)
    assert INKS[0] not in drawing  # all text and lines have the colour of the style sheet
    assert drawing.count("currentColor") > 20
    assert re.search(rf'<g id="ground">\s*<path [^>]*fill: {GROUNDS[0]}', drawing)
    _, dark = text.split("@media (prefers-color-scheme: dark)")
    assert INKS[1] in dark.split("</style>")[0]
    assert f"#ground path {{ fill: {GROUNDS[1]}" in dark.split("</style>")[0]


#: Players whose dots are close together: milliseconds and rating.
DOTS = {
    "0-ply": (0.27, 1.52),
    "level 1": (0.31, 1.33),
    "depth 1 large": (0.4, 0.74),
    "depth 3": (0.61, 0.5),
    "depth 3 large": (0.69, 0.49),
    "depth 1": (0.77, 0.83),
    "depth 5": (23.0, 0.22),
    "depth 5 large": (32.0, 0.21),
    "2-ply": (33.0, 0.36),
}


@pytest.fixture
def figure() -> Figure:
    """A plot with labels that know nothing of each other yet."""
    with mpl.rc_context({"font.size": 11.0}):
        figure = Figure(figsize=(7.0, 4.5), layout="constrained")
        axes = figure.subplots()
    times, ratings = zip(*DOTS.values(), strict=True)
    draw_points(axes, "players", times, ratings, [0.2] * len(DOTS), look("players"))
    axes.set_xscale("log")
    axes.margins(x=0.1)
    for name, (time, rating) in DOTS.items():
        label_point(axes, name, time, rating)
    return figure


def boxes(figure: Figure) -> dict[str, np.ndarray]:
    """The corners of the labels, in pixels."""
    figure.draw_without_rendering()
    from matplotlib.text import Text

    return {each.get_text(): Text.get_window_extent(each).get_points() for each in figure.axes[0].texts}


def hides(box: np.ndarray, points: np.ndarray) -> bool:
    return bool(((points > box[0]) & (points < box[1])).all(axis=1).any())


def test_labels_meet_neither_each_other_nor_data(figure: Figure) -> None:
    axes = figure.axes[0]
    keep_apart(axes)
    found = boxes(figure)
    assert set(found) == set(DOTS)
    for one, other in itertools.combinations(found.values(), 2):
        assert not ((one[0] < other[1]) & (other[0] < one[1])).all()
    bars = np.array(
        [(time, rating + part) for time, rating in DOTS.values() for part in np.linspace(-0.2, 0.2, 41)]
    )
    pixels = axes.transData.transform(bars)
    edges = axes.get_window_extent().get_points()
    for name, box in found.items():
        assert not hides(box, pixels), name
        assert (box[0] >= edges[0]).all(), name
        assert (box[1] <= edges[1]).all(), name
        distance = np.abs(box.mean(axis=0) - axes.transData.transform(DOTS[name]))
        assert (distance < 130.0).all(), name


def test_a_label_far_from_its_point_has_a_line(figure: Figure) -> None:
    keep_apart(figure.axes[0])
    lines = {
        each.get_text(): each.arrow_patch.get_visible()  # type: ignore[attr-defined]
        for each in figure.axes[0].texts
    }
    assert lines["0-ply"] is False
    assert any(lines.values())


def test_places_are_the_same_each_time(figure: Figure) -> None:
    keep_apart(figure.axes[0])
    first = boxes(figure)
    keep_apart(figure.axes[0])
    for name, box in boxes(figure).items():
        assert box == pytest.approx(first[name])


def test_no_labels_are_no_work() -> None:
    figure = Figure()
    keep_apart(figure.subplots())
    assert figure.axes[0].texts[:] == []
