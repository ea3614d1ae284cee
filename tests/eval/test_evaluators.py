"""Networks as evaluators of the search."""

import numpy as np
import pytest

from gammon.errors import ModelError
from gammon.eval import bearoff_file, nnue
from gammon.eval.evaluators import evaluator_of, load_evaluator
from gammon.eval.fold import fold_results
from gammon.eval.model_file import load_model
from gammon.eval.packed import SLOT, pack


@pytest.mark.smoke
def test_an_evaluator_is_a_packed_model():
    weights = load_model("probe").weights
    expected = pack(weights)
    for evaluator in (evaluator_of(weights, bearoff=False), load_evaluator("probe", False)):
        assert np.array_equal(evaluator.weights, expected)
        assert (evaluator.evaluate, evaluator.outputs, evaluator.fold) == (
            nnue.results, 6, fold_results,
        )  # fmt: skip


def test_the_tables_of_bearoff_come_last():
    packed = load_evaluator("probe").weights
    tables = bearoff_file.tables()
    begin = int(packed[SLOT.tables])
    assert begin == packed.size - tables.size > 0
    assert np.array_equal(packed[begin:], tables)


def test_unknown_models_are_refused():
    with pytest.raises(ModelError, match="'nobody'"):
        load_evaluator("nobody")
