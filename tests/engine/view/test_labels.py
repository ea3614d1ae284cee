"""Labels in a plot: none hides another one, or data."""

import itertools

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from gammon.view.labels import keep_apart
from gammon.view.plot import draw_points, label_point, look

#: Players whose dots are close together: milliseconds and rating.
DOTS = {
    "0-ply": (0.27, 1.52), "level 1": (0.31, 1.33), "depth 1 large": (0.4, 0.74),
    "depth 3": (0.61, 0.5), "depth 3 large": (0.69, 0.49), "depth 1": (0.77, 0.83),
    "depth 5": (23.0, 0.22), "depth 5 large": (32.0, 0.21), "2-ply": (33.0, 0.36),
}  # fmt: skip


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

    return {
        each.get_text(): Text.get_window_extent(each).get_points()
        for each in figure.axes[0].texts
    }


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
        [
            (time, rating + part)
            for time, rating in DOTS.values()
            for part in np.linspace(-0.2, 0.2, 41)
        ]
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
