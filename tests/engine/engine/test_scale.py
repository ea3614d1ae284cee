"""The stakes: the units of values, equities without the cube, and boards of like terms."""

import numpy as np
import pytest

import gammon
from gammon.engine.scale import Scale, by_terms
from gammon.eval.equity import Probabilities, for_opponent
from gammon.rules.terms import NAMED_STAKES, Terms

GAMMON_GO = NAMED_STAKES["gammon-go"]

MET = gammon.read_met()
CHANCES = Probabilities(0.6, 0.2, 0.05, 0.1, 0.02)
MATCH = Terms(7, (3, 5), cube=2, owner=1)


def test_equities_of_money_and_of_stakes_are_their_values() -> None:
    for worth in (Scale.at(GAMMON_GO), Scale.at(Terms(cube=4, owner=-1), None)):
        assert worth.equity(0.25) == 0.25
        assert worth.mwc(0.25) is None
        assert worth.unit == 1.0


def test_equities_of_a_match_are_emg() -> None:
    worth = Scale.at(MATCH, MET)
    for points, equity in ((2, 1.0), (-2, -1.0)):
        mwc = MET.after(MATCH, points)
        assert worth.equity(2 * mwc - 1) == pytest.approx(equity)
        assert worth.mwc(2 * mwc - 1) == pytest.approx(mwc)
    values = np.array([0.1, 0.3])
    found = worth.equity(values)
    assert found == pytest.approx([MET.emg(0.5 * (1 + value), MATCH) for value in values])
    assert found[1] - found[0] == pytest.approx(0.2 / worth.unit)


def without_cube(worth: Scale, chances: Probabilities = CHANCES) -> float:
    """The equity of chances; those of several positions are found one by one."""
    others = np.array([[0.0, 0.0, 0.0, 1.0, 1.0], chances])
    return float(worth.without_cube(others)[1])


def test_chances_without_the_cube() -> None:
    assert without_cube(Scale.at(Terms(), None)) == pytest.approx(CHANCES.equity)
    jacoby = Scale.at(Terms(jacoby=True), None)
    assert without_cube(jacoby) == pytest.approx(2 * CHANCES.win - 1)
    turned = Scale.at(Terms(jacoby=True, cube=2, owner=1), None)
    assert without_cube(turned) == pytest.approx(CHANCES.equity)
    win, win_g, win_bg, lose_g, lose_bg = CHANCES
    shares = {
        2: win - win_g, 4: win_g - win_bg, 6: win_bg,
        -2: 1 - win - lose_g, -4: lose_g - lose_bg, -6: lose_bg,
    }  # fmt: skip
    mwc = sum(chance * MET.after(MATCH, points) for points, chance in shares.items())
    worth = Scale.at(MATCH, MET)
    assert without_cube(worth) == pytest.approx(MET.emg(mwc, MATCH))


@pytest.mark.parametrize("terms", [Terms(), MATCH, GAMMON_GO], ids=str)
def test_the_opponent_sees_the_opposite(terms: Terms) -> None:
    worth = Scale.at(terms, MET)
    other = worth.turned()
    assert other.game.stake == -worth.game.stake
    assert other.equity(-0.3) == pytest.approx(-worth.equity(0.3))
    theirs = Probabilities(*for_opponent(np.array(CHANCES)))
    assert without_cube(other, theirs) == pytest.approx(-without_cube(worth))


def test_only_the_owner_tells_terms_for_money_apart() -> None:
    money = [
        Terms(), Terms(cube=2, owner=1), Terms(cube=8, owner=1), Terms(cube=2, owner=-1),
        Terms(cube=4, owner=-1),
    ]  # fmt: skip
    assert list(by_terms(money).values()) == [[0], [1, 2], [3, 4]]
    assert all(each.checked() for each in by_terms(money))
    last = Terms(cube=64, owner=1, live=False)
    assert len(by_terms([last, Terms(cube=2, owner=1)])) == 2


def test_in_a_match_all_of_the_terms_count() -> None:
    match = [
        Terms(7, (3, 5), cube=2, owner=1), Terms(7, (3, 5), cube=4, owner=1),
        Terms(7, (5, 3), cube=2, owner=1), Terms(7, (3, 5), cube=2, owner=1),
    ]  # fmt: skip
    assert by_terms(match) == {match[0]: [0, 3], match[1]: [1], match[2]: [2]}


@pytest.mark.parametrize("at", [Terms(), Terms(7, (3, 5), cube=2, owner=1)], ids=str)
def test_a_point_in_the_values_of_the_game(at: Terms) -> None:
    """Equity 1 and -1 are the worth of winning and of losing a single game."""
    game, state = Scale.at(at).game, np.zeros(26, np.int8)
    state[1] = 1  # the opponent has borne off all, and won a single game
    lost = game.terminal(state, game.stake, game.params)
    won = -game.terminal(state, -game.stake, game.params)
    if at.length:
        assert 0.5 * (1.0 + won) == pytest.approx(MET.after(at, at.cube))
    assert Scale.at(at).unit == pytest.approx(0.5 * (won - lost))


def test_a_chance_to_win_the_match_is_none_beyond_what_is_certain() -> None:
    """Neither of a search, whose sums are rounded, nor of games, whose mean has an error."""
    worth = Scale.at(Terms(7, (7, 7)), MET)
    for value, chance in ((1.0 + 4e-16, 1.0), (-1.1, 0.0), (0.5, 0.75)):
        assert worth.mwc(value) == chance
    found = worth.mwc(np.array([1.1, 0.5, -1.1]))
    assert found is not None
    assert found.tolist() == [1.0, 0.75, 0.0]
