"""Questions to searches that are set up for each alone, and what their answers must be."""

from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from gammon import search
from gammon.search import BOUND, EXACT
from gammon_lab.games import synthetic

STARS = ["star1", "star2", "star2.5"]
CLOSE = 1e-9
_SETTINGS = {"algorithm", "probe", "sigma", "noise_seed", "options", "filter"}


def asked(method: str, game: search.Game, evaluator: search.Evaluator, *question: Any, **more: Any) -> Any:
    """What a method of `search.TreeSearch` returns; `more` has settings and further arguments."""
    settings = {name: more.pop(name) for name in _SETTINGS & more.keys()}
    return getattr(search.TreeSearch(game, evaluator, **settings), method)(*question, **more)


def trees(count: int) -> range:
    """The seeds of random trees: `count` of them in a nightly run, else half as many."""
    return range((count + 1) // 2 if settings.default.derandomize else count)


def root_of(bounds: tuple[int, int], seed: int, narrows: bool = False) -> np.ndarray:
    """The root of a random tree, of which every second one has many ties."""
    more = synthetic.NARROWS * narrows | synthetic.TIES * (seed % 2)
    return synthetic.root(*bounds, seed, synthetic.FINISHES | more)


def noise(seed: int) -> dict[str, Any]:
    """Settings with which every third tree has noise."""
    return {"sigma": 0.3 * (seed % 3 == 0), "noise_seed": seed}


def value_of(
    bounds: tuple[int, int], seed: int, depth: int, algorithm: str, narrows: bool = False, **more: Any
) -> search.Value:
    """Search random tree `seed`, with its noise."""
    return asked(
        "value",
        synthetic.game(*bounds),
        synthetic.LEAF,
        root_of(bounds, seed, narrows),
        depth,
        algorithm=algorithm,
        probe=synthetic.PROBE,
        **noise(seed) | more,
    )


def decision_of(
    bounds: tuple[int, int], seed: int, depth: int, algorithm: str, narrows: bool = False, **more: Any
) -> search.Decision:
    """Decide in the root of random tree `seed`, with its noise."""
    return asked(
        "decide",
        synthetic.game(*bounds),
        synthetic.LEAF,
        root_of(bounds, seed, narrows),
        0,
        depth,
        algorithm=algorithm,
        probe=synthetic.PROBE,
        **noise(seed) | more,
    )


def assert_soft(found: float, value: float, window: tuple[float, float], close: float = CLOSE) -> None:
    """Check that a result is the value within the window, and beyond it a bound of that."""
    if found <= window[0]:
        assert value <= found + close
    elif found >= window[1]:
        assert value >= found - close
    else:
        assert value == pytest.approx(found, abs=close)


def assert_same_leaves(one: search.Leaves, other: search.Leaves) -> None:
    """Check that principal leaves are the same, in the same order."""
    assert all(np.array_equal(*each) for each in zip(one, other, strict=True))


def assert_same(one: search.Decision, other: search.Decision, stats: bool = True) -> None:
    """Check that two decisions are one and the same, with their leaves and their work."""
    for name in ("rows", "values", "kind", "order"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert one.depth == other.depth
    assert one.stats == other.stats or not stats
    for mine, theirs in zip(one.leaves, other.leaves, strict=True):
        assert_same_leaves(mine, theirs)


def assert_true_to(found: search.Decision, oracle: search.Decision, top: int, close: float = CLOSE) -> None:
    """Check that the best candidates are exact, and that no other one hides a better value.

    Args:
        found: a decision.
        oracle: one whose values are all exact.
        top: how many candidates were asked for.
        close: how far values may be off.
    """
    truth = {row.tobytes(): v for row, v in zip(oracle.rows, oracle.values, strict=True)}
    assert {row.tobytes() for row in found.rows} == truth.keys()
    first = found.order[:top]
    assert found.exact[first].all()
    best = np.sort(oracle.values)[::-1][:top]
    assert found.values[first] == pytest.approx(best, abs=close)
    assert set(found.kind.tolist()) <= {EXACT, BOUND}
    for row, value, exact in zip(found.rows, found.values, found.exact, strict=True):
        true = truth[row.tobytes()]
        assert abs(value - true) < close if exact else value > true - close
