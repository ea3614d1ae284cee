"""Rollouts as people ask for them: the same result however they are played."""

import json
from dataclasses import fields
from multiprocessing import active_children
from threading import Timer

import numpy as np
import pytest

import gammon
from gammon.base.errors import GammonError, UnfinishedError
from gammon.base.parallel import run_units
from gammon.engine import rollout as module
from gammon.engine.cube import CubeAction
from gammon.engine.question import Question
from gammon.engine.rollout import rollout
from gammon.engine.rollout_settings import MOST_TRIALS, RolloutSettings
from gammon.engine.tally import LEAST
from gammon.formats.met_file import format_met, read_met

OPENING = gammon.Position.opening()
CUBE = gammon.Position.parse("XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:4:3:0:7:10")
RACE = gammon.Position.parse("XGID=-BBBB---------------bbb---:0:0:1:00:0:0:0:0:10")


def figures(found):
    return [
        (each.name, each.equity, each.error, each.trials, *each.probabilities)
        for each in found.candidates
    ]


def test_plays_on_the_same_dice():
    plays = ["13/10 6/5", "8/5 6/5", "8/5, 6/5"]
    found = rollout(OPENING, (1, 3), plays, trials=72)
    assert [each.name for each in found.candidates] == ["8/5 6/5", "13/10 6/5"]
    best, other = found.candidates
    assert best.loss == best.jsd == 0.0
    assert other.loss == pytest.approx(best.equity - other.equity)
    assert other.jsd > 1.0
    assert best.interval[0] < best.equity < best.interval[1]
    assert best.plain.error > 3.0 * best.error
    assert (found.trials, found.games, found.whole, found.cube) == (72, 144, True, None)
    assert found.position.dice == (1, 3)
    alone = rollout(OPENING.with_dice((3, 1)), plays=[best.play], trials=72)
    assert figures(alone) == figures(found)[:1]


def test_the_best_plays_unless_some_are_named():
    found = rollout(RACE, (6, 5), top=3, trials=36)
    engine = gammon.Engine(depth=3)
    searched = engine.analyze(RACE, (6, 5), 3).candidates[:3]
    assert {each.name for each in found.candidates} == {str(each.play) for each in searched}


def test_a_decision_about_the_cube():
    found = rollout(CUBE, trials=180)
    stay, taken = found.candidates
    assert (stay.name, taken.name) == ("No double", "Double, take")
    assert found.cube.action is CubeAction.DOUBLE
    assert found.cube.no_double.kind is gammon.Kind.ROLLOUT
    assert found.cube.double_pass.kind is gammon.Kind.EXACT
    assert found.equity == taken.equity == found.cube.double_take.equity
    searched = gammon.Engine(depth=3).cube(CUBE)
    assert abs(stay.equity - searched.no_double.equity) < 0.1
    assert abs(taken.equity - searched.double_take.equity) < 0.15
    mwc = 0.5 * (1.0 + found.cube.no_double.mwc * 2.0 - 1.0)
    assert stay.mwc == pytest.approx(mwc)
    assert stay.error / stay.mwc_error == pytest.approx(
        (stay.equity - taken.equity) / (stay.mwc - taken.mwc)
    )


@pytest.mark.parametrize(("rules", "right"), [(1, 1), (0, 0)])
def test_a_double_is_compared_with_the_right_answer_to_it(rules, right):
    """A pass; and no double, which is too good: there a double that is taken loses nothing."""
    position = gammon.Position.parse(
        f"XGID=bBBBBBBAB----------ccbbba-:0:0:1:00:0:0:{rules}:0:10"
    )
    found = rollout(position, trials=36)
    stay, taken = found.candidates
    assert found.cube.answer == "pass"
    assert found.cube.action == ("too good to double", "double")[right]
    assert stay.loss == pytest.approx(right * (1.0 - stay.equity))
    assert stay.jsd == pytest.approx(stay.loss / stay.error)
    assert taken.loss == taken.jsd == 0.0
    assert found.cube.no_double.error == stay.error
    assert found.cube.double_take.error == taken.error


def test_no_decision_where_nobody_may_double():
    crawford = gammon.Position.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:6:4:1:7:10")
    (only,) = rollout(crawford, trials=36).candidates
    assert only.name == "Before the roll"
    (only,) = rollout(CUBE, trials=36, cubeless=True).candidates
    assert only.mwc is None
    assert -1.0 < only.equity < 1.0
    (only,) = rollout(CUBE, trials=36, stakes="dmp").candidates
    assert only.equity == pytest.approx(2.0 * only.probabilities.win - 1.0, abs=0.02)


def test_exact_ends_are_exact():
    """Six checkers a side: the tables say it after one turn, and the luck is taken out."""
    found = rollout(RACE, trials=36).candidates[0]
    exact = gammon.Engine(depth=3).cube(RACE).no_double.equity
    assert found.equity == pytest.approx(exact, abs=0.01)


def test_the_seed_says_the_dice():
    one, same, other = (
        figures(rollout(OPENING, trials=36, truncate=3, **more))
        for more in ({}, {"seed": 1}, {"seed": 2})
    )
    assert one == same != other


def test_a_rollout_goes_on_where_it_was_interrupted(tmp_path, monkeypatch):
    settings = {"trials": 144, "out": tmp_path / "r"}
    blocks, play = [], module.play_block

    def interrupted(unit, stop):
        if len(blocks) == 2:
            raise KeyboardInterrupt
        blocks.append(unit["first"])
        return play(unit)

    monkeypatch.setattr(module, "play_block", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rollout(CUBE, **settings)
    monkeypatch.setattr(
        module, "play_block", lambda unit, stop: blocks.append(unit["first"]) or play(unit)
    )
    found = rollout(CUBE, **settings)
    assert blocks == [0, 36, 72, 108]
    assert figures(found) == figures(rollout(CUBE, trials=144))
    longer = rollout(CUBE, trials=180, out=tmp_path / "r")
    assert blocks == [0, 36, 72, 108, 0, 36, 72, 108, 144]
    assert longer.trials == 180
    card = json.loads((tmp_path / "r" / "run.json").read_text())
    assert "seed 1" in card["run"]
    with pytest.raises(GammonError, match="choose another folder"):
        rollout(CUBE, trials=144, seed=2, out=tmp_path / "r")


#: One candidate is the best by far: the others are dropped on the way.
CLEAR = {
    "dice": (3, 1), "plays": ["21/18 2/1", "4/1 2/1", "8/7 4/1"], "trials": 360,
    "truncate": 5, "cubeless": True,
}  # fmt: skip


@pytest.fixture(scope="module")
def clear():
    return rollout(CUBE, **CLEAR)


def test_candidates_are_dropped_alike_by_any_workers(clear):
    assert [each.out for each in clear.candidates] == [False, True, True]
    assert [each.trials for each in clear.candidates] == [360, 324, 324]
    assert figures(rollout(CUBE, **CLEAR, workers=2)) == figures(clear)
    kept = rollout(CUBE, **CLEAR, drop=False)
    assert [each.trials for each in kept.candidates] == [360, 360, 360]
    assert figures(kept)[0] == figures(clear)[0]


def test_what_a_dropped_candidate_loses_is_by_the_trials_of_both(clear):
    both = rollout(CUBE, **CLEAR | {"trials": 324})
    assert clear.candidates[0].equity != both.candidates[0].equity
    for name in ("loss", "jsd"):
        found = [getattr(each, name) for each in clear.candidates]
        assert found == pytest.approx([getattr(each, name) for each in both.candidates])
    assert clear.candidates[1].loss < clear.candidates[2].loss


@pytest.mark.parametrize("workers", [1, 2])
def test_pieces_of_the_work_give_the_same_result(clear, monkeypatch, tmp_path, workers):
    monkeypatch.setattr(module, "_PIECE", 4)
    settings = CLEAR | {"workers": workers, "out": tmp_path / "r"}
    assert figures(rollout(CUBE, **settings)) == figures(clear)
    assert figures(rollout(CUBE, **settings)) == figures(clear)


def test_games_begin_at_once_however_many_are_asked_for(monkeypatch):
    counts = []

    def counting(task, units, *rest, **more):
        counts.append(len(units))
        return run_units(task, units, *rest, **more)

    monkeypatch.setattr(module, "run_units", counting)
    found = rollout(RACE, trials=MOST_TRIALS, truncate=1, until_se=10.0)
    assert (found.trials, found.whole, counts) == (324, False, [1000])


def test_a_cluster_gives_the_same_result_to_the_last_digit(clear):
    """Two workers by TCP, which lose a candidate on the way."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp",
        host="127.0.0.1", dashboard_address="127.0.0.1:0",
    ) as cluster:  # fmt: skip
        found = rollout(CUBE, **CLEAR, scheduler=cluster.scheduler_address)
    assert figures(found) == figures(clear)
    with pytest.raises(GammonError, match="scheduler"):  # it is asked, not passed over
        rollout(CUBE, **CLEAR, scheduler="nonsense://x")


def test_rules_to_stop():
    told = []
    found = rollout(
        RACE,
        trials=1296,
        cubeless=True,
        until_se=0.05,
        on_result=lambda r: told.append(r.trials),
    )
    assert found.trials == 324
    assert not found.whole
    assert told == list(range(36, 325, 36))
    with pytest.raises(UnfinishedError):
        rollout(RACE, trials=1296, max_seconds=1e-9)
    found = rollout(CUBE, (3, 1), ["21/18 2/1", "8/7 4/1"], cubeless=True, until_jsd=5.0)
    assert found.trials == 324


def test_a_candidate_far_behind_plays_until_it_is_as_clear_as_asked():
    plays = ["24/23 13/11", "13/11 6/5"]
    found = rollout(OPENING, (2, 1), plays, trials=1296, truncate=3, seed=2, until_jsd=8.0)
    best, other = found.candidates
    assert not found.whole
    assert LEAST < best.trials == other.trials
    assert 8.0 <= other.jsd < 9.0


@pytest.mark.parametrize(
    "arguments",
    [
        {"trials": 100}, {"plays": ["8/5 6/5"]}, {"dice": (3, 1), "plays": []},
        {"dice": (3, 1), "plays": "8/5"},
        {"dice": (3, 1), "plays": np.array(3)}, {"dice": (3, 1), "plays": ["8/1"]},
        {"dice": (0, 7)},
        {"cubeless": 1}, {"stakes": "gold"}, {"stakes": 3}, {"top": 0}, {"workers": 0},
        {"model": "no-such"}, {"met": "no-such.csv"},
        {"met": "x", "cubeless": True},
    ],
    ids=str,
)  # fmt: skip
def test_bad_input_is_one_line(arguments):
    position = CUBE if "met" in arguments else OPENING
    with pytest.raises(GammonError) as caught:
        rollout(position, **arguments)
    assert "\n" not in str(caught.value)


def test_a_folder_goes_by_all_settings_that_games_depend_on():
    """Those that only say when enough is played may change from one start to the next."""
    endings = {"trials", "until_se", "until_jsd", "max_seconds", "drop"}
    others = {
        "depth": 3, "cube_depth": 3, "truncate": 9, "seed": 2, "model": "large",
        "move_filter": "tiny", "exact": False,
    }  # fmt: skip
    assert endings | set(others) == {field.name for field in fields(RolloutSettings)}

    def facts(**settings):
        chosen = RolloutSettings(**settings)
        return module._decided(OPENING, None, None, Question(), chosen).facts

    usual = facts()
    assert all(facts(**{name: value}) != usual for name, value in others.items())
    assert facts(trials=72, until_se=1.0, until_jsd=1.0, max_seconds=1.0, drop=False) == usual


def test_a_folder_of_shorter_games_says_so(tmp_path):
    asked = {"trials": 36, "out": tmp_path / "r"}
    rollout(RACE, **asked, truncate=3)
    with pytest.raises(GammonError, match=r"with truncate 3, not none: choose"):
        rollout(RACE, **asked)


def test_a_table_is_the_same_as_its_file(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(format_met(read_met()).replace("# Kazaross-XG2", "# Mine"))
    asked = {"trials": 36, "truncate": 1}
    found = figures(rollout(CUBE, met=path, **asked))
    assert figures(rollout(CUBE, met=gammon.read_met(path), **asked)) == found


def test_a_game_that_is_over_is_refused():
    over = gammon.Position((*[0] * 25, 1))
    with pytest.raises(GammonError, match="over"):
        rollout(over)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("settings", [{"depth": 5}, {"depth": 1, "cube_depth": 5}])
def test_time_ends_it_in_the_midst_of_its_games(settings, workers):
    """36 trials of these take minutes to hours."""
    words = "no 36 trials of each candidate were done within 0.2 seconds: expected more time"
    with pytest.raises(UnfinishedError, match=words):
        rollout(OPENING, trials=36, max_seconds=0.2, workers=workers, **settings)
    assert not active_children()


@pytest.mark.parametrize("workers", [1, 2])
def test_another_thread_ends_it_in_the_midst_of_its_games(workers):
    stop = gammon.Stop()
    timer = Timer(0.3, stop.set)
    timer.start()
    with pytest.raises(UnfinishedError, match="were done: expected"):
        rollout(OPENING, (6, 6), depth=5, trials=36, stop=stop, workers=workers)
    assert not active_children()


def test_what_is_whole_when_it_ends_counts(tmp_path):
    stop = gammon.Stop()
    settings = {"trials": 1296, "truncate": 2, "out": tmp_path / "r"}
    found = rollout(OPENING, (3, 1), stop=stop, on_result=lambda found: stop.set(), **settings)
    assert (found.trials, found.whole) == (36, False)
    assert figures(found) == figures(rollout(OPENING, (3, 1), trials=36, truncate=2))
    with pytest.raises(UnfinishedError):
        rollout(OPENING, (6, 1), trials=36, stop=stop)
    again = rollout(OPENING, (3, 1), **settings | {"trials": 72})
    assert (again.trials, again.whole) == (72, True)
