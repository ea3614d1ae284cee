"""Odd arrays and settings for the Python interface."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

import gammon
from gammon.rules.board import OPENING

_KINDS = ("i1", "i2", "i8", "u1", "u8", ">i4", "f4", "f8", "f2", "c16", "?", "O", "U3", "M8[s]")
_ODD: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 7, 2.5, -0.0, float("nan"), float("inf"), 1e400, 10**400,
    -(10**30), 2**64, "", "3", b"31", (), (3,), (3, 1), (1, 2, 3), [3, 1], [[3, 1]], {}, {3: 1},
    {3, 1}, np.int8(3), np.float32(1.5), np.array(3), np.zeros(0), object(), print, "depth",
    range(3), slice(2), Ellipsis, 1j, np.nan, "star2", "leaf", "x" * 5000, "\0",
    memoryview(b"a"),
)  # fmt: skip


def _boards(rng: random.Random, legal: np.ndarray[Any, Any]) -> Any:
    """Return positions, or something that may be mistaken for positions."""
    n = rng.choice((0, 1, 1, 2, 5))
    rows = legal[[rng.randrange(len(legal)) for _ in range(n)]]
    return _odd_array(rng, rows, 25)


def _odd_array(rng: random.Random, rows: Any, most: int) -> Any:
    """Return an array with at most one oddity."""
    oddity = rng.randrange(14)
    if oddity == 0 and rows.size:
        rows = rows.copy()
        rows.flat[rng.randrange(rows.size)] = rng.randrange(-128, 128)
    elif oddity == 1 and rows.size:
        rows = rows.copy()
        a, b = rng.randrange(rows.size), rng.randrange(rows.size)
        rows.flat[a], rows.flat[b] = rows.flat[b], rows.flat[a]
    elif oddity == 2:
        return rows.astype(rng.choice(_KINDS))
    elif oddity == 3:
        rows = rows.tolist()
        if rows and isinstance(rows[0], list):
            rows[0][rng.randrange(len(rows[0]))] = rng.choice(_ODD)
    elif oddity == 4:
        return rows.reshape(rng.choice([(-1,), (1, *rows.shape), (*rows.shape, 1)]))
    elif oddity == 5:
        return rows[..., : rng.randrange(most)]
    elif oddity == 6:
        return np.asfortranarray(rows)[..., ::-1]
    elif oddity == 7:
        return rng.choice(_ODD)
    elif oddity == 8:
        rows = rows.tolist()
        if rows and isinstance(rows[-1], list):
            rows[-1].append(rng.choice(_ODD))
    elif oddity == 9:
        rows = np.repeat(rows, 2, axis=0)[::2]
        rows.flags.writeable = False
    elif oddity == 10:
        return np.ma.masked_array(rows, rows > 2)
    elif oddity == 11:
        return -rows.astype(np.int64) * rng.choice((1, 2**31, 2**40))
    return rows


def _dice(rng: random.Random, n: int) -> Any:
    rolls = np.array([[rng.randrange(1, 7), rng.randrange(1, 7)] for _ in range(n)], np.int64)
    return _odd_array(rng, rolls.reshape(n, 2), 3) if rng.random() < 0.4 else rolls


def _terms(rng: random.Random) -> Any:
    """Return terms, some of which are impossible."""
    if rng.random() < 0.5:
        return gammon.Terms()
    good: dict[str, Any] = rng.choice(
        [{"length": 7, "away": (3, 5)}, {"jacoby": True}, {"cube": 2, "owner": 1}, {}]
    )
    name = rng.choice(gammon.Terms._fields)
    return gammon.Terms(**{**good, name: rng.choice(_ODD)})


def array_readers() -> dict[str, Callable[[random.Random], object]]:
    """Return the functions that take arrays and settings, by name."""
    rng = random.Random(3)
    engine = gammon.Engine(depth=1)
    positions, points = [OPENING], gammon.Position.opening()
    while len(positions) < 200:
        dice = rng.randrange(1, 7), rng.randrange(1, 7)
        points = rng.choice(gammon.legal_plays(points, dice)).position.flipped()
        if points.is_over:
            points = gammon.Position.opening()
        positions.append(points.points)
    legal = np.array(positions, np.int8)

    def position(rng: random.Random) -> gammon.Position:
        boards = _boards(rng, legal)
        try:
            row = boards[0]
        except (IndexError, TypeError, KeyError):
            row = boards
        return gammon.Position(row)

    def best(rng: random.Random) -> object:
        boards = _boards(rng, legal)
        n = len(boards) if isinstance(boards, np.ndarray) and boards.ndim else 1
        seeds = None if rng.random() < 0.7 else _odd_array(rng, np.arange(n), 2)
        rows = engine.best_plays(boards, _dice(rng, n), seeds, terms=_terms(rng))
        assert rows.dtype == np.int8, rows.dtype
        assert rows.shape == (len(boards), 26), rows.shape
        assert (np.maximum(rows, 0).sum(axis=1) <= 15).all()
        return rows

    def values_of_rows(rng: random.Random) -> object:
        values = engine.evaluate_many(_boards(rng, legal), terms=_terms(rng))
        assert np.isfinite(values.equities).all()
        assert ((values.chances >= 0) & (values.chances <= 1)).all()
        return values

    def plays(rng: random.Random) -> object:
        boards = _boards(rng, legal)
        n = len(boards) if isinstance(boards, np.ndarray) and boards.ndim else 1
        values = engine.values_of_plays(boards, _dice(rng, n), terms=_terms(rng))
        assert np.isfinite(values.equities).all()
        assert len(values.equities) == values.offsets[-1]
        return values

    def analyzed(rng: random.Random) -> object:
        dice = rng.choice(_ODD) if rng.random() < 0.5 else (3, 1)
        top = rng.choice(_ODD) if rng.random() < 0.2 else 3
        named = rng.choice(_ODD) if rng.random() < 0.2 else ()
        return engine.analyze(position(rng), dice, top, plays=named)

    def cube(rng: random.Random) -> object:
        chances = np.sort(np.random.default_rng(rng.randrange(2**32)).random(5))[::-1]
        return gammon.cube_from_chances(position(rng), _odd_array(rng, chances, 5))

    def payoffs(rng: random.Random) -> object:
        values: list[Any] = [1.0, 2.0, 3.0, -1.0, -2.0, -3.0]
        values[rng.randrange(6)] = rng.choice(_ODD)
        return gammon.Payoffs(*values).checked()

    def settings(rng: random.Random) -> object:
        names = [
            "depth", "algorithm", "model", "noise", "noise_seed", "probe", "max_seconds",
            "threads", "move_filter", "stakes", "cubeless", "met",
        ]  # fmt: skip
        odd = {name: rng.choice(_ODD) for name in rng.sample(names, rng.choice((1, 1, 2)))}
        return gammon.Engine(**odd)

    return {
        "Position": position,
        "best_plays": best,
        "evaluate_many": values_of_rows,
        "values_of_plays": plays,
        "analyze": analyzed,
        "cube_from_chances": cube,
        "Payoffs": payoffs,
        "Engine": settings,
    }
