"""The tensors of a network, by name."""

import numpy as np
import pytest

from gammon.base.errors import ModelError
from gammon.eval.weights import LARGEST, MOST_UNITS, check_weights, first_layers, parts_of
from tests.engine.eval.tensors import drawn_tensors


def test_parts_have_the_names_of_one_network() -> None:
    weights = drawn_tensors(8, 4, parts=3)
    parts = parts_of(weights)
    assert len(parts) == 3
    for number, part in enumerate(parts):
        for name, value in part.items():
            assert value is weights[f"parts.{number}.{name}"]
    assert first_layers(weights) == [
        f"parts.{number}.{name}.weight" for number in range(3) for name in ("hidden1", "gate")
    ]


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, 3.4e38, -1.1 * LARGEST])
def test_weights_that_are_no_numbers_are_refused(number: float) -> None:
    weights = drawn_tensors(8, 4)
    check_weights(weights, "ours")
    weights["parts.0.gate.weight"][3, 7] = number
    with pytest.raises(ModelError, match=r"ours: parts\.0\.gate\.weight has a weight of"):
        check_weights(weights, "ours")


def test_layers_have_so_many_units_at_most() -> None:
    weights = drawn_tensors(8, 4)
    weights["parts.0.hidden1.bias"] = np.zeros(MOST_UNITS + 1, np.float32)
    with pytest.raises(
        ModelError, match=r"hidden1\.bias has 2049 units; expected no more than"
    ):
        check_weights(weights, "ours")
