"""The judge of families, in its small version: three players of ours."""

import json
from pathlib import Path

import numpy as np
import pytest

from gammon.formats.gnubg_id import parse_position_id
from gammon_lab.experiments import families
from gammon_lab.experiments.study import Study
from gammon_lab.report import Report
from gammon_lab.train.starts import FAMILIES, holder_of
from tests.lab.experiments.conftest import cut

Small = tuple[Report, Path, list[tuple[int, int]]]
EXPERIMENT = families.reproduce


def test_decisions_are_of_their_families_and_more_extend_them() -> None:
    few, more = families._drawn(2), families._drawn(5)
    assert few == more[: len(few)]
    assert [each.family for each in few] == [*FAMILIES, *FAMILIES]
    assert all(holder_of(each.family, np.array(each.points, np.int8)) for each in more)


def test_ratings_are_those_of_the_plays_that_were_rolled_out(small: Small) -> None:
    report, folder, _ = small
    static, back_games, deeper, _ = report.tables
    players = ("depth=1", "depth=1,model=large", "depth=3")
    asked = [json.loads(line) for line in (folder / "answers.jsonl").read_text().splitlines()]
    made = {
        (each["unit"]["position"], each["unit"]["outcome"], each["unit"]["player"]): each["result"]["after"]
        for each in asked
    }
    units = [json.loads(line) for line in (folder / "units.jsonl").read_text().splitlines()]
    rolled = {
        each["unit"]["position"]: {
            play["after"]: play["rolled"] for play in each["result"] if "rolled" in play
        }
        for each in units
    }
    lost = dict.fromkeys(players, 0.0)
    for (position, outcome, player), mine in made.items():
        worth = rolled.get(position, {})
        if worth:
            lost[player] += max(worth.values()) - worth[mine]
        else:
            assert {made[position, outcome, other] for other in players} == {mine}
    count = 2 * len(FAMILIES)
    assert 0 < len(rolled) < count
    ratings = [static.rows[-1][3], static.rows[-1][5], deeper.rows[-1][3]]
    assert ratings == pytest.approx([500 * lost[player] / count for player in players])
    assert [row[1] for row in static.rows] == [2] * (len(FAMILIES) - 10) + [20, count]
    assert [row[:2] for row in back_games.rows] == [[name, 2] for name in FAMILIES[:10]]
    assert all(parse_position_id(position) for position in rolled)
    assert "bgsage" not in " ".join(report.notes), "it judges the whole version alone"


def test_an_interrupted_study_goes_on(small: Small, tmp_path: Path) -> None:
    report, folder, seen = small
    apart = len((folder / "units.jsonl").read_text().splitlines())
    assert seen[-1] == (2 * len(FAMILIES) * 3 + apart,) * 2
    cut(folder, tmp_path)
    again = families.reproduce(Study(tmp_path, 3, True))
    assert [table.rows for table in again.tables] == [table.rows for table in report.tables]


def test_games_of_bgsage_are_by_play(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class StandIn:
        def worths(self, points: object, roll: object, level: str, plays: list[object]) -> object:
            assert level == "truncated1"
            return [float(n) for n, _ in enumerate(plays)]

    monkeypatch.setattr(families, "_bgsage", StandIn)
    decision = families._drawn(1)[0]
    plays = sorted({decision.points, families._drawn(1)[1].points})
    (found,) = families._by_games_of_bgsage(Study(tmp_path), [decision], [plays])
    assert found == {plays[0]: 0.0, plays[1]: 1.0}
