"""The efficiency of the cube in contact, compiled, against its definition in numpy."""

import numpy as np
import pytest

from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.cube_network import N_LEARNED, SEEN, UNITS, block_of
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.efficiency import BY_OWNER, CONTACT
from gammon.eval.evaluators import evaluator_of_packed, load_evaluator
from gammon.eval.integers import header_of, pack
from gammon.eval.model_file import load_model
from gammon.eval.race_network import race_block
from gammon.rules.board import has_contact
from tests.engine.eval.learned_cube import efficiencies
from tests.twins import outputs


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
