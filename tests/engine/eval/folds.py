"""Chances for folds to be tried on, and the values that they write."""

from typing import Any

import numpy as np

from gammon.eval.cubeful import fold_rolled
from gammon.rules.outcome import N_RESULTS


def drawn_results(random: np.random.Generator, count: int) -> np.ndarray:
    """Drawn chances float32 [count, 6]; some results are impossible, or certain."""
    parts = random.exponential(1.0, (count, N_RESULTS))
    parts *= random.random((count, N_RESULTS)) < 0.8
    parts[:, 3] += 1e-6
    parts[:N_RESULTS] = np.eye(N_RESULTS)
    return (parts / parts.sum(axis=1, keepdims=True)).astype(np.float32)


def folded(
    outputs: np.ndarray, stake: int, params: np.ndarray, fold: Any = fold_rolled
) -> np.ndarray:
    """The values that a fold writes of rows, float32 [n]."""
    values = np.full(len(outputs), np.nan, np.float32)
    fold(outputs, len(outputs), stake, params, values)
    return values
