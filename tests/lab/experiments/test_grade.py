"""Grades, against sums done by hand."""

import numpy as np
import pytest

from gammon.match.player import mind_of, parse_player
from gammon.rules.board import OPENING
from gammon.rules.terms import CUBELESS
from gammon_lab.experiments.grade import ALL, grade
from gammon_study.library.reference import Reference, reference_decisions, sorted_successors


def test_grade_is_the_mean_loss():
    outcomes = 3, 14  # 31 and 55
    decisions, losses = [], []
    best = parse_player("depth=1")
    boards = np.array([OPENING] * 2, np.int8)
    played = mind_of(best).plays(boards, outcomes, [CUBELESS] * 2, [0, 0]).tolist()
    for outcome, after in zip(outcomes, played, strict=True):
        rows = sorted_successors(OPENING, outcome)
        equities = dict(zip(rows, np.linspace(-0.5, 0.5, len(rows)), strict=True))
        decisions.append(Reference(OPENING, outcome, "contact", equities))
        losses.append(0.5 - equities[tuple(after)])
    done = []
    found = grade(best, decisions * 10, on_done=lambda *each: done.append(each))
    assert done == [(16, 20), (20, 20)]
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
