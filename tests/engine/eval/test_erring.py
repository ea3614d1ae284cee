"""Networks that err: how much, how alike, and within what is possible."""

import numpy as np
import pytest

from gammon.base.errors import SettingError
from gammon.eval.baseline import BASELINE
from gammon.eval.erring import EQUITY, OUTPUTS, Errors, erring, set_seed
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import BACKGAMMON, backgammon
from gammon.rules.board import OPENING
from gammon.rules.terms import NAMED_STAKES
from gammon.search.evaluation import gauss
from tests.twins import outputs

GAMMON_GO = NAMED_STAKES["gammon-go"]

NETWORK = load_evaluator("probe", bearoff=False)
HERE = np.array(OPENING, np.int8)
SEEDS = 400


def folded(evaluator, rows, game=BACKGAMMON, stake=0):
    """The outputs of rows, and the values that they stand for."""
    out = outputs(evaluator, HERE, rows)
    values = np.empty(len(rows), np.float32)
    evaluator.fold(out, len(rows), stake, game.params, values)
    return out, values


def errors_of(rows, errors):
    """The errors of the values of rows, [SEEDS, N]."""
    evaluator, found = erring(NETWORK, errors), []
    for seed in range(SEEDS):
        set_seed(evaluator, seed * 0x9E3779B97F4A7C15 % 2**64)
        found.append(folded(evaluator, rows)[1])
    return np.array(found) - folded(NETWORK, rows)[1]


def test_independent_errors_are_the_noise_of_the_search():
    rows = np.array([HERE, -HERE[::-1], np.roll(HERE, 1)])
    evaluator = erring(NETWORK, Errors(0.25, EQUITY))
    for seed in (0, 7, 0xFEDC_BA98_7654_3210):
        set_seed(evaluator, seed)
        noise = [0.25 * gauss(row, np.uint64(seed)) for row in rows]
        clean = folded(NETWORK, rows)[1]
        assert folded(evaluator, rows)[1] == pytest.approx(clean + noise, abs=1e-6)


@pytest.mark.parametrize("window", [1, 3, 8, 25])
def test_positions_share_the_errors_of_their_windows(window):
    near = HERE.copy()
    near[[13, 12]] += (-1, 1)  # windows with one of these points are others
    others = len({(place - back) % 26 for place in (12, 13) for back in range(window)})
    found = errors_of(np.array([HERE, near]), Errors(0.1, window))
    assert found.mean() == pytest.approx(0, abs=0.015)
    assert found.std() == pytest.approx(0.1, rel=0.12)
    alike = np.corrcoef(found.T)[0, 1]
    assert alike == pytest.approx(1 - others / 26, abs=0.15)


def test_errors_of_outputs_are_those_of_cumulative_chances():
    evaluator, found = erring(NETWORK, Errors(0.01, OUTPUTS)), []
    for seed in range(SEEDS):
        set_seed(evaluator, seed)
        found.append(folded(evaluator, HERE[None])[0][0, :6])
    six, clean = np.array(found), folded(NETWORK, HERE[None])[0][0]
    assert six.sum(axis=1) == pytest.approx(np.ones(SEEDS), abs=1e-6)
    assert six.min() >= -1e-7
    for part in (slice(3, 6), slice(4, 6), slice(0, 2)):  # far from 0: won, gammons won, lost
        error = six[:, part].sum(axis=1) - clean[part].sum()
        assert error.mean() == pytest.approx(0, abs=0.0025)
        assert error.std() == pytest.approx(0.01, rel=0.15)


def test_what_cannot_come_stays_impossible():
    ahead = HERE.copy()
    ahead[np.flatnonzero(ahead > 0)[0]] -= 1  # the player on roll has borne one off
    evaluator = erring(NETWORK, Errors(0.3, OUTPUTS))
    for seed in range(20):
        set_seed(evaluator, seed)
        out = folded(evaluator, ahead[None])[0][0]
        assert not out[:2].any()
        assert out[2:6].sum() == pytest.approx(1)


def test_values_stay_within_what_results_are_worth():
    evaluator = erring(NETWORK, Errors(1e9, 3))
    game = backgammon(GAMMON_GO)
    rows = np.array([HERE])
    seen = set()
    for seed in range(20):
        set_seed(evaluator, seed)
        for stake in (1, -1):
            seen.add((stake, float(folded(evaluator, rows, game, stake)[1][0])))
    both = {1: GAMMON_GO, -1: GAMMON_GO.turned()}
    assert seen == {
        (k, each.payoffs.ascending[end]) for k, each in both.items() for end in (0, -1)
    }


def test_kinds_have_names():
    assert Errors.named(0.1, "equity") == (0.1, EQUITY)
    assert Errors.named(0.1, "outputs") == (0.1, OUTPUTS)
    assert Errors.named(0.0, "alike-25") == (0.0, 25)
    long = "alike-" + "9" * 5000
    wrong = ("", "alike", "alike-0", "alike-26", "alike--1", "alike-x", "output", long, 5, None)
    for kind in wrong:
        with pytest.raises(SettingError, match="expected equity, outputs, or alike-1"):
            Errors.named(0.1, kind)
    for sigma in (-0.1, 1e92):
        with pytest.raises(SettingError, match="a standard deviation, 0 to 1,000,000"):
            Errors.named(sigma, "equity")


def test_only_networks_err():
    with pytest.raises(SettingError, match="expected that of a network in integers"):
        erring(BASELINE, Errors(0.1))
