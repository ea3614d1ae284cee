"""The evaluator with the cube: the chances of the network, and the efficiency."""

import numpy as np
import pytest

from gammon.errors import SettingError
from gammon.eval.baseline import BASELINE
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.efficiency import cube_efficiency
from gammon.eval.evaluators import load_evaluator
from gammon.rules.board import OPENING
from gammon.rules.plays import MAX_ROWS, successors
from tests.twins import outputs


def test_the_outputs_are_those_of_the_network_and_the_efficiency() -> None:
    network = load_evaluator("probe")
    cubeful = cubeful_evaluator(network)
    rows = np.empty((MAX_ROWS, 26), np.int8)
    race = np.zeros(26, np.int8)
    race[[6, 5, 2]], race[[19, 21]] = (5, 5, 5), (-9, -6)
    race[[8, 6]] = 1, 4
    for parent in (np.array(OPENING, np.int8), race):
        found = rows[: successors(parent, 3, rows)]
        out = outputs(cubeful, parent, found)
        assert out.shape == (len(found), cubeful.outputs) == (len(found), 7)
        assert out[:, :6].tobytes() == outputs(network, parent, found).tobytes()
        expected = [cube_efficiency(tuple(row.tolist())) for row in found]
        assert out[:, 6] == pytest.approx(expected)


def test_other_evaluators_are_refused() -> None:
    with pytest.raises(SettingError, match="expected that of a network in integers"):
        cubeful_evaluator(BASELINE)
