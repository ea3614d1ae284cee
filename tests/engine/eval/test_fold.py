"""From the chances of the six results to a value."""

import numpy as np
import pytest

from gammon.eval.fold import fold_dead
from gammon.rules.match_equity import params_of
from gammon.rules.terms import CUBELESS, NAMED_STAKES, Payoffs, Terms, cubeless_terms
from tests.engine.eval.folds import drawn_results, folded

N = 400


@pytest.fixture(scope="module")
def chances() -> np.ndarray:
    return drawn_results(np.random.default_rng(3), N)


def drawn_stakes(count: int) -> list[Terms]:
    random = np.random.default_rng(4)
    worth = np.sort(random.normal(0, 2, (count, 6)), axis=1)
    return [cubeless_terms(Payoffs(*row[3:], *row[2::-1])).checked() for row in worth]


@pytest.mark.parametrize("stake", [-1, 0, 1])
def test_the_mean_worth(chances: np.ndarray, stake: int) -> None:
    for stakes in (*NAMED_STAKES.values(), *drawn_stakes(50)):
        worth = (stakes.turned() if stake < 0 else stakes).payoffs.ascending
        expected = chances.astype(np.float64) @ worth
        values = folded(chances, stake, params_of(stakes), fold_dead)
        assert np.abs(values - expected).max() < 1e-6
        assert values[:6] == pytest.approx(worth, abs=1e-6)


def test_the_other_side_sees_the_opposite(chances: np.ndarray) -> None:
    for stakes in drawn_stakes(20):
        theirs = np.ascontiguousarray(chances[:, ::-1])
        ours = folded(chances, 1, params_of(stakes), fold_dead)
        found = folded(theirs, -1, params_of(stakes), fold_dead)
        assert found == pytest.approx(-ours, abs=1e-6)


@pytest.mark.smoke
@pytest.mark.parametrize("stake", [-1, 0, 1])
def test_money_to_the_last_bit(chances: np.ndarray, stake: int) -> None:
    """The differences are float32's, the sum is float64's."""
    lose_bg, lose_g, lose, win, win_g, win_bg = chances.T
    single, gammon, backgammon = (
        (won - lost).astype(np.float64)
        for won, lost in ((win, lose), (win_g, lose_g), (win_bg, lose_bg))
    )
    expected = (single + 2 * gammon + 3 * backgammon).astype(np.float32)
    found = folded(chances, stake, params_of(CUBELESS), fold_dead)
    assert found.tobytes() == expected.tobytes()


def test_rows_behind_the_last_are_left_alone(chances: np.ndarray) -> None:
    values = np.full(N, 77, np.float32)
    fold_dead(chances, 3, 0, params_of(CUBELESS), values)
    assert (values[:3] != 77).all()
    assert (values[3:] == 77).all()
