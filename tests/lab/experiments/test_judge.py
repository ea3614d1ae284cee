"""The judge, in its small version: three players of ours."""

import numpy as np
import pytest

from gammon.match.player import match_player_of, parse_player
from gammon.rules.board import OPENING, PHASES
from gammon.rules.terms import CUBELESS
from gammon_lab.experiments.decision import ValuedPlay
from gammon_lab.experiments.grade import ALL, grade
from gammon_lab.experiments.judge import _draw, _judged, reproduce
from gammon_lab.experiments.study import Study
from gammon_study.library.judged_decisions import judged_decisions
from tests.lab.experiments.conftest import cut
from tests.lab.experiments.figures import drawn_bars

EXPERIMENT = reproduce
PLAYERS = ("depth=1", "depth=1,model=large", "depth=3")


def test_the_file_grades_as_the_report_does(small):
    report, folder, seen = small
    assert seen[-1][0] == seen[-1][1] == 28 * 4
    judge, phases = report.tables
    decisions = judged_decisions(folder / "judged_decisions.csv")
    assert sorted(row[0] for row in judge.rows) == sorted(PLAYERS)
    assert judge.columns[3] == f"more than {PLAYERS[0]}"
    assert [row[3] for row in judge.rows if row[0] == PLAYERS[0]] == [0.0]
    for row, parts in zip(judge.rows, phases.rows, strict=True):
        found = grade(parse_player(row[0]), decisions)
        assert row[1] == pytest.approx(found[ALL].rating, abs=1e-9)
        assert row[2] == pytest.approx(found[ALL].error, abs=1e-9)
        assert row[5] == pytest.approx(100 * found[ALL].best, abs=1e-9)
        for phase, rating in zip(PHASES, parts[1::2], strict=True):
            assert rating == pytest.approx(found[phase].rating, abs=1e-9)
        assert row[8] > 0.0


def test_what_the_strong_play_differently_is_rolled_out(small):
    report, folder, _ = small
    decisions = judged_decisions(folder / "judged_decisions.csv")
    points = np.array([each.points for each in decisions], np.int8)
    outcomes = [each.outcome for each in decisions]
    seeds = [0] * len(points)
    one, other = (
        match_player_of(parse_player(name)).plays(points, outcomes, [CUBELESS] * len(points), seeds)
        for name in PLAYERS[:2]
    )
    differ = (one != other).any(axis=1)
    assert 0 < differ.sum() < len(points)
    assert [each.trials for each in decisions] == [36 * apart for apart in differ]
    loss = [each.loss(tuple(play)) for each, play in zip(decisions, one.tolist(), strict=True)]
    apart = [500 * lost for lost, split in zip(loss, differ, strict=True) if split]
    (row,) = (row for row in report.tables[0].rows if row[0] == PLAYERS[0])
    assert row[6] == pytest.approx(np.mean(apart), abs=1e-9)


def test_an_interrupted_study_goes_on(small, tmp_path):
    report, folder, _ = small
    cut(folder, tmp_path)
    again = reproduce(Study(tmp_path, 3, True))
    rows, expected = (sorted(row[:8] for row in each.tables[0].rows) for each in (again, report))
    assert rows == expected
    assert (tmp_path / "judged_decisions.csv").read_text() == (folder / "judged_decisions.csv").read_text()
    assert [path.name for path in report.write(tmp_path)][2] == "judge.svg"


def test_plays_without_games_keep_their_distance():
    after = [tuple([0] * 25 + [n]) for n in range(3)]
    choices = [
        ValuedPlay("a", after[0], 0.5, True, (), 0.4, 0.002, 36),
        ValuedPlay("b", after[1], 0.45, True, (), 0.42, 0.003, 36),
        ValuedPlay("c", after[2], 0.3, False, ()),
    ]
    decision = _judged(OPENING, 3, choices)
    assert list(decision.equities.values()) == pytest.approx([0.4, 0.42, 0.2])
    assert decision.trials == 36
    assert decision.loss(after[2]) == pytest.approx(0.22)


def test_bars_are_as_long_as_the_number_of_decisions_asks_for():
    rows = [["depth=1", 2.0, 0.5, 0.0, 0.0, 60.0, None, None, 3.0]]
    ((bar,),) = drawn_bars(lambda axes: _draw(axes, rows, 11))
    reach = 2.228139 * 0.5
    assert bar.ravel() == pytest.approx([3.0, 2.0 - reach, 3.0, 2.0 + reach])
