"""The study of opponents of any strength, in its small version, and its sums by hand."""

import numpy as np
import pytest

import gammon_study
from gammon_lab.experiments import strength
from gammon_lab.experiments.strength import _look, _rating, reproduce
from gammon_lab.experiments.study import Study
from tests.matches import HAND


def test_the_small_version(tmp_path, monkeypatch):
    monkeypatch.setattr(strength, "_STRENGTHS", (20.0, 4.0))
    monkeypatch.setattr(strength, "_MATCHES", {0: 80, 1: 80})
    told: list[tuple[int, int]] = []
    study = Study(tmp_path, 3, True, on_done=lambda *counts: told.append(counts))
    check, look, kinds = reproduce(study).tables
    assert told == sorted(told) and told[-1] == (16, 16), "progress never goes back"
    assert [row[:3:2] for row in check.rows] == [
        [20.0, "money"], [20.0, "1 points"], [4.0, "money"], [4.0, "1 points"],
    ]  # fmt: skip
    assert [row[3] for row in check.rows] == [4, 4, 4, 4]
    weak, strong = (check.rows[place][5] for place in (0, 2))
    assert 12.0 < weak < 30.0 and 2.0 < strong < 7.0
    assert [row[0] for row in look.rows] == [20.0, 4.0]
    for row in look.rows:
        assert sum(row[4:8]) == pytest.approx(100.0)
    assert [row[0] for row in kinds.rows] == [1, 3, 8, 26]
    alike = [row[2] for row in kinds.rows]
    assert alike == sorted(alike, reverse=True) and abs(alike[-1]) < 0.2 and alike[0] > 0.5
    again = reproduce(Study(tmp_path, 3, True)).tables
    assert [table.rows for table in again] == [check.rows, look.rows, kinds.rows]


def test_ratings_are_those_of_the_review():
    found = gammon_study.review(HAND, depth=1)
    choices = list(found.choices)
    sums = [found.totals(player).all for player in (0, 1)]
    counted = sum(each.counted for each in sums)
    pr = 500.0 * sum(each.error for each in sums) / counted
    games, decisions, rating, error, plays, _ = _rating([choices])
    same = _rating([choices] * 10)
    assert (games, decisions, rating) == (1, counted, pytest.approx(pr))
    assert error is None, "of one game"
    assert same[2] == pytest.approx(rating)
    assert same[3] == pytest.approx(0.0, abs=1e-9)
    half = len(choices) // 2
    both = _rating(5 * [choices[:half], choices[half:]])
    assert both[2] == pytest.approx(pr) and both[3] > 0.0
    of_plays = [each.error for each in choices if each.kind == "play" and each.counted]
    assert plays == pytest.approx(500.0 * np.mean(of_plays))
    look = _look(choices)
    wrong = [each.error for each in choices if each.counted and each.error >= 0.001]
    assert look[0] == pytest.approx(100.0 * len(wrong) / counted)
    assert sum(look[3:7]) == pytest.approx(100.0)
