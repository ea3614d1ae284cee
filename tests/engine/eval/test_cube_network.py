"""The network of the cube: its inputs, its integers, and numbers that do not fit."""

import numpy as np
import pytest

from gammon.base.errors import ModelError
from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.cube_network import (
    N_LEARNED,
    NETWORK,
    QUARTER,
    SEEN,
    SHAPES,
    UNITS,
    WHOLE,
    block_of,
    cube_block,
    seen_of,
)
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.efficiency import BY_OWNER, CONTACT
from gammon.eval.evaluators import evaluator_of_packed, load_evaluator
from gammon.eval.integers import header_of, pack
from gammon.eval.model_file import load_model
from gammon.eval.race_network import race_block
from gammon.rules.board import OPENING, has_contact
from tests.boards import by_sides
from tests.engine.eval.learned_cube import efficiencies
from tests.twins import outputs

CHANCES = np.array([[0.0, 0.125, 0.375, 0.25, 0.2, 0.05]], np.float32)


def test_it_sees_chances_and_counts_of_both_sides() -> None:
    row = np.array(by_sides({3: 1, 6: 4, 13: 2, 20: 1, 25: 2}, {1: 2, 8: 3, 24: 1}), np.int8)
    seen = seen_of(row[None], CHANCES)[0]
    assert seen[:6].tolist() == [int(chance * WHOLE) for chance in CHANCES[0]]
    counts = (seen[6:] // QUARTER).reshape(-1, 2).tolist()
    assert counts[:3] == [[2, 1], [1, 1], [1, 1]], "points with a checker"
    assert counts[3:6] == [[1, 1], [1, 1], [0, 0]], "with two"
    assert counts[6:9] == [[1, 0], [0, 1], [0, 0]], "with three"
    assert counts[9] == [2, 0], "on the bar"
    assert not (seen[6:] % QUARTER).any()


def test_both_sides_see_the_same() -> None:
    row = np.array(OPENING, np.int8)
    turned = -row[::-1]
    assert np.array_equal(seen_of(row[None], CHANCES), seen_of(turned[None], CHANCES))


def test_the_block_says_what_the_layers_say_that_learned() -> None:
    random = np.random.default_rng(3)
    one, bias1, two, bias2 = (random.normal(0.0, 0.3, shape) for shape in SHAPES)
    bias2 += 0.5
    flat = np.concatenate([part.ravel() for part in (one, bias1, two, bias2)])
    rows = np.array([OPENING, by_sides({6: 5, 5: 3, 20: 2}, {6: 4, 18: 1})], np.int8)
    chances = np.repeat(CHANCES, 2, axis=0)
    seen = seen_of(rows, chances) / WHOLE
    expected = np.clip(np.maximum(seen @ one.T + bias1, 0.0) @ two.T + bias2, 0.0, 1.0)
    found = efficiencies(rows, chances, block_of(flat.astype(np.float32)))
    assert found == pytest.approx(expected, abs=0.02)
    assert (expected > 0.0).any()


@pytest.mark.parametrize(
    ("place", "number"),
    [(0, 32.0), (UNITS * SEEN, 2100.0), (UNITS * (SEEN + 1), 40.0), (3, np.nan), (3, np.inf)],
)
def test_numbers_that_do_not_fit_are_refused(place: int, number: float) -> None:
    flat = np.zeros(N_LEARNED, np.float32)
    block_of(flat)
    flat[place] = number
    with pytest.raises(ModelError, match="its numbers are too large"):
        block_of(flat)


def test_weights_that_could_wrap_around_together_are_refused() -> None:
    flat = np.zeros(N_LEARNED, np.float32)
    flat[UNITS * (SEEN + 1) :][:UNITS] = 5.0
    with pytest.raises(ModelError, match="its numbers are too large"):
        block_of(flat)


def test_the_shipped_network() -> None:
    assert len(NETWORK.id()) == 12
    rows = np.array([OPENING], np.int8)
    found = efficiencies(rows, CHANCES, cube_block())
    assert ((found > 0.3) & (found <= 1.0)).all()


def drawn(seed: int, spread: float) -> np.ndarray:
    """Drawn numbers of a network of the cube, float32 [483]."""
    random = np.random.default_rng(seed)
    flat = random.normal(0.0, spread, N_LEARNED).astype(np.float32)
    flat[UNITS * (SEEN + 1) :] *= 0.3
    flat[-3:] += 0.6
    return flat


@pytest.mark.parametrize(("seed", "spread"), [(1, 0.1), (2, 1.0), (3, 6.0)])
def test_it_is_its_definition_to_the_bit(seed: int, spread: float, played) -> None:
    block = block_of(drawn(seed, spread))
    weights = load_model("probe").weights
    with_it = evaluator_of_packed(pack(weights, bearoff_tables(), race_block(), block))
    without = evaluator_of_packed(pack(weights, bearoff_tables(), race_block()))
    rows = np.array(played(800, seed), np.int8)
    contact = np.array([has_contact(tuple(row)) for row in rows.tolist()])
    found = outputs(cubeful_evaluator(with_it), rows[0], rows)
    plain = outputs(cubeful_evaluator(without), rows[0], rows)
    assert found[:, :6].tobytes() == plain[:, :6].tobytes()
    assert found[~contact].tobytes() == plain[~contact].tobytes()
    assert (found[contact, 6] == BY_OWNER).all()
    assert (plain[contact, 6] == np.float32(CONTACT)).all()
    expected = efficiencies(rows[contact], found[contact, :6], block)
    assert found[contact, 7:].tobytes() == np.ascontiguousarray(expected).tobytes()
    assert expected.std() > 0.0 and (~contact).sum() > 50


def test_a_loaded_network_has_the_block_and_one_without_tables_has_none() -> None:
    assert header_of(load_evaluator("leaf").weights).cube > 0
    assert header_of(load_evaluator("leaf", bearoff=False).weights).cube == 0
