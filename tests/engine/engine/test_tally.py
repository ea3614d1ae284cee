"""The tally of a rollout: the player's side of the values, and when it is enough."""

import numpy as np
import pytest

from gammon.engine.tally import LEAST, Tally
from gammon.engine.worth import Worth
from gammon.formats.met_file import read_met
from gammon.rules.terms import CUBELESS, Terms

PLAIN = Worth.at(CUBELESS)


def tally_of(means, blocks, *, sd=1.0, worth=PLAIN, after=False, cash=None, seed=1):
    """A tally of normal values, with a common part as the same dice would give."""
    tally = Tally(len(means), worth, after, cash)
    rng = np.random.default_rng(seed)
    for _ in range(blocks):
        common = rng.normal(size=36)
        batch = []
        for mean, spread in zip(means, np.broadcast_to(sd, len(means)), strict=True):
            values = mean + spread * (common + 0.5 * rng.normal(size=36))
            batch.append(
                {
                    "values": values.tolist(), "plain": (3.0 * values).tolist(),
                    "chances": [0.0, 3.6, 7.2, 18.0, 10.8, -3.6], "turns": 100,
                }
            )  # fmt: skip
        tally.add([batch[c] for c in tally.playing])
    return tally


def test_values_are_those_of_the_player_who_decides():
    ours, theirs = tally_of([0.3], 4), tally_of([0.3], 4, after=True)
    assert ours.trials(0) == 144
    assert ours.turns == 400
    assert theirs.value(0).mean == -ours.value(0).mean
    assert theirs.value(0).error == ours.value(0).error
    assert ours.plain(0).mean == pytest.approx(3.0 * ours.value(0).mean)
    assert theirs.plain(0).mean == -ours.plain(0).mean


def test_chances_are_within_0_and_1():
    ours = tally_of([0.0], 2).chances(0)
    assert ours == pytest.approx((0.7, 0.2, 0.0, 0.1, 0.0))
    theirs = tally_of([0.0], 2, after=True).chances(0)
    assert theirs == pytest.approx((0.3, 0.1, 0.0, 0.2, 0.0))


def test_equities_of_a_match_are_emg():
    terms, table = Terms(7, (3, 4)), read_met()
    tally = tally_of([0.2], 2, worth=Worth.at(terms, table))
    mean, error = tally.value(0)
    unit = (table.after(terms, 1) - table.after(terms, -1)) / 2
    assert tally.equity(0).mean == pytest.approx(table.emg(0.5 * (1.0 + mean), terms))
    assert tally.equity(0).error == pytest.approx(0.5 * error / unit)


def test_candidates_far_behind_are_out_after_enough_trials():
    early = tally_of([0.0, -3.0], LEAST // 36 - 1)
    assert not early.drop()
    late = tally_of([-0.01, 0.0, -3.0], LEAST // 36)
    assert late.drop()
    assert late.playing == [0, 1]
    assert not late.drop()
    cube = tally_of([0.0, -3.0], LEAST // 36, cash=1.0)
    assert not cube.drop()


def test_no_candidate_is_out_that_the_rule_to_stop_still_asks_about():
    tally = tally_of([0.0, -0.13, -3.0], LEAST // 36)
    assert 2.33 < tally.jsd(1) < 4.0
    assert tally.drop(4.0)
    assert tally.playing == [0, 1]
    assert tally.drop(1.0)
    assert tally.playing == [0]


def test_equities_are_told_apart_in_their_unit():
    """In a long match an equity is a small part of the chance to win it."""
    worth = Worth.at(Terms(25, (25, 25)), read_met())
    assert worth.unit < 0.2
    tally = tally_of([worth.unit * 3e-5, 0.0], 9, sd=0.0, worth=worth)
    assert tally.jsd(1) == np.inf


def test_enough_by_the_standard_error():
    rule = (0.1, None)
    assert not tally_of([0.0, 0.0], 8, sd=0.1).is_enough(*rule)
    assert tally_of([0.0, 0.0], 9, sd=0.1).is_enough(*rule)
    for sd in (3.0, (0.1, 3.0), (3.0, 0.1)):
        assert not tally_of([0.0, 0.0], 9, sd=sd).is_enough(*rule)
    assert not tally_of([0.0, 0.0], 9, sd=0.1).is_enough(None, None)


def test_enough_by_the_differences():
    rule = (None, 4.0)
    assert tally_of([1.0, 0.0, -1.0], 9).is_enough(*rule)
    assert not tally_of([0.0, 0.0, -1.0], 9).is_enough(*rule)
    assert not tally_of([1.0], 9).is_enough(*rule), "there is nothing to tell apart"


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
    tally = tally_of([stay, taken], 9, sd=0.1, cash=1.0)
    assert tally.is_enough(None, 3.0) == enough


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
    worth = Worth.at(Terms(beavers=True))
    tally = tally_of([stay, taken], 9, sd=0.1, worth=worth, cash=1.0)
    no_double, behind = tally.value(0).mean, tally.behind(0).mean
    assert max(no_double, doubled) == pytest.approx(no_double + behind, abs=0.03)
    assert tally.is_enough(None, 3.0) == enough
    plain = tally_of([stay, taken], 9, sd=0.1, worth=Worth.at(Terms()), cash=1.0)
    assert plain.is_enough(None, 3.0)


@pytest.mark.parametrize(
    ("means", "beavers", "apart"),
    [
        ((0.3, -0.005), False, 81.87109927079855), ((0.3, -0.005), True, 1.0675261774823899),
        ((-0.21, -0.1), False, 30.26235459576779), ((-0.21, -0.1), True, 1.868417818510712),
        ((0.5, 0.7), True, 54.58045302466169), ((0.5, 1.005), True, 1.3868515033491484),
        ((0.0, -0.01, -3.0), False, 2.1617766427574163),
    ],
)  # fmt: skip
def test_a_decision_is_as_clear_as_it_was(means, beavers, apart):
    worth, cash = Worth.at(Terms(beavers=beavers)), 1.0 if len(means) == 2 else None
    tally, at = Tally(len(means), worth, False, cash), np.arange(324)
    values = [(mean + 0.1 * np.sin(at * at + c)).tolist() for c, mean in enumerate(means)]
    same = {"chances": [0.0] * 6, "turns": 1}
    tally.add([{"values": each, "plain": each, **same} for each in values])
    assert tally.apart() == pytest.approx(apart, abs=1e-9)


def test_a_double_that_is_optional_is_not_clear():
    tally = tally_of([0.5, 0.5 + 1e-6], 9, sd=0.0, cash=1.0)
    assert not tally.is_enough(None, 3.0)
