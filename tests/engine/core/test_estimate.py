"""Estimates: by definition, and honest."""

import numpy as np
import pytest

from gammon.core.estimate import Estimate, estimate, jsd_apart
from gammon.engine.block import play_games
from gammon.rules.board import OPENING
from gammon.search import Filter
from tests.engine.core.games import plan, setting
from tests.engine.core.test_trials import starts


def test_the_error_is_that_within_strata():
    rng = np.random.default_rng(1)
    values = rng.normal(size=36 * 5) + np.tile(10.0 * np.arange(36), 5)
    variances = [values[k::36].var(ddof=1) for k in range(36)]
    found = estimate(values)
    assert found.mean == pytest.approx(values.mean())
    assert found.error == pytest.approx(np.sqrt(np.mean(variances) / 180))
    assert found.error < 0.1 * values.std() / np.sqrt(180)


def test_a_single_block_has_the_error_of_all_its_trials():
    values = np.arange(36.0)
    assert estimate(values) == (17.5, pytest.approx(values.std(ddof=1) / 6))
    assert np.isnan(estimate(np.empty(0)).error)


def test_an_interval():
    assert Estimate(0.5, 0.1).interval == pytest.approx((0.304, 0.696))


def test_apart_by_the_error_of_the_paired_differences():
    rng = np.random.default_rng(2)
    common, own = rng.normal(size=72), 0.1 * rng.normal(size=72)
    better, worse = common + 0.5, common + own
    difference = estimate(better - worse)
    assert jsd_apart(better, worse) == pytest.approx(difference.mean / difference.error)
    assert jsd_apart(worse, better) == -jsd_apart(better, worse)
    assert jsd_apart(better, worse[:36]) == jsd_apart(better[:36], worse[:36])
    assert jsd_apart(common, common) == 0.0
    assert jsd_apart(common + 1.0, np.full(72, 1.0) + common) == 0.0
    assert jsd_apart(np.ones(72), np.zeros(72)) == np.inf


def test_equities_that_are_equal_are_not_apart():
    """The values that games end with are rounded, alike in all trials or not."""
    rng = np.random.default_rng(3)
    worse = rng.normal(size=72)
    for noise in (0.0, 1e-7):
        better = worse + 2e-6 + noise * rng.normal(size=72)
        assert jsd_apart(better, worse) == jsd_apart(worse, better) == 0.0
    assert jsd_apart(worse + 2e-5, worse) == np.inf
    assert 100.0 < jsd_apart(worse + 2e-5 + 1e-6 * rng.normal(size=72), worse) < 300.0


def test_standard_errors_are_honest():
    """The estimates of 40 small rollouts spread by about their standard errors."""
    game, leaf, probe = setting()
    begin = starts(game, OPENING)
    plans = [plan(seed, truncate=5) for seed in range(40)]
    found = [
        estimate(play_games(game, leaf, probe, each, begin, 0, 36, Filter()).values[0])
        for each in plans
    ]
    spread = np.std([each.mean for each in found], ddof=1)
    said = np.sqrt(np.mean([each.error**2 for each in found]))
    assert 0.65 < spread / said < 1.35
