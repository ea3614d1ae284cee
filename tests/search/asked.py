"""One question to a search that is set up for it alone, and what its answers must be."""

from typing import Any

import numpy as np
import pytest

from gammon import search
from gammon.search import BOUND, EXACT

_SETTINGS = {"algorithm", "probe", "sigma", "noise_seed", "options", "filter"}


def asked(
    method: str, game: search.Game, evaluator: search.Evaluator, *question: Any, **more: Any
) -> Any:
    """What a method of `search.Setup` returns; `more` has settings and further arguments."""
    settings = {name: more.pop(name) for name in _SETTINGS & more.keys()}
    return getattr(search.Setup(game, evaluator, **settings), method)(*question, **more)


def assert_soft(
    found: float, value: float, window: tuple[float, float], close: float = 1e-9
) -> None:
    """Check that a result is the value within the window, and beyond it a bound of that."""
    if found <= window[0]:
        assert value <= found + close
    elif found >= window[1]:
        assert value >= found - close
    else:
        assert value == pytest.approx(found, abs=close)


def assert_true_to(
    found: search.Decision, oracle: search.Decision, top: int, close: float = 1e-9
) -> None:
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
