"""Networks as evaluators of the search."""

from pathlib import Path

import numpy as np
import pytest

from gammon.base.errors import ModelError
from gammon.eval.bearoff_file import CHANCES
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import evaluator_of, load_evaluator
from gammon.eval.fold import fold_results
from gammon.eval.integer_network_kernel import results, scratch_for
from gammon.eval.integers import header_of, pack
from gammon.eval.model_file import load_model, save_model


@pytest.mark.smoke
def test_an_evaluator_is_a_packed_model():
    weights = load_model("probe").weights
    expected = pack(weights)
    for evaluator in (evaluator_of(weights, bearoff=False), load_evaluator("probe", False)):
        assert evaluator.weights.tobytes() == expected.tobytes()
        assert evaluator[:1] + evaluator[2:5] == (
            results, 6, fold_results, scratch_for(expected),
        )  # fmt: skip
        assert not evaluator.has_turn


def test_the_tables_of_bearoff_come_last():
    packed = load_evaluator("probe").weights
    tables = CHANCES.tables()
    begin = header_of(packed).tables
    assert begin == packed.size - tables.size > 0
    assert np.array_equal(packed[begin:], tables)


def test_unknown_models_are_refused():
    with pytest.raises(ModelError, match="'nobody'"):
        load_evaluator("nobody")


def test_what_is_loaded_again_is_there_until_its_file_changes(tmp_path: Path) -> None:
    weights = dict(load_model("probe").weights)
    path = tmp_path / "mine.safetensors"
    save_model(path, weights, {})
    first = load_evaluator(path, False)
    assert load_evaluator(path, False) is first
    assert load_evaluator(path) is not first, "with bearoffs it is another one"
    cubeful = cubeful_evaluator(first)
    assert cubeful_evaluator(load_evaluator(path, False)) is cubeful
    weights["parts.0.output.bias"] = weights["parts.0.output.bias"] + 1
    save_model(path, weights, {})
    assert load_evaluator(path, False).weights.tobytes() != first.weights.tobytes()
    assert cubeful_evaluator(load_evaluator(path, False)) is not cubeful
