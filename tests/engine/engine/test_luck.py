"""Luck is fair."""

import numpy as np
import pytest

from gammon.engine.luck import initiative_at, luck_at, roll_values
from gammon.engine.scale import Scale
from gammon.eval.baseline import BASELINE
from gammon.eval.cubeful import cubeful_evaluator, evaluator_at
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import backgammon
from gammon.rules.board import OPENING, flipped
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.terms import CUBELESS, NAMED_STAKES, Terms
from gammon.search import NOT_OVER
from tests.tables import FLAT
from tests.twins import defined_value, payoff, replies, static_values

GAMMON_GO = NAMED_STAKES["gammon-go"]


def test_luck_is_0_on_the_mean():
    rolls = np.arange(21)
    for state in (OPENING, flipped(OPENING), (*OPENING[:24], 0, 2)):
        states, terms = np.array([state] * 21, np.int8), [CUBELESS] * 21
        lucks = luck_at(BASELINE, states, rolls, terms, np.zeros(21, np.bool_))
        assert PROBABILITIES @ lucks == pytest.approx(0.0, abs=1e-12)
        assert np.ptp(lucks) > 0.1
        first = luck_at(BASELINE, states, rolls, terms, np.ones(21, np.bool_))
        others = [high != low for high, low in ROLLS]
        assert first[others].mean() == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    "stakes", [CUBELESS, GAMMON_GO, GAMMON_GO.turned()], ids=lambda terms: str(terms.payoffs)
)
def test_rolls_are_worth_their_best_plays(stakes, played):
    game, judge = backgammon(stakes), load_evaluator("probe", bearoff=False)
    near = (0, 1, 1, *[0] * 21, -15, 0)
    states = np.array([near, *played(24, 6)[::4]], np.int8)
    found = roll_values(game, judge, states)
    for state, worth in zip(states, found, strict=True):
        for outcome in range(21):
            rows = replies(game, state, outcome)
            values = static_values(game, judge, state, rows, -game.stake)
            paid = np.array([payoff(game, row, -game.stake) for row in rows])
            values = np.where(paid == NOT_OVER, values, paid)
            assert worth[outcome] == pytest.approx(-values.min(), abs=1e-6)
    assert stakes.payoffs.win_gammon in found[0], "a gammon is won at once"


@pytest.mark.parametrize("met", [None, FLAT], ids=str)
def test_luck_with_the_cube(met, played):
    """Its mean over all rolls is 0, and it is that of the best replies by definition."""
    network = load_evaluator("probe")
    judge = cubeful_evaluator(network)
    some = [
        Terms(), Terms(jacoby=True), Terms(cube=4, owner=-1), Terms(7, (2, 4), cube=2, owner=1),
        Terms(5, (1, 4), crawford=True), Terms(3, (3, 3)),
    ]  # fmt: skip
    boards = [OPENING, *played(80, 6)[5::16]]
    for number, (state, at) in enumerate(zip(boards, some, strict=True)):
        alike = at._replace(cube=2) if at.owner and not at.length else at
        game = Scale.at(alike, met).game
        unit = 0.5 if at.length else at.cube
        array, rolls = np.array([state] * 21, np.int8), np.arange(21)
        lucks = luck_at(network, array, rolls, [at] * 21, np.zeros(21, np.bool_), met)
        assert PROBABILITIES @ lucks == pytest.approx(0.0, abs=1e-12)
        assert np.ptp(lucks) > 0.01
        worth = np.array(
            [
                unit * max(
                    -defined_value(game, judge, row, 0, -game.stake, on_turn=True)
                    for row in replies(game, array[0], roll)
                )
                for roll in range(21)
            ]
        )  # fmt: skip
        assert lucks == pytest.approx(worth - PROBABILITIES @ worth, abs=1e-6 * at.cube)
        if number == 0:
            first = luck_at(network, array, rolls, [at] * 21, np.ones(21, np.bool_), met)
            others = [high != low for high, low in ROLLS]
            assert first[others].mean() == pytest.approx(0.0, abs=1e-12)


def test_luck_of_boards_at_several_terms_is_that_of_each_alone(played):
    judge = load_evaluator("probe")
    some = [Terms(7, (2, 4), cube=2, owner=1), Terms(7, (4, 2)), Terms(7, (7, 7))]
    states, terms = np.array(played(30, 9), np.int8), [some[i % 3] for i in range(30)]
    rolls, first = np.arange(30) % 21, np.arange(30) % 4 == 0
    found = luck_at(judge, states, rolls, terms, first)
    for n in range(30):
        each = slice(n, n + 1)
        alone = luck_at(judge, states[each], rolls[each], terms[each], first[each])
        assert found[n] == pytest.approx(alone[0], abs=1e-12)


@pytest.mark.parametrize("terms", [Terms(), Terms(7, (3, 5)), Terms(5, (1, 4), True)])
def test_luck_with_the_initiative_is_0_on_the_mean_of_both_players(terms: Terms) -> None:
    """The first roll of a game is one of 30: 15 that are not doubles, by either player."""
    judge, total = load_evaluator("probe"), 0.0
    rolls = np.array([k for k, (high, low) in enumerate(ROLLS) if high != low])
    states = np.array([OPENING] * len(rolls), np.int8)
    first = np.ones(len(rolls), np.bool_)
    begin = initiative_at(judge, terms), initiative_at(judge, terms.turned())
    assert begin[0] == pytest.approx(begin[1])
    assert begin[0] > 0.0
    for sign, at in ((1, terms), (-1, terms.turned())):
        lucks = luck_at(judge, states, rolls, [at] * len(rolls), first) + initiative_at(
            judge, at
        )
        total += sign * lucks.sum()
        leaf = evaluator_at(judge, at)
        values = 0.5 * roll_values(Scale.at(at).game, leaf, [OPENING])[0, rolls]
        if at.length:  # by the definition: chances to win less the mean of all 30
            other = 0.5 * roll_values(Scale.at(at.turned()).game, leaf, [OPENING])[0, rolls]
            mean = 0.5 * (values.mean() - other.mean())
            assert lucks == pytest.approx(values - mean)
    assert total == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("terms", [GAMMON_GO, GAMMON_GO.turned(), Terms()], ids=str)
def test_luck_is_that_of_the_game_at_the_terms(terms, played):
    """Without the cube each player has its own payoffs, and the network needs no cube."""
    probe, states, rolls = (
        load_evaluator("probe"),
        np.array(played(6, 9), np.int8),
        np.arange(6),
    )
    leaf = cubeful_evaluator(probe) if terms == Terms() else probe
    worth = roll_values(backgammon(terms), leaf, states)
    expected = worth[np.arange(6), rolls] - worth @ PROBABILITIES
    found = luck_at(probe, states, rolls, [terms] * 6, np.zeros(6, np.bool_))
    assert found.tolist() == expected.tolist()
