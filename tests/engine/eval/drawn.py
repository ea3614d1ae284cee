"""Drawn chances and networks for tests that do without torch, and positions at the extremes."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gammon.compiled.records import Float64Vector
from gammon.eval.cubeful import fold_rolled
from gammon.eval.features import N_COUNTS, N_FEATURES
from gammon.eval.model_file import Weights
from gammon.eval.planes import AT_ONCE, N_PLANES, write_planes
from gammon.rules.board import CHECKERS, OWN_BAR, THEIR_BAR, Points, Rows, State
from gammon.rules.outcome import N_RESULTS

# Chances for folds to be tried on, and the values that they write.


def drawn_results(random: np.random.Generator, count: int) -> np.ndarray:
    """Drawn chances float32 [count, 6]; some results are impossible, or certain."""
    parts = random.exponential(1.0, (count, N_RESULTS))
    parts *= random.random((count, N_RESULTS)) < 0.8
    parts[:, 3] += 1e-6
    parts[:N_RESULTS] = np.eye(N_RESULTS)
    return (parts / parts.sum(axis=1, keepdims=True)).astype(np.float32)


def folded(outputs: np.ndarray, stake: int, params: np.ndarray, fold: Any = fold_rolled) -> np.ndarray:
    """The values that a fold writes of rows, float32 [n]."""
    values = np.full(len(outputs), np.nan, np.float32)
    fold(outputs, len(outputs), stake, params, values)
    return values


# The planes of positions, as tests ask for them.


def planes_of(boards: Sequence[Points], room: int = N_PLANES * AT_ONCE) -> np.ndarray:
    """The planes of at most sixteen positions, uint32 [room]; behind them are zeros."""
    planes = np.zeros(room, np.uint32)
    for lane, points in enumerate(boards):
        write_planes(np.array([*points, *[0] * 6], np.int8), 0, lane, planes)
    return planes


# Networks of drawn numbers for tests that do without torch, and positions at the extremes.

#: Values [N] of positions int8 [N, 26]; -inf where a position does not count.
Value = Callable[[Rows], Float64Vector]


def drawn_tensors(
    hidden1: int, hidden2: int, tactics: bool = True, parts: int = 1, seed: int = 1
) -> dict[str, np.ndarray]:
    """The tensors of a network of a few units, whose chances differ by position."""
    random = np.random.default_rng(seed)
    inputs = N_FEATURES if tactics else N_COUNTS
    sizes = {
        "hidden1": (hidden1, inputs, 1.0),
        "gate": (hidden1, inputs, 1.0),
        "hidden2": (hidden2, hidden1, 0.5),
        "output": (6, hidden2, 0.2),
    }
    found = {}
    for part in range(parts):
        for layer, (units, seen, size) in sizes.items():
            name = f"parts.{part}.{layer}"
            found[f"{name}.weight"] = random.normal(0, size, (units, seen)).astype(np.float32)
            found[f"{name}.bias"] = random.normal(0, size, units).astype(np.float32)
    return found


def times(weights: Weights, factor: float) -> dict[str, np.ndarray]:
    """The tensors with each weight a number of times as large."""
    return {name: np.float32(factor) * value for name, value in weights.items()}


def neighbours(state: State) -> Rows:
    """The positions that differ by one checker: moved, put on the board, or taken off."""
    found = []
    for sign, bar in ((1, THEIR_BAR), (-1, OWN_BAR)):
        counts = np.maximum(sign * state, 0)
        open_to = [p for p in range(26) if sign * state[p] >= 0 and p != bar]
        sources: list[int | None] = np.flatnonzero(counts).tolist()
        if counts.sum() < CHECKERS:
            sources.append(None)
        for source in sources:
            for target in [*open_to, None]:
                if source != target:
                    row = state.copy()
                    if source is not None:
                        row[source] -= sign
                    if target is not None:
                        row[target] += sign
                    found.append(row)
    rows = np.array(found, np.int8)
    return rows[(rows > 0).any(axis=1) & (rows < 0).any(axis=1)]


def highest(value: Value, start: State, steps: int = 60) -> float:
    """The value that climbing gets to, one checker at a time, from a start that counts."""
    best = float(value(start[None])[0])
    for _ in range(steps):
        rows = neighbours(start)
        values = value(rows)
        if values.max() <= best:
            break
        best, start = float(values.max()), rows[values.argmax()]
    return best
