"""Rollouts: settings, trials, the sums, and the same result however they are played."""

import json
from dataclasses import fields
from multiprocessing import active_children
from threading import Timer

import numpy as np
import pytest

import gammon
from gammon.base.errors import GammonError, SettingError, UnfinishedError
from gammon.base.parallel import run_units
from gammon.engine import rollout as module
from gammon.engine.block import Starts, is_block, play_batch, play_block, play_games, scale_of
from gammon.engine.cube import CubeAction
from gammon.engine.question import MOST_TRIALS, Question, RolloutSettings
from gammon.engine.rollout import rollout
from gammon.engine.rollout_sums import LEAST, RolloutSums
from gammon.engine.scale import Scale
from gammon.formats.met_file import format_met, read_met
from gammon.formats.position import Position
from gammon.games.backgammon import filter_named
from gammon.rules.board import OPENING
from gammon.rules.terms import CUBELESS, Terms, parse_stakes
from gammon.search import Filter
from tests.engine.core.games import plan, setting

# Rollouts as people ask for them: the same result however they are played.

ROLLOUT_OPENING = gammon.Position.opening()
CUBE = gammon.Position.parse("XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:4:3:0:7:10")
RACE = gammon.Position.parse("XGID=-BBBB---------------bbb---:0:0:1:00:0:0:0:0:10")


def figures(found):
    return [
        (each.name, each.equity, each.error, each.trials, *each.probabilities) for each in found.candidates
    ]


def test_plays_on_the_same_dice():
    plays = ["13/10 6/5", "8/5 6/5", "8/5, 6/5"]
    found = rollout(ROLLOUT_OPENING, (1, 3), plays, trials=72)
    assert [each.name for each in found.candidates] == ["8/5 6/5", "13/10 6/5"]
    best, other = found.candidates
    assert best.loss == best.jsd == 0.0
    assert other.loss == pytest.approx(best.equity - other.equity)
    assert other.jsd > 1.0
    assert best.interval[0] < best.equity < best.interval[1]
    assert best.unadjusted.error > 3.0 * best.error
    assert (found.trials, found.games, found.complete, found.cube) == (72, 144, True, None)
    assert found.position.dice == (1, 3)
    alone = rollout(ROLLOUT_OPENING.with_dice((3, 1)), plays=[best.play], trials=72)
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
    assert stay.error / stay.mwc_error == pytest.approx((stay.equity - taken.equity) / (stay.mwc - taken.mwc))


@pytest.mark.parametrize(("rules", "right"), [(1, 1), (0, 0)])
def test_a_double_is_compared_with_the_right_answer_to_it(rules, right):
    """A pass; and no double, which is too good: there a double that is taken loses nothing."""
    position = gammon.Position.parse(f"XGID=bBBBBBBAB----------ccbbba-:0:0:1:00:0:0:{rules}:0:10")
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
        figures(rollout(ROLLOUT_OPENING, trials=36, truncate=3, **more))
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
    monkeypatch.setattr(module, "play_block", lambda unit, stop: blocks.append(unit["first"]) or play(unit))
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
    "dice": (3, 1),
    "plays": ["21/18 2/1", "4/1 2/1", "8/7 4/1"],
    "trials": 360,
    "truncate": 5,
    "cubeless": True,
}


@pytest.fixture(scope="module")
def clear():
    return rollout(CUBE, **CLEAR)


def test_candidates_are_dropped_alike_by_any_workers(clear):
    assert [each.dropped for each in clear.candidates] == [False, True, True]
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


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_pieces_of_the_work_give_the_same_result(clear, monkeypatch, tmp_path, workers):
    monkeypatch.setattr(module, "_UNITS_AT_A_TIME", 4)
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
    assert (found.trials, found.complete, counts) == (324, False, [1000])


def test_a_cluster_gives_the_same_result_to_the_last_digit(clear):
    """Two workers by TCP, which lose a candidate on the way."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=False,
        protocol="tcp",
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
    ) as cluster:
        found = rollout(CUBE, **CLEAR, scheduler=cluster.scheduler_address)
    assert figures(found) == figures(clear)
    with pytest.raises(GammonError, match="scheduler"):  # it is asked, not passed over
        rollout(CUBE, **CLEAR, scheduler="nonsense://x")


def test_rules_to_stop():
    told = []
    found = rollout(
        RACE, trials=1296, cubeless=True, until_se=0.05, on_result=lambda r: told.append(r.trials)
    )
    assert found.trials == 324
    assert not found.complete
    assert told == list(range(36, 325, 36))
    with pytest.raises(UnfinishedError):
        rollout(RACE, trials=1296, max_seconds=1e-9)
    found = rollout(CUBE, (3, 1), ["21/18 2/1", "8/7 4/1"], cubeless=True, until_jsd=5.0)
    assert found.trials == 324


def test_a_candidate_far_behind_plays_until_it_is_as_clear_as_asked():
    plays = ["24/23 13/11", "13/11 6/5"]
    found = rollout(ROLLOUT_OPENING, (2, 1), plays, trials=1296, truncate=3, seed=2, until_jsd=24.0)
    best, other = found.candidates
    assert not found.complete
    assert LEAST < best.trials == other.trials
    assert 24.0 <= other.jsd < 25.0


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
    position = CUBE if "met" in arguments else ROLLOUT_OPENING
    with pytest.raises(GammonError) as caught:
        rollout(position, **arguments)
    assert "\n" not in str(caught.value)


def test_a_folder_goes_by_all_settings_that_games_depend_on():
    """Those that only say when enough is played may change from one start to the next."""
    endings = {"trials", "until_se", "until_jsd", "max_seconds", "drop"}
    others = {
        "depth": 3,
        "cube_depth": 3,
        "truncate": 9,
        "seed": 2,
        "model": "large",
        "move_filter": "tiny",
        "exact": False,
    }
    assert endings | set(others) == {field.name for field in fields(RolloutSettings)}

    def facts(**settings):
        chosen = RolloutSettings(**settings)
        return module._problem(ROLLOUT_OPENING, None, None, Question(), chosen).facts

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
        rollout(ROLLOUT_OPENING, trials=36, max_seconds=0.2, workers=workers, **settings)
    assert not active_children()


@pytest.mark.parametrize("workers", [1, 2])
def test_another_thread_ends_it_in_the_midst_of_its_games(workers):
    stop = gammon.Stop()
    timer = Timer(0.3, stop.set)
    timer.start()
    with pytest.raises(UnfinishedError, match="were done: expected"):
        rollout(ROLLOUT_OPENING, (6, 6), depth=5, trials=36, stop=stop, workers=workers)
    assert not active_children()


def test_what_is_whole_when_it_ends_counts(tmp_path):
    stop = gammon.Stop()
    settings = {"trials": 1296, "truncate": 2, "out": tmp_path / "r"}
    found = rollout(ROLLOUT_OPENING, (3, 1), stop=stop, on_result=lambda found: stop.set(), **settings)
    assert (found.trials, found.complete) == (36, False)
    assert figures(found) == figures(rollout(ROLLOUT_OPENING, (3, 1), trials=36, truncate=2))
    with pytest.raises(UnfinishedError):
        rollout(ROLLOUT_OPENING, (6, 1), trials=36, stop=stop)
    again = rollout(ROLLOUT_OPENING, (3, 1), **settings | {"trials": 72})
    assert (again.trials, again.complete) == (72, True)


# Settings of rollouts that are out of range are one line.


@pytest.mark.parametrize("model", ["", 3])
def test_what_is_no_model(model):
    with pytest.raises(SettingError, match=r"^model .*expected") as caught:
        RolloutSettings(model=model)
    assert "\n" not in str(caught.value)


def test_the_next_number_of_trials_is_named():
    assert RolloutSettings(trials=1_000_008).trials == 1_000_008
    with pytest.raises(SettingError, match="trials 1000000: expected a multiple of 36, such as"):
        RolloutSettings(trials=1_000_000)


def test_the_cube_is_played_as_deep_as_the_rest_unless_asked():
    assert RolloutSettings(depth=3).plies_of_cube == 3
    assert RolloutSettings(depth=3, cube_depth=1).plies_of_cube == 1


# The sums of a rollout: the player's side of the values, and when it is enough.

PLAIN = Scale.at(CUBELESS)


def sums_of(means, blocks, *, sd=1.0, worth=PLAIN, after=False, cash=None, seed=1):
    """A sums of normal values, with a common part as the same dice would give."""
    sums = RolloutSums(len(means), worth, after, cash)
    rng = np.random.default_rng(seed)
    for _ in range(blocks):
        common = rng.normal(size=36)
        batch = []
        for mean, spread in zip(means, np.broadcast_to(sd, len(means)), strict=True):
            values = mean + spread * (common + 0.5 * rng.normal(size=36))
            batch.append(
                {
                    "values": values.tolist(),
                    "plain": (3.0 * values).tolist(),
                    "chances": [0.0, 3.6, 7.2, 18.0, 10.8, -3.6],
                    "turns": 100,
                }
            )
        sums.add([batch[c] for c in sums.playing])
    return sums


def test_values_are_those_of_the_player_who_decides():
    ours, theirs = sums_of([0.3], 4), sums_of([0.3], 4, after=True)
    assert ours.trials(0) == 144
    assert ours.turns == 400
    assert theirs.value(0).mean == -ours.value(0).mean
    assert theirs.value(0).error == ours.value(0).error
    assert ours.unadjusted(0).mean == pytest.approx(3.0 * ours.value(0).mean)
    assert theirs.unadjusted(0).mean == -ours.unadjusted(0).mean


def test_chances_are_within_0_and_1():
    ours = sums_of([0.0], 2).chances(0)
    assert ours == pytest.approx((0.7, 0.2, 0.0, 0.1, 0.0))
    theirs = sums_of([0.0], 2, after=True).chances(0)
    assert theirs == pytest.approx((0.3, 0.1, 0.0, 0.2, 0.0))


def test_equities_of_a_match_are_emg():
    terms, table = Terms(7, (3, 4)), read_met()
    sums = sums_of([0.2], 2, worth=Scale.at(terms, table))
    mean, error = sums.value(0)
    unit = (table.after(terms, 1) - table.after(terms, -1)) / 2
    assert sums.equity(0).mean == pytest.approx(table.emg(0.5 * (1.0 + mean), terms))
    assert sums.equity(0).error == pytest.approx(0.5 * error / unit)


def test_candidates_far_behind_are_out_after_enough_trials():
    early = sums_of([0.0, -3.0], LEAST // 36 - 1)
    assert not early.drop()
    late = sums_of([-0.01, 0.0, -3.0], LEAST // 36)
    assert late.drop()
    assert late.playing == [0, 1]
    assert not late.drop()
    cube = sums_of([0.0, -3.0], LEAST // 36, cash=1.0)
    assert not cube.drop()


def test_no_candidate_is_out_that_the_rule_to_stop_still_asks_about():
    sums = sums_of([0.0, -0.13, -3.0], LEAST // 36)
    assert 2.33 < sums.jsd(1) < 4.0
    assert sums.drop(4.0)
    assert sums.playing == [0, 1]
    assert sums.drop(1.0)
    assert sums.playing == [0]


def test_equities_are_told_apart_in_their_unit():
    """In a long match an equity is a small part of the chance to win it."""
    worth = Scale.at(Terms(25, (25, 25)), read_met())
    assert worth.unit < 0.2
    sums = sums_of([worth.unit * 3e-5, 0.0], 9, sd=0.0, worth=worth)
    assert sums.jsd(1) == np.inf


def test_enough_by_the_standard_error():
    rule = (0.1, None)
    assert not sums_of([0.0, 0.0], 8, sd=0.1).is_enough(*rule)
    assert sums_of([0.0, 0.0], 9, sd=0.1).is_enough(*rule)
    for sd in (3.0, (0.1, 3.0), (3.0, 0.1)):
        assert not sums_of([0.0, 0.0], 9, sd=sd).is_enough(*rule)
    assert not sums_of([0.0, 0.0], 9, sd=0.1).is_enough(None, None)


def test_enough_by_the_differences():
    rule = (None, 4.0)
    assert sums_of([1.0, 0.0, -1.0], 9).is_enough(*rule)
    assert not sums_of([0.0, 0.0, -1.0], 9).is_enough(*rule)
    assert not sums_of([1.0], 9).is_enough(*rule), "there is nothing to tell apart"


@pytest.mark.parametrize(
    ("stay", "taken", "enough"),
    [
        (0.5, 0.7, True),  # double, take
        (0.5, 0.995, False),  # whether to take is not clear
        (0.5, 1.5, True),  # double, pass
        (0.999, 1.5, False),  # whether to double is not clear
        (0.7, 0.695, False),
        (1.5, 2.0, True),  # too good
    ],
)
def test_a_decision_about_the_cube_has_two_questions(stay, taken, enough):
    sums = sums_of([stay, taken], 9, sd=0.1, cash=1.0)
    assert sums.is_enough(None, 3.0) == enough


@pytest.mark.parametrize(
    ("stay", "taken", "doubled", "enough"),
    [
        (-0.5, -0.1, -0.2, True),  # double, beaver
        (0.3, -0.005, -0.01, False),  # whether to beaver is not clear
        (0.3, 0.005, 0.005, False),
        (-0.21, -0.1, -0.2, False),  # whether to double is not, if it is beavered
        (0.5, 0.7, 0.7, True),
        (0.5, 1.5, 1.0, True),
    ],
)
def test_a_beaver_is_an_answer_too(stay, taken, doubled, enough):
    worth = Scale.at(Terms(beavers=True))
    sums = sums_of([stay, taken], 9, sd=0.1, worth=worth, cash=1.0)
    no_double, behind = sums.value(0).mean, sums.behind(0).mean
    assert max(no_double, doubled) == pytest.approx(no_double + behind, abs=0.03)
    assert sums.is_enough(None, 3.0) == enough
    plain = sums_of([stay, taken], 9, sd=0.1, worth=Scale.at(Terms()), cash=1.0)
    assert plain.is_enough(None, 3.0)


@pytest.mark.parametrize(
    ("means", "beavers", "apart"),
    [
        ((0.3, -0.005), False, 81.87109927079855),
        ((0.3, -0.005), True, 1.0675261774823899),
        ((-0.21, -0.1), False, 30.26235459576779),
        ((-0.21, -0.1), True, 1.868417818510712),
        ((0.5, 0.7), True, 54.58045302466169),
        ((0.5, 1.005), True, 1.3868515033491484),
        ((0.0, -0.01, -3.0), False, 2.1617766427574163),
    ],
)
def test_a_decision_is_as_clear_as_it_was(means, beavers, apart):
    worth, cash = Scale.at(Terms(beavers=beavers)), 1.0 if len(means) == 2 else None
    sums, at = RolloutSums(len(means), worth, False, cash), np.arange(324)
    values = [(mean + 0.1 * np.sin(at * at + c)).tolist() for c, mean in enumerate(means)]
    same = {"chances": [0.0] * 6, "turns": 1}
    sums.add([{"values": each, "plain": each, **same} for each in values])
    assert sums.apart() == pytest.approx(apart, abs=1e-9)


def test_a_double_that_is_optional_is_not_clear():
    sums = sums_of([0.5, 0.5 + 1e-6], 9, sd=0.0, cash=1.0)
    assert not sums.is_enough(None, 3.0)


# The trials of a rollout as units: what comes back from JSON, and what is no result.

FIRST_ROW = Position.parse("XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:0:0:1:0:10").points

UNIT = {
    "model": "leaf", "network": "", "probe": "", "seed": 1, "depth": 1, "cube_depth": 1,
    "truncate": 0, "filter": "", "exact": True, "stakes": None, "terms": list(Terms()),
    "met": None, "after": False, "candidates": [0, 1], "first": 36,
    "starts": [{"points": list(FIRST_ROW), "doubled": doubled} for doubled in (False, True)],
}  # fmt: skip


def test_a_unit_has_the_trials_of_its_candidates():
    both = play_block(UNIT)
    assert is_block(UNIT, both)
    assert [len(each["values"]) for each in both] == [36, 36]
    (taken,) = play_block(UNIT | {"candidates": [1]})
    assert taken == both[1]
    game, leaf, probe = setting(Terms())
    begin = Starts(np.array([FIRST_ROW], np.int8), np.array([-1]), np.array([2.0]))
    found = play_games(game, leaf, probe, plan(exact=True), begin, 36, 36, Filter())
    assert taken["values"] == found.values[0].tolist()


def test_what_is_no_block():
    good = play_block(UNIT)
    for bad in (None, [], good[:1], [good[0], {}], [good[0], good[1] | {"values": [1.0]}]):
        assert not is_block(UNIT, bad)
    assert not is_block(UNIT, [good[0], good[1] | {"plain": ["1"] * 36}])


def test_terms_come_back_from_a_file():
    terms = Terms(7, (2, 4), cube=2, owner=1)
    unit = json.loads(json.dumps(UNIT | {"terms": list(terms)}))
    assert scale_of(unit).terms == terms
    assert scale_of(unit | {"stakes": "gammon-go"}).terms == parse_stakes("gammon-go")


def test_the_margin_of_a_filter_is_one_of_equities(monkeypatch):
    given = []
    monkeypatch.setattr("gammon.engine.block.play_games", lambda *more: given.append(more[7]) or ())
    worth = Scale.at(Terms(7, (3, 4)), read_met())
    play_batch(worth, None, None, plan(depth=3), "tiny", [(OPENING, False)], 0)
    assert given == [filter_named("tiny", worth.unit)]


# The answer of a rollout: one line to a programmer, a table to people.

ROLLED_CUBE = gammon.Position.parse("XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:0:0:0:0:10")


def test_reprs_are_one_line():
    found = gammon.rollout(ROLLED_CUBE, trials=36)
    assert repr(found) == f"<Rollout of 36 trials: {found.cube.verdict}>"
    first = found.candidates[0]
    assert repr(first) == f"<RolledCandidate No double: {first.equity:+.4f} ± {first.error:.4f}>"
    found = gammon.rollout(ROLLED_CUBE, (3, 1), top=1, trials=36)
    assert repr(found).startswith(f"<Rollout of 36 trials: {found.candidates[0].name}: ")


def test_the_equity_is_that_of_the_right_decision():
    found = gammon.rollout(ROLLED_CUBE, trials=36)
    assert found.equity == found.cube.equity
    found = gammon.rollout(ROLLED_CUBE, (3, 1), top=2, trials=36)
    assert found.equity == max(each.equity for each in found.candidates)
