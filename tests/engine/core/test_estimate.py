"""Estimates: by definition, and honest."""

import numpy as np
import numpy.typing as npt
import pytest

from gammon.core.estimate import EQUAL, JSD, N_WORK, RANK, ROUNDING, Estimate, estimate, judge
from gammon.engine.block import play_games
from gammon.rules.board import OPENING
from gammon.search import Filter
from tests.engine.core.games import plan, setting
from tests.engine.core.test_trials import starts

Values = npt.NDArray[np.float64]


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


def apart(better: Values, worse: Values) -> float:
    """By how many standard errors of their difference one candidate beats another."""
    table = judged([better, worse], [0])[1]
    return float(table[1, JSD])


def judged(
    rows: list[Values], playing: list[int], unit: float = 1.0, cash: float = np.nan, beavers: bool = False
) -> tuple[float, Values]:
    values, table = (np.zeros((len(rows) + N_WORK, max(map(len, rows)))), np.empty((len(rows), 6)))
    for row, own in zip(values, rows, strict=False):
        row[: len(own)] = own
    plays = np.array([int(c in playing) for c in range(len(rows))])
    trials = np.array(list(map(len, rows)))
    return judge(values, trials, plays, unit, cash, beavers, table), table


def slow_estimate(values: Values) -> list[float]:
    blocks = values.reshape(-1, 36)
    variance = values.var(ddof=1) if len(blocks) == 1 else blocks.var(axis=0, ddof=1).mean()
    return [values.mean(), np.sqrt(variance / len(values))]


def slow_jsd(better: Values, worse: Values) -> float:
    common = min(len(better), len(worse))
    mean, error = slow_estimate(better[:common] - worse[:common])
    if abs(mean) < EQUAL:
        return 0.0
    return mean / error if error > ROUNDING else float(np.copysign(np.inf, mean))


def slow_judged(
    rows: list[Values], playing: list[int], unit: float, cash: float, beavers: bool
) -> tuple[float, list[list[float]]]:
    """What `judge` says, in plain numpy, but for the ranks."""
    best = max(playing, key=lambda c: rows[c].mean())
    right, scaled = rows[best], [row / unit for row in rows]
    if np.isnan(cash):
        clear = [slow_jsd(scaled[best], scaled[c]) for c in playing if c != best]
    else:
        stay, taken = rows
        doubled = 2.0 * taken if beavers and taken.mean() < 0.0 else taken
        if taken.mean() >= cash:
            doubled = np.full(len(taken), cash)
        limits = [cash, 0.0] if beavers else [cash]
        clear = [abs(slow_jsd(taken / unit, np.full(len(taken), x) / unit)) for x in limits]
        clear.append(abs(slow_jsd(stay / unit, doubled / unit)))
        right = max(stay, doubled, key=np.mean)
    table = []
    for row, own in zip(rows, scaled, strict=True):
        common = min(len(right), len(row))
        behind = slow_estimate(right[:common] - row[:common])
        table.append([*slow_estimate(row), *behind, slow_jsd(right / unit, own)])
    return min(clear, default=0.0), table


@pytest.mark.parametrize("seed", range(40))
def test_candidates_are_judged_as_in_numpy_to_the_last_bit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cube, blocks = seed % 3 == 0, [1, 2, 9, 40][seed % 4]
    count = 2 if cube else 1 + seed % 7
    playing = sorted(rng.choice(count, 2 if cube else 1 + seed % count, replace=False).tolist())
    common = rng.normal(size=36 * blocks)
    rows = []
    for c in range(count):
        own = rng.normal(scale=0.3) + (common + 0.5 * rng.normal(size=36 * blocks)) * (
            rng.choice([0.0, 0.05, 1.0])
        )
        least = blocks if c in playing else int(rng.integers(1, blocks + 1))
        rows.append(own[: 36 * least])
    asked = [1.0, 0.137][seed % 2], rng.choice([1.0, 0.3]) if cube else np.nan, seed % 5 == 0
    clear, table = judged(rows, playing, *asked)
    wanted, slow = slow_judged(rows, playing, *asked)
    assert clear == wanted
    assert table[:, :RANK].tolist() == slow
    ranked = sorted(playing, key=lambda c: -rows[c].mean())
    assert [table[c, RANK] for c in ranked] == list(range(len(ranked)))


def test_apart_by_the_error_of_the_paired_differences():
    rng = np.random.default_rng(2)
    common, own = rng.normal(size=72), 0.1 * rng.normal(size=72)
    better, worse = common + 0.5, common + own
    difference = estimate(better - worse)
    assert apart(better, worse) == pytest.approx(difference.mean / difference.error)
    assert apart(worse, better) == -apart(better, worse)
    assert apart(better, worse[:36]) == apart(better[:36], worse[:36])
    assert apart(common, common) == 0.0
    assert apart(common + 1.0, np.full(72, 1.0) + common) == 0.0
    assert apart(np.ones(72), np.zeros(72)) == np.inf


def test_equities_that_are_equal_are_not_apart():
    """The values that games end with are rounded, alike in all trials or not."""
    rng = np.random.default_rng(3)
    worse = rng.normal(size=72)
    for noise in (0.0, 1e-7):
        better = worse + 2e-6 + noise * rng.normal(size=72)
        assert apart(better, worse) == apart(worse, better) == 0.0
    assert apart(worse + 2e-5, worse) == np.inf
    assert 100.0 < apart(worse + 2e-5 + 1e-6 * rng.normal(size=72), worse) < 300.0


def test_standard_errors_are_honest():
    """The estimates of 40 small rollouts spread by about their standard errors."""
    game, leaf, probe = setting()
    begin = starts(game, OPENING)
    plans = [plan(seed, truncate=5) for seed in range(40)]
    found = [
        estimate(play_games(game, leaf, probe, each, begin, 0, 36, Filter()).values[0]) for each in plans
    ]
    spread = np.std([each.mean for each in found], ddof=1)
    said = np.sqrt(np.mean([each.error**2 for each in found]))
    assert 0.65 < spread / said < 1.35
