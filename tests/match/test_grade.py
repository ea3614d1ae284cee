"""Phases, the reference decisions, and grades against sums done by hand."""

from collections import Counter

import numpy as np
import pytest

from gammon.match.grade import ALL, grade
from gammon.match.player import mind_of, parse_player
from gammon.match.reference import Reference, reference_decisions, sorted_successors
from gammon.rules.board import OPENING, flipped
from gammon.rules.phase import PHASES, phase_of


def board(own, their):
    """Return a position from {point: checkers} of either side, each in its own numbering."""
    points = [0] * 26
    for point, count in own.items():
        points[point] = count
    for point, count in their.items():
        points[25 - point] = -count
    return tuple(points)


@pytest.mark.parametrize(
    ("own", "their", "phase"),
    [
        ({6: 5, 8: 5, 13: 5}, {6: 5, 8: 5, 10: 5}, "race"),
        ({6: 5, 3: 5, 1: 5}, {6: 5, 4: 5, 1: 2}, "bearoff"),
        ({6: 5, 3: 5, 1: 5}, {6: 5, 4: 5, 7: 2}, "race"),
        ({25: 1, 6: 14}, {6: 15}, "contact"),
        ({24: 2, 22: 2, 6: 11}, {2: 3, 4: 3, 5: 3, 6: 6}, "back game or crashed"),
        ({24: 1, 2: 7, 1: 7}, {7: 15}, "back game or crashed"),
    ],
)
def test_phases(own, their, phase):
    points = board(own, their)
    assert phase_of(points) == phase
    assert phase_of(flipped(points)) == phase


def test_the_opening_is_contact():
    assert phase_of(OPENING) == "contact"


def test_reference_file():
    decisions = reference_decisions()
    counts = Counter(each.phase for each in decisions)
    assert counts == dict(zip(PHASES, (1200, 300, 300, 300), strict=True))
    assert all(len(each.equities) > 1 for each in decisions)
    assert all(-3.0 <= value <= 3.0 for each in decisions for value in each.equities.values())


def test_grade_is_the_mean_loss():
    outcomes = 3, 14  # 31 and 55
    decisions, losses = [], []
    best = parse_player("depth=1")
    played = mind_of(best)([OPENING] * 2, outcomes, [0, 0]).tolist()
    for outcome, after in zip(outcomes, played, strict=True):
        rows = sorted_successors(OPENING, outcome)
        equities = dict(zip(rows, np.linspace(-0.5, 0.5, len(rows)), strict=True))
        decisions.append(Reference(OPENING, outcome, "contact", equities))
        losses.append(0.5 - equities[tuple(after)])
    found = grade(best, decisions)
    assert set(found) == {"contact", ALL}
    assert found[ALL].rating == pytest.approx(500 * np.mean(losses))
    assert found[ALL].error == pytest.approx(500 * abs(losses[0] - losses[1]) / 2)
    assert found[ALL].blunders == np.mean([loss > 0.08 for loss in losses])


def test_a_deeper_player_gives_less_away():
    some = [each for each in reference_decisions() if each.phase == "contact"][::10]
    shallow, deep = (grade(parse_player(f"depth={depth}"), some)[ALL] for depth in (1, 3))
    assert deep.rating < shallow.rating
    assert shallow.rating > 0.0
